# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Shared by the scripts in this directory: where things are, and how something
# costly is made once, kept, and never seen half made.

set -euo pipefail

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$VM_DIR/../.." && pwd)
# Outside the tree, so that a second clone finds what the first one fetched.
CACHE=${IPOIB_CACHE:-${HOME:-/root}/.cache/ib_ipoib}
export VM_DIR TOP CACHE

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }
# set -e alone ends a script without a word.
set -E
trap 'say "line $LINENO: $BASH_COMMAND: exit status $?"' ERR

# make_once DIR COMMAND...: DIR exists afterwards; COMMAND is run with the path
# of a scratch directory that becomes DIR only if it succeeds.
make_once() {
	local dir=$1 lock tmp
	shift
	[ -d "$dir" ] && return 0
	mkdir -p "$(dirname "$dir")"
	exec {lock}>"$dir.lock"
	flock "$lock"
	if [ ! -d "$dir" ]; then
		rm -rf "$dir".tmp.*
		tmp=$dir.tmp.$$
		mkdir "$tmp"
		# In the foreground of set -e: a failure ends the script here.
		"$@" "$tmp"
		mv "$tmp" "$dir"
	fi
	exec {lock}>&-
}

# older_than_a_day FILE: also when there is no such file.
older_than_a_day() {
	[ -z "$(find "$1" -mmin -1440 2>/dev/null)" ]
}
