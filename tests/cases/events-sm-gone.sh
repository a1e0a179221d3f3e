#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 60 s without a subnet manager: no packet is lost, and what was asked for meanwhile comes
# TIME: 150

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 3
streams_start
kill -9 "$(<$STATE/opensm.pid)"
began=$(now_ms)
# Asked for in vain: a host and a group
refuse pings h1 10.0.0.3
spawn on h2 socat -u UDP4-RECV:5000,ip-add-membership=239.5.5.5:ib0 /dev/null
# The two streams are to be the last.
SPAWNED=("${SPAWNED[2]}" "${SPAWNED[@]:0:2}")
while [ $(($(now_ms) - began)) -lt 60000 ]; do
	nap 1
done
opensm_start
wait_active
began=$(now_ms)
wait_for 20 everyone_joined
wait_for 20 group_exists "$(mgid 239.5.5.5)"
wait_for 20 pings h1 10.0.0.3
after=$(($(now_ms) - began))
echo "EVENT SM gone for 60 s: host and group asked for meanwhile there after $after ms"
ours || { wait_for 20 streams_flow; streams_report "SM gone for 60 s"; }
stock_fails "stops to send until it has asked for all paths again"
nothing_lost "SM gone for 60 s"
at_most "milliseconds until host and group are there" $((4000 * SCALE)) $after
for host in h0 h1 h2; do
	check carrier $host
done
