#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the kernel's driver as the peer: each receives the groups that the other sends to
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/stock.sh
. /work/tests/tools/stock.sh

hosts 2
stock_load
stock_host h1
at_exit rm -f /tmp/mcast
for modes in 'datagram datagram' 'connected connected'; do
	check mode h0 "${modes% *}"
	check mode h1 "${modes#* }"
	wait_carrier h0
	wait_carrier h1
	for to in h0 h1; do
		from=h$((1 - ${to#h}))
		group=239.1.2.$((RANDOM % 250 + 1)) group6=ff15::$((RANDOM % 10000 + 1))
		true >/tmp/mcast
		spawn on $to socat -u UDP4-RECV:5000,ip-add-membership=$group:ib0 OPEN:/tmp/mcast,creat,append
		spawn on $to /work/tests/tools/mcast.py receive $group6 ib0 5001 /tmp/mcast
		wait_for 5 group_exists "$(mgid $group)"
		wait_for 5 group_exists "ff12:601b:ffff::${group6##*:}"
		ip -n $from route replace $group dev ib0
		send() { # WORD: to both groups
			echo "$1" | on "$from" socat -u - UDP4-DATAGRAM:"$group":5000
			on "$from" /work/tests/tools/mcast.py send "$group6" ib0 5001 "$1"
		}
		# The switch learns of the sender's port, and of the receiver's.
		heard() { send early && [ "$(grep -c early /tmp/mcast)" -ge 2 ]; }
		wait_for 10 heard
		for i in 1 2 3; do
			send "datagram $i"
		done
		arrived() {
			[ "$(grep -v early /tmp/mcast | sort | xargs)" = \
				'datagram 1 datagram 1 datagram 2 datagram 2 datagram 3 datagram 3' ]
		}
		wait_for 5 arrived
		kill "${SPAWNED[@]}"
		wait "${SPAWNED[@]}" || true
		SPAWNED=()
		echo "$modes: $to heard $from"
	done
done
on h0 sysctl -q net.ipv4.icmp_echo_ignore_broadcasts=0
on h1 sysctl -q net.ipv4.icmp_echo_ignore_broadcasts=0
for host in h0 h1; do
	seen=$(on $host ping -c 2 -i 0.5 -W 2 -b 10.0.0.255 2>/dev/null |
		sed -n 's/.*bytes from \(10[^:]*\):.*/\1/p' | sort -u | xargs)
	expect_match "answers to a broadcast of $host" "10.0.0.$((2 - ${host#h}))" "$seen"
done
