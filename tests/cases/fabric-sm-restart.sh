#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# opensm ends and another one begins: LIDs stay, clients register again

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

hosts 4
check on h0 ping -c 1 -W 5 10.0.0.2
lids() {
	local hca
	for hca in $(hcas); do lid "$hca"; done | xargs
}
before=$(lids)
opensm_stop
refuse timeout 10 sminfo -C sib1
# Without an SM the fabric goes on.
check on h0 ping -c 1 -W 2 10.0.0.2
for hca in $(hcas); do
	expect "state of $hca" Active "$(port_state "$hca")"
done
opensm_start
members() { # every port is in the broadcast group again
	grep -q '^0xc000 1-4$' $SIB/switch_mft && timeout 5 sminfo -C sib1
}
wait_for 15 members
expect "LIDs" "$before" "$(lids)"
expect_match sminfo SMINFO_MASTER "$(sminfo -C sib1)"
wait_for 10 on h1 ping -c 1 -W 1 10.0.0.3
