#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# debugfs files follow their interface's name and network namespace, and go with it
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "makes no files for a second interface of a name, and complains in the log"
settings_change
files() { find /sys/kernel/debug/ipoib -name "$1[_@]*" -printf '%f\n' | sort | xargs; }
names() { printf '%s\n' "$1"_{conn,dst,mcg,path} | xargs; } # what they should be
wait_for 10 iface sib1
dev=$(iface sib1)
expect "files" "$(names "$dev")" "$(files "$dev")"
ip link set "$dev" name fast0
expect "after renaming it" "$(names fast0)" "$(files fast0)"
expect "with the old name" '' "$(files "$dev")"
ip link set fast0 name "$dev"

# Two of the same name: each is found, and tells of itself.
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
netns=$(stat -L -c %i /run/netns/h1)
expect "of two ib0" "$(names "ib0@$netns") $(names ib0)" "$(files ib0)"
check grep -q "$(link_address h1)" /sys/kernel/debug/ipoib/ib0_dst
check grep -q "$(link_address h0)" "/sys/kernel/debug/ipoib/ib0@${netns}_dst"

# Reading while they come and go
reader() { while :; do cat /sys/kernel/debug/ipoib/* >/dev/null 2>&1 || true; done; }
spawn reader
for ((i = 0; i < $(scaled 10); i++)); do
	ip -n h1 link set ib0 down
	ip -n h1 link set ib0 name "if$i"
	ip -n h1 link set "if$i" name ib0
	ip -n h1 link set ib0 up
done
hca_remove sib3
hosts_remove
# Whoever reads uses the module.
spawned_kill
unload_driver
expect "files without a driver" '' "$(ls /sys/kernel/debug/ipoib 2>/dev/null)"
