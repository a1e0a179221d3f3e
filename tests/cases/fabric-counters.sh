#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Port counters move exactly as sent, saturate, and are reset by perfquery

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

fabric_alone hcas=3
# Nobody else is to send: neither opensm, nor the kernel that asks it for ClassPortInfo
# after a second.
nap 1.5
opensm_stop
wait_for 10 quiet sib0 sib1 sib2

count() { # HCA: data and packets out and in; reading sysfs sends nothing
	local name
	for name in port_xmit_data port_xmit_packets port_rcv_data port_rcv_packets; do
		port_counter "$1" $name
	done | xargs
}
plus() { # "A B C D" A B C D
	local -a old
	read -ra old <<<"$1"
	echo $((old[0] + $2)) $((old[1] + $3)) $((old[2] + $4)) $((old[3] + $5))
}

# 96 bytes, 24 words each
s0=$(count sib0) s1=$(count sib1) s2=$(count sib2)
datagrams sib0 sib1 1000
wait_for 5 has_arrived sib1 1000
expect "counters of the sender" "$(plus "$s0" 24000 1000 0 0)" "$(count sib0)"
expect "counters of the receiver" "$(plus "$s1" 0 0 24000 1000)" "$(count sib1)"
expect "counters of the third" "$s2" "$(count sib2)"

# The switch counts the same. perfquery sends two MADs and gets two answers.
query() { # PORT NAME
	perfquery -C sib2 -x "$switch" "$1" | sed -n "s/^$2:\.*//p"
}
switch=$(sed -n 's/^lid \([0-9]*\) .*/\1/p' $SIB/switch_ports)
received=$(query 1 PortRcvPkts) sent=$(query 2 PortXmitPkts) unicast=$(query 2 PortUnicastXmitPkts)
multicast=$(query 2 PortMulticastXmitPkts)
datagrams sib0 sib1 500
expect "received by switch port 1" $((received + 500)) "$(query 1 PortRcvPkts)"
expect "sent by switch port 2" $((sent + 500)) "$(query 2 PortXmitPkts)"
expect "unicasts of switch port 2" $((unicast + 500)) "$(query 2 PortUnicastXmitPkts)"
expect "multicasts of switch port 2" "$multicast" "$(query 2 PortMulticastXmitPkts)"

# 300 packets with a foreign P_Key: the counter of 8 bits stops at 255.
knob sib0 inject "dlid=$(lid sib1) qpn=$NOBODY qkey=1 pkey=0x8123 count=300"
expect "constraint errors in debugfs" 300 "$(switch_counter 1 rcv_constraint_errors)"
errors() {
	perfquery -C sib2 "$switch" 1 | sed -n 's/^PortRcvConstraintErrors:\.*//p'
}
expect "constraint errors by perfquery" 255 "$(errors)"
check perfquery -C sib2 -R "$switch" 1
expect "constraint errors after reset" 0 "$(errors)"
expect "packets after reset" 0 "$(query 1 PortRcvPkts)"
datagrams sib0 sib1 7
expect "packets since reset" 7 "$(query 1 PortRcvPkts)"

# Multicast, to a group without members: sent, and dropped by the switch.
before=$(hca_counter sib0 xmit_mcast_pkts) dropped=$(switch_counter 1 rcv_switch_relay_errors)
knob sib0 inject "dlid=0xc123 qpn=0xffffff dgid=ff12:401b:ffff::ffff:ffff qkey=1 count=9"
expect "multicasts sent" $((before + 9)) "$(hca_counter sib0 xmit_mcast_pkts)"
expect "multicasts without members" $((dropped + 9)) "$(switch_counter 1 rcv_switch_relay_errors)"
