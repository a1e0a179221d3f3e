#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The fault "reorder": so many later packets overtake, or a short time passes

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

hosts 2
check on h0 ping -c 1 10.0.0.2
# Nothing but the datagrams is to be sent to h1: no question about a neighbour, nor an
# answer to one.
ip -n h0 neigh change 10.0.0.2 lladdr "$(link_address h1)" dev ib0 nud permanent
ip -n h1 neigh replace 10.0.0.1 lladdr "$(link_address h0)" dev ib0 nud permanent
nap 0.2

# order RULE: numbers of twelve datagrams sent at once, as they arrive
order() {
	knob sib0 faults/reorder "$1"
	on h1 python3 -c '
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("10.0.0.2", 7001))
s.settimeout('$((5 * SCALE))')
print("ready", flush=True)
print(*[s.recv(9).decode() for i in range(12)], flush=True)' >"$log" &
	local receiver=$!
	wait_for 5 grep -q ready "$log"
	on h0 python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("10.0.0.2", 7001))
for i in range(1, 13):
    s.send(b"%d" % i)'
	wait $receiver || die "not all datagrams arrived: $(cat "$log")"
	knob sib0 faults/reorder off
	sed -n 2p "$log"
}
log=$(mktemp) before=$(struck sib0 reorder)
at_exit rm -f "$log"
qpn=0x$(link_address h1 | cut -d: -f2-4 | tr -d :)

expect "order without faults" "1 2 3 4 5 6 7 8 9 10 11 12" "$(order off)"
expect "order with gap=3" "1 2 4 5 6 3 7 8 9 10 11 12" "$(order "skip=2 next=1 gap=3 ms=2000 qpn=$qpn")"
# The second rule does not see the packet that the first one took.
expect "order of two with gap=1" "2 1 3 5 4 6 7 8 9 10 11 12" \
	"$(order "next=1 ms=2000 qpn=$qpn; next=1 skip=2 ms=2000 qpn=$qpn")"
# With none to overtake the last, it comes by itself.
expect "order of the last" "1 2 3 4 5 6 7 8 9 10 11 12" "$(order "skip=11 next=1 gap=9 qpn=$qpn")"
expect "counts" $((before + 4)) "$(struck sib0 reorder)"
