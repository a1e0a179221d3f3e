#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# whatever a REP says the peer can receive, packets get there or their senders hear what does
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "tells senders of the MTU of datagrams, not of the peer's"
hosts 2
connected h0
says() { # RECEIVE-MTU: h1, from now on; h0 forgets what it was told before
	check ip -n h0 link set ib0 down
	# InfiniBand Architecture, section 12.6.8: private data is at byte 36 of a REP
	fault sib1 corrupt "class=cm attr=cm-rep at=$((24 + 36 + 4)) put=$1"
	check ip -n h0 link set ib0 up
	wait_carrier h0
	connected=$(ethtool_stat h0 cm_connected) lost=$(ethtool_stat h0 cm_lost)
	check on h0 ping -q -c 1 -W 5 10.0.0.2
}
takes() { # MTU: what h0 is told at the first try
	expect_match "large ping" "mtu ?= ?$1" "$(on h0 ping -c 1 -W 1 -M "do" -s 60000 10.0.0.2 2>&1 || true)"
	check on h0 ping -q -c 2 -i 0.1 -W 2 -M "do" -s $(($1 - 28)) 10.0.0.2
	check on h0 ping -q -c 2 -i 0.1 -W 2 -s 60000 10.0.0.2
}

says 9004
wait_for 5 stat_rises h0 cm_connected "$connected"
takes 9000
# Less than a datagram, which then carries what is longer
says 1004
wait_for 5 stat_rises h0 cm_connected "$connected"
takes 2044
for mtu in 0x80000000 0xffffffff; do
	says $mtu
	wait_for 5 stat_rises h0 cm_connected "$connected"
	check large h0 10.0.0.2 65492
	expect "connections lost, Receive MTU $mtu" "$lost" "$(ethtool_stat h0 cm_lost)"
done
# Nothing at all: as good as no connection
for mtu in 0 4; do
	requests=$(ethtool_stat h0 cm_requests)
	says $mtu
	wait_for 10 stat_rises h0 cm_requests $((requests + 1))
	nap 0.5
	takes 2044
	expect "connections, Receive MTU $mtu" "$connected" "$(ethtool_stat h0 cm_connected)"
done
fault sib1 corrupt off
wait_for 20 on h0 sh -c 'ip route flush cache; ping -q -c 1 -W 2 -M do -s 60000 10.0.0.2'
