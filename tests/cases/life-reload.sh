#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the driver is unloaded and loaded 50 times under traffic, and nothing is left behind
# TIME: 150

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

# As the first load_driver finds out which of the two drivers is loaded
unload_driver
load_driver
unload_driver
before=$(resources)
held=$(memory)

# h1 is there all the time and answers when it can; pings go on meanwhile.
ip netns add h1
spawn ping -q -i "$(every 10)" 10.0.0.2 >/dev/null 2>&1
for ((round = 1; round <= $(scaled 50 6); round++)); do
	modprobe ib_ipoib
	dev0=$(iface sib0) dev1=$(iface sib1)
	ip link set "$dev1" netns h1 name ib0
	ip -batch - <<-BATCH
		addr add 10.0.0.1/24 dev $dev0
		link set $dev0 up
	BATCH
	ip -n h1 -batch - <<-BATCH
		addr add 10.0.0.2/24 dev ib0
		link set ib0 up
	BATCH
	# Every other time as soon as can be, half way to a carrier.
	[ $((round % 2)) = 0 ] || wait_for 20 ping -q -c 1 -W 1 10.0.0.2
	check rmmod ib_ipoib
done

expect "interfaces" "" "$(interfaces)"
expect "resources of RDMA devices" "$before" "$(resources)"
at_most "kilobytes more in use" 3000 $(($(memory) - held))
