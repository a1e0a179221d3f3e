#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a container's child: made on the host, moved, renamed, addressed, and the container deleted
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
hosts 1
create_child h0 0x8001
address h0 ib0.8001 1
dev=$(iface sib1)
red=$dev.8001
before=$(ls /sys/class/net)
for how in sysfs netlink; do
	ip netns add c1
	if [ $how = sysfs ]; then
		echo 0x8001 >"/sys/class/net/$dev/create_child"
	else
		ip link add link "$dev" name "$red" type ipoib pkey 0x8001
	fi
	ip link set "$red" netns c1
	ip -n c1 link set "$red" name eth0
	address c1 eth0 2
	wait_carrier c1 eth0
	# It has another QPN than the last one with that IP address.
	neigh_flush h0
	wait_for 10 pings h0 10.1.0.2
	spawn on h0 ping -q -i "$(every 5)" 10.1.0.2 >/dev/null
	nap 0.3
	# Under traffic; it comes back as physical interfaces do.
	ip netns del c1
	back() { ip link show dev eth0 || ip link show dev "$red"; }
	wait_for 10 back
	kill "${SPAWNED[-1]}"
	if [ $how = sysfs ]; then
		echo 0x8001 >"/sys/class/net/$dev/delete_child"
	else
		ip link del eth0
	fi
	same() { [ "$(ls /sys/class/net)" = "$before" ]; }
	wait_for 10 same
done

# Made where it is to be, from where it is to be
ip netns add c1
ip netns add c2
check ip link add link "$dev" name eth0 netns c1 type ipoib pkey 0x8001
ip -n c1 netns set c2 7 2>/dev/null || true
address c1 eth0 2
wait_carrier c1 eth0
neigh_flush h0
wait_for 10 pings h0 10.1.0.2
link=$(ip -n c1 link show dev eth0)
expect_match "link" 'eth0@if[0-9]+:' "$link"
! ours || expect_match "the parent's namespace" 'link-netns(id)? ' "$link"
# The parent goes somewhere else; it is all the same to the child.
ip link set "$dev" netns c2
check on h0 ping -c 3 -i 0.1 -W 5 10.1.0.2
ip -n c2 link set "$dev" netns 1
ip -n c1 link del eth0
ip netns del c1
ip netns del c2
wait_for 10 same
