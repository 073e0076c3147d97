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
	mkdir -p "$built"
	if [[ $(scripts/vm/root --kernel "$compiler") == / ]]; then
		make_selftests "$compiler" "$built"
	else
		copy_selftests "$compiler" "$built"
	fi
	selftests/upstream/build "$built/upstream" 6.1 "$compiler" >&2
	selftests/upstream/build "$built/upstream-newest" newest "$compiler" >&2
	build_unlock
}

make_selftests()
{
	scripts/vm/root --kernel "$1" --bind "$PWD" --bind "$2" -- \
		make --silent -C selftests O="$2" >&2
}

# Build roots have no ccache, so the programs are kept in the cache.
copy_selftests()
{
	local sources key entry
	mapfile -d '' sources < <(find selftests uapi scripts/if_changed.mk \
		-type f -print0 | sort -z)
	key=$(content_key "$(scripts/vm/root --kernel "$1")" \
		"$USER_EVENTS_WERROR" "${sources[@]}" \
		"$(file_key "${sources[@]}")")
	# Another check can use the programs meanwhile.
	[[ $(cat "$2/key" 2>/dev/null) != "$key" ]] || return 0
	entry=$(cache_fill "selftests/$1-$key" keep_selftests "$1")
	rm -f "$2/key"
	cp -r --remove-destination "$entry"/. "$2"
	echo "$key" >"$2/key"
}

keep_selftests()
{
	make_selftests "$1" "$2"
	find "$2" \( -name '*.[do]' -o -name '*.cmd' -o -type d -empty \) \
		-delete
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

# Adds the totals of several runs: a line "N passed, N failed, N skipped" becomes
# a comment, and the last line is the sum.
sum_totals()
{
	awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
			passed += $1
			failed += $3
			skipped += $5
			print "# " $0
			next
		}
		{ print }
		END {
			printf "%d passed, %d failed, %d skipped\n", passed,
				failed, skipped
		}'
}
