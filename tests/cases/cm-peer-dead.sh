#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a peer that dies without a word is found out, and found again when it is back
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
forgetful h0
connected h0 h1
check large h0 10.0.0.2
# Its end of the connections is gone when the cable is back.
dev=$(<$STATE/h1)
link_down sib1
nap 0.5
ip -n h1 link set ib0 down
link_up sib1
wait_active sib1
ip -n h1 link set ib0 up
wait_carrier h1
# IPv6 addresses go with the link
ip -n h1 addr replace fd00::2/64 dev ib0 nodad
wait_for 20 large h0 10.0.0.2
wait_for 20 large h1 10.0.0.1

# Another QP, at the same addresses, as after a reboot
[ -n "$dev" ]
link_down sib1
hca_remove sib1
wait_for 10 eval '! ip -n h1 link show dev ib0'
hca_add sib1
wait_active sib1
ip netns del h1
rm -f "$STATE/h1"
hosts 2
connected h1
wait_for 30 large h0 10.0.0.2
wait_for 10 large h1 10.0.0.1
check on h0 ping -q -c 5 -i 0.1 -W 2 -M "do" -s 60000 10.0.0.2
