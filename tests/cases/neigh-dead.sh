#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a host that is not there is found unreachable in the usual 3 s

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
faultless h0
sent=$(counter h0 tx_packets)
begin=$(now_ms)
output=$(on h0 ping -c 1 -W 20 10.0.0.99 2>&1 || true)
took=$(($(now_ms) - begin))
expect_match "ping of a dead host" "From 10.0.0.1 icmp_seq=1 Destination Host Unreachable" "$output"
at_least "milliseconds until then" 2500 $took
at_most "milliseconds until then" $((5000 * SCALE)) $took
expect_match "ip neigh" "^10.0.0.99 dev ib0 +(FAILED|INCOMPLETE)" "$(ip -n h0 neigh show to 10.0.0.99)"
# Three ARP requests, which all heard and none answered; none was lost.
at_least "packets sent" 3 $(($(counter h0 tx_packets) - sent))
at_most "packets sent" 8 $(($(counter h0 tx_packets) - sent))
still_faultless h0
