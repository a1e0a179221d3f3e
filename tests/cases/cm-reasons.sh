#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a REJ of whatever reason leaves datagrams, and a connection when the peer will have one
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "asks again with the next packet, and drops what it could send by datagrams"
settings_change
unload_driver
load_driver recv_queue_size=16
hosts 2
check mode h0 connected
n=35
peers_make h1 $n
# A peer that refuses, whose reason, at byte 10 of a REJ (InfiniBand Architecture,
# section 12.6.7), becomes another one
knob sib1 faults/verb 'create_qp ENOMEM'
reason() {
	fault sib1 corrupt "class=cm attr=cm-rej at=$((24 + 8)) put=$1"
}
# counts REASON: what counts a REJ; ib_core keeps one to itself that says a timeout (4)
# of another request than the one that its text names
counts() {
	if [ "$1" = 4 ]; then echo cm_unanswered; else echo cm_rejected; fi
}

# It has never heard of connections: senders are told, once it has said so twice
reason 5
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 10 stat_rises h0 cm_rejected 1
nap 0.5
check on h0 ping -q -c 3 -i 0.1 -W 2 10.0.0.2
expect_match "large ping" "mtu ?= ?2044" "$(on h0 ping -c 1 -W 1 -M "do" -s 60000 10.0.0.2 2>&1 || true)"

peers_talk_to() { # N: that one alone
	check ip -n h0 addr replace 10.2.0.1/24 dev ib0
	sed -n "/ 10\.2\.0\.$((10 + $1)) /p" /tmp/cm.neigh | check ip -n h0 -batch -
	on h0 bash -c "echo >/dev/udp/10.2.0.$((10 + $1))/9"
}
for ((why = 1; why <= n; why++)); do
	before=$(ethtool_stat h0 "$(counts $why)")
	reason $why
	peers_talk_to $why
	wait_for 20 stat_rises h0 "$(counts $why)" "$before"
	check on h0 ping -q -c 1 -W 2 10.0.0.2
done
expect "QPs of connections" 0 "$(rc_qps sib0)"

fault sib1 corrupt off
knob sib1 faults/verb off
all_connected() {
	peers_talk h0
	nap 0.5
	# and that to h1's own interface
	[ "$(rc_qps sib0)" -ge $n ]
}
wait_for 20 all_connected
peers_remove h1
