#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# LIDs change, the subnet manager's own too: traffic is back within 2 s
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

at_exit lids_forget
hosts 3
streams_start
before=$(lid sib0),$(lid sib1)
# Two LIDs for each port: they have to be even.
opensm_start -l 1 -r
changed() {
	local lids
	lids=$(lid sib0),$(lid sib1)
	[ "$lids" != "$before" ] && active sib0 sib1
}
wait_for 20 changed
wait_for 20 streams_flow
echo "LIDs of sib0 and sib1: $before, now $(lid sib0),$(lid sib1)"
streams_report "LIDs change"
at_most "milliseconds without a datagram" $((2000 * SCALE)) "$UDP_GAP"
neigh_flush h0
wait_for 2 pings h0 10.0.0.3
