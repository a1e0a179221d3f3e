#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an HCA with four SGEs for receiving tells peers of a smaller MTU
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

stock_fails "says that it takes 65524 bytes whatever it can, and the connection breaks"
settings_change
fabric_reload hcas=2 max_srq_sge=4
hosts 2
connected h0 h1
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 stat_rises h0 cm_connected 0
expect_match "first large ping" "mtu ?= ?16380" \
	"$(on h0 ping -c 1 -W 1 -M "do" -s 60000 10.0.0.2 2>&1 || true)"
check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 16352 10.0.0.2
check on h0 ping -q -c 3 -i 0.1 -W 2 -s 60000 10.0.0.2
random_file /tmp/cm.data 2000000
copy h0 h1 10.0.0.2 /tmp/cm.data
expect "connections lost" 0 "$(ethtool_stat h0 cm_lost)"
