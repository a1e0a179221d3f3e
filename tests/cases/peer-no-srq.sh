#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the kernel's driver as the peer, on HCAs without SRQ, and with one that takes few pages
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh
# shellcheck source=tests/tools/stock.sh
. /work/tests/tools/stock.sh

fabric_reload hcas=2 srq=0
hosts 2
stock_load
stock_host h1
connected h0 h1
random_file /tmp/peer.data 1000000
both_work() {
	check on h0 ping -q -c 1 -W 5 10.0.0.2
	wait_for 10 large h0 10.0.0.2 "$1"
	wait_for 10 large h1 10.0.0.1 "$1"
	copy h0 h1 10.0.0.2 /tmp/peer.data
	copy h1 h0 10.0.0.1 /tmp/peer.data
}
both_work 60000

# It sends no more than we say that we can take; of itself, it says 65524 bytes whatever
# that is.
ours || exit 0
stock_unload
fabric_reload hcas=1
hca_add sib1 max_srq_sge=4
wait_active sib1
hosts 2
stock_load
stock_host h0
connected h0 h1
both_work 16000
# It has the right size in mind, and says another one.
expect_match "too large ping" "message too long" "$(on h0 ping -c 1 -W 1 -M "do" -s 60000 10.0.0.2 2>&1 || true)"
check on h0 ping -q -c 3 -i 0.1 -W 2 -s 60000 10.0.0.2
