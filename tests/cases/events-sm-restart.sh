#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# opensm dies, and another one begins at once, 1 s or 10 s later: no packet is lost
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 3
for pause in 0 1 10; do
	streams_start
	kill -9 "$(<$STATE/opensm.pid)"
	nap $pause
	sm_takes_over
	ours || { streams_report "SM gone for $pause s"; continue; }
	nothing_lost "SM gone for $pause s"
	check carrier h0
	# Multicast is back, and with it a host not talked to before.
	neigh_flush h0
	wait_for 2 pings h0 10.0.0.3
done
stock_fails "stops to send until it has asked for all paths again"
