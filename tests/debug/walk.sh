# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Fail the first, the second, the third ... of what an operation asks for, until it
# asks for no more. Cases read this after tests/lib.sh and begin with walk_begin. Then
# for each operation
#
#	walk task NAME OPERATION [AFTER]
#
# OPERATION is a function that does it once; what may fail in it is run by "failing
# COMMAND...". It may fail, and then the kernel's log has to say what failed. AFTER is
# a function that proves, with nothing failing any more, that all works (usable).
#
#	walk slab|pages NAME OPERATION [AFTER]
#
# for what happens in other threads and in interrupts: any allocation with the driver
# on its stack. OPERATION must succeed nevertheless, as nobody is there to try again,
# unless WALK_MUST is empty.
#
# WALK_MAX: not further than that point, as where another walk has been beyond it.
#
#	walk VERB NAME OPERATION [AFTER]
#
# a verb of the fabric (Documentation/fabric.rst) on HCA WALK_HCA (sib1). OPERATION may fail as
# with task, unless WALK_MUST is set. WALK_ERRNO: with what (ENOMEM).
#
# A function OPERATION_prepare, if there is one, is called before each time. The
# case has "LOG-OK: Call Trace:|ref_tracker: memory" at its top, for each injected failure
# is logged with a trace, and the tools that look for mistakes say that they missed one;
# it ends with walk_end, which fails if anything was wrong.

WALK_FAULTS=/sys/kernel/debug
WALK_LEFT=$STATE/left
WALK_WRONG=$STATE/wrong
WALK_KMSG=$STATE/kmsg
WALK_POINTS=0
WALK_HCA=${WALK_HCA:-sib1}
WALK_READ=0
declare -A WALK_ATTR=([slab]=failslab [pages]=fail_page_alloc)

walk_set() { # slab|pages FILE VALUE
	echo "$3" >"$WALK_FAULTS/${WALK_ATTR[$1]}/$2"
}

walk_both() { # FILE VALUE
	walk_set slab "$1" "$2"
	walk_set pages "$1" "$2"
}

# walk_read: take from the kernel's log what came since the last call. WALK_SITE is the
# driver's function nearest to the injected failure, WALK_SAID what it said to a user, so
# not in the report of that failure. Without a process, as each costs half a second on
# such a kernel.
walk_read() {
	local line part='' end reporting='' waited=0
	end="walk $$: read $((++WALK_READ))"
	WALK_SITE='' WALK_SAID=''
	echo "$end" >/dev/kmsg
	while :; do
		if ! IFS= read -r -u "$WALK_LOG" line; then
			# What is there of a line that is still being written
			part+=$line
			[ $((++waited)) -le 1200 ] ||
				die "the kernel's log has stopped at: $(tail -n 1 "$WALK_KMSG")$(
					pgrep -f 'cat /dev/kmsg' >/dev/null || echo ', nobody reads it')"
			nap 0.05
			continue
		fi
		line=$part$line part=''
		[[ $line =~ ^[0-9]+,[0-9]+,[0-9]+,[^\;]*\;(.*) ]] || continue
		line=${BASH_REMATCH[1]}
		case $line in
		"$end")	return ;;
		FAULT_INJECTION*) reporting=1 ;;
		' </TASK>' | ' </IRQ>') reporting='' ;;
		' '* | *+0x* | CPU:* | Workqueue:* | 'Modules linked'* | 'Hardware name'*)
			if [[ -n $reporting && -z $WALK_SITE &&
			      $line =~ ^\ *([a-z0-9_.]+)\+0x.*\ \[ib_ipoib\] ]]; then
				WALK_SITE=${BASH_REMATCH[1]}
			fi
			;;
		*)	[[ ! $line =~ ipoib|infiniband|ib[0-9]+[:\ ] ]] || WALK_SAID+=${WALK_SAID:+; }$line ;;
		esac
	done
}

walk_begin() {
	local file
	[ -e $WALK_FAULTS/failslab ] || skip "this kernel cannot fail allocations: make test-debug"
	: >"$WALK_KMSG"
	spawn cat /dev/kmsg >"$WALK_KMSG"
	exec {WALK_LOG}<"$WALK_KMSG"
	walk_read
	rm -f "$WALK_WRONG"
	at_exit walk_disarm
	walk_both probability 0
	walk_both task-filter N
	walk_both ignore-gfp-wait N
	walk_set pages ignore-gfp-highmem N
	walk_set pages min-order 0
	# All caches but those of the tools that look for mistakes: they stop to look
	# when they are short of memory.
	for file in /sys/kernel/slab/*/failslab; do
		case $file in
		*/kmemleak_* | */debug_objects_cache/* | */lsm_*) ;;
		*) echo 1 >"$file" ;;
		esac
	done
	walk_set slab cache-filter Y
}

walk_get() { # slab|pages FILE: its value in WALK_VALUE
	read -r WALK_VALUE <"$WALK_FAULTS/${WALK_ATTR[$1]}/$2"
}

walk_disarm() {
	walk_both probability 0
	walk_both require-start 0
	walk_both require-end 0xffffffffffffffff
	walk_both reject-end 0
	knob "$WALK_HCA" faults/verb off
}

# walk_only MODULE: count only what has that module's code on its stack
walk_only() {
	local range
	range=$(awk -v module="[$1]" '$4 == module && $2 ~ /^[tT]$/ { print $1 }' /proc/kallsyms |
		sort | sed -n '1p;$p' | xargs)
	[ -n "$range" ] || die "no code of $1 in /proc/kallsyms"
	walk_both require-start "0x${range% *}"
	# The last function is not that long.
	walk_both require-end "$(printf '0x%x' $((0x${range#* } + 0x800)))"
}

