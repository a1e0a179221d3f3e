#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# checksums and LSO are offered if the HCA has them, and are used

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

feature() { ethtool -k "$1" | sed -n "s/^[[:space:]]*$2: //p"; }

hca_add sib4 csum=0 lso=0
at_exit hca_remove sib4
wait_active sib4
wait_for 10 iface sib4
able=$(iface sib0) plain=$(iface sib4)
for name in rx-checksumming tx-checksum-ipv4 tx-tcp-segmentation; do
	expect "$name of an HCA that can" on "$(feature "$able" $name)"
	expect "$name of an HCA that cannot" 'off [fixed]' "$(feature "$plain" $name)"
done

# They are used: the HCA counts.
settings_change
hosts 2
random_file /tmp/offloads 500000
at_exit rm -f /tmp/offloads /tmp/offloads.got
lso=$(hca_counter sib0 lso_requests) rx=$(hca_counter sib1 csum_rx_ok)
copy h0 h1 10.0.0.2 /tmp/offloads
at_least "LSO requests" $((lso + 5)) "$(hca_counter sib0 lso_requests)"
at_least "checksums verified by the receiver's HCA" $((rx + 100)) "$(hca_counter sib1 csum_rx_ok)"
tx=$(hca_counter sib0 csum_tx)
both_ways 10.0.0.1 10.0.0.2 20
at_least "checksums made by the sender's HCA" $((tx + 20)) "$(hca_counter sib0 csum_tx)"

# And not when turned off.
check on h0 ethtool -K ib0 tx off tso off
lso=$(hca_counter sib0 lso_requests) tx=$(hca_counter sib0 csum_tx)
copy h0 h1 10.0.0.2 /tmp/offloads
both_ways 10.0.0.1 10.0.0.2 20
expect "LSO requests with tso off" "$lso" "$(hca_counter sib0 lso_requests)"
expect "checksums made with tx off" "$tx" "$(hca_counter sib0 csum_tx)"
