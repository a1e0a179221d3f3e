#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# MADs are dropped by class, method, attribute and number: a slow and a dead SA

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

fabric_alone hcas=2

paths() {
	timeout "${1:-20}" saquery -C sib1 -p --src-to-dst "$(lid sib1):$(lid sib0)" 2>/dev/null |
		grep -c 'dlid\.' || true
}
expect "paths of a healthy SA" 1 "$(paths)"

# Only that attribute; nobody else asks for paths here. saquery asks again.
knob sib1 faults/drop 'next=1 class=sa attr=path-record'
begin=$(now_ms)
paths >/dev/null
echo "with one query lost: $(($(now_ms) - begin)) ms"
expect "queries lost" 1 "$(hits sib1 drop)"

# Another attribute is not hit.
knob sib1 faults/drop 'always class=sa attr=mcmember-record'
expect "paths with member records lost" 1 "$(paths)"
expect "queries lost" 0 "$(hits sib1 drop)"

# Answers, by class only: a dead SA.
knob sib1 faults/drop 'always class=sa dir=rx'
expect "paths of a dead SA" 0 "$(paths 3)"
at_least "answers lost" 1 "$(hits sib1 drop)"
# Other classes live.
check timeout 10 perfquery -C sib1 "$(lid sib0)" 1
check timeout 10 smpquery -C sib1 nodeinfo "$(lid sib0)"
knob sib1 faults/drop off
expect "paths of a revived SA" 1 "$(paths)"

# One method of a class.
knob sib1 faults/drop 'always class=perf method=set'
check timeout 10 perfquery -C sib1 "$(lid sib0)" 1
refuse timeout 10 perfquery -C sib1 -R "$(lid sib0)" 1
at_least "Sets lost" 1 "$(hits sib1 drop)"
knob sib1 faults/drop off

# A slow SA, by delay, on the node of the SM itself.
knob sib0 faults/delay 'always class=sa ms=400'
begin=$(now_ms)
expect "paths of a slow SA" 1 "$(paths)"
at_least "ms of a slow SA" 400 $(($(now_ms) - begin))
knob sib0 faults/delay off

# SMPs: the subnet manager cannot get at a port.
knob sib1 faults/drop 'always kind=smp dir=both'
refuse timeout 10 smpquery -C sib0 nodeinfo "$(lid sib1)"
check timeout 10 perfquery -C sib0 "$(lid sib1)" 1
at_least "SMPs lost" 1 "$(hits sib1 drop)"
