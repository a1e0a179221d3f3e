#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# reliable connections on a healthy fabric: data, immediate, errors, nothing resent

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

resent=$(hca_counter sib0 rc_retransmitted)
sib_test rc-stream
sib_test rc-stream grh=1 mtu=256
sib_test rc-stream len=1 count=2000
sib_test rc-stream-srq
sib_test rc-huge
sib_test rc-self
sib_test rc-imm
expect "packets resent" "$resent" "$(hca_counter sib0 rc_retransmitted)"
sib_test rc-long
sib_test rc-key
sib_test rc-flush
