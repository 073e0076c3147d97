# SPDX-License-Identifier: MIT
# Prints the names of the functions that headers declare with UEV_API or
# UEV_TRACE_API, and of inline functions, which the library has, too.

/^#/ { next }

/^[ \t]*UEV_(TRACE_)?API([ \t]|$)/ || /^UEV_INLINE[ \t]/ {
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
