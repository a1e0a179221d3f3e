#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# two hosts ping each other over IPv6, by link-local and global address

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
# The address is made from the GUID (RFC 4391, section 8), bit 0x02 set.
guid=$(port_guid sib1)
printf -v local 'fe80::%x:%x:%x:%x' $((16#${guid:2:4} | 0x200)) \
	$((16#${guid:6:4})) $((16#${guid:10:4})) $((16#${guid:14:4}))
# The stack adds it when it has heard of the carrier, up to a second after it is on.
has_local() { [[ $(ip -n h1 -6 addr show dev ib0 scope link) == *"inet6 $local/64"* ]]; }
wait_for 5 has_local

faultless h0 h1
check on h0 ping -6 -c 3 -i 0.2 -W 2 "$local%ib0"
check on h0 ping -6 -c 3 -i 0.2 -W 2 fd00::2
check on h1 ping -6 -c 3 -i 0.2 -W 2 fd00::1
still_faultless h0 h1
