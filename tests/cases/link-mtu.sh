#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the MTU can be set within limits, and the group's bounds it as long as it is smaller
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
hosts 2
mtu() { net_file h0 ib0/mtu; }
mtu_is() { [ "$(mtu)" = "$1" ]; }
set_mtu() { ip -n h0 link set ib0 mtu "$1"; }

refuse set_mtu 71
refuse set_mtu 2045
expect "MTU after refusals" 2044 "$(mtu)"
check set_mtu 72
expect "least MTU" 72 "$(mtu)"
check set_mtu 1800
check on h0 ping -c 1 -W 5 -M 'do' -s 1772 10.0.0.2

# A group of 1024: not an error to ask for more, but not to be had.
partitions 'Default=0x7fff, ipoib, mtu=3 : ALL=full;'
opensm_start
wait_for 30 mtu_is 1020
check set_mtu 1500
expect "MTU asked for in a group of 1024" 1020 "$(mtu)"
! ours || at_least "MTUs clamped" 1 "$(ethtool_stat h0 mtu_clamped)"
wait_carrier h0
wait_for 10 pings h0 10.0.0.2
check on h0 ping -c 1 -W 5 -M 'do' -s 992 10.0.0.2
refuse on h0 ping -c 1 -W 1 -M 'do' -s 993 10.0.0.2

# Back, to what was asked for last.
partitions
opensm_start
wait_for 30 mtu_is 1500
wait_carrier h0
wait_for 10 pings h0 10.0.0.2
