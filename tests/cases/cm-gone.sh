#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an HCA with 200 connections to dead peers is removed within 5 s, and the driver unloaded with as many
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
hosts 3
n=$(scaled 200 20)
peers_make h2 "$n"
for k in 0 1; do
	check mode h$k connected
	peers_talk h$k
	wait_for 60 rc_qps_are sib$k "$n"
done
# They die, and nobody hears of it
fault sib2 drop 'kind=any dir=both'
peers_remove h2
expect "QPs of connections" "$n $n" "$(rc_qps sib0) $(rc_qps sib1)"
gone() { # WHAT COMMAND...
	local ms
	ms=$(milliseconds "${@:2}")
	echo "$1 with $n connections: $ms ms"
	at_most "ms for $1" 5000 "$ms"
}
peers_talk h1
gone "removal of the HCA" hca_remove sib1
refuse ip -n h1 link show dev ib0
peers_talk h0
gone "rmmod" rmmod ib_ipoib
fault sib2 drop off
rm -f $STATE/h[0-2]
hca_add sib1
wait_active sib1
