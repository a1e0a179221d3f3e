#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a GUID that the SM assigns is noticed; a table of GIDs that is written again is no outage
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
# The next fabric begins with the GUIDs of its ports alone.
at_exit rm -f $STATE/params
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
lid() { echo "$(<"/sys/class/infiniband/$1/ports/1/lid")"; }

# ib_core tells no client that a GUID has come.
own=$(link_address h1)
guid=00:11:22:33:44:55:66:77
ip -n h1 link set ib0 down
check ip -n h1 link set ib0 address "${own:0:36}$guid"
ip -n h1 link set ib0 up
nap 2
check no_carrier h1
check /work/tests/tools/mad.py sib0 alias "$(lid sib1)" 0x0011223344556677
assigned() { [[ $(first_line /sys/class/infiniband/sib1/ports/1/gids/1) == *:0011:2233:4455:6677 ]]; }
wait_for 5 assigned
stock_fails "a GUID that is not the port's yet is looked for again only after an event"
wait_for 5 carrier h1
neigh_flush h0
wait_for 5 pings h0 10.0.0.2
expect_match "h1 as h0 knows it" "lladdr .*:$guid" "$(ip -n h0 neigh show to 10.0.0.2)"

# After each of these ib_core writes the table again, that GUID's entry too.
changes=$(net_file h1 ib0/carrier_changes)
check /work/tests/tools/mad.py sib0 churn "$(lid sib1)" "$(scaled 100 20)"
wait_for 5 pings h0 10.0.0.2
nap 1
expect "changes of carrier" "$changes" "$(net_file h1 ib0/carrier_changes)"
