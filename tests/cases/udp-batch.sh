#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a burst of packets costs few doorbells and few completions

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

stock_fails "has a doorbell and a completion for each packet"
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
doorbells=$(hca_counter sib0 post_send_calls) requests=$(hca_counter sib0 send_requests)
completions=$(hca_counter sib0 send_cqes)
# One write that the stack cuts into 50 datagrams of 1,000 bytes, twenty times
spawn on h1 socat -u UDP4-RECV:5000 /dev/null
wait_for 5 bound h1 5000
check on h0 /work/tests/tools/burst.py 10.0.0.2 5000 1000 50 20
requests=$(($(hca_counter sib0 send_requests) - requests))
at_least "send requests" 1000 $requests
at_most "send requests" 1100 $requests
at_most "doorbells" $((requests / 4)) $(($(hca_counter sib0 post_send_calls) - doorbells))
at_most "completions" $((requests / 4)) $(($(hca_counter sib0 send_cqes) - completions))
