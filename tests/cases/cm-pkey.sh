#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connected interfaces whose P_Key moves, goes and comes back keep their mode, and connect again
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

stock_fails "a child whose P_Key comes at index 0 does not notice"
settings_change
red_partition
hosts 2
for k in 0 1; do
	child h$k 8001 $((k + 1))
	check ip -n h$k link set ib0.8001 type ipoib mode connected
	wait_carrier h$k ib0.8001
done
works() { # WHAT
	wait_for 20 large h0 10.1.0.2
	wait_for 20 large h1 10.1.0.1
	expect "MTUs $1" '65520 65520' "$(mtu h0 ib0.8001) $(mtu h1 ib0.8001)"
}
works "at first"
for table in "0x8001 0xffff" "0xffff 0x8001"; do
	red_moves "$table"
	wait_active
	works "with P_Keys $table"
done
partitions "$DEFAULT_PARTITION"
opensm_start
wait_for 20 no_carrier h0 ib0.8001
wait_for 20 no_carrier h1 ib0.8001
expect "QPs of connections without the P_Key" '0 0' "$(rc_qps sib0) $(rc_qps sib1)"
red_partition
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
works "with the P_Key back"
