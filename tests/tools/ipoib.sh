# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# What several cases ask about interfaces and the fabric; read after tests/lib.sh.

ours() {
	[ "$DRIVER" = ours ]
}

qpn() { # HOST [INTERFACE]: of the link-layer address, decimal
	local address
	address=$(link_address "$@")
	address=${address//:/}
	echo $((16#${address:2:6}))
}

host_gid() { # HOST [INTERFACE]: of the link-layer address, as saquery writes it
	local address i gid=fe80:
	address=$(link_address "$@")
	address=${address//:/}
	for i in 24 28 32 36; do
		gid+=$(printf ':%x' $((16#${address:i:4})))
	done
	echo "$gid"
}

# value FILE NAME: of a file with a name and a number on each line, as the fabric's
value() {
	sed -n "s/^$2 //p" "$1"
}

# mgid GROUP: the MGID of an IPv4 multicast group in the default partition, as
# saquery writes it
mgid() {
	local IFS=.
	# shellcheck disable=SC2086 # split
	set -- $1
	printf 'ff12:401b:ffff::%x:%x\n' $((($1 & 15) << 8 | $2)) $(($3 << 8 | $4))
}

group_exists() { # MGID
	# It reads to the end: saquery would die of a closed pipe.
	saquery -g | grep "MGID\.*$1\$" >/dev/null
}

no_group() {
	! group_exists "$1"
}

# forwarded MGID HCA: whether the switch sends the group's packets there. The SM
# sees to it a moment after it has answered the join of the second member, as one
# alone has nobody to hear: what the first datagram sent is bound to lose.
forwarded() {
	local mlid port
	mlid=$(saquery MCMR --mgid "$1" | sed -n 's/.*mlid\.*//p')
	port=$(value "$SIB/$2/info" switch_port)
	sed -n "s/^${mlid:-none} //p" "$SIB/switch_mft" | tr , '\n' |
		awk -F - -v port="$port" '$1 <= port && port <= $NF { found = 1 } END { exit !found }'
}

# group_members MGID: GIDs of the ports that the SM has as members, sorted
group_members() {
	# The SM tells it to those who know its key; opensm's is 1.
	saquery --smkey 1 MCMR --mgid "$1" | sed -n 's/.*PortGid\.*//p' | sort | xargs
}

# join_state MGID GID: 0x1 for a member, 0x8 for one that only sends
join_state() {
	saquery --smkey 1 MCMR --mgid "$1" |
		sed -n "/PortGid\.*$2\$/,/JoinState/s/.*JoinState\.*//p"
}

# pings HOST ADDRESS [SECONDS]: whether there is an answer
pings() {
	on "$1" ping -q -c 1 -W "${3:-1}" "$2"
}

# lost FILE: packets that the ping whose output that is has no answers to
lost() {
	sed -n 's/^\([0-9]*\) packets transmitted, \([0-9]*\) received.*/\1 \2/p' "$1" | {
		read -r sent received
		echo $((sent - received))
	}
}

# answers_right FILE: ping says so in its output and not in its status
answers_right() {
	! grep -E 'wrong data|DUP!|bad checksum|truncated' "$1"
}

# Random bytes that TCP is to carry, and what has to arrive.
random_file() { # FILE BYTES
	head -c "$2" /dev/urandom >"$1"
}

# copy FROM-HOST TO-HOST TO-ADDRESS FILE: by TCP; the copy must be the same
copy() {
	local got=$4.got server family=-4 port=$((7000 + RANDOM % 20000))
	[[ $3 != *:* ]] || family=-6
	on "$2" nc $family -l "$port" >"$got" &
	server=$!
	wait_for 5 listening "$2" "$port"
	check timeout $((30 * SCALE)) ip netns exec "$1" nc -N "$3" "$port" <"$4"
	wait $server || die "receiver on $2: exit status $?"
	cmp "$4" "$got" || die "what $2 received differs from what $1 sent"
}

# resources: what is allocated of each RDMA device; with same_resources, whether it
# is still that
resources() {
	local hca kinds='pds\|cqs\|qps\|srqs\|mrs'
	# The stock driver keeps some address handles of paths when it is down.
	! ours || kinds+='\|ahs'
	rdma resource show | sed 's/^[0-9]*: //; s/ *$//' | sort
	for hca in $(hcas); do
		echo "$hca: $(sed -n "/^\($kinds\) /p" "$SIB/$hca/info" | xargs)"
	done
}

same_resources() { # RESOURCES
	[ "$(resources)" = "$1" ]
}

# memory: kilobytes that nobody can be made to give back
memory() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	# Processors keep pages that are free for themselves ("count:" in zoneinfo).
	awk '/^(MemFree|Buffers|Cached|SReclaimable):/ { free += $2 } /^MemTotal:/ { all = $2 }
		/^ *count:/ { free += 4 * $2 } END { print all - free }' /proc/meminfo /proc/zoneinfo
}

# faultless HOST...: remember how many errors and drops they count; with
# still_faultless: no more have been counted since
faultless() {
	local host
	for host in "$@"; do
		FAULTS[$host]=$(faults_of "$host")
	done
}

still_faultless() {
	local host
	for host in "$@"; do
		expect "errors and drops of $host" "${FAULTS[$host]}" "$(faults_of "$host")"
	done
}
declare -A FAULTS

faults_of() { # HOST
	on "$1" sh -c 'cd /sys/class/net/ib0/statistics && grep . [rt]x_errors [rt]x_dropped' | xargs
}

# settings_change: what this case sets on interfaces, and the children it makes, shall
# be gone after it
settings_change() {
	at_exit driver_remove
}

driver_remove() {
	hosts_remove
	unload_driver
}

snmp() { # HOST NAME: of the protocols' counters, as in snmp h0 IpReasmOKs
	local name value
	on "$1" nstat -asz "$2" | while read -r name value _; do
		[ "$name" != "$2" ] || echo "$value"
	done
}

# groups_batch add|del N: memberships of N groups from 239.7.0.1 on, for ip -batch
groups_batch() {
	local i
	for ((i = 1; i <= $2; i++)); do
		echo "addr $1 239.7.$((i / 250)).$((i % 250))/32 dev ib0 autojoin"
	done
}

# groups: how many of those the SM has
groups() {
	saquery -g | grep -c 'MGID.*ff12:401b:ffff::f07:'
}

groups_are() { # N
	[ "$(groups)" = "$1" ]
}

bound() { # HOST PORT: whether something takes datagrams there
	[ -n "$(on "$1" ss -Huan "sport = :$2")" ]
}

# both_ways ADDRESS-OF-h0 ADDRESS-OF-h1 COUNT [SIZE [WINDOW]]: datagrams, see udp.py
both_ways() {
	local waiting
	# Neighbour and path are known then.
	check on h0 ping -c 1 -W 5 "$2"
	on h1 /work/tests/tools/udp.py wait "$2" "$1" "${@:3}" &
	waiting=$!
	wait_for 10 bound h1 6000
	check on h0 /work/tests/tools/udp.py start "$1" "$2" "${@:3}"
	wait $waiting || die "on h1: see above"
}

# inject HCA HOST WORD...: datagrams to the host's QP that no driver would send
# (Documentation/fabric.rst); a later word wins over an earlier one
inject() {
	local hca=$1 host=$2
	shift 2
	knob "$hca" inject "dlid=$(lid "sib${host#h}") qpn=$(qpn "$host") qkey=0xb1b $*"
}

# stat_is HOST NAME NUMBER, stat_rises HOST NAME ABOVE: for wait_for
stat_is() {
	[ "$(ethtool_stat "$1" "$2")" = "$3" ]
}

stat_rises() {
	[ "$(ethtool_stat "$1" "$2")" -gt "$3" ]
}

# milliseconds COMMAND...: how long it takes, which must succeed
milliseconds() {
	local begin
	begin=$(now_ms)
	check "$@" >&2
	echo $(($(now_ms) - begin))
}

TRACING=/sys/kernel/tracing

# trace_on: from now on, until the case ends, the driver's tracepoints
trace_on() {
	[ -d $TRACING/events ] || mount -t tracefs tracefs $TRACING
	at_exit trace_off
	echo >$TRACING/trace
	echo 1 >$TRACING/events/ipoib/enable
}

trace_off() {
	[ ! -d $TRACING/events/ipoib ] || echo 0 >$TRACING/events/ipoib/enable
}

# traced REGEX, trace_count REGEX: whether, and how often, that was
traced() {
	grep -q "$1" $TRACING/trace
}

trace_count() {
	grep -c "$1" $TRACING/trace || true
}
