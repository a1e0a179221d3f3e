#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an IPv4 group: joined by a receiver, seen by the SM, sent to by a non-member, gone at the end

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
group=239.1.2.3
mgid=$(mgid $group)
check no_group "$mgid"

at_exit rm -f /tmp/mcast
spawn on h1 socat -u UDP4-RECV:5000,ip-add-membership=$group:ib0 OPEN:/tmp/mcast,creat,append
wait_for 5 group_exists "$mgid"
expect "members" "$(host_gid h1)" "$(group_members "$mgid")"
expect "h1's membership" 0x1 "$(join_state "$mgid" "$(host_gid h1)")"

# h0 only sends, and joins as one who does (RFC 4391, section 6).
ip -n h0 route add $group dev ib0
send() { echo "$1" | on h0 socat -u - UDP4-DATAGRAM:$group:5000; }
send 'too early, perhaps'
wait_for 5 forwarded "$mgid" sib1
nap 0.2
true >/tmp/mcast
received=$(counter h1 multicast)
for i in 1 2 3; do
	send "datagram $i"
done
arrived() { [ "$(cat /tmp/mcast)" = $'datagram 1\ndatagram 2\ndatagram 3' ]; }
wait_for 5 arrived
at_least "multicast packets that h1 received" $((received + 3)) "$(counter h1 multicast)"
expect "members" "$(host_gid h0) $(host_gid h1)" "$(group_members "$mgid")"
expect "h0's membership" 0x8 "$(join_state "$mgid" "$(host_gid h0)")"

# h1 leaves; h0, which sent a moment ago, goes with its interface.
kill "${SPAWNED[0]}"
left() { [ "$(group_members "$mgid")" = "$(host_gid h0)" ]; }
wait_for 5 left
ip -n h0 link set ib0 down
wait_for 5 no_group "$mgid"
