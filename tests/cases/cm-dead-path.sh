#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# where connections form but carry nothing, what fits goes by datagrams most of the time
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "it sends by no other way"
hosts 2
connected h0 h1
check large h0 10.0.0.2
fault sib0 drop 'kind=rc-data'
# So that there have been some failures in a row
on h0 ping -q -c 200 -i 0.1 -W 1 10.0.0.2 >/dev/null || true
at_least "connections lost" 2 "$(ethtool_stat h0 cm_lost)"
on h0 ping -q -c 200 -i 0.1 -W 1 10.0.0.2 >/tmp/cm.ping || true
sed -n '/transmitted/p' /tmp/cm.ping
at_most "pings of 200 lost" 100 "$(lost /tmp/cm.ping)"
fault sib0 drop off
wait_for 30 large h0 10.0.0.2
