#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connected and datagram mode talk to each other, in all combinations
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
settings_change
random_file /tmp/cm.data 300000
for modes in 'datagram datagram' 'connected datagram' 'datagram connected' 'connected connected'; do
	read -r one two <<<"$modes"
	check mode h0 "$one"
	check mode h1 "$two"
	check on h0 ping -q -c 1 -W 5 10.0.0.2
	check on h0 ping -q -c 3 -i 0.05 -W 2 -s 20000 10.0.0.2
	check on h1 ping -q -c 3 -i 0.05 -W 2 -s 20000 10.0.0.1
	check on h0 ping -q -c 3 -i 0.05 -W 2 -s 20000 fd00::2
	copy h0 h1 10.0.0.2 /tmp/cm.data
	copy h1 h0 10.0.0.1 /tmp/cm.data
	echo "$modes: h0 has $(rc_qps sib0) connections"
done
# Who sends by connections sends large packets; the other one takes them.
check mode h1 datagram
wait_for 5 large h0 10.0.0.2
sent=$(counter h0 tx_packets)
check on h0 ping -q -c 1 -W 2 -M "do" -s 60000 10.0.0.2
at_most "packets that h0 sends for a large one" 4 $(($(counter h0 tx_packets) - sent))
