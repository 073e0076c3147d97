# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# TAP output of checks written in bash. Source this file after lib.sh, which
# guests do not have.

tap_passed=0
tap_failed=0
tap_skipped=0

declare -F timed >/dev/null || timed() { shift && "$@"; }

tap_start()
{
	echo "TAP version 13"
}

# tap_result STATUS NAME: prints the result of a test, passed if STATUS is 0.
tap_result()
{
	if (($1 == 0)); then
		((++tap_passed))
		printf 'ok '
	else
		((++tap_failed))
		printf 'not ok '
	fi
	printf '%d - %s\n' $((tap_passed + tap_failed + tap_skipped)) "$2"
}

# tap_check NAME COMMAND [ARG...]: a test that passes if COMMAND succeeds and
# prints nothing. Its output explains a failure.
tap_check()
{
	local name=$1 output status=0
	shift
	output=$(timed "$name" "$@" 2>&1) || status=$?
	if ((status == 0)) && [[ -z $output ]]; then
		tap_result 0 "$name"
	else
		tap_result 1 "$name"
		printf '%s\n' "${output:-status $status}" | sed 's/^/# /'
	fi
}

# tap_skip NAME REASON
tap_skip()
{
	((++tap_skipped))
	printf 'ok %d - %s # SKIP %s\n' \
		$((tap_passed + tap_failed + tap_skipped)) "$1" "$2"
}

# Prints the plan and the totals; fails if a test has failed.
tap_finish()
{
	printf '1..%d\n' $((tap_passed + tap_failed + tap_skipped))
	printf '%d passed, %d failed, %d skipped\n' \
		"$tap_passed" "$tap_failed" "$tap_skipped"
	((tap_failed == 0))
}
