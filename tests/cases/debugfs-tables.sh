#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# debugfs shows groups and paths as the stock driver does, and destinations besides

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 1
wait_for 10 iface sib1
dev=$(iface sib1)
ip addr add 10.0.0.2/24 dev "$dev"
at_exit ip addr flush dev "$dev"
at_exit ip link set "$dev" down
ip link set "$dev" up
check ping -c 1 -W 10 10.0.0.1
# table FILE: records as lines
table() { sed -z 's/\n */ /g; s/GID:/\n&/g; s/address:/\n&/g; s/  */ /g' "/sys/kernel/debug/ipoib/${dev}_$1"; }
gid=fe80:0:0:0:51:b000:0:101

expect_match "groups" "GID: ff12:401b:ffff:0:0:0:ffff:ffff created: [0-9]+ queuelen: 0 complete: yes send_only: no " \
	"$(table mcg)"
expect_match "groups" "GID: ff12:401b:ffff:0:0:0:0:1 created: [0-9]+ queuelen: 0 complete: yes send_only: no " \
	"$(table mcg)"
expect_match "paths" "GID: $gid complete: yes DLID: $(printf 0x%04x "$(lid sib0)") SL: 0 rate: 40.0 Gb/sec " \
	"$(table path)"
check grep -q '^  rate:       40.0 Gb/sec$' "/sys/kernel/debug/ipoib/${dev}_path"
check grep -q '^  send_only:       no$' "/sys/kernel/debug/ipoib/${dev}_mcg"
ours || exit 0
expect_match "destinations" "address: $(link_address h0) QPN: $(printf 0x%06x "$(qpn h0)") complete: yes unreachable: no queuelen: 0 idle: [0-9]+ s " \
	"$(table dst)"

# Packets that wait for a path, and one that nobody has
fault sib1 drop class=sa attr=path-record
ip neigh replace 10.0.0.9 dev "$dev" lladdr 00:00:00:99:fe:80:00:00:00:00:00:00:00:51:b0:00:00:00:99:01
ping -q -c 3 -i 0.05 -W 1 10.0.0.9 >/dev/null || true
expect_match "destinations" "address: 00:00:00:99:[0-9a-f:]*:99:01 QPN: 0x000099 complete: no unreachable: no queuelen: 3" \
	"$(table dst)"
expect_match "paths" "GID: fe80:0:0:0:51:b000:0:9901 complete: no $" "$(table path)"
fault sib1 drop off
# Asked for again and again: it is given up for longer each time.
spawn ping -q -i "$(every 50)" 10.0.0.9 >/dev/null 2>&1
given_up() { [[ $(table dst) =~ :99:01\ QPN:\ 0x000099\ complete:\ no\ unreachable:\ yes\ queuelen:\ 0 ]]; }
wait_for 10 given_up
