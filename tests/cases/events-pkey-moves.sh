#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the P_Key moves to another place in the table and back: traffic is back within 2 s
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

settings_change
red_partition
hosts 2
child h0 8001 1
child h1 8001 2
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
for table in "0x8001 0xffff" "0xffff 0x8001"; do
	streams_start 10.1.0.2
	red_moves "$table"
	wait_active
	ours || comes_true 10 streams_flow || stock_fails "a child whose P_Key comes at index 0 does not notice"
	wait_for 20 streams_flow
	streams_report "P_Key table now $table"
	at_most "milliseconds without a datagram" $((2000 * SCALE)) "$UDP_GAP"
	check carrier h0 ib0.8001
	check carrier h1 ib0.8001
	# In the right partition, not both in the one that came to the old place
	received=$(counter h1 rx_packets ib0.8001)
	knob sib0 inject "dlid=$(lid sib1) qpn=$(qpn h1 ib0.8001) qkey=0xb1b pkey=0x8001 hex=08000000 random=64 count=50"
	heard() { [ "$(counter h1 rx_packets ib0.8001)" -ge $((received + 50)) ]; }
	wait_for 5 heard
	# Groups, too
	neigh_flush h0
	wait_for 4 pings h0 10.1.0.2
done
