#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the kernel's driver as the peer in another partition, by datagrams and by connections
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh
# shellcheck source=tests/tools/stock.sh
. /work/tests/tools/stock.sh

red_partition
hosts 2
stock_load
stock_host h1
child h0 8001 1
# It makes them outside of the host.
on h1 sh -c 'echo 0x8001 >/sys/class/net/ib0/create_child'
ip link set ib0.8001 netns h1
address h1 ib0.8001 2
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
for size in 56 20000; do
	check on h0 ping -q -c 3 -i 0.05 -W 5 -s $size 10.1.0.2
	check on h1 ping -q -c 3 -i 0.05 -W 5 -s $size fd01::1
done
check ip -n h0 link set ib0.8001 type ipoib mode connected
check mode h1 connected ib0.8001
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
check on h0 ping -q -c 1 -W 5 10.1.0.2
wait_for 10 large h0 10.1.0.2
wait_for 10 large h1 10.1.0.1
check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.1.0.2
check on h1 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.1.0.1
# shellcheck disable=SC2016 # for that shell
on h1 sh -c 'echo 0x8001 >/sys/class/net/ib0/delete_child'
