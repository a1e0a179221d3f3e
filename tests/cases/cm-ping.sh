#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# in connected mode the MTU is 65520, and what the peers send goes by connections

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 2
connected h0 h1
for host in h0 h1; do
	expect "MTU of $host" 65520 "$(mtu $host)"
done
check on h0 ping -c 1 -W 5 10.0.0.2
for size in 56 2016 2017 4096 16384 60000 65492; do
	check on h0 ping -q -c 3 -i 0.05 -W 2 -M "do" -s $size 10.0.0.2
done
check on h1 ping -q -c 3 -i 0.05 -W 2 -M "do" -s 60000 10.0.0.1
for size in 56 2000 60000 65472; do
	check on h0 ping -q -c 3 -i 0.05 -W 2 -M "do" -s $size fd00::2
done
# One for each direction.
expect "QPs of connections" '2 2' "$(rc_qps sib0) $(rc_qps sib1)"
before=$(rc_sent sib0)
check on h0 ping -q -c 10 -i 0.02 -W 2 10.0.0.2
at_least "packets sent by RC" $((before + 10)) "$(rc_sent sib0)"

# Not one byte more.
refuse on h0 ping -q -c 1 -W 1 -M "do" -s 65493 10.0.0.2
refuse ip -n h0 link set ib0 mtu 65521
