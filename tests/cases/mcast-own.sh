#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# what a host sends to a group it is in does not come back over the fabric

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

# An HCA that can block the loopback, and one that cannot.
hca_add sib4 block_loopback=0
at_exit hca_remove sib4
wait_active sib4
hosts 5
at_exit rm -f /tmp/own
for host in h0 h4; do
	spawn on $host socat -u UDP4-RECV:5000,ip-add-membership=239.9.9.9:ib0 /dev/null
	member=${SPAWNED[-1]}
	ip -n $host route add 239.9.9.9 dev ib0
	wait_for 5 group_exists "$(mgid 239.9.9.9)"
	spawn on $host tcpdump -i ib0 -Q in -c 1 -U --immediate-mode -w /tmp/own 'dst host 239.9.9.9 and icmp'
	tap=${SPAWNED[-1]}
	wait_for 10 test -s /tmp/own
	# With -L the stack itself loops nothing back.
	sent=$(counter $host tx_packets)
	on $host ping -L -c 3 -i 0.1 -W 1 239.9.9.9 >/dev/null || true
	at_least "packets that $host sent" $((sent + 3)) "$(counter $host tx_packets)"
	nap 0.3
	refuse gone "$tap"
	kill "$tap" "$member"
	wait "$tap" "$member" || true
	rm /tmp/own
done
# There the driver has to tell its own from others'.
! ours || at_least "own multicasts that h4 dropped" 3 "$(ethtool_stat h4 rx_own_multicast)"
