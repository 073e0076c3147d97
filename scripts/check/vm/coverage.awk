# SPDX-License-Identifier: GPL-2.0-only
#
# Sums the output of gcov --branch-probabilities --branch-counts --stdout of one
# or several runs.
#
#   awk -v only=PATTERN [-v cut=PATTERN] [-v reasons=FILE -v unexplained=FILE] \
#       -f coverage.awk OUTPUT...
#
# Prints a table of lines and branches for sources whose path matches "only";
# "cut" is removed from the path. With reasons, lines that are not covered and
# branches that are not taken in all directions must be listed there; others are
# written to the file unexplained. The status is 1 if there are such lines, or
# listed lines that are covered.
#
# An inline function of a header is counted once for all its copies.

function start_source(path)
{
	file = routine = ""
	if (path !~ only)
		return
	if (cut)
		sub(cut, "", path)
	file = path
	if (!(file in known)) {
		known[file] = ++files
		names[files] = file
	}
}

# Texts are kept by line number, since they can start with any character.
function add_line(count, number, text)
{
	line = number + 0
	at = file SUBSEP line
	if (!(at in hits)) {
		hits[at] = 0
		functions[at] = routine
		gsub(/^[ \t]+|[ \t]+$/, "", text)
		texts[at] = text
		if (line > last[file])
			last[file] = line
	}
	if (count ~ /^[0-9]/)
		hits[at] = 1
}

# Branch numbers have gaps, since calls are numbered, too.
function add_branch(number, taken)
{
	if (!((at, number) in way))
		ways[at]++
	way[at, number] = 1
	if (taken > 0 && !((at, number) in went)) {
		went[at, number] = 1
		gone[at]++
	}
}

/^ *[^:]+: *0:Source:/ {
	path = $0
	sub(/^[^:]*:[^:]*:Source:/, "", path)
	start_source(path)
	next
}
/^ *[^:]+: *0:/ || !file { next }
/^function / { routine = $2; next }
/^branch / { add_branch($2, $3 == "taken" ? $4 : 0); next }
/^call / || /^unconditional / || /^-+$/ { next }
{
	split($0, part, ":")
	if (part[1] ~ /^ *-$/)
		next
	text = $0
	sub(/^[^:]*:[^:]*:/, "", text)
	gsub(/ /, "", part[1])
	add_line(part[1], part[2], text)
}

# --- reasons ------------------------------------------------------------------

function complain(text)
{
	print "coverage: " text >"/dev/stderr"
	wrong = 1
}

# A paragraph is a reason, followed by excluded lines that start with a tab:
# FILE FUNCTION: LINE.
function read_reasons(    row, rows, reason)
{
	while ((getline row <reasons) > 0) {
		if (row ~ /^#/)
			continue
		if (row == "") {
			if (reason && !rows)
				complain("reason without lines: " reason)
			reason = ""
			rows = 0
		} else if (row ~ /^\t/) {
			rows++
			row = substr(row, 2)
			explained[row]++
			if (reason ~ /^Sometimes: /)
				allowed[row]++
		} else {
			reason = reason (reason ? " " : "") row
		}
	}
	close(reasons)
}

# The line after one that is not covered needs no reason of its own.
function check_line(at, number,    row, left)
{
	left = ways[at] - gone[at]
	if (functions[at] != before)
		follows = 0
	before = functions[at]
	if (hits[at] && !left) {
		follows = 0
		return
	}
	row = file " " functions[at] ": " texts[at]
	if (used[row] < explained[row]) {
		used[row]++
		follows = 1
	} else if (hits[at] || !follows) {
		follows = 0
		missing++
		printf "%s:%d: %s\n\t%s\n", file, number, \
			hits[at] ? left " of " ways[at] " branches" : "line", \
			row >unexplained
	}
}

function check_stale(    row)
{
	for (row in explained)
		if (used[row] + allowed[row] < explained[row])
			complain("covered, but excluded: " row)
}

# --- the table ----------------------------------------------------------------

function percent(part, all)
{
	return all ? sprintf("%.1f %%", int(1000 * part / all) / 10) : ""
}

function print_row(name, lines, reached, branches, taken)
{
	printf "# %-28s %6d of %6d %8s %8d of %6d %8s\n", name, reached, \
		lines, percent(reached, lines), taken, branches, \
		percent(taken, branches)
}

function sort_names(    i, j, name)
{
	for (i = 2; i <= files; i++) {
		name = names[i]
		for (j = i - 1; j > 0 && names[j] > name; j--)
			names[j + 1] = names[j]
		names[j + 1] = name
	}
}

END {
	if (reasons)
		read_reasons()
	printf "# %-28s %25s %27s\n", "", "lines", "branches"
	sort_names()
	for (i = 1; i <= files; i++) {
		file = names[i]
		lines = reached = branches = taken = 0
		before = ""
		for (number = 1; number <= last[file]; number++) {
			at = file SUBSEP number
			if (!(at in hits))
				continue
			lines++
			reached += hits[at]
			branches += ways[at]
			taken += gone[at]
			if (reasons)
				check_line(at, number)
		}
		print_row(file, lines, reached, branches, taken)
		all_lines += lines
		all_reached += reached
		all_branches += branches
		all_taken += taken
	}
	print_row("all", all_lines, all_reached, all_branches, all_taken)
	if (!all_lines)
		complain("no counters found")
	if (reasons) {
		check_stale()
		if (missing)
			complain(missing " without a reason, see " \
				unexplained)
	}
	exit wrong
}
