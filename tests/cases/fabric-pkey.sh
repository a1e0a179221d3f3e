#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Partitions: tables as opensm sets them, enforced by the switch and by the receiver

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

at_exit rm -f $STATE/partitions.conf
fabric_unload_all() {
	hosts_remove
	unload_driver
	fabric_unload
}
fabric_unload_all
fabric_load hcas=4 mtu=4096
# sib0 is a full member of red, sib1 and sib2 are limited ones, sib3 is none.
partitions 'Default=0x7fff, ipoib, mtu=5 : ALL=full;' \
	"red=0x0011, ipoib, mtu=4 : $(port_guid sib0)=full, $(port_guid sib1)=limited, $(port_guid sib2)=limited;"
opensm_start
wait_active

pkeys() {
	sed -n 's/^pkey [0-9]* //p' $SIB/"$1"/info | xargs
}
expect "P_Keys of sib0" "0xffff 0x8011" "$(pkeys sib0)"
expect "P_Keys of sib1" "0xffff 0x0011" "$(pkeys sib1)"
expect "P_Keys of sib3" "0xffff" "$(pkeys sib3)"
expect_match "enforcement" ' enforce=3 ' "$(grep '^4 ' $SIB/switch_ports)"
expect "MTU of sib0" 4096 "$(hca_info sib0 mtu)"
# A query through sib0, which may see both partitions.
groups=$(saquery -C sib0 -g)
expect_match "groups" 'ff12:401b:8011::ffff:ffff[^M]*Mlid[^M]*Mtu\.*0x84' "$groups"
expect_match "groups" 'ff12:401b:ffff::ffff:ffff[^M]*Mlid[^M]*Mtu\.*0x85' "$groups"

# passes FROM TO PKEY: how many of 10 datagrams with that P_Key arrive
passes() {
	local before
	before=$(($(arrived "$2") + $(hca_counter "$2" bad_pkey)))
	knob "$1" inject "dlid=$(lid "$2") qpn=$NOBODY qkey=1 pkey=$3 random=64 count=10"
	nap 0.1
	echo $(($(arrived "$2") + $(hca_counter "$2" bad_pkey) - before))
}
expect "default partition" 10 "$(passes sib0 sib3 0xffff)"
expect "full to limited" 10 "$(passes sib0 sib1 0x8011)"
expect "limited to full" 10 "$(passes sib1 sib0 0x0011)"
# Outbound, at the port of the receiver.
before=$(switch_counter 3 xmit_constraint_errors)
expect "limited to limited" 0 "$(passes sib1 sib2 0x0011)"
expect "outbound errors" $((before + 10)) "$(switch_counter 3 xmit_constraint_errors)"
before=$(switch_counter 4 xmit_constraint_errors)
expect "member to none" 0 "$(passes sib0 sib3 0x8011)"
expect "outbound errors" $((before + 10)) "$(switch_counter 4 xmit_constraint_errors)"
# Inbound, at the port of the sender.
before=$(switch_counter 4 rcv_constraint_errors)
expect "none to member" 0 "$(passes sib3 sib0 0x8011)"
expect "none to limited member" 0 "$(passes sib3 sib1 0x8011)"
expect "inbound errors" $((before + 20)) "$(switch_counter 4 rcv_constraint_errors)"
before=$(switch_counter 2 rcv_constraint_errors)
expect "limited as full" 0 "$(passes sib1 sib0 0x8011)"
expect "inbound errors" $((before + 10)) "$(switch_counter 2 rcv_constraint_errors)"

# What the switch did not stop, the receiver does; it counts, and tells opensm.
before=$(hca_info sib3 p_key_violations)
knob sib3 inject "at=port qpn=1 qkey=0x80010000 pkey=0x8011 random=256 count=5"
violated() { [ "$(hca_info sib3 p_key_violations)" -gt "$before" ]; }
wait_for 2 violated
at_least "P_Key violations" 1 "$(hca_info sib3 p_key_violations)"
wait_for 5 grep -q 'num:257' /results/opensm.log

# The SM changes the table of a port that is up.
partitions 'Default=0x7fff, ipoib, mtu=5 : ALL=full;' \
	"red=0x0011, ipoib, mtu=4 : $(port_guid sib0)=full, $(port_guid sib3)=full;"
opensm_start
changed() {
	[ "$(pkeys sib3)" = "0xffff 0x8011" ] && [ "$(pkeys sib1)" = 0xffff ]
}
wait_for 10 changed
member() { [ "$(passes sib0 sib3 0x8011)" = 10 ]; }
wait_for 5 member
