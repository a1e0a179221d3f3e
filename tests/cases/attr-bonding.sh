#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# two ports under an active-backup bond: traffic goes on by the other one
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
hosts 1
dev1=$(iface sib1) dev2=$(iface sib2)
modprobe bonding max_bonds=0
ip netns add b1
at_exit modprobe -r bonding
for dev in "$dev1" "$dev2"; do
	ip link set "$dev" netns b1
done
ip -n b1 link add bond0 type bond mode active-backup fail_over_mac active miimon 50
for dev in "$dev1" "$dev2"; do
	check ip -n b1 link set "$dev" master bond0
done
expect "type of the bond" 32 "$(on b1 cat /sys/class/net/bond0/type)"
ip -n b1 addr add 10.0.0.2/24 dev bond0
ip -n b1 link set bond0 up
wait_carrier b1 bond0
wait_for 20 pings h0 10.0.0.2
active() { on b1 cat /sys/class/net/bond0/bonding/active_slave; }
is_active() { [ "$(active)" = "$1" ]; }
neighbour() { ip -n h0 neigh show to 10.0.0.2 dev ib0 | sed -n 's/.*lladdr \([^ ]*\).*/\1/p'; }
for round in 1 2 3; do
	now=$(active)
	other=$dev1 hca=sib2
	[ "$now" = "$dev2" ] || other=$dev2 hca=sib1
	link_down $hca
	wait_for 10 is_active "$other"
	wait_for 20 pings h0 10.0.0.2
	# What the bond told its neighbours without being asked
	expect "address of the bond" "$(link_address b1 "$other")" "$(neighbour)"
	link_up $hca
	wait_active $hca
	wait_carrier b1 "$now"
	echo "round $round"
done
ip -n b1 link del bond0
for dev in "$dev1" "$dev2"; do
	ip -n b1 link set "$dev" netns 1
done
