# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Hosts that use the kernel's own driver beside the one under test; read after
# tests/lib.sh and ipoib.sh. Two drivers, two interfaces on each port: those of hosts
# that are not told otherwise stay with the one under test.

# stock_load: the kernel's own driver, as a second one
stock_load() {
	local module
	module=$(find "/lib/modules/$(uname -r)/kernel" -name 'ib_ipoib.ko*')
	check /work/tests/tools/rename-module "${module:-none}" /tmp/ib_stock.ko
	# Names of the other's interfaces are not put right again.
	settings_change
	at_exit stock_unload
	check insmod /tmp/ib_stock.ko
}

stock_unload() {
	hosts_remove
	! loaded ib_stock || rmmod ib_stock
}

# stock_iface HCA: the interface of its port that is the kernel's driver's
stock_iface() {
	local dev
	for dev in "/sys/class/infiniband/$1/device/net"/*; do
		dev=${dev##*/}
		if [[ $(ethtool -i "$dev") == *'driver: ib_stock'* ]]; then
			echo "$dev"
			return
		fi
	done
	return 1
}

# stock_host HOST: it uses the kernel's driver from now on, with the same addresses
stock_host() {
	local host=$1 k=${1#h} dev
	wait_for 10 stock_iface "sib$k"
	dev=$(stock_iface "sib$k")
	check ip link set "$dev" name "stock$k"
	# Any of them may have the name that the host's had outside.
	[ ! -e "$STATE/sys.$host/class/net/ib0" ] ||
		check ip -n "$host" link set ib0 down netns 1 name "other$k"
	echo "stock$k" >"$STATE/$host"
	check ip link set "stock$k" netns "$host" name ib0
	on "$host" sh -c 'echo 0 >/proc/sys/net/ipv6/conf/ib0/accept_dad'
	check ip -n "$host" -batch - <<-BATCH
		addr add 10.0.0.$((k + 1))/24 dev ib0
		addr add fd00::$((k + 1))/64 dev ib0
		link set ib0 up
	BATCH
	wait_carrier "$host"
	expect_match "driver of $host" 'driver: ib_stock' "$(on "$host" ethtool -i ib0)"
}
