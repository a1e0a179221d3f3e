#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# REQs, and DREQs, of two hosts that meet on the way
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
no_connections() { [ "$(rc_qps sib0) $(rc_qps sib1)" = '0 0' ]; }
both() { # COMMAND...: on both hosts at once
	local pid
	on h0 "$@" &
	pid=$!
	on h1 "$@" || die "h1: $*"
	wait $pid || die "h0: $*"
}
for ((i = 0; i < 3; i++)); do
	both sh -c 'echo datagram >/sys/class/net/ib0/mode'
	wait_for 20 no_connections
	fault sib0 delay 'ms=300 kind=mad class=cm'
	fault sib1 delay 'ms=300 kind=mad class=cm'
	both sh -c 'echo connected >/sys/class/net/ib0/mode'
	both ping -q -c 3 -i 0.1 -W 2 "10.0.0.1"
	both ping -q -c 3 -i 0.1 -W 2 "10.0.0.2"
	wait_for 10 large h0 10.0.0.2
	wait_for 10 large h1 10.0.0.1
	expect "QPs of connections" '2 2' "$(rc_qps sib0) $(rc_qps sib1)"
	both ip link set ib0 down
	expect "QPs of connections of two that are down" '0 0' "$(rc_qps sib0) $(rc_qps sib1)"
	both ip link set ib0 up
	wait_carrier h0
	wait_carrier h1
	fault sib0 delay off
	fault sib1 delay off
done
