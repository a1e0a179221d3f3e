#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# many frames of a stream reach IP as one packet

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "merges at most 4 frames"
hosts 2
spawn on h1 iperf3 -s -1 >/dev/null
wait_for 10 listening h1 5201
# Behind GRO, so that it sees what IP gets: more than 8 frames of 2044.
on h1 timeout $((20 * SCALE)) tcpdump -i ib0 -c 1 -nn 'tcp and greater 16352' >/tmp/gro 2>&1 &
tap=$!
nap 1
# A slow machine would send little at once, to spread it over time.
on h0 sysctl -q net.ipv4.tcp_min_tso_segs=16
packets=$(counter h1 rx_packets)
check on h0 iperf3 -c 10.0.0.2 -n 4M
wait $tap || die "no TCP packet of more than 16,352 bytes seen: $(cat /tmp/gro)"
rm -f /tmp/gro
# iperf3 does not wait for the last ones.
at_least "frames that h1 received" 1000 $(($(counter h1 rx_packets) - packets))
