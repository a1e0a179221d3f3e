#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the GUID in the link-layer address can be chosen, within limits; children follow their parent
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
red_partition
hosts 2
child h0 8001 1
child h1 8001 2
child h1 8001 3 own
wait_for 20 pings h0 10.1.0.2
own=$(link_address h1) gid=$(gid sib1)
set_address() { ip -n h1 link set "$1" address "$2"; }
guid() { link_address h1 "$1" | cut -c 37-; }
port_guid=$(guid ib0)
other=00:11:22:33:44:55:66:77
mine=00:11:22:33:44:55:66:88

# Not while it is up; not the flags, the QPN, the prefix; not 0
refused_with 'busy' set_address ib0 "${own:0:36}$other"
ip -n h1 link set ib0 down
refused_with 'Invalid argument' set_address ib0 "40:${own:3:33}$other"
refused_with 'Invalid argument' set_address ib0 "${own:0:3}ff${own:5:31}$other"
refused_with 'Invalid argument' set_address ib0 "${own:0:12}fe:80:00:00:00:00:00:01:$other"
refused_with 'Invalid argument' set_address ib0 "${own:0:36}00:00:00:00:00:00:00:00"
expect "GUID after refusals" "$port_guid" "$(guid ib0)"

# A GUID that the SM has not given to the port: no carrier; its child goes with it, but
# for one that has its own.
stock_fails "a child keeps no address of its own"
ip -n h1 link set own down
address=$(link_address h1 own)
check set_address own "${address:0:36}$mine"
check set_address ib0 "${own:0:36}$other"
expect "GUID of ib0" $other "$(guid ib0)"
expect "GUID of ib0.8001" $other "$(guid ib0.8001)"
expect "GUID of own" $mine "$(guid own)"
ip -n h1 link set ib0 up
nap 1
check no_carrier h1
check no_carrier h1 ib0.8001
check no_carrier h1 own

# And back; a child that is up follows without going down.
ip -n h1 link set ib0 down
ip -n h1 link set ib0.8001 up
check set_address ib0 "$own"
expect "GUID of ib0.8001" "$port_guid" "$(guid ib0.8001)"
wait_carrier h1 ib0.8001
wait_for 20 pings h0 10.1.0.2
ip -n h1 link set ib0 up
wait_carrier h1
wait_for 20 pings h0 10.0.0.2
check no_carrier h1 own

# Chosen when it is made
ip -n h1 link add link ib0 name made address "${own:0:36}$mine" type ipoib pkey 0x8001
expect "GUID of made" $mine "$(guid made)"
refuse expect "QPN" "$(qpn h1)" "$(qpn h1 made)"
expect "GID of the port" "$gid" "$(gid sib1)"
