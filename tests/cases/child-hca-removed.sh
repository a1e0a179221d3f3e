#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children go with their HCA or the module, wherever they are, and nothing is left
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
# As the first load_driver finds out which of the two drivers is loaded
unload_driver
load_driver
unload_driver
before=$(resources)
load_driver
hosts 1
child h0 8001 1
links() { find /sys/class/net -name 'ib*' | wc -l; }
replied() { [ "$(snmp h0 IcmpInEchoReps)" -ge "$1" ]; }
for how in hca module; do
	dev=$(iface sib1)
	all=$(links)
	ip netns add c1
	echo 0x8001 >"/sys/class/net/$dev/create_child"
	ip link add link "$dev" name red type ipoib pkey 0x8001
	ip link add link "$dev" name blue type ipoib pkey 0x8002
	ip link add link "$dev" name away netns c1 type ipoib pkey 0x8001
	address c1 away 2
	ip link set red up
	ip link set "$dev" up
	wait_carrier c1 away
	# It has another QPN than the last one with that IP address.
	neigh_flush h0
	wait_for 10 pings h0 10.1.0.2
	replies=$(snmp h0 IcmpInEchoReps)
	spawn on h0 ping -q -i "$(every 5)" 10.1.0.2 >/dev/null
	wait_for 10 replied $((replies + 20))
	if [ $how = hca ]; then
		hca_remove sib1
		refuse ip -n c1 link show dev away
		for gone in red blue "$dev" "$dev.8001"; do
			refuse ip link show dev "$gone"
		done
		hca_add sib1
		wait_active sib1
		wait_for 10 iface sib1
		expect "number of interfaces" "$all" "$(links)"
		wait_for 20 has_pkeys sib1 "0xffff 0x8001"
	else
		check rmmod ib_ipoib
		expect "interfaces" "" "$(interfaces)$(ip -n c1 -br link show dev away 2>/dev/null || true)"
		comes_true 5 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
	fi
	kill "${SPAWNED[-1]}"
	ip netns del c1
done
