#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a peer without connections gets datagrams, and senders hear of its MTU
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
connected h0 h1
# As if it were one that can do no better: its address has no flag.
address=$(link_address h1)
no_flag() { # the neighbour ADDRESS is one without
	ip -n h0 neigh replace "$1" dev ib0 lladdr "00${address:2}" nud permanent
}
no_flag 10.0.0.2
no_flag fd00::2
check on h0 ping -q -c 1 -W 5 10.0.0.2
expect "connections of h0" 0 "$(ours && ethtool_stat h0 cm_requests || echo 0)"

# The destination's MTU, at the first try
mtu=2044
expect_match "first large ping over IPv4" "mtu ?= ?$mtu" \
	"$(on h0 ping -c 1 -W 1 -M "do" -s 60000 10.0.0.2 2>&1 || true)"
expect_match "route of IPv4" "mtu $mtu" "$(ip -n h0 route get 10.0.0.2)"
check on h0 ping -q -c 2 -i 0.1 -W 2 -M "do" -s $((mtu - 28)) 10.0.0.2
check on h0 ping -q -c 2 -i 0.1 -W 2 -s 60000 10.0.0.2
expect_match "first large ping over IPv6" "mtu ?= ?$mtu" \
	"$(on h0 ping -c 1 -W 1 -M "do" -s 60000 fd00::2 2>&1 || true)"
check on h0 ping -q -c 2 -i 0.1 -W 2 -M "do" -s $((mtu - 48)) fd00::2
check on h0 ping -q -c 2 -i 0.1 -W 2 -s 60000 fd00::2

# TCP finds it out without a pause
ip -n h0 route flush cache
random_file /tmp/cm.data 200000
at_most "milliseconds for 200 kB by TCP" $((3000 * SCALE)) "$(milliseconds copy h0 h1 10.0.0.2 /tmp/cm.data)"
