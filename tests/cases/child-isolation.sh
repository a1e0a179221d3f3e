#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# partitions keep hosts of one subnet apart, and the switch says why; limited members
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

settings_change
partitions "$DEFAULT_PARTITION" \
	"$(partition red 0x0001 "$(port_guid sib0)=full" "$(port_guid sib1)=limited" "$(port_guid sib2)=limited")" \
	"$(partition blue 0x0002 "$(port_guid sib3)=full")"
opensm_start
wait_for 20 has_pkeys sib3 "0xffff 0x8002"
wait_for 20 has_pkeys sib1 "0xffff 0x0001"
hosts 4
child h0 8001 1
child h1 8001 2
child h2 8001 3
child h3 8002 4
for host in h0 h1 h2; do
	wait_carrier $host ib0.8001
done
wait_carrier h3 ib0.8002

# Full with limited, not limited with limited, and not with another partition
wait_for 10 pings h0 10.1.0.2
wait_for 10 pings h2 10.1.0.1
wait_for 10 pings h0 10.1.0.3
# h0 may ask h2 whether it is still there, so packets as such do not count.
echos=$(snmp h2 IcmpInEchos) received3=$(counter h3 rx_packets ib0.8002)
for to in 3 4; do
	# Not for want of an answer to ARP
	ip -n h1 neigh replace 10.1.0.$to lladdr "$(link_address h$((to - 1)) "ib0.800$((to == 4 ? 2 : 1))")" dev ib0.8001
	refuse on h1 ping -q -c 3 -i 0.05 -W 1 10.1.0.$to
done
at_least "requests that h2 received from h0" 1 "$echos"
expect "requests that h2 received from h1 too" "$echos" "$(snmp h2 IcmpInEchos)"
expect "packets that h3 received" "$received3" "$(counter h3 rx_packets ib0.8002)"
if ours; then
	# The SM tells of no path
	at_least "packets without a path" 1 "$(ethtool_stat h1 tx_unreachable ib0.8001)"
fi

# With a path, it is the switch that stops them, at the sender's or the receiver's port.
errors() { echo $(($(switch_counter 4 xmit_constraint_errors) + $(switch_counter 1 rcv_constraint_errors))); }
before=$(errors)
knob sib0 inject "dlid=$(lid sib3) qpn=$(qpn h3 ib0.8002) qkey=0xb1b pkey=0x8001 hex=08000000 random=64 count=10"
more_errors() { [ "$(errors)" -ge $((before + 10)) ]; }
wait_for 5 more_errors
# Past the switch, at the receiving port itself
violations=$(hca_info sib3 p_key_violations)
knob sib3 inject "at=port qpn=$(qpn h3 ib0.8002) qkey=0xb1b pkey=0x8001 hex=08000000 random=64 count=10"
nap 0.2
at_least "P_Key violations" $((violations + 1)) "$(($(hca_info sib3 p_key_violations) + $(hca_counter sib3 bad_pkey)))"
expect "packets that h3 received" "$received3" "$(counter h3 rx_packets ib0.8002)"
