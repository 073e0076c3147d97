# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A check made of several runs that each end with a line "N passed, N failed, N skipped". Source it. What came of each is
# added to the file SUM_TABLE, if there is one, as a line "WHAT passed failed skipped".

sum_passed=0
sum_failed=0
sum_skipped=0

# sum_run WHAT COMMAND...: runs a command, called WHAT in a word, and adds up what it says at its end.
sum_run()
{
	local what=$1 log line p f s status=0
	shift
	log=$(mktemp)
	printf '# %s\n' "$what"
	"$@" | tee "$log" || status=$?
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1) ||
		line="0 passed, 1 failed, 0 skipped"
	rm -f "$log"
	read -r p _ f _ s _ <<<"$line"
	# Trouble beside the tests, a warning of the guest's kernel for one, is a failure of its own.
	if ((status != 0 && f == 0)); then
		printf 'not ok - %s: ended with status %d\n' "$what" "$status"
		f=1
	fi
	[[ -z ${SUM_TABLE-} ]] || printf '%s %d %d %d\n' "$what" "$p" "$f" "$s" >>"$SUM_TABLE"
	((sum_passed += p, sum_failed += f, sum_skipped += s)) || true
}

# Closes the run; its status is that of the program that ends with it.
sum_end()
{
	printf '%d passed, %d failed, %d skipped\n' "$sum_passed" "$sum_failed" "$sum_skipped"
	((sum_failed == 0 && sum_passed > 0))
}
