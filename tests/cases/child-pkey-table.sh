#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a child comes and goes with its P_Key in the port's table, and follows it there
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
hosts 2
child h0 8001 1
child h1 8001 2
nap 0.5
# Up, and waiting
check no_carrier h0 ib0.8001
! ours || at_least "lines in the log" 2 "$(dmesg | grep -c 'ib0.8001: P_Key 0x8001 not found')"

red=$(partition red 0x0001)
partitions "$DEFAULT_PARTITION" "$(partition blue 0x0002)" "$red"
opensm_start
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
wait_for 10 pings h0 10.1.0.2
wait_for 10 pings h0 fd01::2
check carrier h0

partitions "$DEFAULT_PARTITION"
opensm_start
wait_for 20 no_carrier h0 ib0.8001
wait_for 20 no_carrier h1 ib0.8001
check on h0 ping -c 1 -W 5 10.0.0.2

# Elsewhere in the table
partitions "$DEFAULT_PARTITION" "$red"
opensm_start
wait_for 20 has_pkeys sib1 "0xffff 0x8001"
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
wait_for 10 pings h0 10.1.0.2

partitions "$DEFAULT_PARTITION"
opensm_start
wait_for 20 no_carrier h0 ib0.8001
stock_fails "a child whose P_Key comes at index 0 does not notice"
# Appears at index 0, then moves to another and back
partitions "$DEFAULT_PARTITION" 'red=0x0001, ipoib, indx0 : ALL=full;'
opensm_start
wait_for 20 has_pkeys sib1 "0x8001 0xffff"
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
wait_for 10 pings h0 10.1.0.2
for table in "0xffff 0x8001" "0x8001 0xffff"; do
	red_moves "$table"
	wait_for 20 pings h0 10.1.0.2
	check on h0 ping -c 3 -i 0.1 -W 5 10.1.0.2
	wait_for 10 pings h0 fd01::2
done
