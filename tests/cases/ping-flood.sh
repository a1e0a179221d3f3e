#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 1,000 pings as fast as they go, both ways at once, and none is lost

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
faultless h0 h1
count=$(scaled 1000 100)
sent=$(counter h0 tx_packets) received=$(counter h1 rx_packets)
port_sent=$(hca_counter sib0 xmit_pkts) port_received=$(hca_counter sib1 rcv_pkts)

spawn on h1 ping -q -f -c "$count" -W 5 10.0.0.1
check on h0 ping -q -f -c "$count" -W 5 10.0.0.2
wait "${SPAWNED[0]}" || die "h1's flood ends with status $?"

# Each sent so many requests and as many answers, and little else.
at_least "packets that h0 sent" $((2 * count)) $(($(counter h0 tx_packets) - sent))
at_most "packets that h0 sent" $((2 * count + 40)) $(($(counter h0 tx_packets) - sent))
at_least "packets that h1 received" $((2 * count)) $(($(counter h1 rx_packets) - received))
at_least "packets that left sib0" $((2 * count)) $(($(hca_counter sib0 xmit_pkts) - port_sent))
at_least "packets that came to sib1" $((2 * count)) $(($(hca_counter sib1 rcv_pkts) - port_received))
still_faultless h0 h1
