#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 600 frames too short for their 4 bytes of header are counted as such and do no harm

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "takes frames of less than 44 bytes as packets"
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
short=$(ethtool_stat h1 rx_short) errors=$(counter h1 rx_errors) packets=$(counter h1 rx_packets)
# More than the receive queue is long, should each cost a buffer
for length in 0 1 2 3; do
	inject sib0 h1 random=$length count=150
done
all_seen() { [ "$(ethtool_stat h1 rx_short)" = $((short + 600)) ]; }
wait_for 5 all_seen
expect "receive errors" $((errors + 600)) "$(counter h1 rx_errors)"
at_most "packets received" $((packets + 5)) "$(counter h1 rx_packets)"

# Headers and nothing more are IP's to judge.
headers=$(snmp h1 IpInHdrErrors)
inject sib0 h1 hex=08000000
inject sib0 h1 hex=0800000045000014
judged() { [ "$(snmp h1 IpInHdrErrors)$(snmp h1 IpExtInTruncatedPkts)" != "$headers"0 ]; }
wait_for 5 judged
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
