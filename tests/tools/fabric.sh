# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# What cases about the fabric itself share; read after tests/lib.sh.

# A QP that nobody has: what is sent to it is counted where it arrives, as ud_no_qp.
NOBODY=0xabcdef

# hca_counter HCA NAME, hca_info HCA NAME: a number from debugfs
hca_counter() {
	sed -n "s/^$2 //p" "$SIB/$1/counters"
}

hca_info() {
	sed -n "s/^$2 //p" "$SIB/$1/info"
}

# switch_counter PORT NAME: a counter of a switch port, 0 if it is not shown
switch_counter() {
	local line
	line=$(grep "^$1 " "$SIB/switch_ports")
	[[ " $line " =~ " $2="([0-9]+)" " ]] && echo "${BASH_REMATCH[1]}" || echo 0
}

# datagrams FROM TO COUNT [WORD...]: datagrams of 64 bytes of payload, thus of 96
# bytes up to the ICRC, to a QP that TO does not have
datagrams() {
	knob "$1" inject "dlid=$(lid "$2") qpn=$NOBODY qkey=1 random=64 count=$3" "${@:4}"
}

# arrived HCA: how many of them have arrived
arrived() {
	hca_counter "$1" ud_no_qp
}

# has_arrived HCA NUMBER
has_arrived() {
	[ "$(arrived "$1")" = "$2" ]
}

# hits HCA FILE: how often the rules in that file struck
hits() {
	local line sum=0
	while read -r line; do
		sum=$((sum + ${line##*hits=}))
	done < <(knob "$1" "faults/$2")
	echo $sum
}

# struck HCA FAULT: how often it struck since the HCA was made
struck() {
	sed -n "s/^$2 //p" "$SIB/$1/faults/counts"
}

# fabric_alone [PARAMETER...]: a fabric with opensm, and no IPoIB on it that sends what
# nobody asked for. The runner puts the usual one back after the case.
fabric_alone() {
	hosts_remove
	unload_driver
	fabric_unload
	fabric_load "$@"
	opensm_start
	wait_active
}

# quiet HCA...: nothing has come or gone at these ports for half a second
quiet() {
	local hca before
	before=$(for hca; do hca_counter "$hca" xmit_pkts; hca_counter "$hca" rcv_pkts; done)
	nap 0.5
	[ "$before" = "$(for hca; do hca_counter "$hca" xmit_pkts; hca_counter "$hca" rcv_pkts; done)" ]
}
