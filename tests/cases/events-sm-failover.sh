#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a standby subnet manager takes over on another host: no packet is lost
# TIME: 90

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/events.sh
. /work/tests/tools/events.sh

mkdir -p $STATE/standby
at_exit rm -rf $STATE/standby
OSM_TMP_DIR=$STATE/standby OSM_CACHE_DIR=$STATE/standby spawn opensm -g "$(port_guid sib3)" -s 2 \
	-P $STATE/partitions.conf -p 0 -f $STATE/standby/log >/dev/null
sm_lid() { sminfo -C sib2 | sed -n 's/sminfo: sm lid \([0-9]*\) .*/\1/p'; }
standby() { sminfo -C sib2 "$(lid sib3)" | grep -q STANDBY; }
wait_for 20 standby
hosts 3
streams_start
opensm_stop
over() { [ "$(sm_lid)" = "$(lid sib3)" ]; }
wait_for 60 over
wait_for 20 everyone_joined
ours || { streams_report "SM fails over"; stock_fails "stops to send until it has asked for all paths again"; }
nothing_lost "SM fails over"
neigh_flush h0
wait_for 2 pings h0 10.0.0.3
