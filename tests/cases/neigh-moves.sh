#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a peer that comes back with another QPN is found again without its help
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

# A fresh HCA gives the same QPNs again: see to it that h1 has another one at first.
unload_driver
load_driver
hosts 2
# Found out about sooner than by default, for the sake of time.
on h0 sysctl -q net.ipv4.neigh.ib0.delay_first_probe_time=1 \
	net.ipv4.neigh.ib0.retrans_time_ms=250 net.ipv4.neigh.ib0.base_reachable_time_ms=2000
check on h0 ping -c 1 -W 5 10.0.0.2
old=$(link_address h1)

hca_remove sib1
ip netns del h1
rm $STATE/h1
hca_add sib1
wait_active sib1
hosts 2
new=$(link_address h1)
expect "GID afterwards" "${old:12}" "${new:12}"
refuse [ "$old" = "$new" ]

expect_match "10.0.0.2 as h0 knew it" "lladdr $old" "$(ip -n h0 neigh show to 10.0.0.2)"
wait_for 10 pings h0 10.0.0.2
expect_match "10.0.0.2 as h0 knows it" "lladdr $new" "$(ip -n h0 neigh show to 10.0.0.2)"
