#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a queue whose QP goes to the error state by itself is mended, and traffic goes on
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "does not notice, until it is set down and up"
settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
resets=$(ethtool_stat h0 queue_resets)
spawn on h0 ping -q -i "$(every 20)" 10.0.0.2 >/dev/null 2>&1
for round in 1 2 3; do
	knob sib0 faults/qp_error "$(qpn h0)"
	reset() { [ "$(ethtool_stat h0 queue_resets)" -ge $((resets + round)) ]; }
	wait_for 15 reset
	wait_for 15 pings h0 10.0.0.2
	# Groups are still received.
	neigh_flush h1
	wait_for 10 pings h1 10.0.0.1
done
check on h0 ping -q -c 50 -i 0.01 -W 5 10.0.0.2
