# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# TAP for checks that are commands. Source it.

tap_passed=0
tap_failed=0
tap_skipped=0

tap_begin()
{
	echo "TAP version 13"
}

# tap_check NAME COMMAND [ARG...]: passes if the command succeeds and prints nothing; what it prints is why it failed.
tap_check()
{
	local name=$1 output status=0
	shift
	output=$("$@" 2>&1) || status=$?
	if ((status == 0)) && [[ -z $output ]]; then
		((++tap_passed))
		printf 'ok %d - %s\n' $((tap_passed + tap_failed + tap_skipped)) "$name"
		return
	fi
	((++tap_failed))
	printf 'not ok %d - %s\n' $((tap_passed + tap_failed + tap_skipped)) "$name"
	printf '%s\n' "${output:-status $status}" | sed 's/^/# /'
}

# tap_skip NAME WHY: it cannot be done here.
tap_skip()
{
	((++tap_skipped))
	printf 'ok %d - %s # SKIP %s\n' $((tap_passed + tap_failed + tap_skipped)) "$1" "$2"
}

# Closes the run; its status is that of the program that ends with it.
tap_end()
{
	printf '1..%d\n' $((tap_passed + tap_failed + tap_skipped))
	printf '%d passed, %d failed, %d skipped\n' "$tap_passed" "$tap_failed" "$tap_skipped"
	((tap_failed == 0))
}
