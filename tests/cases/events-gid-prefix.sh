#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the GID prefix changes: addresses follow, carrier stays, and traffic is back within 1 s
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

# The next fabric begins with the usual prefix.
at_exit rm -f $STATE/params
hosts 3
streams_start
changes() { net_file "$1" ib0/carrier_changes; }
before="$(changes h0) $(changes h1) $(changes h2)"
opensm_start --subnet_prefix 0xfec0000000000001
# prefix HOST: in its interface's link-layer address
prefix() { link_address "$1" | cut -c 13-35; }
follow() { [ "$(prefix h0) $(prefix h1) $(prefix h2)" = "$1 $1 $1" ]; }
changed() { [[ $(gid sib0),$(gid sib1),$(gid sib2) =~ ^fec0:.*,fec0:.*,fec0: ]]; }
wait_for 20 changed
wait_for 5 follow fe:c0:00:00:00:00:00:01
wait_for 20 streams_flow
streams_report "GID prefix changes"
at_most "milliseconds without a datagram" $((1000 * SCALE)) "$UDP_GAP"
expect "changes of carrier" "$before" "$(changes h0) $(changes h1) $(changes h2)"
# By what h1 tells; it is asked only when the entry is old.
knows() { [[ $(ip -n h0 neigh show to 10.0.0.2) == *"lladdr $(link_address h1)"* ]]; }
! ours || wait_for 3 knows
neigh_flush h0
wait_for 4 pings h0 10.0.0.3
wait_for 4 pings h0 fd00::3
expect_match "10.0.0.3 as h0 knows it" "lladdr $(link_address h2)" "$(ip -n h0 neigh show to 10.0.0.3)"
