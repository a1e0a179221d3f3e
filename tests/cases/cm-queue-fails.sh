#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a receive queue for connections whose CQ fails is made anew, and peers find the new one
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "goes on with a CQ that takes no completions any more"
hosts 2
connected h0
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 large h0 10.0.0.2
for ((i = 0; i < 3; i++)); do
	# h1 has no other QP of a connection than the one that it receives by.
	knob sib1 faults/cq_overrun "$(rc_qpn sib1 1) recv"
	wait_for 20 large h0 10.0.0.2
	check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.0.0.2
done
at_least "connections that h1 accepted" 4 "$(ethtool_stat h1 cm_accepted)"
