#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# connections come back after events, and the mode is what it was
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

at_exit lids_forget
stock_fails "takes a change of LIDs for nothing, and waits for connections to fail"
hosts 3
connected h0 h1
check on h0 ping -q -c 1 -W 5 10.0.0.2
works() { # WHAT SECONDS
	wait_for "$2" large h0 10.0.0.2
	wait_for "$2" large h1 10.0.0.1
	expect "modes after $1" 'connected connected' \
		"$(on h0 cat /sys/class/net/ib0/mode) $(on h1 cat /sys/class/net/ib0/mode)"
	expect "MTUs after $1" '65520 65520' "$(mtu h0) $(mtu h1)"
	echo "$1: $(ethtool_stat h0 cm_connected) connections made by h0"
}
works "the start" 10
link_down sib1
wait_for 10 no_carrier h1
link_up sib1
wait_carrier h1
works "a port flap" 10
opensm_stop
opensm_start
wait_active
works "a restart of the SM" 10
before=$(lid sib0),$(lid sib1)
# Two LIDs for each port: they have to be even.
opensm_start -l 1 -r
changed() {
	local lids
	lids=$(lid sib0),$(lid sib1)
	[ "$lids" != "$before" ] && active sib0 sib1
}
wait_for 20 changed
works "a change of LIDs" 10
