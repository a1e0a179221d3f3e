#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# broadcast pings are answered by all other hosts, ff02::1 too

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 4
for host in h1 h2 h3; do
	on $host sysctl -q net.ipv4.icmp_echo_ignore_broadcasts=0
done
answers() { # HOSTS PING-ARGUMENT...
	local seen
	seen=$(on h0 ping -c 2 -i 0.5 -W 2 "${@:2}" 2>/dev/null |
		sed -n 's/.*bytes from \([^ %]*[^ %:]\)[ %:].*/\1/p' | sort -u | xargs)
	[ "$seen" = "$1" ]
}

# At first not all may be known to the switch yet.
wait_for 10 answers "10.0.0.2 10.0.0.3 10.0.0.4" -b 10.0.0.255
sent=$(counter h0 tx_packets)
check answers "10.0.0.2 10.0.0.3 10.0.0.4" -b 10.0.0.255
# One packet for each ping, whoever hears it.
at_most "packets that h0 sent" $((sent + 8)) "$(counter h0 tx_packets)"

local_address() { ip -n "$1" -6 addr show dev ib0 scope link | sed -n 's/.*inet6 \([^/]*\).*/\1/p'; }
wait_for 10 answers "$(for host in h1 h2 h3; do local_address $host; done | sort | xargs)" \
	-6 -L ff02::1%ib0
