#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The fault "duplicate": so many packets arrive twice

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

arrived=$(arrived sib1) before=$(struck sib0 duplicate)
knob sib0 faults/duplicate "next=5 qpn=$NOBODY"
datagrams sib0 sib1 20
wait_for 5 has_arrived sib1 $((arrived + 25))
expect "hits" 5 "$(hits sib0 duplicate)"
expect "counts" $((before + 5)) "$(struck sib0 duplicate)"
datagrams sib0 sib1 20
wait_for 5 has_arrived sib1 $((arrived + 45))
nap 0.1
expect "arrived" $((arrived + 45)) "$(arrived sib1)"
# Both ends of the way in: twice two.
knob sib0 faults/duplicate "always qpn=$NOBODY"
knob sib1 faults/duplicate "always dir=rx qpn=$NOBODY"
datagrams sib0 sib1 10
wait_for 5 has_arrived sib1 $((arrived + 85))
