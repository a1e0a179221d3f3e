#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a child with 4 queues under 16 streams, whose queues come and go
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
hosts 2
for host in h0 h1; do
	ip -n $host link add link ib0 name red numtxqueues 4 type ipoib pkey 0x8001
	address $host red $((${host#h} + 1))
done
wait_carrier h0 red
wait_carrier h1 red
wait_for 10 pings h0 10.1.0.2
stock_fails "has one queue"
check on h0 ethtool -L red tx 4
# Streams choose by themselves, not by the processor they come from.
for queue in 0 1 2 3; do
	on h0 sh -c "echo 0 >/sys/class/net/red/queues/tx-$queue/xps_cpus" 2>/dev/null || true
done
spawn on h1 iperf3 -s -1 >/dev/null
wait_for 10 listening h1 5201
on h0 iperf3 -c 10.1.0.2 -P 16 -b 2M -t 8 >/tmp/iperf 2>&1 &
client=$!
at_exit rm -f /tmp/iperf
used() { # every queue
	local queue
	for queue in 0 1 2 3; do
		[ "$(ethtool_stat h0 tx_queue_${queue}_packets red)" -gt 20 ] || return 1
	done
}
wait_for 10 used
for ((round = 0; round < 5; round++)); do
	check on h0 ethtool -L red tx 1
	check on h0 ethtool -L red tx 4
	nap 0.2
done
wait $client || die "iperf3: $(tail -3 /tmp/iperf)"
expect "resets of queues" 0 "$(ethtool_stat h0 queue_resets red)"
expect "transmit timeouts" 0 "$(ethtool_stat h0 tx_timeouts red)"
check on h0 ping -q -c 20 -i 0.01 -W 5 10.1.0.2
# It goes with them in use.
spawn on h0 ping -q -f 10.1.0.2 >/dev/null
sent=$(counter h0 tx_packets red)
flows() { [ "$(counter h0 tx_packets red)" -gt $((sent + 100)) ]; }
wait_for 5 flows
check ip -n h0 link del red
check ip -n h1 link del red