# walk_modules: count what has any module's code on its stack, but the root's file system
walk_modules() {
	local start
	walk_both require-start 0xffffffffa0000000
	walk_both require-end 0xffffffffff000000
	start=$(awk '$4 == "[overlay]" && $2 ~ /^[tT]$/ { print $1 }' /proc/kallsyms |
		sort | sed -n '1p;$p' | xargs)
	[ -n "$start" ] || return 0
	walk_both reject-start "0x${start% *}"
	walk_both reject-end "$(printf '0x%x' $((0x${start#* } + 0x800)))"
}

# failing COMMAND...: in an OPERATION
failing() {
	/work/build/debug/failing "$WALK_NTH" "$WALK_LEFT" "$@"
}

walk_arm() { # HOW N
	WALK_NTH=0
	case $1 in
	task)	WALK_NTH=$2
		echo "$2" >"$WALK_LEFT"
		;;
	slab | pages)
		# The kernel counts while interval is more than 1, and takes what makes
		# the count a multiple of it. After a hit the count is the interval, as
		# it grows each time; one that is larger by N takes the Nth from there.
		walk_get "$1" interval
		[ "$WALK_VALUE" != 1 ] || WALK_VALUE=0
		walk_set "$1" interval $((WALK_VALUE + $2))
		walk_set "$1" times 1
		walk_set "$1" probability 100
		;;
	*)	knob "$WALK_HCA" faults/verb "$1 ${WALK_ERRNO:-ENOMEM} skip=$(($2 - 1)) next=1" ;;
	esac
}

# walk_hit HOW: whether it came
walk_hit() {
	case $1 in
	task)	[ "$(<"$WALK_LEFT")" = 0 ] ;;
	slab | pages) walk_get "$1" times && [ "$WALK_VALUE" = 0 ] ;;
	*)	walk_verb_hit "$1" ;;
	esac
}

walk_verb_hit() { # VERB
	local line
	while read -r line; do
		[[ $line != "$1 "*" next=0 "* ]] || return 0
	done <"$SIB/$WALK_HCA/faults/verb"
	return 1
}

# Where a walk ended without a hit, how far the kernel has counted is not known: use
# up what is left to the next hit.
walk_settle() { # slab|pages
	local try
	for try in {1..30}; do
		! walk_hit "$1" || break
		walk_set "$1" probability 100
		(walk_churn) >/dev/null 2>&1 || true
	done
	walk_hit "$1" || die "no allocation in $try rounds ($1)"
	walk_set "$1" probability 0
}

# Something that makes the driver allocate: cases replace it.
walk_churn() {
	reopen h1
}

walk_safe() { # HOW: nothing more fails
	case $1 in
	slab | pages) walk_set "$1" probability 0 ;;
	task) ;;
	*) knob "$WALK_HCA" faults/verb off ;;
	esac
}

walk() {
	local how=$1 name=$2 operation=$3 after=${4:-usable}
	local n=0 status said must=${WALK_MUST:-}
	case $how in
	slab | pages)
		must=${WALK_MUST-1}
		# Not so after boot, and after a walk that came to its end.
		walk_get "$how" interval
		if [ "$WALK_VALUE" != 1 ]; then
			walk_settle "$how"
			# What failed may have been to bring it up.
			"$after" || die "$name: not usable before"
		fi
		;;
	esac
	while :; do
		n=$((n + 1))
		[ $n -le 400 ] || die "$name: the ${n}th still comes"
		if [ $n -gt "${WALK_MAX:-400}" ]; then
			status=0
			break
		fi
		! declare -F "${operation}_prepare" >/dev/null || "${operation}_prepare"
		walk_read
		walk_arm "$how" $n
		status=0
		("$operation") >"$STATE/walk.out" 2>&1 || status=$?
		walk_hit "$how" || break
		walk_safe "$how"
		walk_read
		said=$WALK_SAID
		# modprobe and rmmod have words of their own for it, netlink has a sentence.
		if [ -z "$said" ] && [[ $(<"$STATE/walk.out") =~ ib_ipoib|'Error: '|'netlink error: ' ]]; then
			said=$(<"$STATE/walk.out")
		fi
		echo "$name $n: ${WALK_SITE:-?}: status $status: ${said:-}"
		if [ $status != 0 ] && [ -n "$must" ]; then
			echo "$name $n at ${WALK_SITE:-?}: did not recover" | tee -a "$WALK_WRONG"
		elif [ $status != 0 ] && [ -z "$said" ]; then
			echo "$name $n at ${WALK_SITE:-?}: failed without a word" | tee -a "$WALK_WRONG"
		fi
		"$after" || die "$name: after failure $n at ${WALK_SITE:-?}: not usable"
	done
	[ $status = 0 ] || die "$name fails with nothing failing: $(<"$STATE/walk.out")"
	walk_safe "$how"
	"$after" || die "$name: not usable in the end"
	WALK_POINTS=$((WALK_POINTS + n - 1))
	echo "$name: $((n - 1)) points"
}

walk_end() {
	walk_disarm
	echo "$WALK_POINTS points walked"
	[ ! -s "$WALK_WRONG" ] || die "$(wc -l <"$WALK_WRONG") of $WALK_POINTS points: $(head -n 1 "$WALK_WRONG")"
}

### what operations are made of

# reopen HOST: down and up, with a carrier in the end
reopen() {
	ip -n "$1" link set ib0 down &&
		ip -n "$1" link set ib0 up &&
		wait_carrier "$1"
}

# usable: h1 is up or can be brought up, and hears h0
usable() {
	ip -n h1 link set ib0 up || return
	wait_carrier h1
	comes_true 10 on h1 ping -q -c 1 -W 2 10.0.0.1
}
