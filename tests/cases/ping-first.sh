#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the very first packets after the driver is loaded are answered, not lost

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

unload_driver
load_driver
hosts 3
# Nothing is known yet: neither the neighbour nor the path to it.
check on h0 ping -q -c 1 -W $((2 * SCALE)) 10.0.0.2

stock_fails "keeps 3 packets while a path is looked up, drops the others"
dropped=$(counter h0 tx_dropped)
check on h0 ping -q -c 20 -l 20 -W $((2 * SCALE)) 10.0.0.3
expect "packets dropped for want of a path" "$dropped" "$(counter h0 tx_dropped)"
expect "paths asked for" 2 "$(ethtool_stat h0 path_queries)"
