#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connections are made and ended with each allocation or verb in turn failing
# TIME: 600
# LOG-OK: Call Trace:|ref_tracker: memory

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/debug/walk.sh
. /work/tests/debug/walk.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

walk_begin
# Short queues: one buffer is like another.
fabric_reload hcas=2
unload_driver
load_driver send_queue_size=16 recv_queue_size=4
hosts 2
# No datagram carries it, but the reply, if it is datagrams, fits in the other
# end's buffers.
SIZE=4000
check on h1 ping -q -c 1 -W 5 10.0.0.1

no_connections() { [ "$(rc_qps sib0) $(rc_qps sib1)" = '0 0' ]; }
# Without the memory for a DREQ the peer hears of nothing, and keeps its end until that
# is idle.
none_of_ours() {
	local status=0
	grep -q '^to: ' /sys/kernel/debug/ipoib/*_conn || status=$?
	# 2: it could not be read
	[ $status = 1 ]
}

# Nobody is connected
apart() {
	mode h0 datagram
	mode h1 datagram
	comes_true 20 none_of_ours
}

# h1 asks
ask() {
	mode h1 connected && comes_true 20 large h1 10.0.0.1 $SIZE
}
ask_prepare() { apart; }

# h0 asks, and h1 accepts
accept() {
	mode h0 connected && comes_true 20 large h0 10.0.0.2 $SIZE
}
# The first connection is what a queue is made for.
accept_prepare() {
	apart
	reopen h1
}

# More messages than the queue has buffers
refill() {
	on h0 ping -q -c 6 -i 0.05 -W 2 -s $SIZE 10.0.0.2 >/dev/null || true
	comes_true 10 large h0 10.0.0.2 $SIZE
}
refill_prepare() {
	mode h0 connected
	comes_true 20 large h0 10.0.0.2 $SIZE
}

# Both end what there is
leave() {
	mode h1 datagram && mode h0 datagram && comes_true 20 none_of_ours
}
leave_both() { leave && comes_true 20 no_connections; }
leave_prepare() {
	mode h0 connected
	mode h1 connected
	comes_true 20 large h0 10.0.0.2 $SIZE
	comes_true 20 large h1 10.0.0.1 $SIZE
}

leave_both_prepare() { leave_prepare; }

change() {
	failing ip netns exec h1 sh -c 'echo connected >/sys/class/net/ib0/mode'
}
change_prepare() { apart; }

walk_only ib_ipoib
for verb in create_cq create_srq create_qp modify_qp post_srq_recv req_notify; do
	WALK_MUST=1 walk "$verb" "$verb in accepting a connection" accept
done
for verb in create_qp modify_qp post_send; do
	WALK_MUST=1 walk "$verb" "$verb in asking for a connection" ask
done
WALK_MUST=1 walk post_srq_recv "post_srq_recv in refill" refill
WALK_MUST=1 walk modify_qp "modify_qp in the end of connections" leave_both
for how in slab pages; do
	walk $how "ask for and accept a connection ($how)" accept
	# One message is like another
	WALK_MAX=20 walk $how "refill of a connection's queue ($how)" refill
	walk $how "end of connections ($how)" leave
done
walk task "change of mode" change
walk_end
