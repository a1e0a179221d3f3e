#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the SA answers each question 2 s late: no packet is lost, and new hosts are reached
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

# sib3 is no host, and hears at once.
saquery() { command saquery -C sib3 "$@"; }
hosts 3
streams_start
for hca in sib0 sib1 sib2; do
	fault $hca delay class=sa method=get-resp dir=rx ms=2000
done
! ours || trace_on
sm_takes_over
if ! ours; then
	# Longer than it takes to give up a question
	nap 6
	streams_report "SM restarts, SA answers after 2 s"
	stock_fails "stops to send until it has asked for all paths again, and gives up after 1 s"
fi
wait_for 20 traced "ipoib_path_done: dev=ib0 hca=sib0 gid=$(host_gid h1) "
wait_for 20 traced "ipoib_path_done: dev=ib0 hca=sib1 gid=$(host_gid h0) "
nothing_lost "SM restarts, SA answers after 2 s"
check carrier h0
# A new host: what waits for the answers is not lost.
on h0 sysctl -q net.ipv4.neigh.ib0.mcast_solicit=20
neigh_flush h0
check on h0 ping -q -c 1 -W $((10 * SCALE)) 10.0.0.3
