#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# TCP that comes by connections in small messages reaches the stack in large packets (GRO)
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "merges four frames at most"
hosts 2
connected h0 h1
for k in 0 1; do
	check ip -n h$k link set ib0 mtu 2044
done
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 stat_rises h0 cm_connected 0
spawn on h1 iperf3 -s >/dev/null
wait_for 10 listening h1 5201
# Behind GRO, so that it sees what IP gets: more than 8 messages of 2044
on h1 timeout $((20 * SCALE)) tcpdump -i ib0 -c 1 -nn 'tcp and greater 16352' >/tmp/gro 2>&1 &
tap=$!
nap 1
# A slow machine would send little at once, to spread it over time.
on h0 sysctl -q net.ipv4.tcp_min_tso_segs=16
sent=$(rc_sent sib0)
check on h0 iperf3 -c 10.0.0.2 -n 4M
wait $tap || die "no TCP packet of more than 16,352 bytes seen: $(cat /tmp/gro)"
rm -f /tmp/gro
at_least "packets sent by RC" $((sent + 1000)) "$(rc_sent sib0)"
