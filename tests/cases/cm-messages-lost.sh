#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a REQ, a REP, an RTU or a DREQ that is lost is made up for
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "drops what it could send by datagrams while it connects"
hosts 2
connected h0 h1
check on h0 ping -q -c 1 -W 5 10.0.0.2
for message in cm-req cm-rep cm-rtu; do
	# h1 ends what there is; what h0 makes then lacks a message
	check mode h0 datagram
	nap 0.3
	fault sib0 drop "next=1 kind=mad attr=$message"
	fault sib1 drop "next=1 kind=mad attr=$message"
	check mode h0 connected
	check on h0 ping -q -c 1 -W 2 10.0.0.2
	wait_for 15 large h0 10.0.0.2
	fault sib0 drop off
	fault sib1 drop off
done
# Nobody hears that a connection has ended; the other end finds out.
fault sib0 drop "kind=mad class=cm"
fault sib1 drop "kind=mad class=cm"
check ip -n h1 link set ib0 down
check ip -n h1 link set ib0 up
wait_carrier h1
fault sib0 drop off
fault sib1 drop off
wait_for 20 large h0 10.0.0.2
wait_for 20 large h1 10.0.0.1
