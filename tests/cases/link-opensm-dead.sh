#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# without a subnet manager what is known goes on, and afterwards the rest comes back
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 3
check on h0 ping -c 1 -W 5 10.0.0.2
kill -9 "$(cat $STATE/opensm.pid)"

check on h0 ping -q -c 100 -i 0.01 -W 2 10.0.0.2
for host in h0 h1 h2; do
	check carrier $host
done
# h2 would need a path back to h0.
sent=$(hca_counter sib2 xmit_pkts)
refuse on h0 ping -q -c 100 -i 0.02 -W 1 10.0.0.3
at_most "packets sent by h2's HCA in 3 s" $((sent + 100)) "$(hca_counter sib2 xmit_pkts)"

opensm_start
wait_for 30 pings h0 10.0.0.3
wait_for 10 pings h2 10.0.0.2
check on h0 ping -q -c 20 -i 0.01 -W 2 10.0.0.2
