#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 5,000 frames of random bytes, some that begin well: each accounted for, and no harm
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

seed=${SEED:-$RANDOM}
echo "SEED=$seed"
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
least=0
# Known: it takes frames of less than 44 bytes as packets.
ours || least=4
seen() { echo $(($(counter h1 rx_packets) + $(counter h1 rx_errors) + $(hca_counter sib1 ud_no_wqe))); }
before=$(seen)
inject sib0 h1 seed="$seed" random=$least-2044 count=1500
# IPv4, IPv6, ARP, RARP; ICMP, UDP and fragments; an ARP with lengths of its own; TIPC
for start in 08000000 86dd0000 08060000 80350000 080000004500 0800000046000054 \
	08000000450005dc0001200040010000 86dd000060000000 08060000002008001404 88ca0000; do
	inject sib0 h1 seed="$seed" hex=$start random=0-1900 count=350
done
settled() { [ "$(seen)" -ge $((before + 5000)) ]; }
comes_true 5 settled || true
at_least "frames accounted for" 5000 $(($(seen) - before))
at_most "frames accounted for" 5020 $(($(seen) - before))
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
check on h0 ping -6 -q -c 20 -i 0.01 -W 5 fd00::2
