#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# A pulled plug takes both ends of the link down, is counted, and comes back

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

fabric_alone hcas=3
datagrams sib0 sib2 5
wait_for 2 has_arrived sib2 5

link_down sib2
expect "knob" 0 "$(knob sib2 link)"
expect "state" Down "$(port_state sib2)"
expect "physical state" "2: Polling" "$(cat /sys/class/infiniband/sib2/ports/1/phys_state)"
expect_match "switch port" '^3 Down ' "$(grep '^3 ' $SIB/switch_ports)"
expect "link_downed of the HCA" 1 "$(port_counter sib2 link_downed)"
expect "link_downed of the switch" 1 "$(switch_counter 3 link_downed)"
# Nothing gets through in either direction.
lid=$(hca_info sib2 lid)
knob sib0 inject "dlid=$lid qpn=$NOBODY qkey=1 random=64 count=4"
datagrams sib2 sib0 6
expect "arrived at sib2" 5 "$(arrived sib2)"
expect "arrived at sib0" 0 "$(arrived sib0)"
at_least "discarded by sib2" 6 "$(port_counter sib2 port_xmit_discards)"
# The subnet manager takes the route away; until then the switch discards.
at_least "discarded by the switch" 4 $((
	$(switch_counter 3 xmit_discards) + $(switch_counter 1 rcv_switch_relay_errors)))

link_up sib2
wait_active sib2
expect "LID afterwards" "$lid" "$(lid sib2)"
datagrams sib0 sib2 5
wait_for 2 has_arrived sib2 10
expect "link_downed afterwards" 1 "$(port_counter sib2 link_downed)"
