#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children, in other partitions and network namespaces, have modes and connections of their own
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

red_partition
hosts 2
settings_change
child h0 8001 1
child h1 8001 2
check ip -n h0 link set ib0.8001 type ipoib mode connected
check ip -n h1 link set ib0.8001 type ipoib mode connected
mode_is() { # HOST INTERFACE MODE
	expect_match "mode of $2 of $1" "mode  ?$3 " "$(ip -n "$1" -d link show dev "$2")"
}
mode_is h0 ib0 datagram
mode_is h0 ib0.8001 connected
expect "MTUs" '2044 65520' "$(mtu h0) $(mtu h0 ib0.8001)"
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
check on h0 ping -q -c 1 -W 5 10.1.0.2
check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.1.0.2
check on h0 ping -q -c 3 -i 0.1 -W 2 -s 20000 10.0.0.2
expect "QPs of connections" 2 "$(rc_qps sib0)"

# Made connected, in a namespace of its own
ip netns add n1
check ip -n h1 link add link ib0 name red type ipoib pkey 0x8001 mode connected
ip -n h1 link set red netns n1
address n1 red 3
wait_carrier n1 red
expect "MTU" 65520 "$(mtu n1 red)"
check on h0 ping -q -c 1 -W 5 10.1.0.3
check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.1.0.3
check ip -n n1 link del red
ip netns del n1
check ip -n h1 link set ib0.8001 down
mode_is h1 ib0.8001 connected
