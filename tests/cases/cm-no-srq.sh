#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an HCA without SRQ takes as many connections as it may, and datagrams of others
# TIME: 210

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

settings_change
fabric_reload hcas=4 srq=0
unload_driver
load_driver max_nonsrq_conn_qp=2
hosts 4
connected h0 h1 h2 h3
for k in 1 2; do
	check on h$k ping -q -c 1 -W 5 10.0.0.1
	check on h$k ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.0.0.1
done
random_file /tmp/cm.data 1000000
copy h1 h0 10.0.0.1 /tmp/cm.data
copy h0 h2 10.0.0.3 /tmp/cm.data
ours || exit 0
# One too many
check on h3 ping -q -c 1 -W 5 10.0.0.1
wait_for 5 stat_rises h3 cm_rejected 0
at_least "connections refused" 1 "$(ethtool_stat h0 cm_refused)"
check on h3 ping -q -c 3 -i 0.1 -W 2 10.0.0.1
# Routes learn what datagrams carry, if it lasts
wait_for 100 on h3 ping -q -c 1 -W 1 -s 60000 10.0.0.1
check on h3 ping -q -c 2 -i 0.1 -W 2 -s 60000 10.0.0.1
