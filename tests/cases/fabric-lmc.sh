#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# With an LMC every port has several LIDs, and all of them lead to it

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

at_exit lids_forget
hosts_remove
unload_driver
fabric_unload
fabric_load hcas=3
opensm_start -l 2
wait_active

for hca in $(hcas); do
	expect "LMC of $hca" 2 "$(hca_info "$hca" lmc)"
	expect "LID of $hca modulo 4" 0 $(($(lid "$hca") % 4))
done
lid=$(lid sib1)
for k in 0 1 2 3; do
	knob sib0 inject "dlid=$((lid + k)) qpn=$NOBODY qkey=1 random=64 count=5"
	wait_for 2 has_arrived sib1 $((5 * k + 5))
done
# The next one is somebody else's, or nobody's.
knob sib0 inject "dlid=$((lid + 4)) qpn=$NOBODY qkey=1 random=64 count=5"
expect "arrived at sib1" 20 "$(arrived sib1)"
paths=$(saquery -C sib0 -p --sgid "$(gid sib0)" --dgid "$(gid sib1)" 2>/dev/null | grep -c 'dlid\.') || true
at_least "paths" 4 "$paths"
