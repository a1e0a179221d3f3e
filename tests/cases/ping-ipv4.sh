#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# two hosts ping each other over IPv4 and lose nothing

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
faultless h0 h1
sent=$(counter h0 tx_packets) received=$(counter h1 rx_packets)
check on h0 ping -c 3 -i 0.2 -W 2 10.0.0.2
check on h1 ping -c 3 -i 0.2 -W 2 10.0.0.1
# Requests and answers
at_least "packets that h0 sent" $((sent + 6)) "$(counter h0 tx_packets)"
at_least "packets that h1 received" $((received + 6)) "$(counter h1 rx_packets)"
still_faultless h0 h1
