#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# peers have as many connections as they may, and one that is refused gets one when another ends
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "takes as many as peers like to make"
settings_change
unload_driver
load_driver max_srq_conn_qp=2
hosts 4
connected h1 h2 h3
for k in 1 2; do
	check on h$k ping -q -c 1 -W 5 10.0.0.1
	wait_for 5 large h$k 10.0.0.1
done
check on h3 ping -q -c 1 -W 5 10.0.0.1
wait_for 5 stat_rises h3 cm_rejected 0
at_least "connections refused" 1 "$(ethtool_stat h0 cm_refused)"
expect "QPs of connections" 2 "$(rc_qps sib0)"
# Datagrams serve
check on h3 ping -q -c 3 -i 0.1 -W 2 10.0.0.1
check on h3 ping -q -c 3 -i 0.1 -W 2 -s 1500 10.0.0.1

check mode h1 datagram
wait_for 20 large h3 10.0.0.1
expect "QPs of connections" 2 "$(rc_qps sib0)"
check large h2 10.0.0.1
