#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The fault "delay": packets arrive later, and all of them

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

arrived=$(arrived sib1)
knob sib2 faults/delay "next=30 ms=2500 qpn=$NOBODY"
begin=$(now_ms)
datagrams sib2 sib1 50
wait_for 5 has_arrived sib1 $((arrived + 20))
[ $(($(now_ms) - begin)) -lt 2500 ] || skip "this machine is too slow to see a delay of 2500 ms"
wait_for 5 has_arrived sib1 $((arrived + 50))
took=$(($(now_ms) - begin))
echo "delayed packets arrived after $took ms"
at_least "ms until delayed packets arrived" 2490 $took
at_most "ms until delayed packets arrived" $((2500 + 1000 * SCALE)) $took
expect "hits" 30 "$(hits sib2 delay)"

# Different delays overtake each other: the short one is not kept by the long one.
knob sib2 faults/delay "next=1 ms=5000 qpn=$NOBODY; next=1 ms=50 qpn=$NOBODY"
begin=$(now_ms)
datagrams sib2 sib1 2
wait_for 2 has_arrived sib1 $((arrived + 51))
at_most "ms of the short delay" 4000 $(($(now_ms) - begin))
# A pulled plug loses what is in the cable.
link_down sib2
link_up sib2
wait_active sib2
nap 5
expect "arrived after the plug was pulled" $((arrived + 51)) "$(arrived sib1)"

# No more than 4,096 are held back, and those beyond are counted.
lost=$(struck sib2 overflowed)
knob sib2 faults/delay "next=4100 ms=60000 qpn=$NOBODY"
datagrams sib2 sib1 4100
expect "packets beyond what is held back" $((lost + 4)) "$(struck sib2 overflowed)"
expect "arrived meanwhile" $((arrived + 51)) "$(arrived sib1)"
link_down sib2
link_up sib2
wait_active sib2
