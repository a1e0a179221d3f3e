#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the kernel's driver as the peer ends connections, goes and comes back: others take their place
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/stock.sh
. /work/tests/tools/stock.sh

hosts 2
stock_load
stock_host h1
forgetful h0
connected h0 h1
check on h0 ping -q -c 1 -W 5 10.0.0.2
works() { # WHAT
	wait_for 20 large h0 10.0.0.2
	wait_for 20 large h1 10.0.0.1
	check on h0 ping -q -c 3 -i 0.1 -W 2 -M "do" -s 60000 10.0.0.2
	echo "$1: $(rc_qps sib0) QPs of h0, $(rc_qps sib1) of h1"
}
works "the start"
for host in h1 h0; do
	for i in 1 2 3; do
		check mode $host datagram
		check on h0 ping -q -c 2 -i 0.1 -W 2 -s 20000 10.0.0.2
		check on h1 ping -q -c 2 -i 0.1 -W 2 -s 20000 10.0.0.1
		check mode $host connected
		works "change $i of $host's mode"
	done
	check ip -n $host link set ib0 down
	nap 0.2
	check ip -n $host link set ib0 up
	check ip -n $host addr replace fd00::$((${host#h} + 1))/64 dev ib0 nodad
	wait_carrier $host
	works "$host down and up"
done
# Connections of either direction that fail at our end. At its own, the kernel's driver
# takes no notice.
for n in 1 2; do
	ours || break
	wait_for 10 rc_qps_are sib0 2
	knob sib0 faults/qp_error "$(rc_qpn sib0 $n)"
	works "QP $n of sib0 failed"
done
# Another QP at the same addresses
check rmmod ib_stock
check insmod /tmp/ib_stock.ko
stock_host h1
check mode h1 connected
works "the driver loaded again"
