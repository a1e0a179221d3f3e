#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# frames from a packet socket that cannot be sent are dropped and counted by cause

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h1 ping -c 1 -W 5 10.0.0.1
# From h1, as opensm sends from sib0 all the time.
raw() { check on h1 /work/tests/tools/raw.py ib0 "$@"; }
peer=$(link_address h0)
peer=${peer//:/}
sent=$(hca_counter sib1 xmit_pkts) dropped=$(counter h1 tx_dropped)
! ours || types=$(ethtool_stat h1 tx_bad_ethertype)

# IPv4, but for the ethertype
raw 20 "${peer}88b50000$(printf '%088x' 1)" "${peer}81000000$(printf '%088x' 1)"
at_least "packets dropped" $((dropped + 40)) "$(counter h1 tx_dropped)"
at_most "packets sent by the HCA" $((sent + 20)) "$(hca_counter sib1 xmit_pkts)"
! ours || expect "packets of unknown type" $((types + 40)) "$(ethtool_stat h1 tx_bad_ethertype)"

# To a group of another partition: it is sent in the interface's own.
received=$(hca_counter sib0 rcv_mcast_pkts)
raw 5 "00ffffffff12401b8123000000000000ffffffff08060000$(printf '%056x' 1)"
arrived() { [ "$(hca_counter sib0 rcv_mcast_pkts)" -ge $((received + 5)) ]; }
wait_for 5 arrived

# Less than the 24 bytes of header is refused, or counted.
dropped=$(counter h1 tx_dropped) accepted=0
for length in 1 19 20 22 23; do
	! on h1 /work/tests/tools/raw.py ib0 1 "${peer:0:$((2 * length))}" 2>/dev/null ||
		accepted=$((accepted + 1))
done
expect "packets dropped" $((dropped + accepted)) "$(counter h1 tx_dropped)"
check on h1 ping -q -c 20 -i 0.01 -W 5 10.0.0.1
