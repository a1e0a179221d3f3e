#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# namespaces deleted with interfaces in them, parents and children, under traffic
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
hosts 1
child h0 8001 1
dev=$(iface sib1)
before=$(interfaces | xargs)
for ((round = 1; round <= $(scaled 6 2); round++)); do
	ip netns add c1
	ip netns add c2
	# The parent in one, children in both
	ip link set "$dev" netns c1
	ip -n c1 link add link "$dev" name one type ipoib pkey 0x8001
	ip -n c1 link add link "$dev" name two netns c2 type ipoib pkey 0x8001
	address c2 two 2
	ip -n c1 link set "$dev" up
	wait_carrier c2 two
	# It has another QPN than the last one with that IP address.
	neigh_flush h0
	wait_for 20 pings h0 10.1.0.2
	spawn on h0 ping -q -i "$(every 2)" 10.1.0.2 >/dev/null
	# shellcheck disable=SC2046 # words
	ip netns del $([ $((round % 2)) = 0 ] && echo c1 || echo c2) &
	wait $!
	ip netns del c1 2>/dev/null || true
	ip netns del c2 2>/dev/null || true
	back() { ip link show dev "$dev" && ip link show dev one && ip link show dev two; }
	wait_for 20 back
	kill "${SPAWNED[-1]}"
	ip link del one
	ip link del two
	ip link set "$dev" down
	expect "interfaces" "$before" "$(interfaces | xargs)"
	echo "round $round"
done
