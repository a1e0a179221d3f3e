#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# counters of queues add up to the interface's, netlink has the same, and TSO counts as on the wire
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "has no counters of queues, and counts a TSO packet as one"
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
sum() { # HOST WHAT: of all transmit queues
	on "$1" ethtool -S ib0 | awk -v what="_$2:" '$1 ~ "^tx_queue_[0-9]*" what { sum += $2 } END { print sum }'
}
still() { # HOST NAME...: whether nothing counts any more, with its numbers
	local before
	before=$(counter h0 tx_packets)
	nap 0.3
	[ "$before" = "$(counter h0 tx_packets)" ]
}

random_file /tmp/stats 2000000
at_exit rm -f /tmp/stats /tmp/stats.got
tx=$(counter h0 tx_packets) bytes=$(counter h0 tx_bytes)
rx=$(counter h1 rx_packets) rx_bytes=$(counter h1 rx_bytes)
lso=$(hca_counter sib0 lso_requests)
copy h0 h1 10.0.0.2 /tmp/stats
wait_for 5 still
at_least "LSO requests" $((lso + 10)) "$(hca_counter sib0 lso_requests)"
# All that h0 sent went to h1, but for some multicast.
packets=$(($(counter h0 tx_packets) - tx)) received=$(($(counter h1 rx_packets) - rx))
at_least "packets sent by h0, as h1 received $received" $received $packets
at_most "packets sent by h0, as h1 received $received" $((received + 10)) $packets
# Sending counts the encapsulation header, receiving does not.
sent=$(($(counter h0 tx_bytes) - bytes)) received=$(($(counter h1 rx_bytes) - rx_bytes + 4 * received))
at_least "bytes sent by h0, as h1 received $received" $received $sent
at_most "bytes sent by h0, as h1 received $received" $((received + 2000)) $sent

# Neighbours are asked for now and then: what is compared is read while nothing counts.
status=0
at_exit rm -f /tmp/queues
now() { echo "$(counter h0 tx_packets) $(counter h0 rx_packets) $(counter h1 rx_packets)"; }
read_all() {
	local i before
	before=$(now)
	tx=$(counter h0 tx_packets) bytes=$(counter h0 tx_bytes) queues="$(sum h0 packets) $(sum h0 bytes)"
	rx=$(counter h1 rx_packets) rx_queue=$(ethtool_stat h1 rx_queue_0_packets)
	rx0=$(counter h0 rx_packets)
	for ((i = 0; i < $(nproc); i++)); do
		queue[i]="tx-packets=$(ethtool_stat h0 tx_queue_${i}_packets) tx-bytes=$(ethtool_stat h0 tx_queue_${i}_bytes)"
	done
	status=0
	on h0 /work/tests/tools/queues.py ib0 >/tmp/queues 2>&1 || status=$?
	[ "$before" = "$(now)" ]
}
declare -a queue
tries=1
until read_all; do
	[ $((++tries)) -le 10 ] || die "h0 and h1 never stop to send"
done

expect "packets and bytes of all queues" "$tx $bytes" "$queues"
expect "packets of the receive queue" "$rx" "$rx_queue"
if [ $status = 2 ]; then
	expect_match "kernels without queue statistics" '^6\.[0-8]\.' "$(uname -r)"
	exit 0
fi
expect "exit status of queues.py ($(</tmp/queues))" 0 $status
for ((i = 0; i < $(nproc); i++)); do
	expect_match "netlink about queue $i" "tx $i napi=[1-9][0-9]* ${queue[i]}" "$(</tmp/queues)"
done
expect_match "netlink about the receive queue" "rx 0 napi=[1-9][0-9]* rx-packets=$rx0 " "$(</tmp/queues)"
expect_match "netlink about the device" "device rx-packets=$rx0 .*tx-packets=$tx " "$(</tmp/queues)"
