#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the SA does not answer for 20 s: no packet is lost, and new hosts are reached after
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 3
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
# Asked for while nobody answers
refuse pings h1 10.0.0.3
while [ $(($(now_ms) - began)) -lt 20000 ]; do
	nap 0.5
done
fault sib0 drop off
began=$(now_ms)
if ! ours; then
	wait_for 30 streams_flow
	streams_report "SA deaf for 20 s"
	stock_fails "stops to send until it has asked for all paths again"
fi
# After a back-off, at the most
wait_for 32 pings h1 10.0.0.3
echo "EVENT SA deaf for 20 s: a host asked for in vain is reached $(($(now_ms) - began)) ms after"
nothing_lost "SA deaf for 20 s"
for host in h0 h1 h2; do
	check carrier $host
done
wait_for 32 everyone_joined
