#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# what waits for a path or a group goes before what is sent later
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

hosts 2
ip -n h1 addr add 10.9.0.2/32 dev ib0
ip -n h1 addr add 239.9.0.2/32 dev ib0 autojoin
lladdr=$(link_address h1)
rounds=$(scaled 20 5)
# About 40 packets wait for an answer.
fault sib0 delay class=sa method=get-resp dir=rx ms=$((40 * FEWER))
received() {
	! gone "$receiver" || die "the stream: $(cat /tmp/stream.udp)"
	[ "$(udp_received)" -ge $((before + $(scaled 200 20))) ]
}

# Without a question, as the stack may reorder what waits for its answer.
way() { # ADDRESS
	ip -n h0 neigh replace 10.9.0.2 lladdr "$lladdr" dev ib0 nud permanent
	ip -n h0 route replace "$1" dev ib0
}

# in_order ADDRESS: in a stream to it while h0 forgets again and again what it knows
in_order() {
	local receiver i before
	ip netns exec h1 /work/tests/tools/stream.py udp receive "$1" 7001 >/tmp/stream.udp 2>&1 &
	receiver=$!
	wait_for 10 bound h1 7001
	way "$1"
	# It comes between what else the kernel does, when it is its turn.
	spawn on h0 chrt -f 10 /work/tests/tools/stream.py udp send "$1" 7001 "$(scaled 1000)" >/tmp/stream.sent
	before=$(udp_received)
	wait_for 10 received
	for ((i = 0; i < rounds; i++)); do
		ip -n h0 link set ib0 down
		ip -n h0 link set ib0 up
		wait_carrier h0
		before=$(udp_received)
		way "$1"
		wait_for 10 received
	done
	kill -INT "${SPAWNED[-1]}"
	wait "${SPAWNED[-1]}" || die "the sender ended badly"
	kill -INT $receiver 2>/dev/null || true
	wait $receiver || die "the stream to $1: $(cat /tmp/stream.udp)"
	echo "to $1: $(cat /tmp/stream.udp)"
}
in_order 10.9.0.2
in_order 239.9.0.2
