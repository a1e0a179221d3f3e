#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# children come and go and queues are changed with each allocation or verb in turn failing
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

childless() {
	[[ $(ip -n h1 -o link) != *@ib0:* ]]
}

add() {
	failing ip -n h1 link add link ib0 name child type ipoib pkey 0x8001 &&
		ip -n h1 link set child up &&
		ip -n h1 link del child
}

create() {
	failing ip netns exec h1 sh -c 'echo 0x8001 >/sys/class/net/ib0/create_child' &&
		on h1 sh -c 'echo 0x8001 >/sys/class/net/ib0/delete_child' &&
		comes_true 10 childless
}

delete_prepare() {
	ip -n h1 link add link ib0 name child type ipoib pkey 0x8001
	ip -n h1 link set child up
}

delete() {
	failing ip -n h1 link del child
}

# They are changed in a work.
rings() {
	on h1 ethtool -G ib0 rx 8 tx 256
}

rings_prepare() {
	on h1 ethtool -G ib0 rx 16 tx 128
}

walk_only ib_ipoib
walk task "child by netlink" add childless
WALK_MAX=20 walk task "child by sysfs" create childless
WALK_MUST=1 walk task "delete a child" delete childless
usable || die "the parent does not work beside children that failed"
for how in slab pages; do
	WALK_MUST='' walk $how "ring sizes ($how)" rings
done
for verb in create_cq create_qp modify_qp post_recv; do
	walk "$verb" "$verb for ring sizes" rings
done
walk_end
