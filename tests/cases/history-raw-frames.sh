#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# frames and addresses of every length from packet sockets are refused, or dropped and counted
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h1 ping -c 1 -W 5 10.0.0.1
raw() { on h1 /work/tests/tools/raw.py ib0 "$@"; }
address() { on h1 /work/tests/tools/rawaddr.py ib0 64 "$@" | xargs; }
peer=$(link_address h0)
peer=${peer//:/}

# With an address of its own: the stack does not take one that is too short. Longer
# than it has to be does no harm.
received=$(counter h0 rx_packets)
expect "addresses of 0, 1, 8, 19, 20 and 32 bytes" "refused refused refused refused sent sent" \
	"$(address '' "${peer:0:2}" "${peer:0:16}" "${peer:0:38}" "$peer" "${peer}000000000000000000000000")"
arrived() { [ "$(counter h0 rx_packets)" -ge $((received + $1)) ]; }
wait_for 5 arrived 2

# Every length of a frame up to its header, which is refused or dropped and counted;
# then with nothing, or one byte, behind that
for head in "$peer" "00ffffffff12401bffff000000000000ffffffff"; do
	frame=${head}08000000 frames=()
	for length in {1..23}; do
		frames+=("${frame:0:$((2 * length))}")
	done
	dropped=$(counter h1 tx_dropped)
	accepted=$(raw 1 "${frames[@]}") || true
	expect "packets dropped" $((dropped + ${accepted:-23})) "$(counter h1 tx_dropped)"
	check raw 1 "$frame" "${frame}45"
done

# A group of another partition: not joined as such, nor to be found at the SM
for key in 8123 0000 7fff; do
	received=$(hca_counter sib0 rcv_mcast_pkts)
	check raw 3 "00ffffffff12401b${key}000000000000ffffffff08060000$(printf '%056x' 1)"
	heard() { [ "$(hca_counter sib0 rcv_mcast_pkts)" -ge $((received + 3)) ]; }
	wait_for 5 heard
	check no_group "ff12:401b:$(printf '%x' 0x$key)::ffff:ffff"
done
# Neither multicast of another kind nor a GID that is no multicast at all
check raw 1 "00ffffffff12601b8123000000000000ffffffff86dd0000$(printf '%080x' 1)" \
	"00ffffff00000000000000000000000000000000${peer:40}08000000$(printf '%080x' 1)" \
	"00ffffffffffffffffffffffffffffffffffffff08000000$(printf '%080x' 1)"
check on h1 ping -q -c 20 -i 0.01 -W 5 10.0.0.1
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
