#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an event of the port that ib_core could not pass on is made up for
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
# ib_core asks for the port's state before it tells its clients. Without an answer it
# tells them nothing.
knob sib1 faults/verb "query_port ENOMEM next=1"
at_exit knob sib1 faults/verb off
lost() { [[ $(<"$SIB/sib1/faults/verb") == *"query_port "*" next=0 "* ]]; }
link_down sib1
wait_for 5 lost
stock_fails "the carrier stays on until the next event"
wait_for 20 no_carrier h1
link_up sib1
wait_carrier h1
wait_for 5 pings h0 10.0.0.2
