#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# datagrams through the fabric: data, GRH, immediate, Q_Key, multicast, send queue error

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh

sib_test ud-data
sib_test ud-grh
sib_test ud-self
sib_test ud-imm
sib_test ud-qkey
sib_test ud-long
sib_test ud-empty
sib_test ud-sqe
sib_test ud-mcast
