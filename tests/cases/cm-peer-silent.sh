#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connected peers that acknowledge nothing, however many, hold up no packets for others
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "all connections share the queue's ring"
hosts 3
connected h0 h1
# All on the same queue
[ "$(nproc)" = 1 ] || check on h0 ethtool -L ib0 tx 1
wait_for 10 large h0 10.0.0.2
# Twice as many as can fill what a queue has for connections
peers_make h2 8 mode connected
peers_talk h0
wait_for 20 stat_is h0 cm_connected 9
stops=$(ethtool_stat h0 tx_queue_0_stops)
fault sib2 drop 'kind=any dir=both'
spawn on h0 /work/tests/tools/flood.py 9 10.2.0.{11..18}
# Debug kernels are too slow to fill any before its peer's silence ends it.
[ "$FEWER" != 1 ] || wait_for 10 stat_rises h0 tx_connection_full 0
on h0 ping -q -c "$(scaled 300 30)" -i "$(every 10)" -W 2 10.0.0.2 >/tmp/cm.ping
expect "pings lost" 0 "$(lost /tmp/cm.ping)"
sed -n 's/^rtt //p' /tmp/cm.ping
at_most "ms that a ping took" $((200 * SCALE)) \
	"$(sed -n 's|^rtt [^=]*= [^/]*/[^/]*/\([0-9]*\).*|\1|p' /tmp/cm.ping)"
expect "times that the queue stopped" "$stops" "$(ethtool_stat h0 tx_queue_0_stops)"
expect "queue resets" 0 "$(ethtool_stat h0 queue_resets)"
made=$(ethtool_stat h0 cm_connected)
fault sib2 drop off
# What ended meanwhile is made again.
wait_for 20 stat_rises h0 cm_connected "$made"
