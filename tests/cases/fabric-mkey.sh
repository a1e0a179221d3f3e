#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# opensm's M_Key protects ports: SMPs without it are dropped, counted and reported

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

hosts_remove
unload_driver
fabric_unload
fabric_load hcas=3
config=$(mktemp)
at_exit rm -f "$config"
printf '%s\n' 'm_key 0x1234' 'm_key_protection_level 2' 'm_key_lease_period 600' >"$config"
opensm_start -F "$config"
wait_active

expect "violations at first" 0 "$(hca_info sib2 m_key_violations)"
refuse timeout 10 smpquery -C sib0 portinfo "$(lid sib2)" 1
at_least "violations" 1 "$(hca_info sib2 m_key_violations)"
output=$(smpquery -C sib0 -y 0x1234 portinfo "$(lid sib2)" 1)
expect_match "portinfo with the M_Key" 'ProtectBits:\.*2' "$output"
wait_for 5 grep -q 'num:256' /results/opensm.log
# A Set without it does nothing, to the switch either.
refuse timeout 10 ibportstate -C sib0 "$(lid sib2)" 1 down
expect "state" Active "$(port_state sib2)"
