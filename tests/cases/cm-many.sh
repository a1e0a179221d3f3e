#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# sixteen hosts have connections each to each
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

n=$(scaled 16 6)
settings_change
fabric_reload hcas="$n"
hosts "$n"
for ((k = 0; k < n; k++)); do
	check mode h$k connected
done
begin=$(now_ms)
for ((k = 0; k < n; k++)); do
	for ((m = 0; m < n; m++)); do
		[ $m = $k ] || echo "10.0.0.$((m + 1))"
	done >/tmp/cm.peers.$k
	# Until one is answered, as a host has room for few large answers that wait for
	# connections.
	# shellcheck disable=SC2016 # for that shell
	on h$k bash -c 'while read -r ip; do ping -q -c 1 -i 0.3 -w '$((5 * SCALE))' -s 30000 "$ip" >/dev/null || echo "$ip"; done' \
		</tmp/cm.peers.$k >/tmp/cm.missing.$k &
	pids[k]=$!
done
for ((k = 0; k < n; k++)); do
	wait "${pids[k]}"
	expect "hosts that h$k does not reach" '' "$(xargs </tmp/cm.missing.$k)"
done
echo "all to all in $(($(now_ms) - begin)) ms"
expect "QPs of connections of h1" $((2 * (n - 1))) "$(rc_qps sib1)"
! ours || expect "requests of h1" $((n - 1)) "$(ethtool_stat h1 cm_requests)"
