#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a file arrives unharmed, with all offloads and with each of them off
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
hosts 2
random_file /tmp/tcp-data 2000000
at_exit rm -f /tmp/tcp-data /tmp/tcp-data.got
faultless h0 h1
copy h0 h1 10.0.0.2 /tmp/tcp-data
copy h1 h0 fd00::1 /tmp/tcp-data
for off in 'tso off' 'tx off' 'rx off' 'gso off' 'gro off'; do
	for host in h0 h1; do
		# One after the other, so that the last has all of them off.
		# shellcheck disable=SC2086 # two words
		check on $host ethtool -K ib0 $off
	done
	copy h0 h1 10.0.0.2 /tmp/tcp-data
done
copy h1 h0 10.0.0.1 /tmp/tcp-data
still_faultless h0 h1
