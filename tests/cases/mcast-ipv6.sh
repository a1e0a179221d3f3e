#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an IPv6 group: joined by a receiver, seen by the SM, sent to by a non-member, gone at the end

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
group=ff15::1234:5678 mgid=ff12:601b:ffff::1234:5678
check no_group $mgid

at_exit rm -f /tmp/mcast
spawn on h1 /work/tests/tools/mcast.py receive $group ib0 5000 /tmp/mcast
wait_for 5 group_exists $mgid
expect "members" "$(host_gid h1)" "$(group_members $mgid)"

# h0 is no member, so joins to send.
send() { check on h0 /work/tests/tools/mcast.py send $group ib0 5000 "$1"; }
send 'too early, perhaps'
wait_for 5 forwarded $mgid sib1
nap 0.2
true >/tmp/mcast
for i in 1 2 3; do
	send "datagram $i"
done
arrived() { [ "$(cat /tmp/mcast)" = $'datagram 1\ndatagram 2\ndatagram 3' ]; }
wait_for 5 arrived

# The receiver ends, and its membership with it.
kill "${SPAWNED[0]}"
left() { [ "$(group_members $mgid)" = "$(host_gid h0)" ]; }
wait_for 5 left
ip -n h0 link set ib0 down
wait_for 5 no_group $mgid
