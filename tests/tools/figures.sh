# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# How cases print what they measure, for tests/compare.

# figure WHAT NUMBER UNIT: one line
figure() {
	echo "FIGURE $1: $2${3:+ $3}"
}

# median: of the numbers, one on a line
median() {
	sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}
