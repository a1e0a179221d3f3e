#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# debugfs shows connections, and ethtool -C moderates what receives from them
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

ours || skip "the stock driver has no such table"
hosts 2
connected h0
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 large h0 10.0.0.2
# table HOST: records as lines
table() {
	local file
	file=$(grep -l "^$2: " /sys/kernel/debug/ipoib/*ib0*_conn | head -n 1)
	sed -z 's/\n */ /g; s/to:/\n&/g; s/from:/\n&/g; s/  */ /g' "$file"
}
qpn() { printf 0x%06x "$(rc_qpn "$1" 1)"; }
expect_match "connections of h0" \
	"to: $(link_address h1) state: up QPN: $(qpn sib0) queue: 0 MTU: 65520 idle: [0-9]+ s" "$(table h0 to)"
expect_match "connections of h1" \
	"from: 80:$(link_address h0 | cut -c 4-) state: up QPN: $(qpn sib1) queue: 0 idle: [0-9]+ s" "$(table h1 from)"

shortest() { on h0 ping -q -c 5 -i 0.1 -W 5 -s 30000 10.0.0.2 | sed -n 's|^rtt.*= \([0-9]*\)\..*|\1|p'; }
check on h1 ethtool -C ib0 rx-usecs 30000 rx-frames 8
at_least "milliseconds of the shortest round trip" 30 "$(shortest)"
# A queue that is made later
check mode h0 datagram
no_connections() { [ "$(rc_qps sib1)" = 0 ] && [ "$(value $SIB/sib1/info srqs)" = 0 ]; }
wait_for 30 no_connections
check mode h0 connected
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 large h0 10.0.0.2
at_least "milliseconds of the shortest round trip" 30 "$(shortest)"
check on h1 ethtool -C ib0 rx-usecs 0 rx-frames 0
at_most "milliseconds of the shortest round trip" 25 "$(shortest)"
