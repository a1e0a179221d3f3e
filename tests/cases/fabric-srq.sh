#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# an SRQ reports its limit, a QP on it the last WQE

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

sib_test rc-srq-limit
sib_test rc-last-wqe
