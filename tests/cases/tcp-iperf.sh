#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# iperf3 both ways, 1 and 8 streams, hardly anything sent twice
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

h0_frames() { echo $(($(hca_counter sib0 xmit_pkts) + $(hca_counter sib0 rcv_pkts))); }

hosts 2
spawn on h1 iperf3 -s >/dev/null
wait_for 10 listening h1 5201
faultless h0 h1
for streams in 1 8; do
	for way in '' -R; do
		frames=$(h0_frames)
		# shellcheck disable=SC2086 # may be none
		on h0 timeout $((20 * SCALE)) iperf3 -c 10.0.0.2 -n 3M -P $streams $way >/tmp/iperf ||
			die "$streams streams $way: $(cat /tmp/iperf)"
		# ... MBytes ... Mbits/sec RETRANSMITTED sender
		read -r megabytes again < <(tac /tmp/iperf | awk '/sender/ { print int($(NF - 5)), $(NF - 1); exit }')
		at_least "MBytes of $streams streams $way" 3 "$megabytes"
		at_most "segments that $streams streams sent again $way" 15 "$again"
		# 3 Mbytes are 1,540 full frames. The server may end while the last of it is
		# on the way.
		at_least "frames that left h0 and came to it" $((frames + 600)) "$(h0_frames)"
	done
done
rm -f /tmp/iperf
still_faultless h0 h1
