#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# send queue places, completion events and their moderation, CQ overrun, flush, what each state takes

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

sib_test signal
sib_test states
sib_test purge
sib_test notify
sib_test moderate
sib_test overrun
sib_test drain
