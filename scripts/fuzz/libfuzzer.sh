# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A part of make fuzz that is made of programs of libFuzzer, run one after the other. Source it after lib.sh. Who does says
# before anything is tried, from the top of the tree:
#
#	out      where the programs are, $out/TARGET, and what they say and find wrong
#	found    where inputs stay that reached something new, $found/TARGET
#	ours     the folder whose lines, in what a sanitizer says, are told
#	max_len  how long an input is at most
#
# and has, in $work/TARGET, the inputs that are known.

: "${top:=$PWD}" "${out:=}" "${found:=}" "${ours:=}" "${max_len:=}" "${work:=}"

seconds=60
# shellcheck disable=SC2034
keep=
targets=()

fuzz_passed=0
fuzz_failed=0

# fuzz_options ARG...: what all these programs are called with.
# shellcheck disable=SC2034
fuzz_options()
{
	while (($#)); do
		case $1 in
		--help) show_help; exit ;;
		--time) seconds=${2-}; shift 2 || die "--time needs a number" ;;
		--keep) keep=yes; shift ;;
		-*) die "there is no option '$1': see --help" ;;
		*) break ;;
		esac
	done
	[[ $seconds =~ ^[0-9]+$ ]] || die "'$seconds' is no number of seconds"
	targets=("$@")
}

# fuzz_choose TARGET...: those that there are, all of which are tried unless some were named.
fuzz_choose()
{
	local target
	((${#targets[@]})) || targets=("$@")
	for target in "${targets[@]}"; do
		[[ " $* " == *" $target "* ]] || die "there is no target '$target', only $*"
	done
}

# figure NAME FILE: the last number that follows NAME in what libFuzzer says.
figure()
{
	grep -oE "$1 +[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$' || echo 0
}

say_failure()
{
	local log=$1 target=$2 input
	# The reason, and who called whom as far as the sources are ours.
	grep -E "expectation failed|not true|not so|ERROR|runtime error|\\b$ours/" "$log" | sed "s,$top/,,; s,^,# ," | head -n 20 || true
	input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
	[[ -z $input ]] || printf '# again: (cd %q && %q %q)\n' "$top" "$out/$target" "$input"
}

# try TARGET SECONDS
try()
{
	local target=$1 dir=$out/tried/$1 status=0 result=ok
	mkdir -p "$dir" "$found/$target"
	: >"$dir/log"
	"$out/$target" -max_total_time="$2" -max_len="$max_len" -timeout=20 -rss_limit_mb=1024 -print_final_stats=1 \
		-verbosity=1 -artifact_prefix="$dir/" "$found/$target" "$work/$target" >"$dir/log" 2>&1 </dev/null || status=$?
	if ((status == 0)); then
		((++fuzz_passed))
	else
		((++fuzz_failed))
		result="not ok"
	fi
	printf '%s %d - %s: %d executions, %d edges, %d found\n' "$result" $((fuzz_passed + fuzz_failed)) "$target" \
		"$(figure number_of_executed_units: "$dir/log")" "$(figure 'cov:' "$dir/log")" \
		"$(find "$found/$target" -type f | wc -l)"
	((status == 0)) || say_failure "$dir/log" "$target"
}

# fuzz_try_all: within the time that there is; nothing, if that is none.
fuzz_try_all()
{
	local target each=$((seconds / ${#targets[@]}))
	((seconds)) || return 0
	printf 'TAP version 13\n1..%d\n' "${#targets[@]}"
	for target in "${targets[@]}"; do
		try "$target" $((each ? each : 1))
	done
}

# Closes the run, if there was one.
fuzz_end()
{
	((seconds == 0)) || printf '%d passed, %d failed, 0 skipped\n' "$fuzz_passed" "$fuzz_failed"
}

# fuzz_reduce TARGET FILE OPTION...: of all that is known, what reaches the same with fewer and smaller inputs becomes FILE,
# a line each, below the first line that it has now. The function pack makes lines of a directory.
fuzz_reduce()
{
	local target=$1 file=$2 lines=$work/$1.lines
	shift 2
	mkdir "$work/$target.least"
	"$out/$target" -merge=1 "$@" -max_len="$max_len" "$work/$target.least" "$work/$target" "$found/$target" \
		>"$work/$target.log" 2>&1 </dev/null || die "$(tail -n 5 "$work/$target.log")"
	sed -n '/^#/!q; p' "$file" >"$lines"
	pack "$work/$target.least" >>"$lines"
	cat "$lines" >"$file"
	say "$file: $(grep -c -v '^#' "$lines") inputs, $(stat -c %s "$lines") bytes"
}
