#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the MTU is that of the broadcast group, less 4: 4092 and 2044 on HCAs of 4096
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

partitions 'Default=0x7fff, ipoib, mtu=5 : ALL=full;'
fabric_reload hcas=2 mtu=4096
expect "MTU before the interface is up" 4092 "$(cat "/sys/class/net/$(iface sib0)/mtu")"
hosts 2
expect "MTU in a group of 4096" 4092 "$(net_file h0 ib0/mtu)"
# 4092 less the headers of IPv4 and ICMP: one frame
check on h0 ping -c 1 -W 5 -M 'do' -s 4064 10.0.0.2
refuse on h0 ping -c 1 -W 5 -M 'do' -s 4065 10.0.0.2

# What the SM says counts, also for an interface that is up.
partitions 'Default=0x7fff, ipoib, mtu=4 : ALL=full;'
opensm_start
mtu_is() { [ "$(net_file h0 ib0/mtu)" = "$1" ]; }
wait_for 30 mtu_is 2044
wait_carrier h0
wait_carrier h1
wait_for 10 pings h0 10.0.0.2
check on h0 ping -c 1 -W 5 -M 'do' -s 2016 10.0.0.2
refuse on h0 ping -c 1 -W 5 -M 'do' -s 2017 10.0.0.2
