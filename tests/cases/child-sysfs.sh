#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children made and deleted through sysfs: names, P_Keys, files, and what is refused

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
dev=$(iface sib1)
sys=/sys/class/net/$dev
create() { echo "$1" >"$sys/create_child"; }
delete() { echo "$1" >"$sys/delete_child"; }
children() { interfaces | grep '\.' | xargs; }

expect "mode of create_child" "200 200" "$(stat -c %a "$sys/create_child" "$sys/delete_child" | xargs)"
# Hexadecimal, decimal; the name has the P_Key as it was given.
check create 0x8001
check create 2
check create 010
expect "children" "$dev.0002 $dev.0008 $dev.8001" "$(children)"
for child in $dev.0002:0x8002 $dev.0008:0x8008 $dev.8001:0x8001; do
	expect "P_Key of $child" "${child#*:}" "$(cat "/sys/class/net/${child%:*}/pkey")"
	expect "parent of $child" "$dev" "$(cat "/sys/class/net/${child%:*}/parent")"
	expect "mode of $child" datagram "$(cat "/sys/class/net/${child%:*}/mode")"
	expect "umcast of $child" 0 "$(cat "/sys/class/net/${child%:*}/umcast")"
done
expect "P_Key of $dev" 0xffff "$(cat "$sys/pkey")"
expect "broadcast address of $dev.0002" 00:ff:ff:ff:ff:12:40:1b:80:02:00:00:00:00:00:00:ff:ff:ff:ff \
	"$(cat "/sys/class/net/$dev.0002/broadcast")"
refuse test -e "/sys/class/net/$dev.0002/create_child"
refuse test -e "$sys/parent"

# No partition, taken by another child, by the parent
for pkey in 0 0x8000 -1 0x10000 red ''; do
	refused_with 'Invalid argument' create "$pkey"
done
refused_with 'Name not unique' create 0x8001
refused_with 'Name not unique' create 0x8002
refused_with 'Name not unique' create 0xffff
if ours; then
	# The same partition, with and without the bit for full members
	refused_with 'Name not unique' create 0x0001
	refused_with 'Name not unique' create 0x7fff
fi
refused_with 'Permission denied' setpriv --reuid 65534 --clear-groups bash -c "echo 3 >$sys/create_child"
refused_with 'Operation not permitted' setpriv --bounding-set -net_admin bash -c "echo 3 >$sys/create_child"
refused_with 'Operation not permitted' setpriv --bounding-set -net_admin bash -c "echo 0x8001 >$sys/delete_child"

for pkey in -1 0x10000 red; do
	refused_with 'Invalid argument' delete "$pkey"
done
refused_with 'No such device' delete 0x8003
refused_with 'No such device' delete 0
# Not a child of sysfs
check ip link add link "$dev" name "$dev.nl" type ipoib pkey 0x8005
refused_with 'No such device' delete 0x8005
check ip link del "$dev.nl"

gone() { [ "$(children)" = "$1" ]; }
check delete 0x8001
wait_for 5 gone "$dev.0002 $dev.0008"
check delete 0x8002
# Made by sysfs, and yet
check ip link del "$dev.0008"
wait_for 5 gone ""
# Its name and P_Key can be had again at once.
for round in {1..10}; do
	check create 0x8001
	expect "children in round $round" "$dev.8001" "$(children)"
	check delete 0x8001
done
