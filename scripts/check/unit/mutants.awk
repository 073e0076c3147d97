# SPDX-License-Identifier: GPL-2.0-only
#
# Reads a file of mutants, see scripts/check/unit/mutants.
#
#   awk -f mutants.awk MUTANTS
#       lists name, file and layer with tests, separated by tabs
#   awk -v name=NAME -f mutants.awk MUTANTS SOURCE
#       prints SOURCE with the mutation NAME; exits with status 1 and a message
#       unless the old text is in SOURCE exactly once

function fail(text)
{
	print "mutants.awk: " text >"/dev/stderr"
	failed = 1
	exit 1
}

# Indentation and alignment can have changed since the mutant was written.
function plain(line)
{
	gsub(/[ \t]+/, " ", line)
	sub(/^ /, "", line)
	sub(/ $/, "", line)
	return line
}

function end_of_mutant()
{
	if (mutant == "")
		return
	if (source == "" || layer == "" || !changed)
		fail(FILENAME ":" FNR ": " mutant ": no file, layer or change")
	if (name == "")
		printf "%s\t%s\t%s\n", mutant, source, layer
	mutant = ""
}

BEGIN { reading = 1 }

FNR == 1 && NR > 1 {
	end_of_mutant()
	reading = 0
}

!reading {
	lines[FNR] = $0
	count = FNR
	next
}

/^(#|without )/ { next }
/^$/ { end_of_mutant(); next }

/^mutant / {
	end_of_mutant()
	mutant = $2
	if (mutant in seen)
		fail(FILENAME ":" FNR ": duplicate mutant " mutant)
	seen[mutant] = 1
	source = layer = ""
	changed = 0
	next
}

mutant == "" { fail(FILENAME ":" FNR ": line outside of a mutant") }
/^in / { source = $2; next }
/^by / { layer = substr($0, 4); next }

/^[-+ ]/ {
	if ($0 !~ /^ /)
		changed = 1
	if (mutant != name)
		next
	if ($0 !~ /^\+/)
		old[++nr_old] = plain(substr($0, 2))
	if ($0 !~ /^-/)
		new[++nr_new] = substr($0, 2)
	next
}

{ fail(FILENAME ":" FNR ": invalid line: " $0) }

END {
	if (failed)
		exit 1
	if (reading)
		end_of_mutant()
	if (name == "")
		exit
	if (!nr_old)
		fail(name ": no such mutant, or no old text")
	for (at = 1; at + nr_old - 1 <= count; at++) {
		i = 1
		while (i <= nr_old && plain(lines[at + i - 1]) == old[i])
			i++
		if (i > nr_old) {
			matches++
			place = at
		}
	}
	if (matches != 1)
		fail(name ": old text found " matches + 0 " times, not once")
	for (at = 1; at < place; at++)
		print lines[at]
	for (i = 1; i <= nr_new; i++)
		print new[i]
	for (at = place + nr_old; at <= count; at++)
		print lines[at]
}
