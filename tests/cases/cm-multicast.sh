#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# multicast goes by datagrams, also between connected hosts, and disturbs nothing
# TIME: 150

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 3
connected h0 h1 h2
check on h0 ping -q -c 1 -W 5 10.0.0.2
for host in h1 h2; do
	on $host sysctl -q net.ipv4.icmp_echo_ignore_broadcasts=0
done
random_file /tmp/cm.data 4000000
# A minute of both
count=$(scaled 3000 100)
spawn on h0 ping -q -c "$count" -i 0.02 -I ib0 -W 2 224.0.0.1 >/tmp/cm.ping
pinger=${SPAWNED[0]}
copies=0
until gone "$pinger"; do
	copy h0 h1 10.0.0.2 /tmp/cm.data
	copies=$((copies + 1))
done
wait "$pinger" || die "nobody answered: $(</tmp/cm.ping)"
at_most "multicast pings nobody answered" $((count / 20)) "$(lost /tmp/cm.ping)"
at_least "copies meanwhile" 1 $copies
# Larger than a datagram can be
before=$(counter h1 multicast)
refuse on h0 ping -q -c 1 -W 1 -M "do" -s 4000 -I ib0 224.0.0.1
expect "multicast that h1 received" "$before" "$(counter h1 multicast)"
check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.0.0.2
