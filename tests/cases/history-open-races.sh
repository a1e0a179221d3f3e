#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# parents and children set up and down from several sides at once
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
hosts 2
child h0 8001 1
child h1 8001 2
child h1 8001 3 other
updown() { # INTERFACE TIMES
	local i
	for ((i = 0; i < $2; i++)); do
		echo "link set $1 down"
		echo "link set $1 up"
	done
}
spawn on h0 ping -q -i "$(every 5)" 10.1.0.2 >/dev/null
number=$(scaled 60 10)
pids=()
for dev in ib0 ib0.8001 other; do
	ip -n h1 -batch - < <(updown $dev "$number") &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid" || die "ip: status $?"
done
ip -n h1 link set ib0 up
for dev in ib0 ib0.8001 other; do
	ip -n h1 link set $dev up
	wait_carrier h1 $dev
done
wait_for 20 pings h0 10.1.0.2
wait_for 20 pings h0 10.0.0.2
