#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an interface with 200 connections is down within 5 s, also when no peer answers
# TIME: 240

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

settings_change
unload_driver
load_driver recv_queue_size=16
hosts 2
check mode h0 connected
n=$(scaled 200 20)
# As many peers: interfaces of h1 in the partition of h0
on h1 sysctl -q net.ipv6.conf.default.disable_ipv6=1
for ((i = 1; i <= n; i++)); do
	echo "link add link ib0 name p$i type ipoib pkey 0xffff"
	echo "link set p$i up"
done | check ip -n h1 -batch -
for ((i = 1; i <= n; i++)); do
	wait_carrier h1 p$i
done
ip -n h0 addr add 10.2.0.1/24 dev ib0
ip -n h1 -br link show type ipoib | sed -n 's/^p\([0-9]*\)@[^ ]* *[^ ]* *\([^ ]*\).*/\1 \2/p' |
	while read -r i address; do
		echo "neigh replace 10.2.0.$((i + 10)) dev ib0 lladdr $address nud permanent"
	done >/tmp/cm.neigh
expect "peers" "$n" "$(wc -l </tmp/cm.neigh)"
all() { [ "$(rc_qps sib0)" = "$n" ]; }
talk() { # to all of them, until there is a connection to each
	local begin
	begin=$(now_ms)
	check ip -n h0 -batch /tmp/cm.neigh
	on h0 bash -c "for ((i = 11; i <= $n + 10; i++)); do echo >/dev/udp/10.2.0.\$i/9; done"
	wait_for 60 all
	echo "$n connections in $(($(now_ms) - begin)) ms"
}
down() { # WHAT
	local ms
	ms=$(milliseconds ip -n h0 link set ib0 down)
	echo "down with $1: $ms ms"
	at_most "ms for link down with $1" 5000 "$ms"
	! ours || expect "QPs of connections after that" 0 "$(rc_qps sib0)"
	check ip -n h0 link set ib0 up
	wait_carrier h0
}
talk
down "$n connections"
talk
fault sib1 drop 'kind=any dir=both'
on h0 bash -c "for ((i = 11; i <= $n + 10; i++)); do echo >/dev/udp/10.2.0.\$i/9; done"
down "$n connections to peers that are dead"
fault sib1 drop off
for ((i = 1; i <= n; i++)); do
	echo "link del p$i"
done | check ip -n h1 -batch -
