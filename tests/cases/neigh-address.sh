#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# neighbours are known by their 20-byte address, over IPv4 and IPv6

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
check on h0 ping -6 -c 1 -W 5 fd00::2
neighbour() { ip -n "$1" neigh show to "$2" dev ib0 | sed -n 's/.*lladdr \([^ ]*\).*/\1/p'; }
expect "10.0.0.2 as h0 knows it" "$(link_address h1)" "$(neighbour h0 10.0.0.2)"
expect "fd00::2 as h0 knows it" "$(link_address h1)" "$(neighbour h0 fd00::2)"
expect "10.0.0.1 as h1 knows it" "$(link_address h0)" "$(neighbour h1 10.0.0.1)"

expect_match "ip neigh" "REACHABLE|DELAY|STALE|PROBE" "$(ip -n h0 neigh show to 10.0.0.2)"
neigh_flush h0
check on h0 ping -c 1 -W 5 10.0.0.2
expect "10.0.0.2 asked for again" "$(link_address h1)" "$(neighbour h0 10.0.0.2)"
