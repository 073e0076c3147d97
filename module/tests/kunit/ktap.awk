# SPDX-License-Identifier: GPL-2.0-only
#
# Converts the nested results of KUnit in a kernel log to flat TAP: a line for
# each case without subcases. Variables:
#
#	suites	expected number of suites
#	status	exit status of the run
#
# The last line is "N passed, N failed, N skipped"; exits with 0 if nothing
# failed and something passed.

function report(verdict, what)
{
	printf "%s %d - %s\n", verdict, ++reported, what
}

function fail(what)
{
	failed++
	report("not ok", what)
}

# Returns the names of the enclosing suites and cases, and its own.
function path(depth, name, i, names)
{
	for (i = 1; i <= depth; i++)
		names = names subtest[i] ": "

	return names name
}

# Returns the nesting depth of a line; sets text to its contents.
function unindent(line, depth)
{
	sub(/^\[ *[0-9.]+\](\[[^]]*\])? ?/, "", line)
	for (depth = 0; substr(line, 1, 4) == "    "; depth++)
		line = substr(line, 5)
	text = line

	return depth
}

# Resets the state of a nesting depth.
function forget(depth)
{
	kids[depth] = failed_kids[depth] = last[depth] = 0
	plan[depth] = ""
	subtest[depth] = ""
}

function end_of_case(depth, ok, name)
{
	leaves++
	if (name ~ / # SKIP/) {
		skipped++
		report("ok", path(depth, name))
	} else if (ok && depth > 0) {
		passed++
		report("ok", path(depth, name))
	} else {
		# A suite without cases has not tested anything.
		fail(path(depth, name))
	}
}

# The number of cases must be as planned, and a suite fails only with a case.
function end_of_cases(depth, ok, name, there)
{
	there = kids[depth + 1]
	if (plan[depth + 1] != "" && plan[depth + 1] != there)
		fail(path(depth, name) ": " plan[depth + 1] \
		     " cases were planned, " there " ran")
	else if (!ok && !failed_kids[depth + 1])
		fail(path(depth, name) ": failed without a failed case")
}

function result(depth, line, ok, number, name)
{
	ok = line ~ /^ok /
	sub(/^(not )?ok /, "", line)
	number = line + 0
	sub(/^[0-9]+ ?(- )?/, "", line)
	name = line

	kids[depth]++
	if (!ok)
		failed_kids[depth]++
	if (number != last[depth] + 1)
		fail(path(depth, name) ": result " number " came after " \
		     last[depth] + 0)
	last[depth] = number

	if (kids[depth + 1])
		end_of_cases(depth, ok, name)
	else
		end_of_case(depth, ok, name)
	if (depth == 0)
		end_of_suite(name)
	forget(depth + 1)
}

# Lines of the log can get lost, so compare with the totals of the kernel.
function end_of_suite(name)
{
	if (total != "" && total != leaves)
		fail(name ": " total " cases ran, " leaves " of them are in the log")
	leaves = 0
	total = ""
}

{
	sub(/\r$/, "")
	depth = unindent($0)
}

# Before Linux 6.0 rows of a table are "# CASE: ok N - ROW".
text ~ /^# [a-z_0-9]+: (not )?ok [0-9]/ {
	depth++
	subtest[depth] = text
	sub(/^# /, "", subtest[depth])
	sub(/: .*/, "", subtest[depth])
	sub(/^# [a-z_0-9]+: /, "", text)
}

text ~ /^# Subtest: / {
	subtest[depth] = substr(text, length("# Subtest: ") + 1)
}

text ~ /^1\.\.[0-9]+$/ {
	plan[depth] = substr(text, 4) + 0
}

text ~ /^# Totals: .* total:[0-9]+$/ {
	total = text
	sub(/.* total:/, "", total)
	total += 0
}

# The reason of a failure precedes the result, in any number of lines.
text ~ /(EXPECTATION|ASSERTION) FAILED/ {
	why = 1
}

text ~ /^(not )?ok [0-9]/ {
	why = 0
	result(depth, text)
	next
}

why {
	print "# " text
}

END {
	if (kids[0] + 0 != suites)
		fail(kids[0] + 0 " of " suites " suites ran")
	if (kids[1])
		fail(path(1, "the suite") ": did not finish")
	if (status)
		fail("the guest exited with status " status)

	printf "1..%d\n", reported
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit !(passed && !failed)
}
