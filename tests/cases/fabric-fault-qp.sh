#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# A QP goes to the error state, and a CQ overruns, under way and when told to

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

qps=$(struck sib0 qp_error) cqs=$(struck sib0 cq_overrun) overruns=$(hca_counter sib0 cq_overruns)
# The QP that sends in a test which does not end by itself for a long time.
rc_qpn() {
	QPN=$(rdma res show qp link sib0/1 | sed -n 's/.* lqpn \([0-9]*\) .* type RC state RTS.*/\1/p' | head -n 1)
	[ -n "$QPN" ]
}
start() {
	(sib_test rc-stream count=1000000 len=64 ms=8000 >"$log" 2>&1) &
	SPAWNED+=($!)
	wait_for 5 rc_qpn
}
log=$(mktemp)
at_exit rm -f "$log"

start
knob sib0 faults/qp_error "$QPN"
if wait "${SPAWNED[-1]}"; then
	die "a test passed whose QP had gone to the error state"
fi
expect "counted QPs" $((qps + 1)) "$(struck sib0 qp_error)"
echo "$(<"$log")"

start
knob sib0 faults/cq_overrun "$QPN send"
if wait "${SPAWNED[-1]}"; then
	die "a test passed whose CQ had overrun"
fi
expect "counted CQs" $((cqs + 1)) "$(struck sib0 cq_overrun)"
at_least "CQ overruns" $((overruns + 1)) "$(hca_counter sib0 cq_overruns)"
echo "$(<"$log")"

# Healthy afterwards; and what is not there cannot fail.
sib_test rc-stream count=100
refuse knob sib0 faults/qp_error 0x654321
refuse knob sib0 faults/cq_overrun '0x654321 send'
refuse knob sib0 faults/cq_overrun '1'
refuse knob sib0 faults/cq_overrun '1 both'
expect "counted QPs" $((qps + 1)) "$(struck sib0 qp_error)"
