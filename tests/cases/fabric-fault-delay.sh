#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The fault "delay": packets arrive later, and all of them

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

fabric_alone hcas=2

knob sib0 faults/delay "next=30 ms=2500 qpn=$NOBODY"
begin=$(now_ms)
datagrams sib0 sib1 50
wait_for 5 has_arrived sib1 20
[ $(($(now_ms) - begin)) -lt 2500 ] || skip "this machine is too slow to see a delay of 2500 ms"
wait_for 5 has_arrived sib1 50
took=$(($(now_ms) - begin))
echo "delayed packets arrived after $took ms"
at_least "ms until delayed packets arrived" 2490 $took
at_most "ms until delayed packets arrived" $((2500 + 1000 * SCALE)) $took
expect "hits" 30 "$(hits sib0 delay)"

# Different delays overtake each other: the short one is not kept by the long one.
knob sib0 faults/delay "next=1 ms=5000 qpn=$NOBODY; next=1 ms=50 qpn=$NOBODY"
begin=$(now_ms)
datagrams sib0 sib1 2
wait_for 2 has_arrived sib1 51
at_most "ms of the short delay" 4000 $(($(now_ms) - begin))
# A pulled plug loses what is in the cable.
link_down sib0
link_up sib0
wait_active sib0
nap 5
expect "arrived after the plug was pulled" 51 "$(arrived sib1)"
