#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# RC tries as often as the QP's retry and RNR retry counts say, and waits as long

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

# The peer's QP is in RESET: two messages are sent once, and again with each retry.
for retry in 0 1 3 7; do
	sent=$(hca_counter sib0 rc_sent) timeouts=$(hca_counter sib0 rc_timeouts)
	began=$(now_ms)
	sib_test rc-retry retry=$retry timeout=13
	expect "packets with retry=$retry" $((sent + 2 * (retry + 1))) "$(hca_counter sib0 rc_sent)"
	expect "timeouts with retry=$retry" $((timeouts + retry + 1)) "$(hca_counter sib0 rc_timeouts)"
	# 4.096 us * 2^13
	at_least "ms with retry=$retry" $((33 * (retry + 1))) $(($(now_ms) - began))
done

# The peer has no receive posted.
for rnr in 0 1 3 6; do
	naks=$(hca_counter sib1 rc_rnr_naks_sent)
	began=$(now_ms)
	sib_test rc-rnr rnr=$rnr min_rnr=20
	expect "RNR NAKs with rnr=$rnr" $((naks + rnr + 1)) "$(hca_counter sib1 rc_rnr_naks_sent)"
	# timer code 20 is 10.24 ms
	at_least "ms with rnr=$rnr" $((10 * rnr)) $(($(now_ms) - began))
done

# 7 is for ever.
sib_test rc-rnr-wait
