#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# segments that an HCA cuts are, byte for byte, those of software

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

requests=$(hca_counter sib0 lso_requests)
sib_test lso count=100
expect "large sends" $((requests + 100)) "$(hca_counter sib0 lso_requests)"
sib_test lso count=20 grh=1
