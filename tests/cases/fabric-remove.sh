#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# An HCA is removed and made again 100 times, with the driver on it, and leaves nothing
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

guid=$(port_guid sib3)
free_kb() {
	sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo
}
cycle() {
	hca_remove sib3
	[ ! -e /sys/class/infiniband/sib3 ] || die "sib3 is still there"
	hca_add sib3
}
for ((i = 0; i < $(scaled 20); i++)); do cycle; done
free=$(free_kb)
for ((i = 0; i < $(scaled 80); i++)); do cycle; done
wait_active sib3
wait_for 10 iface sib3
expect "GUID" "$guid" "$(port_guid sib3)"
# Eighty HCAs with an interface would be tens of megabytes; kmemleak sees one.
at_most "KiB less memory" 8192 $((free - $(free_kb)))
refuse hca_remove sib9
refuse hca_add sib3
expect "HCAs" "sib0 sib1 sib2 sib3" "$(hcas | xargs)"
hosts 1
hosts 4
check on h0 ping -c 1 -W 2 10.0.0.4
