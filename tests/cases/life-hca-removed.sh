#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an HCA is pulled out under traffic: others go on, and it works when it is back
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 3
# Address handles come and go with what is sent: counted when nothing is
down() {
	local host
	for host in h0 h1 h2; do
		ip -n $host link set ib0 down
	done
}
down
before=$(resources)
for host in h0 h1 h2; do
	ip -n $host link set ib0 up
done
wait_for 20 pings h0 10.0.0.2
wait_for 20 pings h0 10.0.0.3
for round in 1 2; do
	spawn on h1 iperf3 -s -1 >/dev/null
	wait_for 10 listening h1 5201
	spawn on h0 iperf3 -c 10.0.0.2 -t 30 >/dev/null 2>&1
	spawn on h1 ping -q -i "$(every 10)" 10.0.0.1 >/dev/null 2>&1
	nap 0.5

	hca_remove sib1
	refuse ip -n h1 link show dev ib0
	check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.3
	ip netns pids h1 | xargs -r kill -9
	ip netns del h1
	rm $STATE/h1

	hca_add sib1
	wait_active sib1
	hosts 3
	neigh_flush h0
	wait_for 20 pings h0 10.0.0.2
	echo "round $round"
done
down
comes_true 5 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
