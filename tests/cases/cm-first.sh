#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# the first packet to a host does not wait for a connection
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh
# shellcheck source=tests/tools/cm.sh
. /work/tests/tools/cm.sh

hosts 3
connected h0 h1 h2
first() { # ADDRESS [SIZE]: ms until there is an answer
	on h0 ping -c 1 -W 5 -s "${2:-56}" "$1" | sed -n 's/.*time=\([0-9]*\).*/\1/p'
}
small=$(first 10.0.0.2)
large=$(first 10.0.0.3 60000)
echo "first ping: $small ms; first one of 60,000 bytes: $large ms"
at_most "ms for the first ping" $((200 * SCALE)) "$small"
at_most "ms for the first large ping" $((500 * SCALE)) "$large"
ours || exit 0
# It was not even there yet.
expect "requests to a host that does not answer" 2 "$(ethtool_stat h0 cm_requests)"
