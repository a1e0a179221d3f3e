#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the SA does not answer for a minute: no packet is lost, and its first answer is enough to go on
# TIME: 180

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 4
# Neighbour entries that are to be asked for again are not what this is about.
ip -n h0 neigh replace 10.0.0.2 lladdr "$(link_address h1)" dev ib0
ip -n h1 neigh replace 10.0.0.1 lladdr "$(link_address h0)" dev ib0
streams_start
# To all but those who ask on the SM's own host
fault sib0 drop class=sa method=get-resp
! ours || trace_on
opensm_start
began=$(now_ms)
if ours; then
	wait_for 30 traced "ipoib_path_failed: dev=ib0 hca=sib0 gid=$(host_gid h1) .* status=-110"
	wait_for 30 traced "ipoib_join_failed: dev=ib0 hca=sib1 mgid=ff12:401b:ffff::ffff:ffff .* status=-110"
fi
# Asked for again and again while nobody answers
spawn on h1 ping -q 10.0.0.3 >/dev/null
# The two streams are to be the last.
SPAWNED=("${SPAWNED[2]}" "${SPAWNED[@]:0:2}")
in_vain() { # TIMES: h2, for the way to h1
	[ "$(trace_count "ipoib_path_failed: dev=ib0 hca=sib2 gid=$(host_gid h1) .* status=-110")" -ge "$1" ]
}
if ours; then
	# The back-off is 16 s at least then.
	wait_for 80 in_vain 6
else
	nap 60
fi
seconds=$((($(now_ms) - began) / 1000))
fault sib0 drop off
began=$(now_ms)
if ! ours; then
	wait_for 30 streams_flow
	streams_report "SA deaf for $seconds s"
	stock_fails "stops to send until it has asked for all paths again"
fi
# What h2 has not asked for yet has no back-off.
wait_for 4 pings h2 10.0.0.4
echo "another host is reached $(($(now_ms) - began)) ms after"
wait_for 32 pings h1 10.0.0.3
after=$(($(now_ms) - began))
echo "EVENT SA deaf for $seconds s: a host asked for in vain is reached $after ms after"
nothing_lost "SA deaf for $seconds s"
at_most "milliseconds until it is reached" $((4000 * SCALE)) $after
for host in h0 h1 h2 h3; do
	check carrier $host
done
wait_for 32 everyone_joined
