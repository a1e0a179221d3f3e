#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# ring sizes change under traffic; greater ones than ever come with another QPN, which peers learn
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "has no ring parameters"
settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
check on h0 ping -c 1 -W 5 fd00::2
# rings HOST: send and receive
rings() { on "$1" ethtool -g ib0 | sed -n '/^Current/,$s/^[RT]X:[[:space:]]*//p' | tac | xargs; }
expect "rings" "128 256" "$(rings h0)"
expect_match "limits" "maximums: RX: 8192 .*TX: 8192 Current" "$(on h0 ethtool -g ib0 | xargs)"

for bad in 'tx 127' 'rx 1' 'tx 8193' 'rx 0'; do
	# shellcheck disable=SC2086 # two words
	refuse on h0 ethtool -G ib0 $bad
done
expect_match "the reason" "at least 128" "$(on h0 ethtool -G ib0 tx 5 2>&1)"

# A stream that must not break while the receiver's and the sender's rings change
spawn on h1 iperf3 -s -1 >/dev/null
wait_for 10 listening h1 5201
on h0 iperf3 -c 10.0.0.2 -t 15 >/tmp/iperf 2>&1 &
client=$!
spawn on h0 ping -q -i "$(every 20)" 10.0.0.2 >/dev/null 2>&1
qpn=$(qpn h0)
change() { # HOST SEND RECEIVE ARGUMENT...
	check on "$1" ethtool -G ib0 "${@:4}"
	expect "rings of $1" "$2 $3" "$(rings "$1")"
}
change h0 128 64 rx 50
change h0 128 256 rx 256
expect "QPN of h0 when there was room" "$qpn" "$(qpn h0)"
change h0 512 256 tx 300
[ "$(qpn h0)" != "$qpn" ] || die "expected another QPN, saw $qpn again"
learnt() { [[ $(ip -n h1 neigh show "$1" dev ib0) == *"lladdr $(link_address h0) "* ]]; }
wait_for 5 learnt 10.0.0.1
wait_for 5 learnt fd00::1
qpn=$(qpn h0)
change h0 128 1024 tx 128 rx 1024
change h1 1024 512 tx 1000 rx 512
[ "$(qpn h0)" != "$qpn" ] || die "expected another QPN, saw $qpn again"
qpn=$(qpn h0)
change h0 512 256 tx 512 rx 256
expect "QPN of h0 when there was room" "$qpn" "$(qpn h0)"
wait $client || die "iperf3: $(tail -3 /tmp/iperf)"
check on h0 ping -q -c 50 -i 0.01 -W 5 10.0.0.2
check on h1 ping -q -c 50 -i 0.01 -W 5 10.0.0.1
expect "packets flushed" 00 "$(ethtool_stat h0 tx_flushed)$(ethtool_stat h1 tx_flushed)"

# Groups are received through the new QP.
neigh_flush h1
wait_for 10 pings h1 10.0.0.1

# What cannot be had leaves all as it was.
knob sib0 faults/verb create_qp ENOMEM
address=$(link_address h0)
expect_match "the reason" "old ones stay in use" "$(on h0 ethtool -G ib0 tx 4096 2>&1)"
expect "rings of h0" "512 256" "$(rings h0)"
expect "address of h0" "$address" "$(link_address h0)"
knob sib0 faults/verb off
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2

# Down, too
ip -n h1 link set ib0 down
change h1 2048 2048 tx 2048 rx 2048
ip -n h1 link set ib0 up
wait_carrier h1
wait_for 10 pings h0 10.0.0.2
