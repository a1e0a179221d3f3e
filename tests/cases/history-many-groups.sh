#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# 500 groups are joined and left while the SA is slow, and the interface can go meanwhile
# TIME: 180

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
on h1 sysctl -q net.ipv4.igmp_max_memberships=600
# What a socket can have for its memberships; namespaces have their own since Linux 6.8.
optmem=$(sysctl -n net.core.optmem_max)
at_exit sysctl -q "net.core.optmem_max=$optmem"
sysctl -q net.core.optmem_max=$((1 << 18))
on h1 sysctl -q net.core.optmem_max=$((1 << 18)) 2>/dev/null || true
number=$(scaled 500 60)
check on h0 ping -c 1 -W 5 10.0.0.2
fault sib1 delay class=sa method=get-resp dir=rx ms=50
! ours || joins=$(ethtool_stat h1 mcast_joins)
check ip -n h1 -batch - < <(groups_batch add "$number")
# In the midst of it: traffic goes on, and it can be set down.
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
at_most "milliseconds to set it down" $((5000 * SCALE / 2)) "$(milliseconds ip -n h1 link set ib0 down)"
check ip -n h1 link set ib0 up
wait_for 60 groups_are "$number"
if ours; then
	# None twice, but for those under way when it was set down, and the stack's own
	at_most "joins asked for" $((joins + 2 * number + 100)) "$(ethtool_stat h1 mcast_joins)"
	expect "joins that failed" 0 "$(ethtool_stat h1 mcast_join_failures)"
fi
check ip -n h1 -batch - < <(groups_batch del "$number")
wait_for 60 groups_are 0
fault sib1 delay off
check on h0 ping -q -c 20 -i 0.01 -W 5 10.0.0.2
