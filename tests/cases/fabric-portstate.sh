#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# ibportstate disables, enables and resets a link by SMPs to the switch

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

fabric_alone hcas=2
switch=$(sed -n 's/^lid \([0-9]*\) .*/\1/p' $SIB/switch_ports)
state_is() {
	[ "$(port_state sib1)" = "$1" ]
}
downs() {
	port_counter sib1 link_downed
}

output=$(ibportstate -C sib0 "$switch" 2)
expect_match "query" "Peer PortInfo:.*LinkState:\.*Active.*Lid:\.*$(lid sib1)" "$output"
before=$(downs)
check ibportstate -C sib0 "$switch" 2 disable
wait_for 2 state_is Down
expect "times down" $((before + 1)) "$(downs)"
expect_match "disabled port" 'PhysLinkState:\.*Disabled' "$(ibportstate -C sib0 "$switch" 2)"
# It stays so, whatever the HCA and opensm wish.
link_down sib1
link_up sib1
nap 0.3
expect "state of a disabled link" Down "$(port_state sib1)"
check ibportstate -C sib0 "$switch" 2 enable
wait_active sib1
check ibportstate -C sib0 "$switch" 2 reset
downs_are() { [ "$(downs)" = "$1" ]; }
wait_for 2 downs_are $((before + 2))
wait_active sib1
# Half the width and speed, for the next training.
check ibportstate -C sib0 "$switch" 2 width 1
check ibportstate -C sib0 "$switch" 2 speed 1
check ibportstate -C sib0 "$switch" 2 reset
slow() {
	[[ $(ibstat sib1 1) == *"Rate: 2.5"* ]]
}
wait_for 5 slow
