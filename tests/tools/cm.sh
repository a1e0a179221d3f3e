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

# forgetful HOST: its stack soon asks again who has an address that it has not heard of,
# not after 15 to 45 s; before it has heard of any
forgetful() {
	check on "$1" sysctl -q net.ipv4.neigh.ib0.base_reachable_time_ms=4000
}

# large HOST ADDRESS [SIZE]: a ping that no datagram carries
large() {
	on "$1" ping -q -c 1 -W 2 -M "do" -s "${3:-60000}" "$2"
}

# peers_make HOST N [WORD...]: as many peers as one machine can have: interfaces p1 to pN
# of HOST, in the partition of all; WORDs for ip link add
peers_make() {
	local host=$1 n=$2 i address
	shift 2
	# Nor does one of them answer for an address of ib0.
	on "$host" sysctl -q net.ipv6.conf.default.disable_ipv6=1 net.ipv4.conf.all.arp_ignore=1
	for ((i = 1; i <= n; i++)); do
		echo "link add link ib0 name p$i type ipoib pkey 0xffff $*"
		echo "link set p$i up"
	done | check ip -n "$host" -batch -
	for ((i = 1; i <= n; i++)); do
		wait_carrier "$host" p$i
	done
	ip -n "$host" -br link show type ipoib |
		sed -n 's/^p\([0-9]*\)@[^ ]* *[^ ]* *\([^ ]*\).*/\1 \2/p' |
		while read -r i address; do
			echo "neigh replace 10.2.0.$((i + 10)) dev ib0 lladdr $address nud permanent"
		done >/tmp/cm.neigh
	expect "peers" "$n" "$(wc -l </tmp/cm.neigh)"
}

# peers_talk HOST: send each of them something, which nobody answers
peers_talk() {
	local n
	n=$(wc -l </tmp/cm.neigh)
	check ip -n "$1" addr replace "10.2.0.$((${1#h} + 1))/24" dev ib0
	check ip -n "$1" -batch /tmp/cm.neigh
	on "$1" bash -c "for ((i = 11; i <= $n + 10; i++)); do echo >/dev/udp/10.2.0.\$i/9; done"
}

peers_remove() { # HOST
	local i
	for ((i = 1; i <= $(wc -l </tmp/cm.neigh); i++)); do
		echo "link del p$i"
	done | check ip -n "$1" -batch -
}

# rc_qps_are HCA N: for wait_for
rc_qps_are() {
	[ "$(rc_qps "$1")" = "$2" ]
}
