#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# REQs with garbage as private data, and REQs that come twice, cost nothing for long
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

settings_change
hosts 2
digits() { gid "$1" | tr -d :; }
# From one who does not answer what comes of them
/work/tests/tools/cmreq.py "$(lid sib1)" "$(lid sib0)" "$(digits sib1)" "$(digits sib0)" \
	"$(printf %x "$(qpn h1)")" 1 20 >/tmp/cm.reqs
while read -r words; do
	knob sib0 inject "$words"
done </tmp/cm.reqs
no_connections() { [ "$(rc_qps sib1)" = 0 ]; }
if ours; then
	wait_for 10 stat_is h1 cm_accepted 20
	wait_for 30 no_connections
fi
connected h0 h1
check on h0 ping -q -c 1 -W 5 10.0.0.2
wait_for 5 large h0 10.0.0.2
wait_for 5 large h1 10.0.0.1
! ours || expect "connections that h1 accepted" 21 "$(ethtool_stat h1 cm_accepted)"
