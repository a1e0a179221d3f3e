#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Faults tell RC data, acknowledgements, datagrams and MADs apart

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

fabric_alone hcas=2

# hit_kind HCA KIND: how many of the next three of that kind are dropped, while 100
# messages go from sib0 to sib1 and MADs between all
hit_kind() {
	knob "$1" faults/drop "next=3 kind=$2"
	sib_test rc-stream count=100 len=1000 >/dev/null
	# What is lost is asked for again by some tools, and not by others.
	timeout 5 perfquery -C sib0 "$(lid sib1)" 1 >/dev/null 2>&1 || true
	timeout 5 smpquery -C sib0 nodeinfo "$(lid sib1)" >/dev/null 2>&1 || true
	hits "$1" drop
	knob "$1" faults/drop off
}
# sib0 sends data and queries, sib1 acknowledges and answers.
resent=$(hca_counter sib0 rc_retransmitted)
expect "data of the sender" 3 "$(hit_kind sib0 rc-data)"
at_least "packets resent" $((resent + 3)) "$(hca_counter sib0 rc_retransmitted)"
expect "acknowledgements of the sender" 0 "$(hit_kind sib0 rc-ack)"
expect "data of the receiver" 0 "$(hit_kind sib1 rc-data)"
at_least "acknowledgements of the receiver" 1 "$(hit_kind sib1 rc-ack)"
expect "RC of the sender" 3 "$(hit_kind sib0 rc)"
expect "datagrams of the sender" 0 "$(hit_kind sib0 ud)"
at_least "GMPs of the sender" 1 "$(hit_kind sib0 gmp)"
at_least "SMPs of the receiver" 1 "$(hit_kind sib1 smp)"
at_least "MADs of the receiver" 1 "$(hit_kind sib1 mad)"
# Any is all but SMPs.
knob sib1 faults/drop 'always kind=any'
check timeout 10 smpquery -C sib0 nodeinfo "$(lid sib1)"
refuse timeout 10 perfquery -C sib0 "$(lid sib1)" 1
knob sib1 faults/drop 'always kind=all'
refuse timeout 10 smpquery -C sib0 nodeinfo "$(lid sib1)"
