#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# all works when the network core holds the device's own lock, as providers may ask for

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "takes that lock again in ndo_open, unless the provider has its own"
unload_driver
modprobe sib_test
echo 1 2>/dev/null >/sys/module/sib_test/parameters/ops_lock ||
	skip "Linux $(uname -r) has no such lock"
at_exit driver_remove
at_exit eval 'echo 0 >/sys/module/sib_test/parameters/ops_lock'
load_driver

hosts 2
wait_for 10 pings h0 10.0.0.2
check on h0 ping6 -q -c 3 -i 0.1 -W 5 fd00::2
spawn on h0 ping -q -i "$(every 10)" 10.0.0.2 >/dev/null 2>&1
for _ in {1..5}; do
	ip -n h1 link set ib0 down
	ip -n h1 link set ib0 up
done
wait_carrier h1
wait_for 10 pings h0 10.0.0.2
check ip -n h1 link set ib0 mtu 1500
expect "MTU" 1500 "$(net_file h1 ib0/mtu)"
link_down sib1
wait_for 10 no_carrier h1
link_up sib1
wait_carrier h1
# The SM says another MTU: the driver sets it.
opensm_stop
partitions 'Default=0x7fff, ipoib, mtu=3 : ALL=full;'
opensm_start
mtu_is() { [ "$(net_file h0 ib0/mtu)" = "$1" ]; }
check ip -n h1 link set ib0 mtu 2044
wait_for 20 mtu_is 1020
wait_for 10 pings h0 10.0.0.2
# What ethtool sets and shows, and the statistics of queues.
check on h0 ethtool -G ib0 rx 256 tx 256
check on h0 ethtool -C ib0 rx-usecs 10
max=$(on h0 ethtool -l ib0 | sed -n 's/^TX:[[:space:]]*//p' | head -1)
for n in 1 "$max"; do
	[ "$max" = 1 ] || check on h0 ethtool -L ib0 tx "$n"
done
expect_match "ethtool" "Link detected: yes" "$(on h0 ethtool ib0)"
at_least "lines about queues" 3 "$(on h0 /work/tests/tools/queues.py ib0 | wc -l)"
wait_for 10 pings h0 10.0.0.2
# A queue that fails is reset.
resets=$(ethtool_stat h0 queue_resets)
knob sib0 faults/qp_error "$(qpn h0)"
wait_for 15 stat_rises h0 queue_resets "$resets"
wait_for 10 pings h0 10.0.0.2
