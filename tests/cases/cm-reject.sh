#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a peer that rejects is asked once a second at most, and gets datagrams meanwhile
# TIME: 210

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "asks again with the next packet, and drops what it could send by datagrams"
settings_change
fabric_reload hcas=2 srq=0
unload_driver
load_driver max_nonsrq_conn_qp=0
hosts 2
connected h0 h1
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 stat_rises h0 cm_rejected 0
requests=$(ethtool_stat h0 cm_requests)
begin=$(now_ms)
check on h0 ping -q -c 150 -i 0.02 -W 2 -s 1000 10.0.0.2
at_most "requests" $(((($(now_ms) - begin) / 1000) + 2)) $(($(ethtool_stat h0 cm_requests) - requests))
# Routes learn what datagrams carry, if it lasts
on h0 ping -q -c 1 -W 1 -s 60000 10.0.0.2 || true
at_least "large packets dropped" 1 "$(ethtool_stat h0 tx_no_connection)"
refuse eval 'ip -n h0 route get 10.0.0.2 | grep mtu'
wait_for 100 on h0 ping -q -c 1 -W 1 -s 60000 10.0.0.2
check on h0 ping -q -c 3 -i 0.1 -W 2 -s 60000 10.0.0.2
random_file /tmp/cm.data 300000
copy h0 h1 10.0.0.2 /tmp/cm.data

# No such service: the neighbour is known by a QP that it does not have
ip -n h0 neigh replace 10.0.0.9 dev ib0 lladdr "80:00:00:99:$(link_address h1 | cut -c 13-)" nud permanent
rejected=$(ethtool_stat h0 cm_rejected)
on h0 ping -q -c 2 -i 0.2 -W 1 10.0.0.9 || true
wait_for 5 stat_rises h0 cm_rejected "$rejected"
