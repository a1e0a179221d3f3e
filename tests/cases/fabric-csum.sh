#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# checksums that an HCA computes and verifies are those of software

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

tx=$(hca_counter sib0 csum_tx) ok=$(hca_counter sib1 csum_rx_ok)
sib_test csum count=300
sib_test csum-none
expect "frames checksummed by sib0" $((tx + 300)) "$(hca_counter sib0 csum_tx)"
# each of the 300 goes with offload, without, and broken
expect "frames found right by sib1" $((ok + 600)) "$(hca_counter sib1 csum_rx_ok)"
