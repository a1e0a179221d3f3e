#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# interfaces with many connections, live or being made, go down, change mode and are unloaded in time
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 4
settings_change
for host in h0 h1 h2 h3; do
	check mode $host connected
done
for k in 1 2 3; do
	check on h0 ping -q -c 1 -W 5 10.0.0.$((k + 1))
	check large h0 10.0.0.$((k + 1))
done
# Nobody answers any more, and a hundred others never did. Each takes processor time to
# ask and to give up: the fewer, the slower the kernel.
n=$(scaled 100 20)
for k in 1 2 3; do
	fault sib$k drop kind=rc dir=both
done
fault sib0 drop 'kind=mad class=cm'
for ((i = 0; i < n; i++)); do
	printf 'neigh replace 10.0.0.%d dev ib0 lladdr 80:00:%02x:77:%s nud permanent\n' \
		$((100 + i)) $i "$(link_address h1 | cut -c 13-)"
done >/tmp/cm.neigh
storm() { # REQs to all of them, large packets to those that are connected, and multicast
	local k
	check ip -n h0 -batch /tmp/cm.neigh
	for k in 1 2 3; do
		spawn on h0 ping -q -c 2 -i 0.2 -W 1 -s 60000 10.0.0.$((k + 1)) >/dev/null
	done
	spawn on h0 ping -q -c 50 -i 0.01 -W 1 -I ib0 224.0.0.1 >/dev/null
	# shellcheck disable=SC2016 # for that shell
	on h0 bash -c 'for ((i = 100; i < $1 + 100; i++)); do echo >/dev/udp/10.0.0.$i/9; done' - "$n"
	nap 0.5
}
# On debug kernels mostly processor time, of which each request takes some
time_limit=$((FEWER == 1 ? 5000 : 2500 * SCALE))
storm
at_most "ms for link down" $time_limit "$(milliseconds ip -n h0 link set ib0 down)"
check ip -n h0 link set ib0 up
wait_carrier h0
storm
at_most "ms for a change of mode" $time_limit "$(milliseconds mode h0 datagram)"
check mode h0 connected
storm
at_most "ms for rmmod" $((2 * time_limit)) "$(milliseconds rmmod ib_ipoib)"
faults_clear
rm -f $STATE/h[0-3]
