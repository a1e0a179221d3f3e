#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children made, shown, changed and deleted by ip link, and why not
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
dev=$(iface sib1)
add() { ip link add link "$dev" "$@"; }
show() { ip -d link show dev "$1"; }

check add name red type ipoib pkey 0x8001
expect_match "ip -d link" " red@$dev: .*link/infiniband .*ipoib pkey  ?0x8001 mode  ?datagram umcast  ?0000 " "$(show red)"
expect_match "ip -j" '"link":"'"$dev"'".*"info_kind":"ipoib","info_data":\{"key":"0x8001","mode":"datagram","umcast":"0000"\}' \
	"$(ip -j -d link show dev red)"
expect_match "ip -d link of a parent" 'ipoib pkey  ?0xffff mode  ?datagram umcast  ?0000 ' "$(show "$dev")"
# None of the private files, and no uniqueness; 15 bits are enough to ask for.
for file in mode pkey umcast parent create_child delete_child; do
	refuse test -e "/sys/class/net/red/$file"
done
check add name red2 type ipoib pkey 1 mode datagram umcast 1
expect_match "ip -d link" 'ipoib pkey  ?0x8001 mode  ?datagram umcast  ?0001 ' "$(show red2)"
# The parent's P_Key and a name, if none is given
check add type ipoib
expect_match "default name and P_Key" "ipoib0@$dev: .*ipoib pkey  ?0xffff " "$(show ipoib0)"
expect "address of a child" "$(cut -c 13- "/sys/class/net/$dev/address")" "$(cut -c 13- /sys/class/net/red/address)"
refuse expect "" "$(cut -c 1-12 "/sys/class/net/$dev/address")" "$(cut -c 1-12 /sys/class/net/red/address)"
check add name long mtu 1500 txqueuelen 77 type ipoib pkey 3
expect "length of the queue" 77 "$(cat /sys/class/net/long/tx_queue_len)"
! ours || expect "MTU" 1500 "$(cat /sys/class/net/long/mtu)"

# What cannot be had
for pkey in 0 0x8000; do
	refused_with "$(ours && echo 'Invalid P_Key: 0 and 0x8000 name no partition' || echo 'Invalid argument')" \
		add name x type ipoib pkey $pkey
done
if ours; then
	refused_with 'Give an IPoIB interface with link' ip link add name x type ipoib pkey 1
	refused_with 'Link is not an interface of this driver' ip link add link lo name x type ipoib pkey 1
	refused_with 'Link is a child itself' ip link add link red name x type ipoib pkey 1
	refused_with 'The P_Key cannot be changed' ip link set red type ipoib pkey 2
	refused_with 'The P_Key cannot be changed' ip link set "$dev" type ipoib pkey 2
	refused_with 'the last 8 of which are a GUID' add name x \
		address 00:00:00:00:fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:00 type ipoib pkey 1
	refused_with 'MTU is not within' add name x mtu 71 type ipoib pkey 1
	refused_with 'MTU is not within' add name x mtu 2045 type ipoib pkey 1
else
	refused_with 'Invalid argument' ip link add name x type ipoib pkey 1
	refused_with 'No such device' ip link add link lo name x type ipoib pkey 1
	refused_with 'Invalid argument' ip link add link red name x type ipoib pkey 1
fi
check add name large type ipoib pkey 5 mode connected
expect_match "ip -d link" 'mtu 65520 .*mode  ?connected ' "$(show large)"
check ip link set large type ipoib mode datagram
expect_match "ip -d link" 'mtu 2044 .*mode  ?datagram ' "$(show large)"
check ip link del large
refused_with 'File exists' add name red type ipoib pkey 4
refuse ip link show dev x

check ip link set red type ipoib umcast 1
check ip link set red type ipoib mode datagram umcast 0
check ip link set red type ipoib pkey 0x8001 umcast 1
expect_match "ip -d link" 'ipoib pkey  ?0x8001 mode  ?datagram umcast  ?0001 ' "$(show red)"
check ip link set "$dev" type ipoib umcast 1
expect "umcast of the parent" 1 "$(cat "/sys/class/net/$dev/umcast")"

for child in red red2 ipoib0 long; do
	check ip link del $child
	refuse ip link show dev $child
done
# Says that it has been done; it goes with its HCA or the module.
check ip link del "$dev"
check ip link show dev "$dev"
! ours || expect_match "log" "$dev: cannot be deleted: it goes with its RDMA device or with the module" "$(dmesg | tail -n 20)"
