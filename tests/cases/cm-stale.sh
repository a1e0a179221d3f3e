#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connections that a peer has lost without a word do not stay beside the new one
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "keeps them until they have been idle for long"
hosts 2
connected h0
check on h0 ping -q -c 1 -W 5 10.0.0.2
no_connections() { [ "$(rc_qps sib0)" = 0 ]; }
for ((i = 0; i < 4; i++)); do
	wait_for 10 large h0 10.0.0.2
	fault sib0 drop 'kind=mad class=cm'
	check mode h0 datagram
	wait_for 10 no_connections
	fault sib0 drop off
	check mode h0 connected
done
wait_for 10 large h0 10.0.0.2
expect "QPs of connections of h1" 5 "$(rc_qps sib1)"
one_left() {
	large h0 10.0.0.2
	[ "$(rc_qps sib1)" = 1 ]
}
wait_for $((30 + 15 + 3)) one_left
expect "idle connections of h1" 4 "$(ethtool_stat h1 cm_idle)"
