#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# packets that find no receive buffer are lost, and the next ones are not

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
missed=$(hca_counter sib1 ud_no_wqe)
# More than come, as multicast does, too
knob sib1 faults/starve 1000
refuse on h0 ping -q -c 20 -i 0.02 -W 1 10.0.0.2
starved() { [ "$(hca_counter sib1 ud_no_wqe)" -ge $((missed + 20)) ]; }
wait_for 5 starved
knob sib1 faults/starve 0
check on h0 ping -q -c 300 -i 0 -W 5 10.0.0.2
