#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connections that nobody uses end, ours and those of peers who are gone
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "has other times, which cannot be set"
settings_change
unload_driver
load_driver conn_idle_secs=5
hosts 2
connected h0
no_connections() { [ "$(rc_qps "$1")" = 0 ]; }
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 large h0 10.0.0.2
# One that is used stays
idle=$(ethtool_stat h0 cm_idle)
check on h0 ping -q -c 12 -i 2 -W 2 -M "do" -s 60000 10.0.0.2
expect "connections that ended" "$idle" "$(ethtool_stat h0 cm_idle)"
# Nobody uses it, and neither hears of the other's end
fault sib0 drop 'kind=mad class=cm dir=both'
wait_for $((5 + 15 + 3)) no_connections sib0
at_least "connections of h0 that were idle" 1 "$(ethtool_stat h0 cm_idle)"
wait_for $((10 + 15 + 3)) no_connections sib1
expect "connections of h1 that were idle" 1 "$(ethtool_stat h1 cm_idle)"
fault sib0 drop off
wait_for 10 large h0 10.0.0.2
