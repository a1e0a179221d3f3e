#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# loss, duplicates, reordering and damage on the wire: TCP gets its data across unharmed
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
random_file /tmp/bad-wire 500000
at_exit rm -f /tmp/bad-wire /tmp/bad-wire.got
seed=${SEED:-$RANDOM}
echo "SEED=$seed"
knob sib1 faults/seed "$seed"
for fault in drop duplicate reorder corrupt; do
	fault sib1 $fault '1/50 kind=ud dir=both'
	copy h0 h1 10.0.0.2 /tmp/bad-wire
	at_least "packets that $fault struck" 1 "$(value $SIB/sib1/faults/counts $fault)"
	fault sib1 $fault off
done
# What only the checksum of TCP can tell: the HCA does not vouch for it.
fault sib1 corrupt '1/50 kind=ud dir=rx reseal'
copy h0 h1 10.0.0.2 /tmp/bad-wire
