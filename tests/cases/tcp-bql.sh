#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# queue lengths are limited in bytes, and nothing stays queued

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "does not tell the stack of completions (no BQL)"
settings_change
hosts 2
bql() { on h0 cat /sys/class/net/ib0/queues/tx-0/byte_queue_limits/"$1"; }
spawn on h1 iperf3 -s -1 >/dev/null
wait_for 10 listening h1 5201
check on h0 iperf3 -c 10.0.0.2 -n 4M
at_least "limit after load" 2048 "$(bql limit)"
idle() { [ "$(bql inflight)" = 0 ]; }
wait_for 5 idle

# The administrator's limit holds.
echo 3000 | on h0 tee /sys/class/net/ib0/queues/tx-0/byte_queue_limits/limit_max >/dev/null
spawn on h1 iperf3 -s -1 >/dev/null
wait_for 10 listening h1 5201
check on h0 iperf3 -c 10.0.0.2 -n 1M
at_most "limit below limit_max" 3000 "$(bql limit)"
wait_for 5 idle
