#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the module goes at once after traffic to many hosts and groups
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

unload_driver
load_driver
unload_driver
before=$(resources)
# synchronize_rcu() does not come behind callbacks then, on one processor either: one
# that is not waited for runs when its code is gone.
at_exit eval 'echo 0 >/sys/kernel/rcu_expedited'
echo 1 >/sys/kernel/rcu_expedited
at_exit rm -f /tmp/neighbours
prefix=00:00:04:d2:fe:80:00:00:00:00:00:00:00:51:b0:00:00:00
ip netns add h1
for ((round = 0; round < $(scaled 8 2); round++)); do
	load_driver
	wait_for 10 iface sib1
	dev0=$(iface sib0) dev1=$(iface sib1)
	ip link set "$dev1" netns h1 name ib0
	ip -n h1 -batch - <<-BATCH
		addr add 10.0.0.2/24 dev ib0
		link set ib0 up
	BATCH
	{
		echo "addr add 10.0.0.1/24 dev $dev0"
		echo "link set $dev0 up"
		# Other QPNs of h1's port, and GIDs that nobody has
		for i in {11..60}; do
			echo "neigh add 10.0.0.$i lladdr $prefix:0$((2 + i % 2 * 7)):01 dev $dev0 nud permanent"
			echo "route add 239.3.0.$i dev $dev0"
		done
	} | check ip -batch -
	wait_for 20 ping -q -c 1 -W 1 10.0.0.2
	spawn ping -q -f 10.0.0.2 >/dev/null 2>&1
	for i in {11..60}; do
		echo >"/dev/udp/10.0.0.$i/9" || true
		echo >"/dev/udp/239.3.0.$i/9" || true
	done 2>/dev/null
	# Once while answers are on their way, once after
	[ $((round % 2)) = 0 ] || nap 0.3
	check rmmod ib_ipoib
	# Where it was, something else is now.
	modprobe sib_test
	rmmod sib_test
	kill "${SPAWNED[@]}"
	wait "${SPAWNED[@]}" || true
	SPAWNED=()
done
expect "interfaces" "" "$(interfaces)"
comes_true 10 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
