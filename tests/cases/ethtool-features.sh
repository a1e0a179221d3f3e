#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# each offload is turned off and on under traffic, and what arrives is right

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

settings_change
hosts 2
check on h0 ping -c 1 -W 5 10.0.0.2
feature() { on "$1" ethtool -k ib0 | sed -n "s/^[[:space:]]*$2: //p"; }
random_file /tmp/features 500000
at_exit rm -f /tmp/features /tmp/features.got
faultless h0 h1
for word in 'rx rx-checksumming' 'tso tx-tcp-segmentation' 'gso generic-segmentation-offload' \
	'gro generic-receive-offload' 'tx tx-checksum-ipv4'; do
	expect "${word#* }" on "$(feature h0 "${word#* }")"
	for host in h0 h1; do
		check on $host ethtool -K ib0 "${word% *}" off
	done
	expect "${word#* }" off "$(feature h0 "${word#* }")"
	copy h0 h1 10.0.0.2 /tmp/features
	for host in h0 h1; do
		check on $host ethtool -K ib0 "${word% *}" on
	done
	copy h0 h1 10.0.0.2 /tmp/features
done
still_faultless h0 h1
for fixed in rxvlan ntuple rxhash; do
	refuse on h0 ethtool -K ib0 $fixed on
done
