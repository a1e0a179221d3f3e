#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# payloads from nothing to the largest, around each limit, arrive as they were sent

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
faultless h0 h1

# An MTU of 2044 takes 2016 behind the headers of IPv4 and ICMP, and fragments
# carry 2024 each. The driver copies frames of up to 256 bytes, GRH included.
expected=0
received=$(counter h1 rx_packets)
for size in 0 1 2 3 55 56 183 184 185 1000 2015 2016 2017 4039 4040 4041 16000 65507; do
	pattern=$(printf '%04x' $((size * 40503 % 65536)))
	on h0 ping -q -c 2 -i 0.01 -W 5 -p "$pattern" -s $size 10.0.0.2 >/tmp/ping-sizes ||
		die "$size bytes: $(cat /tmp/ping-sizes)"
	check answers_right /tmp/ping-sizes
	frames=1
	[ $size -le 2016 ] || frames=$(((size + 8 + 2023) / 2024))
	expected=$((expected + 2 * frames))
done
rm -f /tmp/ping-sizes
received=$(($(counter h1 rx_packets) - received))
at_least "frames that h1 received" $expected $received
at_most "frames that h1 received" $((expected + 20)) $received

# IPv6: 48 bytes of headers
for size in 0 1995 1996 1997 30000; do
	check on h0 ping -6 -q -c 2 -i 0.01 -W 5 -s $size fd00::2
done
still_faultless h0 h1
