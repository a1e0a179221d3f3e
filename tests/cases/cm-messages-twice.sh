#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# whatever message of the CM comes twice makes and ends one connection
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
settings_change
random_file /tmp/cm.data 500000
fault sib0 duplicate 'kind=mad class=cm'
fault sib1 duplicate 'kind=mad class=cm'
no_connections() { [ "$(rc_qps sib0) $(rc_qps sib1)" = '0 0' ]; }
for ((i = 0; i < 3; i++)); do
	check mode h0 connected
	check mode h1 connected
	check on h0 ping -q -c 1 -W 5 10.0.0.2
	wait_for 5 large h0 10.0.0.2
	copy h0 h1 10.0.0.2 /tmp/cm.data
	wait_for 5 large h1 10.0.0.1
	check mode h0 datagram
	check mode h1 datagram
	! ours || wait_for 10 no_connections
done
at_least "messages that came twice" 12 "$(sed -n 's/^duplicate[^0-9]*//p' $SIB/sib0/faults/counts)"
ours || exit 0
expect "connections that h0 made, and h1 accepted" "$(ethtool_stat h0 cm_requests)" \
	"$(ethtool_stat h1 cm_accepted)"
expect "connections that failed" '0 0' "$(ethtool_stat h0 cm_lost) $(ethtool_stat h1 cm_lost)"
