#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# bringing an interface up and down with each allocation or verb in turn failing
# TIME: 300
# LOG-OK: Call Trace:|ref_tracker: memory

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/debug/walk.sh
. /work/tests/debug/walk.sh

walk_begin
# Short queues: one buffer is like another.
fabric_reload hcas=2
unload_driver
load_driver send_queue_size=16 recv_queue_size=8
hosts 2

open() {
	failing ip -n h1 link set ib0 up
}

open_prepare() {
	ip -n h1 link set ib0 down
}

close() {
	failing ip -n h1 link set ib0 down
}

close_prepare() {
	ip -n h1 link set ib0 up
	wait_carrier h1
}

walk_only ib_ipoib
walk task open open
for verb in modify_qp post_recv req_notify; do
	walk "$verb" "$verb in open" open
done
WALK_MUST=1 walk task close close
for verb in modify_qp detach_mcast; do
	WALK_MUST=1 walk "$verb" "$verb in close" close
done
walk_end
