#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# prints what connected mode does: throughput, first pings, connections a second and their memory
# TIME: 300

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/figures.sh
. /work/tests/tools/figures.sh

rounds=$(scaled 5)
hosts 4
settings_change

# Throughput of what is there already
connected h0 h1
spawn on h1 iperf3 -s >/dev/null
wait_for 10 listening h1 5201
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 large h0 10.0.0.2
wait_for 5 large h1 10.0.0.1
tcp() { # STREAMS: Mbit/s
	on h0 timeout $((20 * SCALE)) iperf3 -c 10.0.0.2 -t 2 -P "$1" -f m >/tmp/cm.iperf ||
		die "iperf3 with $1 streams: $(cat /tmp/cm.iperf)"
	awk '/receiver/ { rate = $(NF - 2) } END { print rate }' /tmp/cm.iperf
}
for streams in 1 8; do
	for ((i = 0; i < rounds; i++)); do
		tcp $streams
	done | median >/tmp/cm.figure
	figure "TCP, $streams at once" "$(</tmp/cm.figure)" Mbit/s
done

# From nothing: no neighbour, no path, no connection either way
anew() { # MODE: of all hosts
	local host
	for host in h0 h1 h2 h3; do
		check mode $host "$1"
		check ip -n $host link set ib0 down
		check ip -n $host link set ib0 up
	done
	for host in h0 h1 h2 h3; do
		wait_carrier $host
	done
}
first() { # ADDRESS [SIZE]: ms until there is an answer; 5000 if there is none
	local ms
	ms=$(on h0 ping -c 1 -W 5 -s "${2:-56}" "$1" | sed -n 's/.*time=\([0-9.]*\).*/\1/p') || true
	echo "${ms:-5000}"
}
rm -f /tmp/cm.first.*
for mode in datagram connected; do
	for ((i = 0; i < rounds; i++)); do
		anew $mode
		for k in 2 3; do
			first 10.0.0.$k >>/tmp/cm.first.$mode
		done
		first 10.0.0.4 60000 >>/tmp/cm.first.large
	done
	figure "first ping, $mode mode" "$(median </tmp/cm.first.$mode)" ms
	[ $mode = datagram ] || figure "first ping of 60,000 bytes" "$(median </tmp/cm.first.large)" ms
	rm /tmp/cm.first.large
done

# One interface that connects to 200 others, once more: what it had to have for the
# first time it has.
driver_remove
load_driver recv_queue_size=16
hosts 2
check mode h0 connected
n=$(scaled 200 20)
peers_make h1 "$n" mode connected
qps() { value $SIB/sib1/info qps; }
accepted() { [ "$(qps)" = $((without + $1)) ]; }
without=$(qps)
peers_talk h0
wait_for 60 accepted "$n"
check mode h0 datagram
wait_for 30 accepted 0
nap 1
before=$(memory)
check mode h0 connected
begin=$(now_ms)
peers_talk h0
wait_for 60 accepted "$n"
ms=$(($(now_ms) - begin))
nap 1
tenths=$((($(memory) - before) * 10 / n))
figure "connections made in a second" $((n * 1000 / ms)) ''
figure "an idle connection, both ends" $((tenths / 10)).$((tenths % 10)) kB
peers_remove h1
