#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# receive buffers for connections are there only while they are needed
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "every interface holds 16 MB for connections, in datagram mode as well"
hosts 2
settings_change
srqs() { value $SIB/sib1/info srqs; }
none() { [ "$(srqs)" = 0 ]; }
check on h0 ping -q -c 1 -W 5 10.0.0.2
expect "SRQs in datagram mode" 0 "$(srqs)"
check mode h1 connected
expect "SRQs before a connection" 0 "$(srqs)"
check mode h1 datagram
# A peer's connection needs them, whatever one's own mode
check mode h0 connected
before=$(memory)
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 large h0 10.0.0.2
expect "SRQs with a connection" 1 "$(srqs)"
echo "the first connection took $(($(memory) - before)) kB at both ends"
check mode h0 datagram
wait_for 30 none
