#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a host that ends gives its interface back, and an HCA may go while a host has it

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
spawn on h0 ping -q -i "$(every 10)" 10.0.0.2 >/dev/null 2>&1
nap 0.2
# While it is up and receives
ip netns pids h1 | xargs -r kill
ip netns del h1
rm $STATE/h1
wait_for 10 iface sib1
hosts 2
wait_for 20 pings h0 10.0.0.2

hca_remove sib1
expect "interfaces of h1" "" "$(ip -n h1 -br link show type ipoib; ip -n h1 -br link show dev ib0 2>/dev/null || true)"
hca_add sib1
wait_active sib1
# As new, it is not the host's.
wait_for 10 iface sib1
