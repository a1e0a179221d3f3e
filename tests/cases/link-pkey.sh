#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# limited members of a partition reach full ones and not each other
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 3
check on h1 ping -c 1 -W 5 10.0.0.3
neighbour() { ip -n h1 neigh replace 10.0.0.3 lladdr "$(link_address h2)" dev ib0; }

partitions 'Default=0x7fff, ipoib : ALL=limited, SELF=full;'
opensm_start
limited() { [ "$(cat /sys/class/infiniband/sib2/ports/1/pkeys/0)" = 0x7fff ]; }
wait_for 20 limited
wait_carrier h1
wait_carrier h2
# sib0 is the SM's own port, which has to be a full member.
wait_for 10 pings h1 10.0.0.1
wait_for 10 pings h2 10.0.0.1
# Not for want of an answer to ARP
neighbour
received=$(snmp h2 IcmpInEchos)
refuse on h1 ping -q -c 5 -i 0.05 -W 1 10.0.0.3
expect "pings that h2 received" "$received" "$(snmp h2 IcmpInEchos)"

partitions
opensm_start
full() { [ "$(cat /sys/class/infiniband/sib2/ports/1/pkeys/0)" = 0xffff ]; }
wait_for 20 full
wait_for 20 pings h1 10.0.0.3
