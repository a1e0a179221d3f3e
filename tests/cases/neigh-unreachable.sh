#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# packets to a GID that nobody has are dropped and counted, and the SA is left in peace

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
check on h1 ping -c 1 -W 5 10.0.0.1
address=$(link_address h0)
ip -n h1 neigh add 10.0.0.77 lladdr "${address:0:-5}99:01" dev ib0 nud permanent

dropped=$(counter h1 tx_dropped) sent=$(hca_counter sib1 xmit_pkts)
! ours || queries=$(ethtool_stat h1 path_queries)
on h1 ping -q -c 300 -i 0.01 -W 1 10.0.0.77 >/dev/null || true
at_least "packets dropped" $((dropped + 295)) "$(counter h1 tx_dropped)"
# Others are not affected.
check on h1 ping -q -c 20 -i 0.01 -W 5 10.0.0.1

stock_fails "asks the SA again for each packet"
# In 3 s and a bit, after 1, 2 and 4 s, each with its repetitions
at_least "paths asked for" $((queries + 1)) "$(ethtool_stat h1 path_queries)"
at_most "paths asked for" $((queries + 2 + SCALE)) "$(ethtool_stat h1 path_queries)"
at_least "packets counted as unreachable" 295 "$(ethtool_stat h1 tx_unreachable)"
at_most "packets sent by the HCA" $((sent + 20 + 60)) "$(hca_counter sib1 xmit_pkts)"
