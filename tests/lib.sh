# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2119,SC2120 # cases pass what is not passed here
# What test cases are written with; every case begins by reading this.
#
# Host hK is a network namespace with the one port of HCA sibK, whose interface is
# called ib0 there as on a real host. It is 10.0.0.(K+1) and fd00::(K+1).
# RDMA tools and opensm run outside of the hosts and see all HCAs.
#
# A failed command ends a case (set -e), and whatever the end, the hosts a case made,
# the faults it set and the processes it left in the background are removed.

set -euo pipefail

DRIVER=${DRIVER:-ours}
# How many times slower than an idle machine to be prepared for.
SCALE=${SCALE:-2}
# By what to divide how often something is repeated, see scaled.
FEWER=${FEWER:-1}
STATE=/run/fabric
FABRIC_DEFAULT='hcas=4'
SIB=/sys/kernel/debug/sib

mkdir -p $STATE /sys/fs/cgroup/fabric

### saying what was expected and what was seen

# What is said after it, by bash about a killed process for one, is not the reason.
die() {
	echo "$*" | tee $STATE/reason
	[ $BASH_SUBSHELL != 0 ] || describe 2>&1 || true
	exit 1
}

# describe: what may tell why hosts do not hear each other. A quick look, for nothing
# it asks has to answer.
describe() {
	local netns
	for netns in /run/netns/h[0-3]; do
		[ -e "$netns" ] || continue
		netns=${netns##*/}
		echo "--- $netns"
		ip -n "$netns" -s link show type ipoib
		ip -n "$netns" neigh show
		# shellcheck disable=SC2016 # for the shell over there
		on "$netns" sh -c 'for dev in /sys/class/net/*; do
			ethtool -S ${dev##*/} 2>/dev/null | grep -v ": 0$"; done'
	done
	[ ! -e "$SIB/switch_mft" ] || { echo "--- switch"; cat "$SIB"/switch_mft; grep -v Down "$SIB/switch_ports"; }
	! opensm_running || timeout 5 saquery -m
}

skip() {
	echo "$*"
	exit 77
}

# stock_fails REASON: the stock driver is known not to do what follows.
stock_fails() {
	[ "$DRIVER" != stock ] || skip "stock driver: $*"
}

# check COMMAND...: it must succeed; its output is shown if it does not.
check() {
	local output status=0
	output=$("$@" 2>&1) || status=$?
	[ $status = 0 ] || die "expected success of: $*; saw status $status: $output"
}

# refuse COMMAND...: it must fail.
refuse() {
	local output
	if output=$("$@" 2>&1); then
		die "expected failure of: $*; it succeeded: $output"
	fi
}

# expect WHAT EXPECTED SEEN
expect() {
	[ "$2" = "$3" ] || die "$1: expected '$2', saw '$3'"
}

# expect_match WHAT REGEX SEEN
expect_match() {
	[[ $3 =~ $2 ]] || die "$1: expected a match of '$2', saw '$3'"
}

# at_least WHAT NUMBER SEEN, at_most WHAT NUMBER SEEN: whole numbers
at_least() {
	[ "$3" -ge "$2" ] || die "$1: expected at least $2, saw $3"
}

at_most() {
	[ "$3" -le "$2" ] || die "$1: expected at most $2, saw $3"
}

# scaled NUMBER [LEAST]: so many packets or rounds, or fewer, but not less than LEAST
# (1), where each takes long, which is on debug kernels
scaled() {
	local number=$(($1 / FEWER)) least=${2:-1}
	echo $((number > least ? number : least))
}

# every MS: the interval, in seconds, of a ping that goes on beside something else, which
# it would keep from getting on where each takes long
every() {
	local ms=$(($1 * FEWER))
	ms=$((ms > 200 ? 200 : ms))
	printf '%d.%03d' $((ms / 1000)) $((ms % 1000))
}

### time

now_ms() {
	echo $((${EPOCHREALTIME/./} / 1000))
}

# A pause without a process: nothing is ever written to that pipe.
nap() { # SECONDS
	local pipe
	exec {pipe}<> <(:)
	read -r -t "$1" -u "$pipe" || true
	exec {pipe}>&-
}

# comes_true SECONDS COMMAND...: whether it succeeds within that time.
comes_true() {
	local end=$(($(now_ms) + $1 * 1000 * SCALE))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(now_ms)" -lt $end ] || return 1
		nap 0.05
	done
}

# wait_for SECONDS COMMAND...: it must succeed within that time.
wait_for() {
	comes_true "$@" || die "expected within $(($1 * SCALE)) s: ${*:2}; it did not happen"
}

### the fabric

# fabric_load [PARAMETER...]: the software fabric, as in fabric_load hcas=8
fabric_load() {
	modprobe -a ib_umad ib_uverbs rdma_ucm || return
	modprobe sib "$@" || return
	echo "$*" >$STATE/params
}

fabric_unload() {
	opensm_stop
	! loaded sib || rmmod sib || return
	rm -f $STATE/params
}

# fabric_reload [PARAMETER...]: another fabric, with opensm and the driver on it.
# The runner puts the usual one back after the case.
fabric_reload() {
	hosts_remove
	unload_driver
	fabric_unload
	fabric_load "$@"
	opensm_start
	wait_active
	load_driver
}

loaded() { # MODULE
	[ -d "/sys/module/$1" ]
}

hcas() { # names of the fabric's HCAs
	local dir
	for dir in /sys/class/infiniband/sib*; do
		[ ! -e "$dir" ] || echo "${dir##*/}"
	done
}

port_state() { # HCA: Down, Init, Armed or Active
	local state
	read -r _ state <"/sys/class/infiniband/$1/ports/1/state"
	state=${state,,}
	echo "${state^}"
}

active() { # HCA...
	local hca
	for hca in "$@"; do
		[ "$(port_state "$hca")" = Active ] || return 1
	done
}

# wait_active [HCA...]: ports that opensm has brought up; all without arguments
wait_active() {
	local -a which
	[ $# -gt 0 ] || { mapfile -t which < <(hcas); set -- "${which[@]}"; }
	wait_for 20 active "$@"
}

# first_line FILE: without a process, as each costs a quarter of a second on a debug kernel
first_line() {
	local line
	read -r line <"$1" || return
	echo "$line"
}

lid() { # HCA
	echo $(($(first_line "/sys/class/infiniband/$1/ports/1/lid")))
}

gid() { # HCA
	first_line "/sys/class/infiniband/$1/ports/1/gids/0"
}

port_guid() { # HCA, as opensm and saquery take it
	local gid
	gid=$(gid "$1")
	gid=${gid//:/}
	echo "0x${gid:16}"
}

# port_counter HCA NAME: of the port, as in port_counter sib0 port_xmit_packets
port_counter() {
	first_line "/sys/class/infiniband/$1/ports/1/counters/$2"
}

# hca_counter HCA NAME: of the HCA (Documentation/fabric.rst), as in
# hca_counter sib0 rc_retransmitted
hca_counter() {
	local name value
	while read -r name value; do
		[ "$name" != "$2" ] || echo "$value"
	done <"$SIB/$1/counters"
}

# sib_test TEST [KEY=VALUE...]: a test that a consumer of the verbs in the kernel does
# from sib0 to sib1 (or a= to b=); its list is in debugfs sib_test/tests.
sib_test() {
	local dir=/sys/kernel/debug/sib_test
	loaded sib_test || modprobe sib_test
	echo "$*" 2>/dev/null >$dir/run || die "sib_test $*: $(<$dir/result)"
}

# knob HCA FILE [TEXT...]: read or write a control of an HCA (Documentation/fabric.rst)
knob() {
	local file=$SIB/$1/$2
	shift 2
	if [ $# -gt 0 ]; then
		echo "$*" >"$file"
	else
		cat "$file"
	fi
}

link_up() { knob "$1" link 1; }
link_down() { knob "$1" link 0; }

# hca_add HCA [OPTION=VALUE...], hca_remove HCA: plug it in, pull it out
hca_add() {
	echo "name=$*" >$SIB/add
}

hca_remove() {
	echo "$1" >$SIB/del
}

# fault HCA KIND RULE...: what happens to its packets from now on, as in
# fault sib1 drop ud 1/10; without RULE, the faults of that kind in force
fault() {
	local hca=$1 kind=$2
	shift 2
	knob "$hca" "faults/$kind" "$@"
}

# faults_clear: every HCA healthy and its link up
faults_clear() {
	local hca
	[ -d $SIB ] || return 0
	for hca in $(hcas); do
		link_up "$hca"
		knob "$hca" faults/clear 1
	done
}

### opensm

# partitions [LINE...]: partitions.conf for the next opensm_start; without lines,
# the default partition that all are full members of.
partitions() {
	[ $# -gt 0 ] || set -- 'Default=0x7fff, ipoib : ALL=full;'
	printf '%s\n' "$@" >$STATE/partitions.conf
}

# opensm_start [OPTION...]: on sib0's port. It sweeps every 2 s, should a trap be lost.
opensm_start() {
	opensm_stop
	[ -e $STATE/partitions.conf ] || partitions
	(
		# Not a process of the case that starts it.
		echo $BASHPID >/sys/fs/cgroup/fabric/cgroup.procs
		export OSM_TMP_DIR=$STATE OSM_CACHE_DIR=$STATE
		exec setsid opensm -g "$(port_guid sib0)" -s 2 -P $STATE/partitions.conf \
			-f /results/opensm.log "$@" >$STATE/opensm.out 2>&1 </dev/null
	) &
	echo $! >$STATE/opensm.pid
	echo "$* $(<$STATE/partitions.conf)" >$STATE/opensm.config
}

# lids_forget: for at_exit, if LIDs were changed: the next fabric begins with 1 again.
# opensm remembers them, for ports that come back.
lids_forget() {
	opensm_stop
	rm -f $STATE/guid2lid $STATE/params
}

opensm_running() {
	[ -e $STATE/opensm.pid ] && ! gone "$(<$STATE/opensm.pid)"
}

opensm_stop() {
	local pid
	[ -e $STATE/opensm.pid ] || return 0
	pid=$(cat $STATE/opensm.pid)
	kill "$pid" 2>/dev/null || true
	comes_true 5 gone "$pid" || kill -9 "$pid" 2>/dev/null || true
	rm -f $STATE/opensm.pid
}

gone() { # PID; one that nobody has waited for yet counts as gone
	local stat
	[ -d "/proc/$1" ] || return 0
	read -r stat <"/proc/$1/stat" || return 0
	[[ ${stat##*) } == [ZX]* ]]
}

### the driver under test

# load_driver [PARAMETER...]: ours from updates/, or the kernel's with DRIVER=stock
load_driver() {
	modprobe ib_ipoib "$@" || return
	case $DRIVER:$(modinfo -n ib_ipoib) in
	ours:*/updates/* | stock:*/kernel/*) ;;
	*) die "DRIVER=$DRIVER, but modprobe takes $(modinfo -n ib_ipoib)" ;;
	esac
	echo "$*" >$STATE/driver
}

unload_driver() {
	! loaded ib_ipoib || rmmod ib_ipoib || return
	[ ! -e $STATE/driver ] || rm -f $STATE/driver
}

iface() { # HCA: the interface of its port, while no host has it
	local dir
	for dir in "/sys/class/infiniband/$1/device/net"/ib*; do
		# not a child, whose name has the P_Key behind a dot
		[[ $dir == *.* ]] || { [ -e "$dir" ] && echo "${dir##*/}" && return; }
	done
	return 1
}

### hosts

# hosts N [HCA...]: hosts h0 to hN-1, configured and with a carrier
hosts() {
	local k dev
	for ((k = 0; k < $1; k++)); do
		[ ! -e /run/netns/h$k ] || continue
		wait_for 10 iface sib$k
		dev=$(iface sib$k)
		echo "$dev" >$STATE/h$k
		ip netns add h$k
		ip link set "$dev" netns h$k name ib0
		# The address can be used at once: nobody else here has it. And a connection
		# whose program is gone does not keep the host's namespace for minutes.
		# Its sysfs can be read from outside, see net_file.
		mkdir -p "$STATE/sys.h$k"
		[ ! -e "$STATE/sys.h$k/class" ] || umount "$STATE/sys.h$k"
		nsenter --net=/run/netns/h$k sh -ec "
			echo 0 >/proc/sys/net/ipv6/conf/all/accept_dad
			echo 0 >/proc/sys/net/ipv6/conf/ib0/accept_dad
			echo 1 >/proc/sys/net/ipv4/tcp_orphan_retries
			exec mount -t sysfs sysfs $STATE/sys.h$k"
		ip -n h$k -batch - <<-BATCH
			link set lo up
			addr add 10.0.0.$((k + 1))/24 dev ib0
			addr add fd00::$((k + 1))/64 dev ib0
			link set ib0 up
		BATCH
	done
	for ((k = 0; k < $1; k++)); do
		wait_carrier h$k
	done
}

# on HOST COMMAND...: run it on that host
on() {
	ip netns exec "$@"
}

# net_file HOST FILE: what /sys/class/net/FILE says on that host
net_file() {
	if [ -e "$STATE/sys.$1/class/net/$2" ]; then
		first_line "$STATE/sys.$1/class/net/$2"
	else
		on "$1" cat "/sys/class/net/$2"
	fi
}

carrier() { # HOST [INTERFACE]
	local up
	if read -r up 2>/dev/null <"$STATE/sys.$1/class/net/${2:-ib0}/carrier"; then
		[ "$up" = 1 ]
		return
	fi
	[[ $(ip -n "$1" link show dev "${2:-ib0}") == *LOWER_UP* ]]
}

no_carrier() {
	! carrier "$@"
}

wait_carrier() { # HOST [INTERFACE]
	wait_for 15 carrier "$@"
}

# neigh_flush HOST: it has to ask again who has an address. Traffic may have it ask while
# this goes on, as often as ip looks again whether all are gone.
neigh_flush() {
	local said
	said=$(ip -n "$1" neigh flush all 2>&1) || [[ $said == *'Flush not complete'* ]] ||
		die "neighbours of $1: $said"
}

# hosts_remove: give the interfaces back and forget the hosts
hosts_remove() {
	local ns file process
	for file in /run/netns/*; do
		[ -e "$file" ] || continue
		ns=${file##*/}
		for process in /proc/[0-9]*; do
			[ ! "$process/ns/net" -ef "$file" ] || kill -9 "${process##*/}" || true
		done
		if [ -e "$STATE/$ns" ]; then
			# Gone with its HCA or driver is as good as given back.
			ip -n "$ns" link set ib0 down netns 1 name "$(cat "$STATE/$ns")" 2>/dev/null || true
			rm -f "${STATE:?}/$ns"
		fi
		ip netns del "$ns"
	done
	for file in "$STATE"/sys.*/class; do
		[ ! -e "$file" ] || umount "${file%/class}"
	done
}

# counter HOST NAME [INTERFACE]: of the interface, as in counter h0 rx_packets
counter() {
	net_file "$1" "${3:-ib0}/statistics/$2"
}

# ethtool_stat HOST NAME [INTERFACE]: a counter of ethtool -S; nothing if there is none
ethtool_stat() {
	local name value
	on "$1" ethtool -S "${3:-ib0}" | while read -r name value; do
		[ "$name" != "$2:" ] || echo "$value"
	done
}

link_address() { # HOST [INTERFACE]: the 20 bytes
	net_file "$1" "${2:-ib0}/address"
}

# spawn COMMAND...: run it in the background until the case ends
spawn() {
	# Not in a shell of its own, which would be what is killed.
	[ "$1" != on ] || set -- ip netns exec "${@:2}"
	"$@" &
	SPAWNED+=($!)
}
SPAWNED=()

# spawned_kill: end what was spawned, at once. For shell functions: in a shell in the
# background bash handles SIGTERM itself, as this script has a trap for its exit, may
# run that trap there, and may go on.
spawned_kill() {
	kill -KILL "${SPAWNED[@]}" 2>/dev/null || true
	wait "${SPAWNED[@]}" 2>/dev/null || true
	SPAWNED=()
}

listening() { # HOST PORT: whether something accepts TCP connections there
	[ -n "$(on "$1" ss -Hltn "sport = :$2")" ]
}

### the end of a case

# at_exit COMMAND...: do it when the case ends, last given first
at_exit() {
	AT_EXIT=("$(printf '%q ' "$@")" "${AT_EXIT[@]}")
}
AT_EXIT=()

case_end() {
	local command
	set +e
	for command in "${AT_EXIT[@]}"; do
		eval "$command"
	done
	[ ${#SPAWNED[@]} = 0 ] || spawned_kill
	hosts_remove
	faults_clear
} >>/results/case-end.log 2>&1

### the state that every case may expect at its start

interfaces() { # those of the driver, outside of the hosts
	local dir type
	for dir in /sys/class/net/*; do
		# ARPHRD_INFINIBAND
		if read -r type <"$dir/type" && [ "$type" = 32 ]; then
			echo "${dir##*/}"
		fi
	done
}

interface_each() { # exactly one interface for each HCA
	local hca
	local -a cards ports
	mapfile -t cards < <(hcas)
	mapfile -t ports < <(interfaces)
	[ ${#cards[@]} = ${#ports[@]} ] || return 1
	for hca in "${cards[@]}"; do
		iface "$hca" >/dev/null || return 1
	done
}

# is FILE TEXT: whether what was noted there is that
is() {
	[ -e "$STATE/$1" ] && [ "$(<"$STATE/$1")" = "$2" ]
}

# fabric_default: the usual fabric, healthy, with opensm on it and the driver loaded.
# The runner calls it after every case; mostly all is well, and that must be found
# out without starting processes.
fabric_default() {
	local have
	have=$(hcas)
	if ! is params "$FABRIC_DEFAULT" || [ "${have//$'\n'/ }" != "sib0 sib1 sib2 sib3" ]; then
		unload_driver || return
		fabric_unload || return
		# shellcheck disable=SC2086 # parameters
		fabric_load $FABRIC_DEFAULT || return
	fi
	faults_clear || return
	partitions
	if ! opensm_running || ! is opensm.config " $(<$STATE/partitions.conf)"; then
		opensm_start
	fi
	(wait_active) || return
	if ! is driver '' || ! loaded ib_ipoib || ! interface_each; then
		unload_driver || return
		load_driver || return
		comes_true 10 interface_each || { echo "not one interface for each HCA"; return 1; }
	fi
}

# Only a case has an end to look after; the runner reads this file, too.
case $0 in
*/cases/*) trap case_end EXIT ;;
esac
