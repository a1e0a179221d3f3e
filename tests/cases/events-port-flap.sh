#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a port is down for 2 s: traffic is back 2 s after it is Active again
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 3
streams_start
began=$(now_ms)
link_down sib1
nap 2
link_up sib1
wait_active sib1
down=$(($(now_ms) - began))
wait_for 20 streams_flow
streams_report "port not Active for $down ms"
at_most "milliseconds without a datagram" $((down + 1000 * SCALE)) "$UDP_GAP"
# Groups are joined again.
neigh_flush h1
wait_for 2 pings h1 10.0.0.3
