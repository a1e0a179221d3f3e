#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the kernel's driver as the peer, by datagrams: ARP, IPv4, IPv6, fragments, TCP, UDP
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/stock.sh
. /work/tests/tools/stock.sh

hosts 2
stock_load
stock_host h1
expect "MTU" "$(net_file h1 ib0/mtu)" "$(net_file h0 ib0/mtu)"
for size in 0 1 56 1000 2016 2017 20000; do
	check on h0 ping -q -c 3 -i 0.05 -W 5 -s $size 10.0.0.2
	check on h1 ping -q -c 3 -i 0.05 -W 5 -s $size 10.0.0.1
	check on h0 ping -q -c 3 -i 0.05 -W 5 -s $size fd00::2
	check on h1 ping -q -c 3 -i 0.05 -W 5 -s $size fd00::1
done
# Each finds the other by itself
for pair in 'h0 10.0.0.2' 'h1 10.0.0.1' 'h0 fd00::2' 'h1 fd00::1'; do
	read -r host address <<<"$pair"
	neigh_flush h0
	neigh_flush h1
	check on "$host" ping -q -c 1 -W 5 "$address"
done
faultless h0 h1
random_file /tmp/peer.data 2000000
for i in 0 1; do
	copy h$i h$((1 - i)) 10.0.0.$((2 - i)) /tmp/peer.data
	copy h$i h$((1 - i)) fd00::$((2 - i)) /tmp/peer.data
done
both_ways 10.0.0.1 10.0.0.2 "$(scaled 1000)"
still_faultless h0 h1
