#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 60 groups are joined and left at once, and each is known to the SM
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
on h1 sysctl -q net.ipv4.igmp_max_memberships=100
expect "groups at first" 0 "$(groups)"
! ours || failures=$(ethtool_stat h1 mcast_join_failures)
for round in 1 2; do
	check ip -n h1 -batch - < <(groups_batch add 60)
	wait_for 15 groups_are 60
	# The first and the last receive.
	for address in 239.7.0.1 239.7.0.60; do
		ip -n h0 route replace $address dev ib0
		# The first makes h0 a member, too.
		on h0 ping -q -c 1 -W 1 $address >/dev/null || true
		wait_for 10 forwarded "$(mgid $address)" sib1
		received=$(counter h1 multicast)
		on h0 ping -q -c 2 -i 0.1 -W 1 $address >/dev/null || true
		at_least "multicasts to $address" $((received + 2)) "$(counter h1 multicast)"
	done
	check ip -n h1 -batch - < <(groups_batch del 60)
	# The two that h0 sends to are still in use.
	wait_for 15 groups_are 2
	refuse groups_are 60
	echo "round $round"
done
! ours || expect "joins that failed" "$failures" "$(ethtool_stat h1 mcast_join_failures)"
ip -n h0 link set ib0 down
wait_for 5 groups_are 0
