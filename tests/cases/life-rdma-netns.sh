#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an HCA that is moved to a network namespace has its interface there, and comes back

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

ours || [[ $(uname -r) == 7.* ]] || stock_fails "leaves its interfaces in the first namespace before Linux 7"
hca_of() { # HOST: of its only RDMA device
	on "$1" rdma dev show | sed -n 's/^[0-9]*: \([^:]*\):.*/\1/p'
}
there() { # HOST: the name of its InfiniBand interface
	on "$1" sh -c 'grep -lx 32 /sys/class/net/*/type | cut -d/ -f5'
}
is_there() {
	[ -n "$(there "$1")" ]
}

# In shared mode, the default, only the interface moves, and everybody sees the HCA.
hosts 2
expect_match "HCAs that h1 sees" sib1 "$(hca_of h1 | xargs)"
hosts_remove

# Nobody may be there when the mode is set.
exclusive() { rdma system set netns exclusive; }
wait_for 30 exclusive
at_exit wait_for 10 rdma system set netns shared
ip netns add h1
check rdma dev set sib1 netns h1
expect "HCAs that h1 sees" sib1 "$(hca_of h1 | xargs)"
expect "interface of sib1 where it was" "" "$(iface sib1 || true)"
wait_for 10 is_there h1
dev=$(there h1)
wait_active sib0

near=$(iface sib0)
ip -batch - <<-BATCH
	addr add 10.0.0.1/24 dev $near
	link set $near up
BATCH
at_exit ip link set "$near" down
at_exit ip addr flush dev "$near"
ip -n h1 -batch - <<-BATCH
	addr add 10.0.0.2/24 dev $dev
	link set $dev up
BATCH
wait_carrier h1 "$dev"
wait_for 20 ping -q -c 1 -W 1 10.0.0.2

# The namespace ends: both come back.
ip netns del h1
wait_for 10 iface sib1
