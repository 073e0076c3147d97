# SPDX-License-Identifier: MIT
# Copies the output of test programs and appends the sums of their counts. Exits
# with the status of the run.
#
# The output of each program follows a line "# NAME". A failed program is followed
# by "ended with status N".

function close_program()
{
	if (!has_program)
		return
	if (!has_line) {
		print "not ok - " program ": no result"
		f = 1
	} else if (status && !f) {
		print "not ok - " program ": ended with status " status
		f = 1
	}
	passed += p; failed += f; skipped += s
}

{ print }

/^# [a-z_0-9\/]+_test$/ {
	close_program()
	program = $2
	has_program = 1
	has_line = status = p = f = s = 0
}

/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
	has_line = 1
	p = $1; f = $3; s = $5
}

/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$/ {
	has_line = 1
	f = $5 + $7; p = $3 - f; s = 0
}

/^ended with status [0-9]+$/ { status = $4 }

END {
	close_program()
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed || !passed
}
