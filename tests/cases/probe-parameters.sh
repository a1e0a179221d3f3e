#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# queue sizes are module parameters, rounded up and kept within limits
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

sizes() { # WHAT SEND RECEIVE PARAMETER...
	local what=$1 send=$2 receive=$3
	shift 3
	unload_driver
	load_driver "$@"
	expect "$what: send_queue_size" "$send" "$(cat /sys/module/ib_ipoib/parameters/send_queue_size)"
	expect "$what: recv_queue_size" "$receive" "$(cat /sys/module/ib_ipoib/parameters/recv_queue_size)"
}

sizes defaults 128 256
sizes 'to a power of two' 256 512 send_queue_size=129 recv_queue_size=257
sizes 'not above the greatest' 8192 8192 send_queue_size=9000 recv_queue_size=100000
# Queues as short as can be still carry traffic.
sizes 'not below the least' 128 2 send_queue_size=1 recv_queue_size=1
hosts 2
check on h0 ping -q -c 20 -i 0.05 -W 2 10.0.0.2
