#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# HCAs of different speeds, widths, MTUs and names join a running fabric

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh

fabric_alone hcas=1
made() { # NAME RATE MTU OPTION...
	local name=$1 rate=$2 mtu=$3
	shift 3
	hca_add "$name" "$@"
	wait_active "$name"
	expect_match "ibstat $name" "Rate: $rate"$'\n' "$(ibstat "$name" 1)"
	expect "MTU of $name" "$mtu" "$(hca_info "$name" mtu)"
	hca_remove "$name"
}
made slow 2.5 256 speed=1 width=1 mtu=256
made qdr8 80 1024 speed=4 width=8 mtu=1024
made fdr 56 2048 speed=16
made edr 100 4096 speed=32 mtu=4096
made hdr 200 4096 speed=64 mtu=4096
made two 20 2048 speed=4 width=2
made ndr12 1200 2048 speed=128 width=12
made plain 40 2048 csum=0 lso=0 srq=0 block_loopback=0 max_send_sge=2 comp_vectors=1
for bad in mtu=300 mtu=8192 speed=3 speed=512 width=3 max_send_sge=0 max_send_sge=99 comp_vectors=0 \
	csum=maybe colour=blue csum; do
	refuse hca_add bad "$bad"
done
expect "HCAs" sib0 "$(hcas | xargs)"
