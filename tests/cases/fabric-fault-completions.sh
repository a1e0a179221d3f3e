#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Completions are delayed and lost, and receive queues found empty, as often as asked

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

hosts 2
check on h0 ping -c 1 10.0.0.2

answers() { # COUNT: of so many pings
	on h0 ping -q -c "$1" -i 0.2 -W 1 10.0.0.2 | sed -n 's/.* \([0-9]*\) received.*/\1/p'
}
expect "answers without faults" 4 "$(answers 4)"

# Starved: exactly so many are dropped, and counted.
before=$(hca_counter sib1 ud_no_wqe) starves=$(struck sib1 starve)
knob sib1 faults/starve 3
starved=$(answers 8)
at_most "answers with 3 starved" 7 "$starved"
at_least "answers with 3 starved" 5 "$starved"
expect "left to starve" 0 "$(knob sib1 faults/starve)"
expect "datagrams without a buffer" $((before + 3)) "$(hca_counter sib1 ud_no_wqe)"
expect "counts" $((starves + 3)) "$(struck sib1 starve)"

# Delayed: the consumer hears of a request, or of what was sent, 200 ms later. What
# arrives meanwhile is seen with it, so only the longest round trip is sure to be long.
longest() {
	on h0 ping -q -c 3 -i 0.5 10.0.0.2 | sed -n 's|^rtt.*= [^/]*/[^/]*/\([0-9]*\)\..*|\1|p'
}
delayed=$(hca_counter sib1 cqe_delayed)
knob sib1 faults/delay_completions_ms 200
rtt=$(longest)
echo "longest round trip: $rtt ms"
at_least "ms of the longest round trip" 195 "$rtt"
at_least "completions delayed" $((delayed + 3)) "$(hca_counter sib1 cqe_delayed)"
knob sib1 faults/delay_completions_ms 0
rtt=$(longest)
at_most "ms of the longest round trip" 150 "$rtt"

# Lost. The stock driver does not survive that: when it is closed it takes the packet
# sent last for the one still missing, and frees it for the second time.
if ! ours; then
	exit 0
fi
before=$(hca_counter sib1 cqe_lost)
knob sib1 faults/lose_completions 2
lost=$(answers 6)
at_most "answers with 2 completions lost" 6 "$lost"
expect "left to lose" 0 "$(knob sib1 faults/lose_completions)"
expect "lost" $((before + 2)) "$(hca_counter sib1 cqe_lost)"
expect "answers afterwards" 4 "$(answers 4)"
# A lost completion is never given back; a new interface has none missing.
hosts_remove
unload_driver
load_driver
