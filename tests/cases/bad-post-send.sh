#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# requests that cannot be posted are lost and counted, and the queue goes on at once
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

lost_at_h1() { echo $(($(counter h1 tx_errors) + $(counter h1 tx_dropped))); }

hosts 2
check on h1 ping -c 1 -W 5 10.0.0.1
before=$(lost_at_h1)
at_exit rm -f /tmp/post-send
# Not on sib0, where the SM posts, too
fault sib1 verb post_send ENOMEM next=1
on h1 ping -q -c 20 -i 0.1 -W 1 10.0.0.1 >/tmp/post-send || true
at_most "pings lost of 2 s" 10 "$(lost /tmp/post-send)"
at_least "packets counted as lost" $((before + 1)) "$(lost_at_h1)"
check on h1 ping -q -c 300 -i 0 -W 5 10.0.0.1
