#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# ethtool -C moderates completion queues, by hand or by what comes in, within limits
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
coalesce() { on "$1" ethtool -c ib0 | sed -n "s/^$2:[[:space:]]*//p"; }
expect "rx-usecs" 0 "$(coalesce h1 rx-usecs)"
held=$(hca_counter sib1 cqe_held)
check on h1 ethtool -C ib0 rx-usecs 20000 rx-frames 8
expect "rx-usecs" 20000 "$(coalesce h1 rx-usecs)"
expect "rx-frames" 8 "$(coalesce h1 rx-frames)"
# Each request waits for others that do not come: the next is sent long after it.
shortest() { on h0 ping -q -c 10 -i 0.1 -W 5 10.0.0.2 | sed -n 's|^rtt.*= \([0-9]*\)\..*|\1|p'; }
at_least "milliseconds of the shortest of 10 round trips" 20 "$(shortest)"
at_least "completions held" $((held + 10)) "$(hca_counter sib1 cqe_held)"
# Eight at once do not.
check on h1 ethtool -C ib0 rx-usecs 0 rx-frames 0
held=$(hca_counter sib1 cqe_held)
check on h0 ping -q -c 10 -i 0.01 -W 5 10.0.0.2
expect "completions held without moderation" "$held" "$(hca_counter sib1 cqe_held)"

for bad in 'rx-usecs 65536' 'rx-frames 65536' 'rx-usecs-low 1'; do
	# shellcheck disable=SC2086 # two words
	refuse on h1 ethtool -C ib0 $bad
done
check on h1 ethtool -C ib0 rx-usecs 65535 rx-frames 65535
check on h1 ethtool -C ib0 rx-usecs 0 rx-frames 0

ours || exit 0
check on h0 ethtool -C ib0 tx-usecs 300 tx-frames 4
expect "tx-usecs" 300 "$(coalesce h0 tx-usecs)"
check on h0 ping -q -c 50 -i 0.01 -W 5 10.0.0.2
# Another queue pair is moderated like the one before.
modified=$(hca_counter sib0 cq_modified)
check on h0 ethtool -G ib0 tx 1024
at_least "CQs moderated after that" $((modified + 2)) "$(hca_counter sib0 cq_modified)"
expect "tx-frames" 4 "$(coalesce h0 tx-frames)"
check on h0 ethtool -C ib0 tx-usecs 0 tx-frames 0

check on h1 ethtool -C ib0 adaptive-rx on
expect_match "adaptive" "Adaptive RX: on" "$(on h1 ethtool -c ib0)"
modified=$(hca_counter sib1 cq_modified)
spawn on h1 iperf3 -s -1 >/dev/null
wait_for 10 listening h1 5201
check on h0 iperf3 -c 10.0.0.2 -t 4
at_least "changes made by what came in" $((modified + 2)) "$(hca_counter sib1 cq_modified)"
check ip -n h1 link set ib0 down
check ip -n h1 link set ib0 up
wait_for 10 pings h0 10.0.0.2
check on h1 ethtool -C ib0 adaptive-rx off
held=$(hca_counter sib1 cqe_held)
check on h0 ping -q -c 10 -i 0.01 -W 5 10.0.0.2
expect "completions held without moderation" "$held" "$(hca_counter sib1 cqe_held)"
