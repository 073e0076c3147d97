# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Builds the kselftests and selects those for a guest. Source this file after
# lib.sh, in the top directory.

# build_selftests DIRECTORY [KERNEL]: builds our kselftests in DIRECTORY and the
# kernel's in its "upstream" and "upstream-newest", for the architecture of
# KERNEL (default: this machine's). Several checks can build them at the same
# time.
build_selftests()
{
	local built=$1 compiler=${2:-stock-6.1}
	build_lock "$built"
	scripts/vm/root --kernel "$compiler" --bind "$PWD" -- make --silent \
		-C selftests O="$built" >&2
	selftests/upstream/build "$built/upstream" 6.1 "$compiler" >&2
	selftests/upstream/build "$built/upstream-newest" newest "$compiler" >&2
	build_unlock
}

# select_selftests DIRECTORY [PROGRAM[.TEST]...]: sets selftests_add to options of
# scripts/vm/run that add these programs (default: all) and the script that runs
# them as /selftests. A guest unpacks everything that is added.
select_selftests()
{
	local built=$1 program
	shift
	(($#)) || set -- "$built"/*_test
	selftests_add=()
	for program in run "$@"; do
		program=${program##*/}
		program=${program%%.*}
		selftests_add+=(--add "$built/$program:/selftests/$program")
	done
}
