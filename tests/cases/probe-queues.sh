#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# with several processors there are as many transmit queues, each with a QP, and all send

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "has one transmit queue"
[ "$(nproc)" -gt 1 ] || skip "one processor (SMP=2 has more)"
hosts 2
mapfile -t queues < <(on h0 sh -c "ls -d /sys/class/net/ib0/queues/tx-*")
expect "transmit queues" "$(nproc)" ${#queues[@]}
expect "UD QPs of the driver" "$(nproc)" \
	"$(rdma resource show qp link sib0/1 | grep -c 'type UD .*ib_ipoib')"

check on h0 ping -c 1 -W 5 10.0.0.2
for ((i = 0; i < $(nproc); i++)); do
	before=$(ethtool_stat h0 tx_queue_${i}_packets)
	check on h0 taskset -c $i ping -q -c 50 -i 0 -W 5 10.0.0.2
	at_least "packets of queue $i from processor $i" $((before + 40)) \
		"$(ethtool_stat h0 tx_queue_${i}_packets)"
done
