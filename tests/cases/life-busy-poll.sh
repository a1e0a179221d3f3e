#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an interface whose NAPIs are threads that poll all the time goes down, up and away as any
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "does not say which NAPIs its queues have"
settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
status=0
on h0 /work/tests/tools/queues.py ib0 on || status=$?
[ $status != 2 ] || skip "Linux $(uname -r) sets no NAPI by itself"
expect "exit status of queues.py" 0 $status
check on h0 ping -q -c 10 -i 0.01 -W 5 10.0.0.2
check on h0 /work/tests/tools/queues.py ib0 poll
check on h0 ping -q -c 10 -i 0.01 -W 5 10.0.0.2
begin=$(now_ms)
check on h0 ethtool -G ib0 rx 256 tx 256
check ip -n h0 link set ib0 down
check ip -n h0 link set ib0 up
at_most "ms" 5000 $(($(now_ms) - begin))
wait_carrier h0
wait_for 10 pings h0 10.0.0.2
# A queue that fails is reset.
resets=$(ethtool_stat h0 queue_resets)
knob sib0 faults/qp_error "$(qpn h0)"
wait_for 15 stat_rises h0 queue_resets "$resets"
wait_for 10 pings h0 10.0.0.2
begin=$(now_ms)
unload_driver
at_most "ms" 5000 $(($(now_ms) - begin))
