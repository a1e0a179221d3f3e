#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the MTU in connected mode: limits, a smaller one of a peer, changes under traffic
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
connected h0 h1
check ip -n h1 link set ib0 mtu 9000
# What is sent is limited by one's own; what is taken is not.
check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 8972 10.0.0.2
check on h0 ping -q -c 3 -i 0.1 -W 2 -s 60000 10.0.0.2
refuse on h1 ping -q -c 1 -W 1 -M "do" -s 8973 10.0.0.1
refuse ip -n h1 link set ib0 mtu 65521
for value in 65520 2044 4000 68000; do
	ip -n h1 link set ib0 mtu $value 2>/dev/null || true
done
expect "MTU that was accepted last" 4000 "$(mtu h1)"

random_file /tmp/cm.data 4000000
spawn copy h1 h0 10.0.0.1 /tmp/cm.data
for value in 65520 1500 30000 2044 65520; do
	check ip -n h1 link set ib0 mtu $value
	nap 0.2
done
wait "${SPAWNED[0]}" || die "TCP did not survive changes of the MTU"

# Back to what datagrams can carry
check mode h1 datagram
expect "MTU in datagram mode" 2044 "$(mtu h1)"
refuse ip -n h1 link set ib0 mtu 4096
