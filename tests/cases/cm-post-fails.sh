#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a queue whose datagrams cannot be posted is reset although connections are on it, in order
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "does not count resets of queues"
hosts 2
connected h0 h1
check ip -n h1 route replace 239.0.0.0/8 dev ib0
for ((round = 0; round < 5; round++)); do
	wait_for 10 large h1 10.0.0.1
	# Multicast goes by datagrams
	spawn on h1 /work/tests/tools/flood.py 9 239.1.2.3
	flood=$!
	resets=$(ethtool_stat h1 queue_resets)
	nap 0.5
	# Not on sib0, where the SM posts, too
	fault sib1 verb post_send ENOMEM next=1
	wait_for 10 stat_rises h1 queue_resets "$resets"
	nap 0.2
	kill "$flood"
	wait "$flood" || true
done
check on h1 ping -q -c 100 -i 0.01 -W 5 10.0.0.1
wait_for 10 large h1 10.0.0.1
