# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Totals of checks that consist of several runs, each of which ends with a line
# "N passed, N failed, N skipped". Source this file after lib.sh.
#
# If SUMMARY_TABLE is a file, a line "NAME passed failed skipped" is appended to
# it for each run.

summary_passed=0
summary_failed=0
summary_skipped=0

# tap_totals LOG: sets run_passed, run_failed and run_skipped from the last line
# with totals; fails if there is none.
tap_totals()
{
	local line
	# -a, since the output of a failed test can be binary.
	line=$(grep -a -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' \
		"$1" | tail -n 1) || line=
	[[ -n $line ]] || return 1
	read -r run_passed _ run_failed _ run_skipped _ <<<"$line"
}

# summary_add NAME STATUS LOG: adds the totals of a run that exited with STATUS.
summary_add()
{
	local name=$1 status=$2
	if ! tap_totals "$3"; then
		printf 'not ok - %s: no totals, exit status %d\n' "$name" \
			"$status"
		run_passed=0 run_failed=1 run_skipped=0
	elif ((status != 0 && run_failed == 0)); then
		# For example a warning of a guest's kernel.
		printf 'not ok - %s: exit status %d\n' "$name" "$status"
		run_failed=1
	fi
	[[ -z ${SUMMARY_TABLE-} ]] ||
		printf '%s %d %d %d\n' "$name" "$run_passed" "$run_failed" \
			"$run_skipped" >>"$SUMMARY_TABLE"
	((summary_passed += run_passed)) || true
	((summary_failed += run_failed)) || true
	((summary_skipped += run_skipped)) || true
}

# summary_run NAME COMMAND...: runs a command and adds its totals.
summary_run()
{
	local name=$1 log status=0
	shift
	log=$(mktemp)
	printf '# %s\n' "$name"
	timed "$name" "$@" | tee "$log" || status=$?
	summary_add "$name" "$status" "$log"
	rm -f "$log"
}

# Prints the totals; fails if a test has failed or none has passed.
summary_finish()
{
	printf '%d passed, %d failed, %d skipped\n' \
		"$summary_passed" "$summary_failed" "$summary_skipped"
	((summary_failed == 0 && summary_passed > 0))
}
