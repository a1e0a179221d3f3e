#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The fault "corrupt": found by CRCs where it happens, or by the payload's checksum

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

hosts 2
check on h0 ping -c 1 10.0.0.2
qpn() { # HOST
	echo "0x$(link_address "$1" | cut -d: -f2-4 | tr -d :)"
}

# Sent damaged: the switch finds out.
before=$(switch_counter 1 rcv_errors)
knob sib0 faults/corrupt "next=5 qpn=$NOBODY"
arrived=$(arrived sib1)
datagrams sib0 sib1 20
wait_for 5 has_arrived sib1 $((arrived + 15))
expect "errors at the switch" $((before + 5)) "$(switch_counter 1 rcv_errors)"

# Damaged behind the switch: the HCA finds out.
before=$(port_counter sib1 port_rcv_errors)
crc=$(($(hca_counter sib1 icrc_errors) + $(hca_counter sib1 vcrc_errors)))
knob sib0 faults/corrupt off
knob sib1 faults/corrupt "next=6 dir=rx qpn=$NOBODY"
datagrams sib0 sib1 20
wait_for 5 has_arrived sib1 $((arrived + 29))
expect "errors at the HCA" $((before + 6)) "$(port_counter sib1 port_rcv_errors)"
expect "CRC errors" $((crc + 6)) \
	$(($(hca_counter sib1 icrc_errors) + $(hca_counter sib1 vcrc_errors)))
expect "hits" 6 "$(hits sib1 corrupt)"

# With CRCs that fit it is IP's to find out, and not ARP's.
ip -n h0 neigh replace 10.0.0.2 lladdr "$(link_address h1)" dev ib0 nud permanent
ip -n h1 neigh replace 10.0.0.1 lladdr "$(link_address h0)" dev ib0 nud permanent
errors() {
	on h1 nstat -asz IcmpInCsumErrors | sed -n 's/^IcmpInCsumErrors *\([0-9]*\).*/\1/p'
}
errors=$(errors) before=$(port_counter sib1 port_rcv_errors)
knob sib1 faults/corrupt off
knob sib0 faults/corrupt "next=3 reseal qpn=$(qpn h1)"
on h0 ping -q -c 5 -i 0.2 -W 1 10.0.0.2 >/dev/null || true
expect "wrong checksums" $((errors + 3)) "$(errors)"
expect "errors at the HCA" "$before" "$(port_counter sib1 port_rcv_errors)"
