#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a child on a bond of IPoIB interfaces is refused

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

stock_fails "takes the bond for an interface of its own, and follows a wild pointer"
settings_change
modprobe bonding max_bonds=0
at_exit modprobe -r bonding
dev=$(iface sib1)
ip link add bond0 type bond mode active-backup fail_over_mac active
at_exit ip link del bond0
check ip link set "$dev" master bond0
expect "type of the bond" 32 "$(cat /sys/class/net/bond0/type)"
refused_with 'Link is not an interface of this driver' ip link add link bond0 name x type ipoib pkey 0x8001
refused_with 'Link is not an interface of this driver' ip link add link bond0 type ipoib
# A slave is still a parent.
check ip link add link "$dev" name x type ipoib pkey 0x8001
check ip link del x
