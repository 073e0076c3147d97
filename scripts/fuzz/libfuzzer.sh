# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Runs fuzz targets that are libFuzzer programs, for the parts of
# scripts/fuzz/run. Source this file after lib.sh, call fuzz_options, set the
# following variables and functions in the top directory, and call fuzz_main.
#
#   out            directory of the programs $out/TARGET, logs and crashes
#   found          directory of inputs that were found, $found/TARGET
#   corpus         directory of known inputs, a file for each target, a line for
#                  each input; lines at the top that start with # are comments
#   work           temporary directory
#   source_dir     directory whose lines are printed from sanitizer reports
#   max_len        maximum length of an input
#   merge_options  options of libFuzzer that reduces the inputs (array)
#   covered_files  condition in awk for files whose coverage is printed, which
#                  needs the program $out/reached
#
#   unpack TARGET  creates known inputs as files in $work/TARGET
#   pack DIR       prints the files of DIR as lines of the corpus

# shellcheck source=scripts/check/lib/tap.sh
. "${here:?}/../check/lib/tap.sh"

: "${out:=}" "${found:=}" "${corpus:=}" "${work:=}" "${source_dir:=}"
: "${max_len:=}" "${covered_files:=}"
merge_options=()

seconds=60
keep=
targets=()

# Allocations are checked for each input. A search for leaks takes long and does
# not work everywhere.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16
export UBSAN_OPTIONS=print_stacktrace=1

# fuzz_options ARG...: parses the command line.
fuzz_options()
{
	while (($#)); do
		case $1 in
		--help) show_help; exit ;;
		--time) seconds=${2-}; shift 2 || die "--time: missing value" ;;
		--keep) keep=yes; shift ;;
		-*) die "$1: unknown option; see --help" ;;
		*) break ;;
		esac
	done
	[[ $seconds =~ ^[0-9]+$ ]] || die "$seconds: not a number of seconds"
	targets=("$@")
}

# fuzz_choose TARGET...: selects all of these targets unless some were given.
fuzz_choose()
{
	local target
	((${#targets[@]})) || targets=("$@")
	for target in "${targets[@]}"; do
		[[ " $* " == *" $target "* ]] ||
			die "$target: unknown target; known targets are: $*"
	done
}

# figure NAME FILE: prints the last number after NAME in a log.
figure()
{
	grep -oE "$1 +[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$' || echo 0
}

print_failure()
{
	local log=$1 target=$2 input
	# The error, and stack frames in the sources.
	grep -E -e "expectation failed|not true|not so|ERROR|runtime error" \
		-e "\\b$source_dir/" "$log" | sed "s,$PWD/,,; s,^,# ," |
		head -n 20 || true
	input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
	[[ -z $input ]] || printf '# to reproduce: (cd %q && %q %q)\n' "$PWD" \
		"$out/$target" "$input"
}

# run_target TARGET SECONDS
run_target()
{
	local target=$1 dir=$out/tried/$1 status=0
	mkdir -p "$dir"
	: >"$dir/log"
	"$out/$target" -max_total_time="$2" -max_len="$max_len" -timeout=20 \
		-rss_limit_mb=1024 -print_final_stats=1 -verbosity=1 \
		-artifact_prefix="$dir/" "$found/$target" "$work/$target" \
		>"$dir/log" 2>&1 </dev/null || status=$?
	tap_result "$status" "$(printf '%s: %d executions, %d edges, %d found' \
		"$target" "$(figure number_of_executed_units: "$dir/log")" \
		"$(figure 'cov:' "$dir/log")" \
		"$(find "$found/$target" -type f | wc -l)")"
	((status == 0)) || print_failure "$dir/log" "$target"
}

# Prints the coverage of each file by all inputs of all targets.
print_coverage()
{
	local target counts
	find "$out/gcov" -name '*.gcda' -delete
	for target in "${targets[@]}"; do
		"$out/reached" run "$target" "$work/$target" "$found/$target" ||
			return 0
	done
	mapfile -t counts < <(find "$out/gcov" -name '*.gcda')
	gcov --no-output --branch-probabilities "${counts[@]}" | awk -F "[':]" '
		/^File/ { file = $2 }
		/^Lines executed/ { lines = $2 }
		/^Taken at least once/ && '"$covered_files"' {
			print "# " file ": " lines " lines, " $2 " branches"
		}' | sort
}

# reduce_corpus TARGET: replaces the inputs of the corpus by the smallest ones
# with the same coverage.
reduce_corpus()
{
	local target=$1 file=$corpus/$1 lines=$work/$1.lines
	mkdir "$work/$target.least"
	"$out/$target" -merge=1 "${merge_options[@]}" -max_len="$max_len" \
		"$work/$target.least" "$work/$target" "$found/$target" \
		>"$work/$target.log" 2>&1 </dev/null ||
		die "$(tail -n 5 "$work/$target.log")"
	sed -n '/^#/!q; p' "$file" >"$lines"
	pack "$work/$target.least" >>"$lines"
	cat "$lines" >"$file"
	say "$file: $(grep -c -v '^#' "$lines") inputs," \
		"$(stat -c %s "$lines") bytes"
}

# Runs all targets, $seconds together; with --keep, reduces the corpus.
fuzz_main()
{
	local target each=$((seconds / ${#targets[@]}))
	for target in "${targets[@]}"; do
		mkdir -p "$found/$target" "$work/$target"
		unpack "$target"
	done
	if ((seconds)); then
		tap_start
		for target in "${targets[@]}"; do
			run_target "$target" $((each ? each : 1))
		done
		[[ -z $covered_files ]] || ((tap_failed)) || print_coverage
		tap_finish || true
	fi
	if [[ -n $keep ]]; then
		for target in "${targets[@]}"; do
			reduce_corpus "$target"
		done
	fi
	((tap_failed == 0))
}
