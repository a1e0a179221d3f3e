#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the P_Key at index 0 changes while children are up: groups and neighbours follow
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
wait_for 20 pings h0 10.1.0.2
wait_for 10 pings h0 fd00::2
spawn on h1 socat -u UDP4-RECV:5000,ip-add-membership=239.1.2.3:ib0 /dev/null
wait_for 5 group_exists ff12:401b:ffff::f01:203
interfaces_work() { # P_Key of ib0
	local host
	for host in h0 h1; do
		[ "$(on $host cat /sys/class/net/ib0/pkey)" = "0x$1" ] || return
		[[ $(on $host cat /sys/class/net/ib0/broadcast) == 00:ff:ff:ff:ff:12:40:1b:${1:0:2}:${1:2:2}:* ]] || return
	done
	pings h0 10.0.0.2 && pings h0 fd00::2 && pings h0 10.1.0.2 && pings h0 fd01::2
}
stock_fails "groups other than IPv4's stay those of the old P_Key"
for flags in ', indx0' ''; do
	pkey=8001
	[ -n "$flags" ] || pkey=ffff
	partitions "$DEFAULT_PARTITION" "red=0x0001, ipoib$flags : ALL=full;"
	opensm_start
	wait_for 30 interfaces_work $pkey
	# The stack's groups too, and what asks for a new neighbour
	wait_for 10 group_exists ff12:401b:$pkey::f01:203
	wait_for 10 group_exists ff12:601b:$pkey::1:ff00:2
	for host in h0 h1; do
		neigh_flush $host
	done
	wait_for 10 interfaces_work $pkey
	expect "P_Key of the child" 0x8001 "$(ip -n h1 -d link show dev ib0.8001 | grep -o '0x8001' | head -n 1)"
	# To nobody's ears any more
	[ $pkey = ffff ] || wait_for 10 no_group ff12:401b:ffff::f01:203
done
