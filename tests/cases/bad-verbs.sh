#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# verbs that fail: no interface, no carrier or a lost packet, and all is well the next time
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
# At probe: the other ports have their interfaces.
unload_driver
fault sib1 verb create_qp ENOMEM
load_driver
expect "interfaces without a QP on sib1" 3 "$(interfaces | wc -l)"
refuse iface sib1
unload_driver
fault sib1 verb off
fault sib2 verb create_cq ENOMEM skip=1
load_driver
expect "interfaces without a second CQ on sib2" 3 "$(interfaces | wc -l)"
refuse iface sib2
unload_driver
fault sib2 verb off
load_driver
wait_for 10 interface_each

# At open
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
ip -n h1 link set ib0 down
fault sib1 verb modify_qp EINVAL next=1
refuse ip -n h1 link set ib0 up
if ! ours; then
	check ip -n h1 link set ib0 up
	wait_carrier h1
	stock_fails "leaves its QP in RTS when it cannot post receives, and does not come up again"
fi
fault sib1 verb post_recv ENOMEM next=1
refuse ip -n h1 link set ib0 up
check ip -n h1 link set ib0 up
wait_carrier h1
wait_for 10 pings h1 10.0.0.1

# When it is set down, to Error or to Reset: the next time it begins with that
for skip in 0 1; do
	fault sib1 verb modify_qp EINVAL skip=$skip next=1
	check ip -n h1 link set ib0 down
	expect "verbs that failed" 1 "$(knob sib1 faults/verb | grep -c '^modify_qp .*next=0 ')"
	check ip -n h1 link set ib0 up
	wait_carrier h1
	wait_for 10 pings h1 10.0.0.1
done

# When it leaves groups
fault sib1 verb detach_mcast ENOMEM next=1
check ip -n h1 link set ib0 down
expect "verbs that failed" 1 "$(knob sib1 faults/verb | grep -c '^detach_mcast .*next=0 ')"
check ip -n h1 link set ib0 up
wait_carrier h1

# When it joins: again and again until it works
ip -n h1 link set ib0 down
fault sib1 verb attach_mcast EIO next=2
check ip -n h1 link set ib0 up
wait_for 20 carrier h1
wait_for 10 pings h1 10.0.0.1

# When it has found a path: as if there were none
fault sib0 verb create_ah ENOMEM next=1
ip -n h0 link set ib0 down
ip -n h0 link set ib0 up
wait_carrier h0
wait_for 20 pings h0 10.0.0.2

# When it arms a CQ: no event will come, so it must not wait for one
fault sib1 verb req_notify ENOMEM next=5
check on h1 ping -q -c 10 -i 0.05 -W 5 10.0.0.1
at_least "times it could not" 5 "$(knob sib1 faults/verb | sed -n 's/^req_notify .*hits=//p')"
