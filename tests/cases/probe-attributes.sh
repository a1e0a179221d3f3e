#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an interface has the attributes of an InfiniBand port's, its address names QP and GID

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

# Connections are accepted whatever the mode.
flags=80 qlen=1000
[ "$DRIVER $(uname -r | cut -d. -f1)" != 'stock 6' ] || qlen=256

for hca in $(hcas); do
	dev=$(iface "$hca")
	sys=/sys/class/net/$dev
	expect "type of $dev" 32 "$(cat "$sys/type")"
	expect "length of an address of $dev" 20 "$(cat "$sys/addr_len")"
	expect "MTU of $dev" 2044 "$(cat "$sys/mtu")"
	expect "length of the queue of $dev" $qlen "$(cat "$sys/tx_queue_len")"
	expect "port of $dev" '0 0x0' "$(cat "$sys/dev_port" "$sys/dev_id" | xargs)"
	expect "broadcast address of $dev" \
		00:ff:ff:ff:ff:12:40:1b:ff:ff:00:00:00:00:00:00:ff:ff:ff:ff \
		"$(cat "$sys/broadcast")"

	# Flags, QPN, GID
	address=$(cat "$sys/address")
	address=${address//:/}
	gid=$(gid "$hca")
	expect "flags in the address of $dev" $flags "${address:0:2}"
	expect "GID in the address of $dev" "${gid//:/}" "${address:8}"
	qps=$(rdma resource show qp)
	expect_match "QPs of $hca" "link $hca/.* lqpn $((16#${address:2:6})) type UD .*comm \[ib_ipoib\]" "$qps"

	details=$(ip -d link show dev "$dev")
	expect_match "ip -d link" "<BROADCAST,MULTICAST>.* link/infiniband .*maxmtu 65520" "$details"
	expect_match "ethtool -i $dev" "driver: ib_ipoib.*bus-info: sib\.${hca#sib}" \
		"$(ethtool -i "$dev")"
done
