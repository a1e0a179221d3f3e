#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the mode changes every second under TCP, and no byte is lost
# TIME: 150

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 2
settings_change
streams_start
changes=$(scaled 60 8)
for ((i = 0; i < changes; i++)); do
	for host in h0 h1; do
		check mode $host "$([ $((i % 2)) = 0 ] && echo connected || echo datagram)"
	done
	nap 1
done
streams_report "$changes changes of mode" 2
at_most "ms that TCP stood still" $((1000 * SCALE)) "$TCP_GAP"
at_most "datagrams lost" $((changes * 6)) "$LOST"
check large h1 10.0.0.1 2000
