#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 200 children on a port: made, addressed, pinged, deleted
# TIME: 240

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
hosts 2
ip -n h1 link set ib0 down
before=$(resources)
interfaces=$(on h1 ls /sys/class/net)
create_child h0 0x8001
address h0 ib0.8001 1
# Nobody shall answer for another who is in the partition, too.
on h1 sysctl -q net.ipv4.conf.all.arp_ignore=1
number=$(scaled 200 10)
# Every tenth is in the partition, each in a subnet of its own; the others wait.
for ((i = 1; i <= number; i++)); do
	pkey=$((i % 10 == 0 ? 0x8001 : 0x8100 + i))
	echo "link add link ib0 name c$i type ipoib pkey $pkey"
	echo "addr add 10.2.$i.2/24 dev c$i"
	echo "link set c$i up"
done | check ip -n h1 -batch -
for ((i = 10; i <= number; i += 10)); do
	wait_carrier h1 c$i
	ip -n h0 addr add 10.2.$i.1/24 dev ib0.8001
	wait_for 10 pings h0 10.2.$i.2
	expect "link address of 10.2.$i.2" "$(link_address h1 c$i)" \
		"$(ip -n h0 neigh show to 10.2.$i.2 | sed -n 's/.*lladdr \([^ ]*\).*/\1/p')"
done
for ((i = 1; i <= number; i++)); do
	echo "link del c$i"
done | check ip -n h1 -batch -
delete_child h0 0x8001
gone() { ! ip -n h0 link show dev ib0.8001; }
wait_for 10 gone
comes_true 10 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
expect "interfaces of h1" "$interfaces" "$(on h1 ls /sys/class/net)"
