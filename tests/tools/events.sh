# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2119,SC2120 # cases pass what is not passed here
# What an event does to traffic; read after tests/tools/ipoib.sh.
#
# h0 sends to h1 all the time: 1,000 datagrams a second and a TCP stream of 100
# messages a second, or fewer where they would be all that a slow kernel can do.
# streams_report says what became of them.

# streams_start [ADDRESS-OF-h1]
streams_start() {
	local address=${1:-10.0.0.2}
	check on h0 ping -c 1 -W 5 "$address"
	rm -f /tmp/stream.*
	ip netns exec h1 /work/tests/tools/stream.py udp receive "$address" 7001 >/tmp/stream.udp 2>&1 &
	STREAMS=($!)
	ip netns exec h1 /work/tests/tools/stream.py tcp receive "$address" 7002 >/tmp/stream.tcp 2>&1 &
	STREAMS+=($!)
	wait_for 10 bound h1 7001
	wait_for 10 listening h1 7002
	spawn on h0 /work/tests/tools/stream.py tcp send "$address" 7002 "$(scaled 100 20)"
	spawn on h0 /work/tests/tools/stream.py udp send "$address" 7001 "$(scaled 1000)" >/tmp/stream.sent
	wait_for 10 streams_flow
}
STREAMS=()

# Both have come through, now.
streams_flow() {
	local datagrams bytes
	datagrams=$(udp_received)
	bytes=$(tcp_received)
	nap 0.2
	[ "$(udp_received)" -ge $((datagrams + $(scaled 50))) ] &&
		[ "$(tcp_received)" -gt "$bytes" ]
}

udp_received() { # datagrams that h1 has read
	# shellcheck disable=SC2016 # of awk
	on h1 awk '/^Udp: [0-9]/ { print $2 }' /proc/net/snmp
}

tcp_received() { # bytes, of all connections that there are, as an old one may linger
	on h1 ss -Hti "sport = :7002" | grep -o 'bytes_received:[0-9]*' |
		awk -F : '{ sum += $2 } END { print sum + 0 }'
}

# streams_report EVENT: end them, and say what they saw; sets LOST, UDP_GAP and TCP_GAP
streams_report() {
	local pid udp tcp
	# The senders first, and time for what is on its way, or is sent again.
	for pid in "${SPAWNED[@]: -2}"; do
		kill -INT "$pid" 2>/dev/null || sender_died "$pid"
	done
	nap "${2:-0.5}"
	for pid in "${STREAMS[@]}"; do
		# What it has to say of a message that came twice or late, it says at once.
		kill -INT "$pid" 2>/dev/null || true
		wait "$pid" || die "a stream ended badly: $(cat /tmp/stream.udp /tmp/stream.tcp)"
	done
	wait "${SPAWNED[@]: -2}" || die "a sender ended badly"
	udp=$(</tmp/stream.udp) tcp=$(</tmp/stream.tcp)
	[[ "$udp $(</tmp/stream.sent)" =~ last=([0-9]+)\ lost=([0-9]+)\ gap_ms=([0-9]+)\ sent=([0-9]+) ]] ||
		die "no report of datagrams: $udp"
	# Those behind the last that came are lost, too.
	LOST=$((BASH_REMATCH[2] + BASH_REMATCH[4] - BASH_REMATCH[1] - 1))
	UDP_GAP=${BASH_REMATCH[3]}
	[[ $tcp =~ gap_ms=([0-9]+) ]] || die "no report of the TCP stream: $tcp"
	TCP_GAP=${BASH_REMATCH[1]}
	echo "EVENT $1: datagrams lost $LOST, none for $UDP_GAP ms; TCP still for $TCP_GAP ms"
}

sender_died() { # PID
	local status=0
	wait "$1" || status=$?
	die "sender $1 of ${SPAWNED[*]: -2} ended by itself, with $status: $(</tmp/stream.sent)"
}

# nothing_lost EVENT: neither stream has noticed anything
nothing_lost() {
	streams_report "$@"
	expect "datagrams lost" 0 "$LOST"
}

# sm_takes_over [OPTION...]: another opensm, that has everyone in the broadcast group
sm_takes_over() {
	opensm_start "$@"
	wait_for 20 everyone_joined
}

everyone_joined() {
	[ "$(group_members ff12:401b:ffff::ffff:ffff | wc -w)" = "$(find /run/netns -name 'h*' | wc -l)" ]
}
