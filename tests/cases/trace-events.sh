#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# tracepoints tell of states, events, joins, paths and destinations, with their names
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "has no tracepoints"
hosts 1
trace_on
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
gid=$(host_gid h1) bcast=ff12:401b:ffff::ffff:ffff
h1='dev=ib0 hca=sib1'
wait_for 5 traced "ipoib_state: $h1 port=1 from=down to=joining"
expect "times up" 1 "$(trace_count "ipoib_state: $h1 port=1 from=joining to=up")"
expect "joins of the broadcast group" 1 "$(trace_count "ipoib_join_start: $h1 mgid=$bcast .* send_only=0 ")"
expect "joins done" 1 "$(trace_count "ipoib_join_done: $h1 mgid=$bcast mlid=0xc000 send_only=0 status=0")"
expect "destinations" 1 "$(trace_count "ipoib_dst_create: dev=ib0 hca=sib0 addr=$(link_address h1)")"
expect "path queries" 1 "$(trace_count "ipoib_path_start: dev=ib0 hca=sib0 gid=$gid ")"
expect "paths" 1 "$(trace_count "ipoib_path_done: dev=ib0 hca=sib0 gid=$gid dlid=$(printf 0x%04x "$(lid sib1)") sl=0 status=0")"

# What fails: nobody has this GID, and no group is to be had with a rate of its own.
ip -n h0 neigh replace 10.0.0.9 dev ib0 \
	lladdr 00:00:00:99:fe:80:00:00:00:00:00:00:00:51:b0:00:00:00:99:01
refuse pings h0 10.0.0.9
wait_for 5 traced "ipoib_path_failed: dev=ib0 hca=sib0 gid=fe80::51:b000:0:9901 .* status=-22"
fault sib0 drop class=sa method=set attr=mcmember-record
ip -n h0 route add 239.9.9.9 dev ib0
on h0 socat -u - UDP4-DATAGRAM:239.9.9.9:5000 <<<lost
wait_for 15 traced "ipoib_join_failed: dev=ib0 hca=sib0 mgid=ff12:401b:ffff::f09:909 .* send_only=1 status=-110"

link_down sib1
wait_for 5 traced "ipoib_event: $h1 port=1 event=port-err"
wait_for 5 traced "ipoib_state: $h1 port=1 from=up to=no-port"
ip -n h0 link set ib0 down
wait_for 5 traced "ipoib_dst_remove: dev=ib0 hca=sib0 addr=$(link_address h1)"
