#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the broadcast group is made again with another MTU, Q_Key, rate or SL: traffic goes on
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

settings_change
hosts 3
mtu() { net_file "$1" ib0/mtu; }
qkeys() { saquery MCMR --mgid ff12:401b:ffff::ffff:ffff | sed -n 's/.*qkey\.*//p'; }

change() { # WHAT WORDS FOR PARTITIONS.CONF
	streams_start
	partitions "Default=0x7fff, ipoib, $2 : ALL=full;"
	sm_takes_over
	wait_for 20 streams_flow
	streams_report "broadcast group with $1"
	at_most "milliseconds without a datagram" $((1000 * SCALE)) "$UDP_GAP"
	for host in h0 h1 h2; do
		check carrier $host
	done
	neigh_flush h0
	wait_for 4 pings h0 10.0.0.3
}
change "MTU 1024" mtu=3
mtu_is() { [ "$(mtu h0),$(mtu h1),$(mtu h2)" = "$1,$1,$1" ]; }
wait_for 10 mtu_is 1020
change "Q_Key 0x1234" Q_Key=0x1234
expect "Q_Key of the group" 0x1234 "$(qkeys)"
wait_for 10 mtu_is 2044
change "rate 2.5 Gbit/s" rate=2
change "SL 3" sl=3
