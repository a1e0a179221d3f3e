#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an interface goes down, and the driver is unloaded, within 5 s when the SA does not answer
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 3
check on h0 ping -c 1 -W 5 10.0.0.2
# Stopped, it is there but answers nothing. What is waited for: a path, and groups
kill -STOP "$(cat $STATE/opensm.pid)"
at_exit kill -CONT "$(cat $STATE/opensm.pid)"
spawn on h1 socat -u UDP4-RECV:5000,ip-add-membership=239.5.5.5:ib0 /dev/null
ip -n h1 route add 239.0.0.0/8 dev ib0
on h1 ping -q -c 1 -W 1 239.6.6.6 >/dev/null || true
on h1 ping -q -c 2 -i 0.2 -W 1 10.0.0.3 >/dev/null || true

stock_fails "waits for joins, up to 16 s"
at_most "milliseconds to set it down" $((5000 * SCALE / 2)) "$(milliseconds ip -n h1 link set ib0 down)"
check ip -n h1 link set ib0 up
nap 0.5
check no_carrier h1
at_most "milliseconds to set it down while joining" $((5000 * SCALE / 2)) \
	"$(milliseconds ip -n h1 link set ib0 down)"
check ip -n h1 link set ib0 up
nap 0.5
at_most "milliseconds to unload the driver" $((5000 * SCALE / 2)) "$(milliseconds rmmod ib_ipoib)"

kill -CONT "$(cat $STATE/opensm.pid)"
hosts_remove
load_driver
hosts 2
wait_for 10 pings h0 10.0.0.2
