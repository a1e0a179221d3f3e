#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# thousands of packets that cannot be received or sent leave a few lines in the log
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "does not mend a queue that took no request"
settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
lines() { dmesg | grep -cE 'ib0|ib_ipoib|sib[01]' || true; }

before=$(lines)
inject sib0 h1 random=0-3 count=2000
inject sib0 h1 hex=08000000 random=0-1500 count=2000
inject sib0 h1 qkey=0x1234 random=64 count=2000
at_most "lines for what cannot be received" 10 $(($(lines) - before))

# No request is taken any more, not on sib0, where the SM posts, too.
before=$(lines)
began=$(now_ms) resets=$(ethtool_stat h1 queue_resets)
knob sib1 faults/verb post_send EIO
on h1 timeout 6 ping -q -f 10.0.0.1 >/dev/null || true
knob sib1 faults/verb off
at_least "resets" $((resets + 20)) "$(ethtool_stat h1 queue_resets)"
# Ten lines in five seconds are allowed for each kind, and the console to have more.
at_most "lines for what cannot be sent" 40 $(($(lines) - before))
at_most "milliseconds" $((20000 * SCALE)) $(($(now_ms) - began))
wait_for 15 pings h1 10.0.0.1
