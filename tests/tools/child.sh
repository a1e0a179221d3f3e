# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# What cases about partitions and children share; read after tests/tools/ipoib.sh.

# partition NAME PKEY [MEMBER...]: a line of partitions.conf, for IPoIB; all are full
# members unless some are named, as in $(port_guid sib1)=full
partition() {
	local name=$1 pkey=$2 members
	shift 2
	members=${*:-ALL=full}
	echo "$name=$pkey, ipoib : ${members// /, };"
}

# shellcheck disable=SC2034 # for cases
DEFAULT_PARTITION='Default=0x7fff, ipoib : ALL=full;'

# pkeys HCA: the port's table, as far as it is filled
pkeys() {
	sed -n 's/^pkey [0-9]* //p' "$SIB/$1/info" | xargs
}

has_pkeys() { # HCA TABLE
	[ "$(pkeys "$1")" = "$2" ]
}

# red_partition: opensm with a second partition, 0x8001, that all are full members of
red_partition() {
	partitions "$DEFAULT_PARTITION" "$(partition red 0x0001)"
	opensm_start
	wait_for 20 has_pkeys sib1 "0xffff 0x8001"
}

# red_moves TABLE: red is where that table of the ports has it
red_moves() {
	local flags=
	[ "${1% *}" = 0xffff ] || flags=', indx0'
	partitions "$DEFAULT_PARTITION" "red=0x0001, ipoib$flags : ALL=full;"
	opensm_start
	wait_for 20 has_pkeys sib0 "$1"
	wait_for 20 has_pkeys sib1 "$1"
}

# create_child, delete_child HOST PKEY: through sysfs, on ib0 of that host
create_child() {
	# shellcheck disable=SC2016 # for that shell
	on "$1" sh -c 'echo "$1" >/sys/class/net/ib0/create_child' sh "$2"
	# The stock driver makes it outside of the host.
	ours || ip link set "$(printf 'ib0.%04x' "$2")" netns "$1"
}

delete_child() {
	# shellcheck disable=SC2016 # for that shell
	on "$1" sh -c 'echo "$1" >/sys/class/net/ib0/delete_child' sh "$2"
}

# child HOST PKEY ADDRESS [NAME]: a child by netlink, up, with 10.1.0.ADDRESS/24 and
# fd01::ADDRESS/64
child() {
	local name=${4:-ib0.$2}
	ip -n "$1" link add link ib0 name "$name" type ipoib pkey "0x$2"
	address "$1" "$name" "$3"
}

address() { # HOST INTERFACE ADDRESS: as child does
	on "$1" sysctl -q "net.ipv6.conf.${2//./\/}.accept_dad=0"
	ip -n "$1" -batch - <<-BATCH
		addr add 10.1.0.$3/24 dev $2
		addr add fd01::$3/64 dev $2
		link set $2 up
	BATCH
}

# refused_with TEXT COMMAND...: it must fail, and say that
refused_with() {
	local text=$1 output
	shift
	if output=$("$@" 2>&1); then
		die "expected failure of: $*; it succeeded: $output"
	fi
	[[ $output == *"$text"* ]] || die "expected of $*: '$text'; saw '$output'"
}

# info HOST INTERFACE NAME: pkey, mode or umcast as ip -d link shows it
info() {
	ip -n "$1" -j -d link show dev "$2" | jq -r ".[0].linkinfo.info_data.$3"
}
