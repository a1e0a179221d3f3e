#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# by connections TCP carries what it is given, one way and many streams, and UDP its largest datagrams
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
connected h0 h1
random_file /tmp/cm.data 3000000
copy h0 h1 10.0.0.2 /tmp/cm.data
copy h1 h0 fd00::1 /tmp/cm.data

for ((i = 0; i < 8; i++)); do
	random_file /tmp/cm.data.$i 500000
	copy h$((i % 2)) h$((1 - i % 2)) 10.0.0.$((2 - i % 2)) /tmp/cm.data.$i &
	copies[i]=$!
done
for pid in "${copies[@]}"; do
	wait "$pid" || die "one of eight copies at once failed"
done

faultless h0 h1
both_ways 10.0.0.1 10.0.0.2 "$(scaled 100)" 65000 2
both_ways 10.0.0.1 10.0.0.2 "$(scaled 1000)"
still_faultless h0 h1
at_least "packets sent by RC" $(($(scaled 100) * 31)) "$(rc_sent sib0)"
