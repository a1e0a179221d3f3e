#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# datagrams of 60,000 bytes, each 30 fragments, arrive both ways
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 2
faultless h0 h1
failed=$(snmp h1 IpReasmFails)
both_ways 10.0.0.1 10.0.0.2 60 60000 3
at_least "fragments made by h0" $((60 * 30)) "$(snmp h0 IpFragCreates)"
expect "datagrams put together by h1" 60 "$(snmp h1 IpReasmOKs)"
expect "failures to put one together" "$failed" "$(snmp h1 IpReasmFails)"
still_faultless h0 h1
