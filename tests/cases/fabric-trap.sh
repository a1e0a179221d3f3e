#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Traps tell opensm of link and node changes at once; it sweeps only every minute

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

hosts_remove
unload_driver
fabric_unload
fabric_load hcas=3
opensm_start -s 60
wait_active

known() { # PATTERN
	saquery -N 2>/dev/null | grep -q "$1"
}
unknown() {
	! known "$1"
}
# within WHAT MS COMMAND...: it comes true that soon
within() {
	local what=$1 limit=$2 begin
	shift 2
	begin=$(now_ms)
	wait_for 10 "$@"
	begin=$(($(now_ms) - begin))
	echo "$what after $begin ms"
	at_most "$what, ms" $((limit * SCALE)) $begin
}

known 'NodeDescription.*sib2$' || die "opensm does not know sib2"
for _ in 1 2; do
	link_down sib2
	within "opensm noticed that the link went down" 1500 unknown 'NodeDescription.*sib2$'
	link_up sib2
	within "port was Active again" 1500 active sib2
done
at_least "traps of the switch" 4 "$(sed -n 's/.* traps_sent //p' $SIB/switch_ports)"

# Trap 144.
printf 'another name' >/sys/class/infiniband/sib1/node_desc
within "opensm noticed another node description" 1500 known 'NodeDescription.*another name$'
at_least "traps of sib1" 1 "$(hca_info sib1 traps_sent)"

# Traps are held back before opensm takes them for babble; what it is not told at once
# it is told later.
for _ in {1..8}; do
	link_down sib2
	link_up sib2
done
wait_for 10 active sib2

# They are repressed, not repeated for ever.
sent=$(sed -n 's/.* traps_sent //p' $SIB/switch_ports)
nap 2.5
expect "traps of the switch in silence" "$sent" "$(sed -n 's/.* traps_sent //p' $SIB/switch_ports)"
