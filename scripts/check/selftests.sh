# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The kselftests as programs. Source it after lib.sh, in the top directory.

# build_selftests DIRECTORY [KERNEL]: ours in DIRECTORY, the kernel's own in "upstream" and "upstream-newest" there, by
# the compiler for KERNEL's architecture (default: this machine's). Several checks may want the same at the same time.
build_selftests()
{
	local built=$1 compiler=${2:-stock-6.1}
	build_lock "$built"
	scripts/vm/root --kernel "$compiler" --bind "$PWD" -- make --silent -C selftests O="$built" >&2
	selftests/upstream/build "$built/upstream" 6.1 "$compiler" >&2
	selftests/upstream/build "$built/upstream-newest" newest "$compiler" >&2
	build_unlock
}
