#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a bond of connected interfaces sends large packets, and goes on by the other one
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

settings_change
hosts 1
check mode h0 connected
dev1=$(iface sib1) dev2=$(iface sib2)
modprobe bonding max_bonds=0
ip netns add b1
at_exit modprobe -r bonding
for dev in "$dev1" "$dev2"; do
	ip link set "$dev" netns b1
	check mode b1 connected "$dev"
done
ip -n b1 link add bond0 type bond mode active-backup fail_over_mac active miimon 50
for dev in "$dev1" "$dev2"; do
	check ip -n b1 link set "$dev" master bond0
done
check ip -n b1 link set bond0 mtu 65520
ip -n b1 addr add 10.0.0.2/24 dev bond0
ip -n b1 link set bond0 up
wait_carrier b1 bond0
wait_for 20 pings h0 10.0.0.2
is_active() { [ "$(on b1 cat /sys/class/net/bond0/bonding/active_slave)" = "$1" ]; }
for round in 1 2; do
	wait_for 10 large h0 10.0.0.2
	wait_for 10 large b1 10.0.0.1
	now=$(on b1 cat /sys/class/net/bond0/bonding/active_slave)
	other=$dev1 hca=sib2
	[ "$now" = "$dev2" ] || other=$dev2 hca=sib1
	link_down $hca
	wait_for 10 is_active "$other"
	wait_for 20 large h0 10.0.0.2
	wait_for 20 large b1 10.0.0.1
	link_up $hca
	wait_active $hca
	wait_carrier b1 "$now"
	echo "round $round"
done
ip -n b1 link del bond0
for dev in "$dev1" "$dev2"; do
	ip -n b1 link set "$dev" netns 1
done
