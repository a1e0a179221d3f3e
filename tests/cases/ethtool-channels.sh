#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# transmit queues come and go under traffic, and the others lose nothing
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "has one queue"
settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
# channels: limits of receive and transmit queues, and how many there are
channels() { on h0 ethtool -l ib0 | sed -n 's/^[RT]X:[[:space:]]*//p' | xargs; }
read -r _ max _ tx < <(channels)
expect "channels" "1 $max 1 $(nproc)" "$(channels)"
at_least "transmit queues at most" "$tx" "$max"
for bad in 'tx 0' "tx $((max + 1))" 'rx 0' 'rx 2' 'combined 1'; do
	# shellcheck disable=SC2086 # two words
	refuse on h0 ethtool -L ib0 $bad
done
[ "$max" -gt 1 ] || skip "one processor (SMP=2, or ARGS=possible_cpus=2, has more)"

queues() { on h0 sh -c 'ls -d /sys/class/net/ib0/queues/tx-*' | wc -l; }
qps() { rdma resource show qp link sib0/1 | grep -c 'type UD .*ib_ipoib'; }
address=$(link_address h0)
spawn on h1 iperf3 -s -1 >/dev/null
wait_for 10 listening h1 5201
# Not so much that receivers cannot keep up, which loses datagrams of itself
starved() { echo $(($(hca_counter sib0 ud_no_wqe) + $(hca_counter sib1 ud_no_wqe))); }
starved=$(starved)
on h0 iperf3 -c 10.0.0.2 -P 4 -b 3M -t 15 >/tmp/iperf 2>&1 &
client=$!
# On queue 0, which stays
spawn on h0 taskset -c 0 ping -q -i "$(every 10)" 10.0.0.2 >/tmp/ping
at_exit rm -f /tmp/ping /tmp/iperf
for ((round = 0; round < 10; round++)); do
	check on h0 ethtool -L ib0 tx 1
	expect "queues, QPs" "1 1" "$(queues) $(qps)"
	check on h0 ethtool -L ib0 tx "$max"
	expect "queues, QPs" "$max $max" "$(queues) $(qps)"
	nap 0.3
done
wait $client || die "iperf3: $(tail -3 /tmp/iperf)"
kill -INT "${SPAWNED[1]}"
wait "${SPAWNED[1]}" || true
at_most "pings from queue 0 that were lost" $(($(starved) - starved)) "$(lost /tmp/ping)"
expect "packets flushed" 0 "$(ethtool_stat h0 tx_flushed)"
expect "address" "$address" "$(link_address h0)"
# New queues are used, by the processors they belong to.
for ((i = 0; i < $(nproc); i++)); do
	before=$(ethtool_stat h0 tx_queue_${i}_packets)
	check on h0 taskset -c $i ping -q -c 20 -i 0 -W 5 10.0.0.2
	at_least "packets of queue $i" $((before + 15)) "$(ethtool_stat h0 tx_queue_${i}_packets)"
done

# Of those that went, the interface's counters keep what they counted.
sent=$(counter h0 tx_packets)
check on h0 ethtool -L ib0 tx 1
at_least "packets sent" "$sent" "$(counter h0 tx_packets)"
# No more of them are to be had: all stays as it is.
knob sib0 faults/verb create_qp ENOMEM
refuse on h0 ethtool -L ib0 tx "$max"
expect "queues, QPs" "1 1" "$(queues) $(qps)"
knob sib0 faults/verb off
# Down, too
ip -n h0 link set ib0 down
check on h0 ethtool -L ib0 tx "$max"
ip -n h0 link set ib0 up
wait_carrier h0
wait_for 10 pings h0 10.0.0.2
