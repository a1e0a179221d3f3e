#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connections of peers take turns with the receive queues, one for each processor
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "has one queue"
[ "$(nproc)" -gt 1 ] || skip "one processor has one queue"
hosts 3
connected h1 h2
for k in 1 2; do
	check on h$k ping -q -c 1 -W 5 10.0.0.1
	wait_for 5 large h$k 10.0.0.1
done
# Nobody else has connections of peers.
expect "queues of h0's connections" '0 1' \
	"$(sed -n '/^from/,/^$/s/^ *queue: //p' /sys/kernel/debug/ipoib/*ib0*_conn | sort | xargs)"
expect "SRQs" 2 "$(value $SIB/sib0/info srqs)"
for k in 1 2; do
	check on h$k ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.0.0.1
done
