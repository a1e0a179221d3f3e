#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 1,000 datagrams each way at once arrive, once, in order and unharmed
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
faultless h0 h1
sent=$(counter h0 tx_packets) received=$(counter h0 rx_packets)
count=$(scaled 1000 200)
both_ways 10.0.0.1 10.0.0.2 "$count"
at_least "packets sent" "$count" $(($(counter h0 tx_packets) - sent))
at_least "packets received" "$count" $(($(counter h0 rx_packets) - received))
both_ways fd00::1 fd00::2 "$(scaled 300 100)"
still_faultless h0 h1
