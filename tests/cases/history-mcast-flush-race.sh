#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 60 groups come and go while the interface does, its port does, and opensm restarts
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
on h1 sysctl -q net.ipv4.igmp_max_memberships=100
both() { ip -n h0 link set ib0 "$1" && ip -n h1 link set ib0 "$1"; }
both down
before=$(resources)
both up
churn() {
	while :; do
		ip -n h1 -batch - < <(groups_batch add 60)
		nap 0.1
		ip -n h1 -batch - < <(groups_batch del 60)
	done
}
churn &
SPAWNED+=($!)
for ((round = 0; round < $(scaled 4 2); round++)); do
	for _ in {1..5}; do
		ip -n h1 link set ib0 down
		ip -n h1 link set ib0 up
		# Some way into the joins
		nap 0.$((RANDOM % 3))
	done
	link_down sib1
	link_up sib1
	[ $((round % 2)) = 0 ] || opensm_start
	wait_active sib1
done
spawned_kill

# What the stack has now is what the SM has.
ip -force -n h1 -batch - < <(groups_batch del 60) 2>/dev/null || true
check ip -n h1 -batch - < <(groups_batch add 60)
wait_carrier h1
wait_for 20 groups_are 60
wait_for 10 pings h0 10.0.0.2
check ip -n h1 -batch - < <(groups_batch del 60)
wait_for 20 groups_are 0
both down
comes_true 10 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
