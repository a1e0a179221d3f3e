#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# mode, pkey and umcast in sysfs: what they say, what they take

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
dev=$(iface sib1)
echo 0x8001 >/sys/class/net/"$dev"/create_child
set_to() { echo "$2" >"/sys/class/net/$dev/$1"; }
get() { cat "/sys/class/net/$dev/$1"; }
for dev in "$dev" "$dev.8001"; do
	expect "modes of files" "644 444 644" "$(cd "/sys/class/net/$dev" && stat -c %a mode pkey umcast | xargs)"
	check set_to mode datagram
	refused_with 'Invalid argument' set_to mode Datagram
	refused_with 'Invalid argument' set_to mode 'datagram '
	refused_with 'Invalid argument' set_to mode ''
	# shellcheck disable=SC2016 # for that shell
	refused_with 'Invalid argument' bash -c 'printf datagram >"$1"' bash "/sys/class/net/$dev/mode"
	check set_to mode connected
	expect_match "log" "$dev: enabling connected mode will cause multicast packet drops" "$(dmesg | tail -n 20)"
	expect "mode and MTU" 'connected 65520' "$(get mode) $(get mtu)"
	check set_to mode datagram
	expect "mode and MTU" 'datagram 2044' "$(get mode) $(get mtu)"
	for word in 1 0 2 0x10 none 010 ''; do
		check set_to umcast "$word"
		expected=0
		[[ ! $word =~ ^[0-9] || $word = 0 ]] || expected=1
		expect "umcast after '$word'" $expected "$(get umcast)"
	done
	refused_with 'Permission denied' setpriv --reuid 65534 --clear-groups bash -c "echo 1 >/sys/class/net/$dev/umcast"
done
expect_match "log" "$dev: ignoring multicast groups joined directly by userspace" "$(dmesg | tail -n 30)"
