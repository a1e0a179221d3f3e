#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children by netlink and sysfs are made, brought up and deleted with each allocation failing
# TIME: 300
# LOG-OK: Call Trace:|ref_tracker: memory

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/debug/walk.sh
. /work/tests/debug/walk.sh

walk_begin
fabric_reload hcas=2
unload_driver
load_driver send_queue_size=16 recv_queue_size=8
hosts 2

gone() {
	[ ! -e /sys/class/net/ib0.ffff ] && ! ip -n h1 link show dev child
}

add() {
	failing ip -n h1 link add link ib0 name child type ipoib pkey 0xffff
}

