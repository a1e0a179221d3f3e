#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# tracepoints tell of a full ring, its waking, a timeout and a reset; stops and wakes are counted
# TIME: 90
# LOG-OK: NETDEV WATCHDOG

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "has no tracepoints"
settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
trace_on
h0='dev=ib0 hca=sib0 queue=0'

# Completions that come later than it takes to fill the ring, and no limit in bytes before
echo max | on h0 tee /sys/class/net/ib0/queues/tx-0/byte_queue_limits/limit_min >/dev/null
knob sib0 faults/delay_completions_ms $((100 * FEWER))
check on h0 taskset -c 0 /work/tests/tools/burst.py 10.0.0.2 9 64 60 10
knob sib0 faults/delay_completions_ms 0
wait_for 5 traced "ipoib_queue_stop: $h0 backlog=128"
wait_for 5 traced "ipoib_queue_wake: $h0 "
expect "stops counted" "$(trace_count "ipoib_queue_stop: $h0 ")" "$(ethtool_stat h0 tx_queue_0_stops)"
expect "wakes counted" "$(trace_count "ipoib_queue_wake: $h0 ")" "$(ethtool_stat h0 tx_queue_0_wakes)"

# Completions that never come
knob sib0 faults/lose_completions 1000
check on h0 taskset -c 0 /work/tests/tools/burst.py 10.0.0.2 9 64 60 10
wait_for 30 traced "ipoib_tx_timeout: $h0 backlog=128"
wait_for 10 traced "ipoib_queue_reset: $h0 "
knob sib0 faults/lose_completions 0
wait_for 10 pings h0 10.0.0.2
