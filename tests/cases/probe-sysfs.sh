#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# everything in an interface's sysfs, debugfs and ethtool can be read while it works
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
spawn on h0 ping -q -i "$(every 10)" 10.0.0.2 >/dev/null
# Some of these cannot be read or had; asking must do no harm.
read_all() { # HOST DIR
	on "$1" find "$2" -type f -readable -print -exec cat {} + 2>/dev/null || true
}
at_least "lines read from sysfs" 60 "$(read_all h0 /sys/class/net/ib0/ | wc -l)"
at_least "lines read from the HCA's" 60 "$(read_all h0 /sys/class/infiniband/sib0/ | wc -l)"
for dir in /sys/module/ib_ipoib/ /sys/kernel/debug/ipoib/ /sys/kernel/debug/sib/sib0/; do
	read_all h0 $dir >/dev/null
done
for option in -i -S -k -c -g -l -a -T -m -x --show-priv-flags ''; do
	# shellcheck disable=SC2086 # may be none
	on h0 ethtool $option ib0 >/dev/null 2>&1 || true
done
on h0 ip -s -s -d link show dev ib0 >/dev/null
on h0 cat /proc/net/dev /proc/net/dev_mcast /proc/net/igmp >/dev/null
check pings h0 10.0.0.2
