#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a child that cannot be made leaves nothing behind, and the next one can

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
dev=$(iface sib1)
create() { echo "$1" >"/sys/class/net/$dev/create_child"; }
add() { ip link add link "$dev" name red type ipoib pkey 0x8001; }
before=$(resources) interfaces=$(interfaces)

verbs=(alloc_pd create_cq create_qp)
# The stock driver does not fail for want of this one.
! ours || verbs+=(query_port)
for verb in "${verbs[@]}"; do
	echo "$verb"
	for skip in 0 1; do
		# Of some there is one only.
		[ "$skip" = 0 ] || [ "$verb" = create_cq ] || continue
		fault sib1 verb "$verb" ENOMEM skip=$skip
		if ours; then
			refused_with 'Cannot create the interface' add
			refused_with 'Cannot allocate memory' create 0x8001
		else
			refuse add
			refuse create 0x8001
		fi
		fault sib1 verb off
		expect "interfaces" "$interfaces" "$(interfaces)"
		comes_true 5 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
	done
done

# A name that is taken is found out earlier than all else.
check ip link add link "$dev" name "$dev.8002" type ipoib pkey 0x8001
refused_with 'File exists' create 0x8002
check ip link del "$dev.8002"
check create 0x8002
check add
expect "P_Key" 0x8002 "$(cat "/sys/class/net/$dev.8002/pkey")"
check ip link del red
check ip link del "$dev.8002"
comes_true 5 same_resources "$before" || expect "resources of RDMA devices" "$before" "$(resources)"
