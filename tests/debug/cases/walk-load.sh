#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# loading and unloading with the first, second, third ... allocation or verb failing
# TIME: 300
# LOG-OK: Call Trace:|ref_tracker: memory

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/debug/walk.sh
. /work/tests/debug/walk.sh

# One interface: each has hundreds of points.
WALK_HCA=sib0
walk_begin
fabric_reload hcas=1
unload_driver

load() {
	failing modprobe ib_ipoib && interface_each
}

load_prepare() {
	unload_driver
}

# The next time gets further than this one, so it is shown to work. What is lost is
# looked for once, at the end.
nothing_left() {
	unload_driver
}

unload() {
	failing rmmod ib_ipoib
}

unload_prepare() {
	load_driver
}

walk_modules
walk task modprobe load nothing_left
for verb in query_port alloc_pd create_cq create_qp; do
	walk "$verb" "$verb in modprobe" load nothing_left
done
WALK_MUST=1 walk task rmmod unload nothing_left
! { rdma resource show pd; rdma resource show cq; rdma resource show qp; } |
	grep ib_ipoib || die "resources are left behind"
load_driver
interface_each || die "not one interface for each HCA in the end"
walk_end
