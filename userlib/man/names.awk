# SPDX-License-Identifier: MIT
# Prints the names that a page is for, a line each.

/^\.SH / { is_name = $2 == "NAME"; next }

is_name && !/^\./ {
	sub(/(^| )\\- .*/, "")
	gsub(/\\-/, "-")
	gsub(/[,\\]/, " ")
	for (i = 1; i <= NF; i++)
		print $i
}
