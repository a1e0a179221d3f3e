#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# what may not be fragmented fits up to the MTU of 2044 and is refused above

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
hosts 2
check on h0 ping -c 2 -i 0.1 -W 5 -M 'do' -s 2016 10.0.0.2
check on h0 ping -6 -c 2 -i 0.1 -W 5 -M 'do' -s 1996 fd00::2
expect_match "one byte more over IPv4" "[Mm]essage too long" \
	"$(on h0 ping -c 1 -W 1 -M 'do' -s 2017 10.0.0.2 2>&1 || true)"
expect_match "one byte more over IPv6" "[Mm]essage too long" \
	"$(on h0 ping -6 -c 1 -W 1 -M 'do' -s 1997 fd00::2 2>&1 || true)"

# A smaller MTU of one's own; what the other sends is taken all the same.
check ip -n h0 link set ib0 mtu 1500
check on h0 ping -c 1 -W 5 -M 'do' -s 1472 10.0.0.2
refuse on h0 ping -c 1 -W 1 -M 'do' -s 1473 10.0.0.2
sent=$(counter h1 tx_packets)
check on h1 ping -q -c 1 -W 5 -M 'do' -s 2016 10.0.0.1
at_most "frames that h1 sends for one ping" 3 $(($(counter h1 tx_packets) - sent))
