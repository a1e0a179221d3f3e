#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children in a partition talk over IPv4 and IPv6, in multicast and at their MTU
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
# One by sysfs, one by netlink
create_child h0 0x8001
address h0 ib0.8001 1
child h1 8001 2
wait_carrier h0 ib0.8001
wait_carrier h1 ib0.8001
check on h0 ping -c 3 -i 0.1 -W 5 10.1.0.2
check on h1 ping -6 -c 3 -i 0.1 -W 5 fd01::1
check on h0 ping -c 2 -i 0.1 -W 5 -M 'do' -s 2016 10.1.0.2
check on h0 ping -c 1 -W 5 10.0.0.2
expect "MTU of the child" 2044 "$(net_file h1 ib0.8001/mtu)"
wait_for 10 group_exists ff12:401b:8001::ffff:ffff
neighbour() { ip -n "$1" neigh show to "$2" | sed -n 's/.*lladdr \([^ ]*\).*/\1/p'; }
expect "10.1.0.2 as h0 knows it" "$(link_address h1 ib0.8001)" "$(neighbour h0 10.1.0.2)"
random_file /tmp/data 300000
at_exit rm -f /tmp/data /tmp/data.got
copy h0 h1 10.1.0.2 /tmp/data
