#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a child's attributes are those of its parent, where they are not its own

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
dev=$(iface sib1)
ip link add link "$dev" name red type ipoib pkey 0x8001
sys=/sys/class/net/red parent=/sys/class/net/$dev
expect "type" 32 "$(cat $sys/type)"
expect "MTU" 2044 "$(cat $sys/mtu)"
expect "port" '0 0x0' "$(cat $sys/dev_port $sys/dev_id | xargs)"
expect "iflink" "$(cat "$parent/ifindex")" "$(cat $sys/iflink)"
expect "iflink of the parent" "$(cat "$parent/ifindex")" "$(cat "$parent/iflink")"
refuse test -e $sys/device
check test -e "$parent/device"
refuse cat "$parent/name_assign_type"
expect "name_assign_type" 3 "$(cat $sys/name_assign_type)"
expect "GID" "$(cut -c 13-59 "$parent/address")" "$(cut -c 13-59 $sys/address)"
for file in type addr_len tx_queue_len flags dev_port; do
	expect "$file" "$(cat "$parent/$file")" "$(cat $sys/$file)"
done
features() { ethtool -k "$1" | sed 1d; }
expect "features" "$(features "$dev")" "$(features red)"
expect_match "ethtool -i" "driver: ib_ipoib.*bus-info: sib.1" "$(ethtool -i red)"
# Its own QP
qps=$(rdma resource show qp)
address=$(cat $sys/address)
address=${address//:/}
expect_match "QPs" "link sib1/.* lqpn $((16#${address:2:6})) type UD .*comm \[ib_ipoib\]" "$qps"
