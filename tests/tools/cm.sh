# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# What cases of connected mode ask; read after tests/lib.sh and ipoib.sh.

# mode HOST connected|datagram [INTERFACE]: set it
mode() {
	on "$1" sh -c "echo $2 >/sys/class/net/${3:-ib0}/mode"
}

# connected HOST...: use connections, until the case ends
connected() {
	local host
	settings_change
	for host in "$@"; do
		check mode "$host" connected
	done
}

mtu() { # HOST [INTERFACE]
	on "$1" cat "/sys/class/net/${2:-ib0}/mtu"
}

# rc_qps HCA: how many QPs of connections it has
rc_qps() {
	rdma resource show qp | grep -c "link $1/.* type RC " || true
}

# rc_qpn HCA N: the number of its N-th QP of a connection
rc_qpn() {
	rdma resource show qp | grep "link $1/.* type RC " |
		sed -n "$2s/.*[ ]lqpn \([0-9]*\) .*/\1/p"
}

rc_sent() { # HCA: packets
	hca_counter "$1" rc_sent
}

# stat_is HOST NAME NUMBER, stat_rises HOST NAME ABOVE: counters of ethtool -S
stat_is() {
	[ "$(ethtool_stat "$1" "$2")" = "$3" ]
}

stat_rises() {
	[ "$(ethtool_stat "$1" "$2")" -gt "$3" ]
}

# large HOST ADDRESS [SIZE]: a ping that no datagram carries
large() {
	on "$1" ping -q -c 1 -W 2 -M "do" -s "${3:-60000}" "$2"
}
