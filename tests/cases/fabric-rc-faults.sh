#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# RC delivers everything once and in order through loss, duplication, reordering, bit errors

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

# faulty KIND RULE...: a stream with those faults both ways
faulty() {
	local kind=$1
	shift
	fault sib0 "$kind" "kind=rc dir=both $*"
	sib_test rc-stream count=1000
	fault sib0 "$kind" off
}

resent=$(hca_counter sib0 rc_retransmitted)
faulty drop 1/50
at_least "packets resent after loss" $((resent + 20)) "$(hca_counter sib0 rc_retransmitted)"

doubled=$(hca_counter sib1 rc_duplicates)
faulty duplicate 1/20
at_least "duplicates seen" $((doubled + 20)) "$(hca_counter sib1 rc_duplicates)"

naks=$(hca_counter sib1 rc_naks_sent)
faulty reorder 1/50 gap=3
at_least "sequence errors reported" $((naks + 10)) "$(hca_counter sib1 rc_naks_sent)"

bad=$(port_counter sib1 port_rcv_errors)
fault sib1 corrupt kind=rc dir=rx 1/50
sib_test rc-stream count=1000
fault sib1 corrupt off
at_least "bit errors caught by CRC" $((bad + 10)) "$(port_counter sib1 port_rcv_errors)"

for kind in drop duplicate reorder; do
	fault sib0 $kind kind=rc dir=both 1/100
done
sib_test rc-stream-srq count=1000 grh=1
