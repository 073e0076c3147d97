# SPDX-License-Identifier: MIT
# Prints the names of the functions that headers declare with UEV_API.

/^#/ { next }

/^[ \t]*UEV_API[ \t\n]/ || /^[ \t]*UEV_API$/ {
	declaration = ""
	is_open = 1
}

is_open {
	declaration = declaration " " $0
	if (match(declaration, /uev_[a-z0-9_]+[ \t]*\(/)) {
		name = substr(declaration, RSTART, RLENGTH)
		sub(/[ \t]*\($/, "", name)
		print name
		is_open = 0
	}
}
