#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an HCA without checksum, LSO and long gather lists sends and receives what others do
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

# Two entries: the rest of a packet in many pieces has to be made one.
hca_add sib4 csum=0 lso=0 max_send_sge=2
at_exit hca_remove sib4
wait_active sib4
hosts 5
random_file /tmp/tcp-plain 2000000
at_exit rm -f /tmp/tcp-plain /tmp/tcp-plain.got
faultless h0 h4
copy h4 h0 10.0.0.1 /tmp/tcp-plain
copy h0 h4 10.0.0.5 /tmp/tcp-plain
copy h4 h0 fd00::1 /tmp/tcp-plain
expect "LSO requests to an HCA that has none" 0 "$(hca_counter sib4 lso_requests)"
expect "checksums by an HCA that has none" 0 "$(hca_counter sib4 csum_tx)"
still_faultless h0 h4
