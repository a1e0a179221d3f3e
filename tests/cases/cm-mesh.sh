#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 64 hosts have connections each to each, more than four thousand
# TIME: 300

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

n=$(scaled 64 6)
settings_change
fabric_reload hcas="$n"
unload_driver
# Buffers of 64 KiB, a queue of them for each host
load_driver recv_queue_size=32
hosts "$n"
echo "$n hosts after $SECONDS s"
# Everybody knows everybody: it is not ARP that this is about.
for ((k = 0; k < n; k++)); do
	echo "neigh replace 10.0.0.$((k + 1)) dev ib0 lladdr $(link_address h$k) nud permanent"
done >/tmp/cm.neigh
for ((k = 0; k < n; k++)); do
	check mode h$k connected
	grep -v "10.0.0.$((k + 1)) " /tmp/cm.neigh | check ip -n h$k -batch -
done
before=$(memory)
begin=$(now_ms)
# No datagram of the fabric is that long, so all of them wait for connections.
check /work/tests/tools/mesh.py "$n" 4000 $((60 * SCALE))
connections=$((n * (n - 1)))
ms=$(($(now_ms) - begin))
echo "$connections connections in $ms ms, $((connections * 1000 / ms)) a second"
echo "$((($(memory) - before) / connections)) kB for each, both ends and buffers included"
expect "QPs of connections of h1" $((2 * (n - 1))) "$(rc_qps sib1)"
! ours || expect "requests of h1" $((n - 1)) "$(ethtool_stat h1 cm_requests)"
check on h0 ping -q -c 2 -i 0.1 -W 2 -M "do" -s 60000 "10.0.0.$n"
echo "link down: $(milliseconds ip -n h0 link set ib0 down) ms"
