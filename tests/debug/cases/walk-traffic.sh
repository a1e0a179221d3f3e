#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# joins, path queries, first packets and refills recover from each allocation failing
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

# The port comes back: groups are joined again.
join() {
	link_down sib1 &&
		comes_true 10 no_carrier h1 &&
		link_up sib1 &&
		comes_true 30 carrier h1
}

# Not the port: ib_core, which asks as well, loses the event if it gets no answer.
again() {
	reopen h1
}

# A path, address handles, the neighbour, the first packets; and their receipt.
first() {
	comes_true 10 on h1 ping -q -c 1 -W 2 10.0.0.1
}

first_prepare() {
	reopen h1
	neigh_flush h1
	neigh_flush h0
}

# More than the receive queue has.
refill() {
	comes_true 10 on h1 ping -q -c 12 -i 0.05 -W 2 10.0.0.1
}

walk_only ib_ipoib
for how in slab pages; do
	walk $how "join ($how)" join
	walk $how "path query and first packets ($how)" first
	walk $how "refill ($how)" refill
done
export WALK_MUST=1
walk attach_mcast "attach_mcast in join" join
walk query_port "query_port in open" again
walk create_ah "create_ah for first packets" first
walk post_send "post_send of first packets" first
walk post_recv "post_recv in refill" refill
walk_end
