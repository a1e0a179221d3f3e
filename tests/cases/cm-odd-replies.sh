#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# whatever a REP says the peer can receive, packets get there or their senders hear what does
# TIME: 150

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "tells senders of the MTU of datagrams, not of the peer's"
hosts 2
connected h0
anew() { # WORD...: h1 replies so from now on; h0 forgets what it was told before
	check ip -n h0 link set ib0 down
	fault sib1 corrupt "class=cm $*"
	check ip -n h0 link set ib0 up
	wait_carrier h0
	connected=$(ethtool_stat h0 cm_connected) lost=$(ethtool_stat h0 cm_lost)
	check on h0 ping -q -c 1 -W 5 10.0.0.2
}
says() { # RECEIVE-MTU
	# InfiniBand Architecture, section 12.6.8: private data is at byte 36 of a REP
	anew "attr=cm-rep at=$((24 + 36 + 4)) put=$1"
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
# RNR retries without end, hours for an acknowledgement, more RDMA reads than there are:
# bytes 24 to 27 of a REP. A peer that is gone is found out all the same.
anew "attr=cm-rep at=$((24 + 24)) put=0xfffff8f0"
wait_for 5 stat_rises h0 cm_connected "$connected"
check large h0 10.0.0.2
fault sib1 drop "always dir=both"
on h0 ping -q -c 1 -W 1 -s 60000 10.0.0.2 || true
wait_for 15 stat_rises h0 cm_lost "$lost"
fault sib1 drop off
wait_for 30 large h0 10.0.0.2

# No REP and no REJ, but a MRA that asks for patience, of hours: what is a REJ when it
# leaves the peer (attribute 0x12) arrives as that (0x11), with the longest timeout
unanswered=$(ethtool_stat h0 cm_unanswered)
fault sib0 corrupt "class=cm attr=0x0011 dir=rx at=$((24 + 8)) put=0x00f80000"
knob sib1 faults/verb 'create_qp ENOMEM'
anew attr=cm-rej dir=tx at=16 put=0x00110000
wait_for 35 stat_rises h0 cm_unanswered "$unanswered"
expect_match "rule for MRAs" "hits=[1-9]" "$(knob sib0 faults/corrupt)"
knob sib1 faults/verb off
fault sib0 corrupt off

fault sib1 corrupt off
wait_for 20 on h0 sh -c 'ip route flush cache; ping -q -c 1 -W 2 -M do -s 60000 10.0.0.2'
