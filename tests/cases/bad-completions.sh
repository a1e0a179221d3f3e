#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# late completions do no harm; for lost ones the queue is reset after a while
# TIME: 90
# LOG-OK: NETDEV WATCHDOG

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "gives no lost completion's place back"
settings_change
hosts 2
check on h1 ping -c 1 -W 5 10.0.0.1
# Every one 20 ms late
knob sib1 faults/delay_completions_ms 20
check on h1 ping -q -c 20 -i 0.02 -W 5 10.0.0.1
knob sib1 faults/delay_completions_ms 0
check on h1 ping -q -c 50 -i 0.01 -W 5 10.0.0.1

# A lost one leaves the queue waiting, until the stack's watchdog looks after 10 s.
knob sib1 faults/lose_completions 10
spawn on h1 ping -q -i 0.05 10.0.0.1 >/dev/null 2>&1
lost() { [ "$(knob sib1 faults/lose_completions)" = 0 ]; }
timed_out() { [ "$(ethtool_stat h1 tx_timeouts)" -gt 0 ]; }
comes_true 2 lost || wait_for 15 timed_out
wait_for 30 pings h1 10.0.0.1
knob sib1 faults/lose_completions 0
check on h1 ping -q -c 100 -i 0.01 -W 5 10.0.0.1
# What its receive queue lost is made good the next time it is set up.
check ip -n h1 link set ib0 down
check ip -n h1 link set ib0 up
wait_for 20 pings h1 10.0.0.1
