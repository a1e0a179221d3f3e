#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# interfaces of one port in one partition reach each other, also where multicast can be blocked
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
# An HCA that could keep multicast from its own port, and one that could not
hca_add sib4 block_loopback=0
at_exit hca_remove sib4
partitions "$DEFAULT_PARTITION" "$(partition red 0x0001)"
opensm_start
wait_active
wait_for 20 has_pkeys sib4 "0xffff 0x8001"
hosts 5
ip netns add c1
ip netns add c2
at_exit rm -f /tmp/mcast
for host in h1 h4; do
	neigh_flush h0
	# Two containers in the partition, and one beside the parent in its own
	ip -n $host link add link ib0 name one type ipoib pkey 0x8001
	ip -n $host link add link ib0 name two type ipoib pkey 0x8001
	ip -n $host link add link ib0 name three type ipoib
	ip -n $host link set one netns c1
	ip -n $host link set two netns c2
	ip -n $host link set three netns c2
	address c1 one 1
	address c2 two 2
	number=$((${host#h} + 1))
	ip -n c2 -batch - <<-BATCH
		addr add 10.0.0.99/24 dev three
		link set three up
	BATCH
	for where in 'c1 one' 'c2 two' 'c2 three'; do
		# shellcheck disable=SC2086 # two words
		wait_carrier $where
	done
	check on c1 ping -c 3 -i 0.1 -W 5 10.1.0.2
	check on c2 ping -c 3 -i 0.1 -W 5 10.1.0.1
	wait_for 5 pings c1 fd01::2
	check on c2 ping -c 3 -i 0.1 -W 5 10.0.0.$number
	check on c2 ping -c 1 -W 5 10.0.0.1
	neigh_flush $host
	check on $host ping -c 3 -i 0.1 -W 5 10.0.0.99

	true >/tmp/mcast
	spawn on c2 socat -u UDP4-RECV:5000,ip-add-membership=239.1.2.3:two OPEN:/tmp/mcast,creat,append
	ip -n c1 route add 239.1.2.3 dev one
	wait_for 5 group_exists ff12:401b:8001::f01:203
	heard() {
		echo "datagram" | on c1 socat -u - UDP4-DATAGRAM:239.1.2.3:5000
		[ -s /tmp/mcast ]
	}
	wait_for 5 heard
	kill "${SPAWNED[-1]}"
	ip -n c1 link del one
	ip -n c2 link del two
	ip -n c2 link del three
done
