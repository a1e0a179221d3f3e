#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# frames of kinds that nobody has a protocol for are dropped and counted

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
unheard() { echo $(($(counter h1 rx_dropped) + $(counter h1 rx_nohandler))); }
before=$(unheard)
packets=$(counter h1 rx_packets)
# Local experiments, VLAN, PPPoE, MPLS, LLDP; and what is a length to Ethernet
for type in 88b5 8100 8864 8847 88cc 0004; do
	inject sib0 h1 hex=${type}0000 random=100 count=50
done
arrived() { [ "$(counter h1 rx_packets)" -ge $((packets + 300)) ]; }
wait_for 5 arrived
at_least "packets dropped" $((before + 300)) "$(unheard)"

# The reserved half of the header says nothing (RFC 4391, section 6).
before=$(snmp h1 IpInHdrErrors)
inject sib0 h1 hex=0800ffff random=100 count=20
seen() { [ "$(snmp h1 IpInHdrErrors)" -gt "$before" ]; }
wait_for 5 seen
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
