#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The fault "drop": exact counts, by chance with a seed, directions, kinds, bad rules

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

drops=$(struck sib0 drop)

# lost RULE COUNT: how many of COUNT datagrams from sib0 to sib1 the rule takes
lost() {
	local before hits
	before=$(arrived sib1)
	knob sib0 faults/drop "$1"
	datagrams sib0 sib1 "$2"
	hits=$(hits sib0 drop)
	wait_for 5 has_arrived sib1 $((before + $2 - hits))
	# None comes later.
	nap 0.05
	expect "arrived with '$1'" $((before + $2 - hits)) "$(arrived sib1)"
	echo "$hits"
}

expect "next=7" 7 "$(lost "next=7 qpn=$NOBODY" 50)"
expect "next 7" 7 "$(lost "next 7 qpn=$NOBODY" 50)"
expect "next=7 of 3" 3 "$(lost "next=7 qpn=$NOBODY" 3)"
expect "skip=40 next=20 of 50" 10 "$(lost "skip=40 next=20 qpn=$NOBODY" 50)"
expect "always" 50 "$(lost "always qpn=$NOBODY" 50)"
expect "off" 0 "$(lost off 50)"
expect "another QP" 0 "$(lost 'next=7 qpn=0x123' 50)"
expect "another kind" 0 "$(lost 'always kind=rc' 50)"
expect "multicast only" 0 "$(lost "always mcast qpn=$NOBODY" 50)"
expect "what is received" 0 "$(lost "next=7 dir=rx qpn=$NOBODY" 50)"
expect "two rules" 12 "$(lost "next=7 qpn=$NOBODY; next=5 qpn=$NOBODY" 50)"

# What sib1 receives.
knob sib0 faults/drop off
before=$(arrived sib1)
knob sib1 faults/drop "next=4 dir=rx qpn=$NOBODY"
datagrams sib0 sib1 10
wait_for 5 has_arrived sib1 $((before + 6))
expect "hits of dir=rx" 4 "$(hits sib1 drop)"
knob sib1 faults/drop off

# By chance, repeatable with the seed.
by_chance() { # SEED
	knob sib0 faults/seed "$1"
	expect "seed read back" "$1" "$(knob sib0 faults/seed)"
	lost "1/10 qpn=$NOBODY" 2000
}
first=$(by_chance 1)
at_least "lost of 2000 by 1/10" 140 "$first"
at_most "lost of 2000 by 1/10" 260 "$first"
expect "lost with the same seed" "$first" "$(by_chance 1)"
[ "$first" != "$(by_chance 2)" ] || [ "$first" != "$(by_chance 3)" ] ||
	die "three seeds lost the same number, $first"

# >> adds, and everything is counted.
knob sib0 faults/clear 1
knob sib0 faults/drop 'next=1 qpn=1'
echo 'next=2 kind=rc-ack' >>$SIB/sib0/faults/drop
expect "rules" 2 "$(knob sib0 faults/drop | wc -l)"
at_least "counts" $((drops + 7 + 7 + 3 + 10 + 50 + 12 + 3 * 140)) "$(struck sib0 drop)"

for bad in nonsense 1/0 2/1 next next=x kind=zz qpn=0x1000000 class=0x100 'next=1 next'; do
	refuse knob sib0 faults/drop "$bad"
done
expect "rules after bad ones" 2 "$(knob sib0 faults/drop | wc -l)"
