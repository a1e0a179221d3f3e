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
peers_make h1 "$n"
talk() { # to all of them, until there is a connection to each
	local begin
	begin=$(now_ms)
	peers_talk h0
	wait_for 60 rc_qps_are sib0 "$n"
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
datagram() { # WHAT
	local begin
	begin=$(now_ms)
	check mode h0 datagram
	! ours || wait_for 5 rc_qps_are sib0 0
	echo "datagram mode with $1: $(($(now_ms) - begin)) ms"
	at_most "ms for datagram mode with $1" 5000 $(($(now_ms) - begin))
	check mode h0 connected
}
talk
down "$n connections"
talk
datagram "$n connections"
talk
fault sib1 drop 'kind=any dir=both'
peers_talk h0
down "$n connections to peers that are dead"
fault sib1 drop off
talk
fault sib1 drop 'kind=any dir=both'
peers_talk h0
datagram "$n connections to peers that are dead"
fault sib1 drop off
peers_remove h1
