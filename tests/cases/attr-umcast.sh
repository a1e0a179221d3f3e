#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# with umcast an interface leaves groups alone that another on its port is in
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
hosts 2
# The other is a second interface of the port: what user programs do needs verbs that
# the fabric does not have.
ip netns add other
ip -n h1 link add link ib0 name other netns other type ipoib
ip -n other addr add 10.0.0.99/24 dev other
ip -n other link set other up
wait_carrier other other
spawn on other socat -u UDP4-RECV:5000,ip-add-membership=239.1.2.3:other /dev/null
wait_for 5 group_exists "$(mgid 239.1.2.3)"
ip -n h0 route add 239.1.2.0/24 dev ib0

on h1 sh -c 'echo 1 >/sys/class/net/ib0/umcast'
at_exit rm -f /tmp/got
true >/tmp/got
spawn on h1 socat -u UDP4-RECV:5000,ip-add-membership=239.1.2.3:ib0 OPEN:/tmp/got,append
spawn on h1 socat -u UDP4-RECV:5001,ip-add-membership=239.1.2.4:ib0 OPEN:/tmp/got,append
wait_for 5 group_exists "$(mgid 239.1.2.4)"
send() { echo "$1" | on h0 socat -u - "UDP4-DATAGRAM:239.1.2.$2:$3"; }
heard() { # GROUP PORT
	send "for $1" "$1" "$2"
	grep -q "for $1" /tmp/got
}
# One that nobody was in is joined.
wait_for 10 heard 4 5001
for i in 1 2 3; do
	send "for 3" 3 5000
	nap 0.2
done
refuse grep 'for 3' /tmp/got
stock_fails "looks at its groups again only when the stack's list changes"
# It is the file that makes the difference.
on h1 sh -c 'echo 0 >/sys/class/net/ib0/umcast'
wait_for 10 heard 3 5000
