# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The quick start of README.md, for checks that run it. Source this file.

# Prints the commands and the output of the section.
quick_start_text()
{
	awk '/^## / { section = $0 } /^```/ { code = !code; next }
		section == "## Quick start" && code' README.md
}

# The commands that install packages and build programs; these print what no
# document can say.
quick_start_building()
{
	quick_start_text | sed -n -E 's/^# ((apt-get|make) .*)/\1/p'
}

# The other commands, with their output
quick_start_documented()
{
	quick_start_text | grep -v -E '^# (apt-get|make) '
}

# Prints a script that runs these commands, and prints them like README.md.
quick_start_script()
{
	# shellcheck disable=SC2016 # expanded by awk
	quick_start_documented | awk -v quote="'" '/^# / {
		print "cat <<" quote "END" quote "\n" $0 "\nEND"
		print substr($0, 3)
	}'
}

# Removes what differs between two runs. The program can register its event
# before or after "record" looks for it.
without_numbers()
{
	sed -E '/: found after it was registered, /d; s/[0-9]+/N/g; s/ +/ /g'
}
