#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# events of the port while the driver comes and goes: none is lost, none comes too late
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
hosts 1
# What is seen of a port whose interface is new is what is true of it by then.
events() {
	while :; do
		link_down sib1
		link_up sib1
		comes_true 5 active sib1
		nap 0.0$((RANDOM % 10))
	done
}
begin() {
	events &
	SPAWNED+=($!)
}
end() {
	spawned_kill
	link_up sib1
	wait_active sib1
}
works() { # INTERFACE: as it is, with no event that would help
	carrier_here() { [[ $(ip link show dev "$1") == *LOWER_UP* ]]; }
	wait_for 15 carrier_here "$1"
	ip addr add 10.0.0.2/24 dev "$1"
	# It has another QPN than the last one.
	neigh_flush h0
	wait_for 10 pings h0 10.0.0.2
	ip link set "$1" down
	ip addr flush dev "$1"
}

for ((round = 0; round < $(scaled 3 1); round++)); do
	begin
	for _ in {1..4}; do
		hosts_remove
		check rmmod ib_ipoib
		load_driver
		wait_for 10 iface sib1
		ip link set "$(iface sib1)" up
	done
	end
	hosts 1
	works "$(iface sib1)"
done
echo "beside the module"
for ((round = 0; round < $(scaled 3 1); round++)); do
	for _ in {1..4}; do
		hca_remove sib1
		hca_add sib1
		# The events that come with it are those of its being brought up, and
		link_down sib1
		link_up sib1
		wait_for 10 iface sib1
		ip link set "$(iface sib1)" up
	done
	wait_active sib1
	works "$(iface sib1)"
done
