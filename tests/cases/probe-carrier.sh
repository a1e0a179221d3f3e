#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# there is a carrier only while the subnet manager has the port Active and answers
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
# With no SM, a port that comes back stays in Init.
opensm_stop
link_down sib1
wait_for 5 no_carrier h1
link_up sib1
nap 1
expect "state of sib1's port without SM" Init "$(port_state sib1)"
check no_carrier h1
check carrier h0

# An SM that makes it Active but tells nobody of groups is not enough.
fault sib1 drop class=sa dir=both
opensm_start
wait_active sib1
nap 1
check no_carrier h1
refuse pings h0 10.0.0.2

fault sib1 drop off
wait_carrier h1
wait_for 10 pings h0 10.0.0.2
