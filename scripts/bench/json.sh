# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Results of scripts/bench as JSON. Source this file after lib.sh, in the top
# directory of the sources.

# bench_json BENCHMARK COLUMN... -- SIDE KERNEL...: reads lines of results, with
# a value or "-" for each COLUMN, and writes build/bench/BENCHMARK.json, which has
# an object with the values of each line. SIDE is module or in-kernel, measured
# on KERNEL. Results are instructions unless bench_unit is set.
bench_json()
{
	local benchmark=$1 columns=() kernels='{}' commit
	shift
	while [[ $1 != -- ]]; do
		columns+=("$1")
		shift
	done
	shift
	need_packages jq
	while (($#)); do
		kernels=$(jq -c --arg side "$1" --arg name "$2" \
			--arg release "$(scripts/vm/kernel "$2" release)" \
			'.[$side] = {$name, $release}' <<<"$kernels")
		shift 2
	done
	# Archives of the sources have no commit.
	commit=$(git describe --always --dirty --exclude '*' 2>/dev/null) ||
		commit=
	# shellcheck disable=SC2016
	jq -n -R --arg benchmark "$benchmark" --argjson kernels "$kernels" \
		--arg unit "${bench_unit:-instructions}" \
		--arg date "$(date -u +%F)" --arg commit "$commit" \
		--arg version "$(<VERSION)" '{
			$benchmark, $unit, $date, $version,
			$commit, $kernels,
			results: [inputs / " " |
				[$ARGS.positional, map(tonumber? // .)] |
				transpose | map(select(.[1] != "-") |
				{(.[0]): .[1]}) | add]
		}' --args "${columns[@]}" >"build/bench/$benchmark.json"
}
