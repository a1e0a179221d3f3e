#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# infiniband-diags give the right answers for 64 HCAs
# TIME: 120

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/fabric.sh
. /work/tests/tools/fabric.sh
# shellcheck source=tests/tools/diags.sh
. /work/tests/tools/diags.sh

diags 64
