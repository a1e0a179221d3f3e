#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Verbs fail with the errno asked for, at the call asked for

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

verb() { # the line about a verb
	knob sib1 faults/verb | grep "^$1 "
}
refused() { # VERB: how often
	knob sib1 faults/verb | sed -n "s/^$1 .*hits=//p" | grep . || echo 0
}

unload_driver
pds=$(refused alloc_pd) queries=$(refused query_port) before=$(struck sib1 verb)
knob sib1 faults/verb 'alloc_pd ENOMEM next=1'
expect "fault as read" "alloc_pd ENOMEM next=1 hits=$pds" "$(verb alloc_pd)"
# query_port is what every reader of sysfs calls.
knob sib1 faults/verb 'query_port EIO skip=2 next=3'
state() {
	cat /sys/class/infiniband/sib1/ports/1/phys_state
}
check state
check state
refuse state
refuse state
refuse state
check state
expect "fault as read" "query_port EIO next=0 hits=$((queries + 3))" "$(verb query_port)"
expect "other HCA" 4 "$(hcas | while read -r hca; do
	[ "$hca" = sib1 ] || cat "/sys/class/infiniband/$hca/ports/1/phys_state"
done | grep -c LinkUp | awk '{ print $1 + 1 }')"
knob sib1 faults/verb 'query_port off'

# A driver whose first PD cannot be had has no interface there, and has next time.
load_driver
expect "PDs refused" "alloc_pd ENOMEM next=0 hits=$((pds + 1))" "$(verb alloc_pd)"
refuse iface sib1
check iface sib0
unload_driver
load_driver
wait_for 5 iface sib1
expect "counts" $((before + 4)) "$(struck sib1 verb)"

knob sib1 faults/verb off
for bad in nonsense 'create_qp' 'create_qp EWHAT' 'create_qp 0' 'create_qp EIO next' 'create_qp EIO next=x'; do
	refuse knob sib1 faults/verb "$bad"
done
