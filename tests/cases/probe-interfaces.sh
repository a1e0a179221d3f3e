#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# one interface for each InfiniBand port, none for soft RoCE or iWARP beside them

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

ip link add veth0 up type veth peer name veth1
at_exit ip link del veth0
ip link set veth1 up
soft=(rxe)
# Not every kernel is built with it.
! modinfo -n siw >/dev/null 2>&1 || soft+=(siw)
for type in "${soft[@]}"; do
	check rdma link add "${type}0" type "$type" netdev veth0
	at_exit rdma link del "${type}0"
done
expect "RDMA devices" $((4 + ${#soft[@]})) "$(rdma link | wc -l)"
expect "interfaces when others come after the driver" "ib0 ib1 ib2 ib3" "$(interfaces | xargs)"

unload_driver
expect "interfaces without the driver" "" "$(interfaces)"
load_driver
wait_for 10 interface_each
expect "interfaces when others were there before" 4 "$(interfaces | wc -l)"
