#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children made and deleted while opensm restarts, the HCA or the module goes
# TIME: 180

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

# shellcheck disable=SC2016 # for other shells
settings_change
red_partition
# Whatever of it can be done when it is its turn
churn() { # HCA WHICH
	local dev
	set +e
	while :; do
		dev=$(iface "$1") || { nap 0.02; continue; }
		if [ "$2" = sysfs ]; then
			echo 0x8001 >"/sys/class/net/$dev/create_child"
			ip link set "$dev.8001" up
			echo 1 >"/sys/class/net/$dev.8001/umcast"
			echo 0x8001 >"/sys/class/net/$dev/delete_child"
		else
			ip link add link "$dev" name "$1.$2" type ipoib pkey 0x8001
			ip link set "$1.$2" up
			ip link set "$1.$2" type ipoib umcast 1
			ip link del "$1.$2"
		fi
	done 2>/dev/null
}
begin() { # in shells of their own, to be killed as such
	local which
	for which in sysfs nl1 nl2; do
		churn sib1 $which &
		SPAWNED+=($!)
	done
}

begin
ip link set "$(iface sib1)" up
for ((round = 0; round < $(scaled 4 2); round++)); do
	opensm_start
	nap 1
done
spawned_kill
echo "beside opensm"

begin
for ((round = 0; round < $(scaled 6 2); round++)); do
	nap 0.5
	hca_remove sib1
	hca_add sib1
	wait_for 10 iface sib1
	[ $((round % 2)) = 0 ] || ip link set "$(iface sib1)" up || true
done
spawned_kill
echo "beside the HCA"
wait_active sib1

begin
for ((round = 0; round < $(scaled 6 2); round++)); do
	nap 0.5
	check rmmod ib_ipoib
	load_driver
	wait_for 10 iface sib1
done
spawned_kill
echo "beside the module"

# What is there now is whole.
for link in $(ip -br link show type ipoib | sed -n 's/^\([^ @]*\)@.*/\1/p'); do
	ip link del "$link"
done
wait_for 20 has_pkeys sib1 "0xffff 0x8001"
hosts 2
child h0 8001 1
child h1 8001 2
wait_for 20 pings h0 10.1.0.2
