#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a parent takes its children up and down, and they can do without it
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
hosts 2
child h0 8001 1
child h1 8001 2
create_child h1 0x8002
is_up() { [[ $(ip -n "$1" link show dev "$2") == *[,\<]UP[,\>]* ]]; }
is_down() { ! is_up "$@"; }
check is_down h1 ib0.8002
wait_for 20 pings h0 10.1.0.2

ip -n h1 link set ib0 down
wait_for 5 is_down h1 ib0.8001
refuse pings h0 10.1.0.2
ip -n h1 link set ib0 up
wait_for 5 is_up h1 ib0.8001
# Also one that was not before
wait_for 5 is_up h1 ib0.8002
wait_for 20 pings h0 10.1.0.2

# One alone
ip -n h1 link set ib0.8001 down
check carrier h1 ib0
check pings h0 10.0.0.2
ip -n h1 link set ib0.8001 up
wait_for 20 pings h0 10.1.0.2

ip -n h1 link set ib0 down
wait_for 5 is_down h1 ib0.8001
ip -n h1 link set ib0.8001 up
check is_down h1 ib0
wait_carrier h1 ib0.8001
wait_for 20 pings h0 10.1.0.2
check on h0 ping -c 3 -i 0.1 -W 5 10.1.0.2
# What is up already stays up.
ip -n h1 link set ib0 up
check carrier h1 ib0.8001
wait_carrier h1 ib0
check on h0 ping -c 3 -i 0.1 -W 5 10.1.0.2
