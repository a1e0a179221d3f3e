#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a wrong Q_Key or P_Key does not get past the HCA, nor the switch, and is counted there

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
faultless h1
packets=$(counter h1 rx_packets) qkey=$(hca_counter sib1 bad_qkey) pkey=$(hca_counter sib1 bad_pkey)
violations=$(value $SIB/sib1/info q_key_violations)
# An ARP request that would be answered
arp=08060000000120001404000100000000

inject sib0 h1 qkey=0xb1c hex=$arp random=44 count=50
counted() { [ "$(hca_counter sib1 "$1")" = "$2" ]; }
wait_for 5 counted bad_qkey $((qkey + 50))
at_least "violations as the SM is told" $((violations + 1)) "$(value $SIB/sib1/info q_key_violations)"

# The switch stops a P_Key that the port has not; behind it the HCA does.
inject sib0 h1 pkey=0x8123 hex=$arp random=44 count=50
expect "foreign P_Keys that came past the switch" "$pkey" "$(hca_counter sib1 bad_pkey)"
inject sib1 h1 at=port pkey=0x8123 hex=$arp random=44 count=50
wait_for 5 counted bad_pkey $((pkey + 50))

at_most "packets that h1 received" $((packets + 5)) "$(counter h1 rx_packets)"
still_faultless h1
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
