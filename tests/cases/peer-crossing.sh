#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the kernel's driver as the peer asks for a connection while it is asked for one
# TIME: 120

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
connected h0 h1
check on h0 ping -q -c 1 -W 5 10.0.0.2
none() { [ "$(rc_qps sib0) $(rc_qps sib1)" = '0 0' ]; }
for ((i = 0; i < 5; i++)); do
	fault sib0 delay 'ms=300 kind=mad class=cm'
	fault sib1 delay 'ms=300 kind=mad class=cm'
	on h1 ping -q -c 20 -i 0.1 -W 2 10.0.0.1 >/tmp/peer.ping &
	ping=$!
	check on h0 ping -q -c 20 -i 0.1 -W 2 10.0.0.2
	wait $ping || true
	wait_for 10 large h0 10.0.0.2
	wait_for 10 large h1 10.0.0.1
	expect "QPs of connections" '2 2' "$(rc_qps sib0) $(rc_qps sib1)"
	# What it drops meanwhile is its own affair.
	echo "round $i: h1 lost $(lost /tmp/peer.ping)"
	fault sib0 delay off
	fault sib1 delay off
	check mode h0 datagram
	check mode h1 datagram
	wait_for 20 none
	check mode h0 connected
	check mode h1 connected
done
