#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# ethtool shows lanes times speed, SDR to XDR, and that both are unknown without carrier
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

# A group of which the slowest port can be a member: rate 2 is 2.5 Gbit/s.
partitions 'Default=0x7fff, ipoib, rate=2 : ALL=full;'
fabric_reload hcas=1
speed_is() { # INTERFACE MBITS
	[[ $(ethtool "$1") == *"Speed: $2Mb/s"*"Duplex: Full"* ]]
}
link_shows() { # LANE WIDTH MBITS: of an HCA like that
	local dev
	hca_add sib1 speed="$1" width="$2" mtu=4096
	wait_active sib1
	wait_for 10 iface sib1
	dev=$(iface sib1)
	ip link set "$dev" up
	comes_true 15 speed_is "$dev" "$3" ||
		die "speed=$1 width=$2: expected $3Mb/s, saw $(ethtool "$dev" | xargs)"
	expect_match "ethtool" "Auto-negotiation: on.*Port: Other" "$(ethtool "$dev" | sort)"
	hca_remove sib1
}
link_shows 1 1 2500
link_shows 2 2 10000
link_shows 4 4 40000
link_shows 8 4 40000
link_shows 16 8 112000
link_shows 32 12 300000
link_shows 64 1 50000
link_shows 128 4 400000
# Linux 6.1 knows no XDR, and the stock driver of it no more than that.
[ "$DRIVER $(uname -r | cut -d. -f1,2)" = 'stock 6.1' ] || link_shows 256 4 800000

hca_add sib1
wait_active sib1
wait_for 10 iface sib1
dev=$(iface sib1)
unknown() { [[ $(ethtool "$dev") == *"Speed: Unknown!"*"Duplex: Unknown!"* ]]; }
# The stock driver takes one that has never been up for one with carrier.
! ours || check unknown
ip link set "$dev" up
wait_for 15 speed_is "$dev" 40000
link_down sib1
wait_for 5 unknown
