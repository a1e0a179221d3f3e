#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# lost packets, lost acknowledgements and empty receive queues do not end a connection
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "the first of them ends a connection"
hosts 2
connected h0 h1
check large h0 10.0.0.2
random_file /tmp/cm.data 1000000
for rule in 'kind=rc-data 1/50' 'kind=rc-ack 1/5' 'kind=rc 1/100 dir=both'; do
	fault sib0 drop "$rule"
	copy h0 h1 10.0.0.2 /tmp/cm.data
	fault sib0 drop off
done
for ((i = 0; i < 3; i++)); do
	knob sib1 faults/starve 3
	copy h0 h1 10.0.0.2 /tmp/cm.data
done
at_least "packets sent again" 10 "$(hca_counter sib0 rc_retransmitted)"
at_least "RNR NAKs" 3 "$(hca_counter sib0 rc_rnr_naks_received)"
expect "connections lost" '0 0' "$(ethtool_stat h0 cm_lost) $(ethtool_stat h1 cm_lost)"
expect "connections made" 1 "$(ethtool_stat h0 cm_connected)"
