#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the kernel's driver as the peer, by connections, in all combinations of modes
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/stock.sh
. /work/tests/tools/stock.sh

hosts 2
stock_load
stock_host h1
random_file /tmp/peer.data 1000000
for modes in 'datagram datagram' 'connected datagram' 'datagram connected' 'connected connected'; do
	read -r one two <<<"$modes"
	check mode h0 "$one"
	check mode h1 "$two"
	# What the one who sends by datagrams cannot send comes in fragments.
	check on h0 ping -q -c 1 -W 5 10.0.0.2
	check on h0 ping -q -c 5 -i 0.05 -W 2 -s 20000 10.0.0.2
	check on h1 ping -q -c 5 -i 0.05 -W 2 -s 20000 10.0.0.1
	check on h0 ping -q -c 5 -i 0.05 -W 2 -s 20000 fd00::2
	check on h1 ping -q -c 5 -i 0.05 -W 2 -s 20000 fd00::1
	# By a connection, before packets are counted
	[ "$one" = datagram ] || wait_for 10 large h0 10.0.0.2
	[ "$two" = datagram ] || wait_for 10 large h1 10.0.0.1
	faultless h0 h1
	sent0=$(rc_sent sib0) sent1=$(rc_sent sib1)
	copy h0 h1 10.0.0.2 /tmp/peer.data
	copy h1 h0 10.0.0.1 /tmp/peer.data
	still_faultless h0 h1
	sent0=$(($(rc_sent sib0) - sent0)) sent1=$(($(rc_sent sib1) - sent1))
	echo "$modes: packets by RC: h0 $sent0, h1 $sent1; QPs $(rc_qps sib0), $(rc_qps sib1)"
	# Data one way, acknowledgements the other: each who is connected sends by RC.
	[ "$one" = datagram ] || at_least "packets that h0 sends by RC" 490 $sent0
	[ "$two" = datagram ] || at_least "packets that h1 sends by RC" 490 $sent1
done
faultless h0 h1
both_ways 10.0.0.1 10.0.0.2 "$(scaled 100)" 65000 2
check on h0 ping -q -c 20 -i 0.02 -W 2 -M "do" -s 65488 10.0.0.2
check on h1 ping -q -c 20 -i 0.02 -W 2 -M "do" -s 65488 10.0.0.1
still_faultless h0 h1
