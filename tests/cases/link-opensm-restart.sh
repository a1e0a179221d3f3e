#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# opensm is restarted: established traffic does not notice, and groups are joined anew
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 3
check on h0 ping -c 1 -W 5 10.0.0.2
broadcast=ff12:401b:ffff::ffff:ffff
at_exit rm -f /tmp/restart
spawn on h0 ping -q -i "$(every 20)" -W 1 10.0.0.2 >/tmp/restart

# The new one knows nothing of the groups the old one had.
opensm_start
everyone() { [ "$(group_members $broadcast)" = "$(host_gid h0) $(host_gid h1) $(host_gid h2)" ]; }
wait_for 20 everyone
check carrier h0
check carrier h1
# With the new one's help: broadcast, and a path not known before.
wait_for 10 pings h1 10.0.0.3

kill -INT "${SPAWNED[0]}"
wait "${SPAWNED[0]}" || true
cat /tmp/restart
stock_fails "forgets its paths and groups, then asks for them again"
expect "packets lost" 0 "$(lost /tmp/restart)"
