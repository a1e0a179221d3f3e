#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a connection whose QP fails is replaced, whichever end it is
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "does not notice that the QP it receives by has failed"
hosts 2
connected h0 h1
check large h0 10.0.0.2
spawn on h0 ping -q -i "$(every 20)" -s 30000 10.0.0.2 >/tmp/cm.ping
random_file /tmp/cm.data 2000000
for ((i = 0; i < 6; i++)); do
	hca=sib$((i % 2))
	wait_for 10 eval "[ \$(rc_qps $hca) = 2 ]"
	knob $hca faults/qp_error "$(rc_qpn $hca $((1 + i / 2 % 2)))"
	copy h0 h1 10.0.0.2 /tmp/cm.data
done
kill -INT "${SPAWNED[0]}"
wait "${SPAWNED[0]}" || true
# A burst of pings is what a connection may have had under way each time.
at_most "pings lost" $((6 * 60 * SCALE)) "$(lost /tmp/cm.ping)"
# Those that fail young are not made again at once.
wait_for 5 large h0 10.0.0.2
wait_for 5 large h1 10.0.0.1
