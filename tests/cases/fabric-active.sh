#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# opensm brings every port to Active and gives each a LID of its own

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

for hca in $(hcas); do
	expect "state of $hca" Active "$(port_state "$hca")"
	at_least "LID of $hca" 1 "$(lid "$hca")"
done
expect "LIDs in use" 4 "$(for hca in $(hcas); do lid "$hca"; done | sort -u | wc -l)"
