#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# two hosts ping each other over IPv4 and lose nothing

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

hosts 2
check on h0 ping -c 3 -i 0.2 -W 2 10.0.0.2
check on h1 ping -c 3 -i 0.2 -W 2 10.0.0.1
