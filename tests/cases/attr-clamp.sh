#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an MTU that the broadcast group does not allow is clamped, and the log says so once
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
partitions 'Default=0x7fff, ipoib, mtu=3 : ALL=full;' 'red=0x0001, ipoib, mtu=2 : ALL=full;'
opensm_start
hosts 2
child h1 8001 2
mtu_is() { [ "$(on h1 cat "/sys/class/net/$1/mtu")" = "$2" ]; }
wait_for 20 mtu_is ib0 1020
wait_for 20 mtu_is ib0.8001 508
check ip -n h1 link set ib0 mtu 1500
check ip -n h1 link set ib0.8001 mtu 1000
check mtu_is ib0 1020
check mtu_is ib0.8001 508
refuse ip -n h1 link set ib0.8001 mtu 2045
refuse ip -n h1 link set ib0.8001 mtu 71
if ours; then
	expect_match "log" "ib0.8001: MTU 1000 is more than the broadcast group allows, using 508" "$(dmesg | tail -n 20)"
	expect "MTUs clamped" 1 "$(ethtool_stat h1 mtu_clamped ib0.8001)"
	before=$(dmesg | wc -l)
	for ((i = 0; i < 100; i++)); do
		echo "link set ib0 mtu 1500"
	done | ip -n h1 -batch -
	at_most "lines in the log for a hundred" 20 $(($(dmesg | wc -l) - before))
	at_least "MTUs clamped" 100 "$(ethtool_stat h1 mtu_clamped)"
fi
