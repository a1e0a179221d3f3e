#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the scope of an interface's groups follows its broadcast address, a child's too
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/child.sh
. /work/tests/tools/child.sh

settings_change
# Also a broadcast group of site scope
partitions 'Default=0x7fff, ipoib : mgid=ff15:401b::ffff:ffff, scope=5' 'ALL=full;' \
	'red=0x0001, ipoib : mgid=ff15:401b::ffff:ffff, scope=5' 'ALL=full;'
opensm_start
wait_for 20 has_pkeys sib1 "0xffff 0x8001"
wait_for 20 group_exists ff15:401b:8001::ffff:ffff
hosts 2
child h0 8001 1
child h1 8001 2
wait_for 20 pings h0 10.1.0.2
wait_for 5 group_exists ff12:401b:8001::1
for setting in 'ib0 ff:ff ffff 10.0.0.2' 'ib0.8001 80:01 8001 10.1.0.2'; do
	# shellcheck disable=SC2086 # words
	set -- $setting
	for host in h0 h1; do
		check ip -n $host link set "$1" broadcast "00:ff:ff:ff:ff:15:40:1b:$2:00:00:00:00:00:00:ff:ff:ff:ff"
		# The stack maps its groups with the broadcast address when it joins them.
		ip -n $host link set "$1" down
		ip -n $host link set "$1" up
	done
	wait_carrier h0 "$1"
	wait_carrier h1 "$1"
	wait_for 10 pings h0 "$4"
	wait_for 10 group_exists "ff15:401b:$3::1"
	wait_for 10 no_group "ff12:401b:$3::1"
done
