#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the SA refuses the broadcast group, and later has it again: no packet is lost
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 3
streams_start
bcast=ff12:401b:ffff::ffff:ffff
! ours || trace_on
# A partition, but not for IPoIB
partitions 'Default=0x7fff : ALL=full;'
opensm_start
began=$(now_ms)
refused() { # HCA TIMES
	[ "$(trace_count "ipoib_join_failed: dev=ib0 hca=$1 mgid=$bcast .* status=-22")" -ge "$2" ]
}
refused_stock() { dmesg | grep -q "multicast join failed for ff12:401b:ffff:.*:ffff:ffff, status -22"; }
if ours; then
	# The last back-off of each is 16 s at least then.
	for hca in sib0 sib1 sib2; do
		wait_for 40 refused $hca 6
	done
else
	wait_for 20 refused_stock
	nap 20
fi
seconds=$((($(now_ms) - began) / 1000))
refuse group_exists $bcast
! ours || check streams_flow
partitions
opensm_start
back() { [ "$(group_members $bcast | wc -w)" = 3 ]; }
wait_active
began=$(now_ms)
wait_for 40 back
after=$(($(now_ms) - began))
echo "EVENT broadcast group refused: joined $after ms after ports are Active"
if ! ours; then
	wait_for 20 streams_flow
	streams_report "broadcast group refused for $seconds s"
	stock_fails "stops to send without the broadcast group"
fi
nothing_lost "broadcast group refused for $seconds s"
at_most "milliseconds to join again" $((4000 * SCALE)) $after
for host in h0 h1 h2; do
	check carrier $host
done
neigh_flush h0
wait_for 2 pings h0 10.0.0.3
