#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a peer that once had no memory for a connection gets one, and large packets go again
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
settings_change
check on h0 ping -q -c 1 -W 5 10.0.0.2
knob sib1 faults/verb 'create_cq ENOMEM next=1'
check mode h0 connected
wait_for 5 large h0 10.0.0.2
! ours || expect "requests that h0 made, and were rejected" '2 1' \
	"$(ethtool_stat h0 cm_requests) $(ethtool_stat h0 cm_rejected)"
