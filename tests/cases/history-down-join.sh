#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an interface goes down while joins are answered, and answers come to what is gone
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
on h1 sysctl -q net.ipv4.igmp_max_memberships=100
check ip -n h1 -batch - < <(groups_batch add 20)
ip -n h1 link set ib0 down
# Of h1 alone: h0 may still be joining.
used() { resources | grep ^sib1; }
same() { [ "$(used)" = "$before" ]; }
before=$(used)
fault sib1 delay class=sa method=get-resp dir=rx ms=150
for ((round = 0; round < $(scaled 30 5); round++)); do
	ip -n h1 link set ib0 up
	# From before the first answer, that about the broadcast group, to the last
	nap "0.$((round % 6))5"
	at_most "milliseconds to set it down" $((2000 * SCALE)) "$(milliseconds ip -n h1 link set ib0 down)"
done
at_least "answers that came late" "$(scaled 30 5)" "$(sed -n 's/.*hits=//p' $SIB/sib1/faults/delay)"
fault sib1 delay off
comes_true 10 same || expect "resources of sib1" "$before" "$(used)"
ip -n h1 link set ib0 up
wait_carrier h1
wait_for 10 pings h0 10.0.0.2
wait_for 10 group_exists "$(mgid 239.7.0.20)"
