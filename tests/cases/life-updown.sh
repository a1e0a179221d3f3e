#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an interface is set down and up 200 times under traffic, and works
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
both() { ip -n h0 link set ib0 "$1" && ip -n h1 link set ib0 "$1"; }
both down
before=$(resources)
both up
wait_for 20 pings h0 10.0.0.2
held=$(memory)
spawn on h0 ping -q -i "$(every 5)" 10.0.0.2 >/dev/null 2>&1
updown() { # TIMES
	local i
	for ((i = 0; i < $1; i++)); do
		echo "link set ib0 down"
		echo "link set ib0 up"
	done
}
for ((round = 1; round <= $(scaled 10 2); round++)); do
	# Now the one that sends most, now the one that receives most
	check ip -n h$((round % 2)) -batch - < <(updown "$(scaled 20 5)")
	wait_carrier h$((round % 2))
done
wait_for 10 pings h0 10.0.0.2
kill "${SPAWNED[0]}"

check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
both down
# What the groups have of the core's goes a moment later.
comes_true 5 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
at_most "kilobytes more in use" 3000 $(($(memory) - held))
