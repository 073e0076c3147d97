# SPDX-License-Identifier: GPL-2.0-only
# For features.mk, in two forms:
#
# awk -v missing=" NAMES " -f features.awk features.c
#	prints the file without the lines of the features NAMES
#
# objdump -t -r OBJECT | awk -v exports=Module.symvers -f features.awk - features.c
#	prints the features that refer to a function that is not exported. OBJECT is
#	compiled from features.c with a section for each function

BEGIN {
	while (exports && (getline line < exports) > 0) {
		split(line, columns)
		known[columns[2]] = 1
	}
}

# --- features.c ---

/^#line 1 / {
	name = $3
	gsub(/"/, "", name)
}

!exports {
	if (!name || !index(missing, " " name " "))
		print
	next
}

FILENAME == "features.c" || FILENAME ~ /\/features\.c$/ {
	for (probe in unexported)
		if (index($0, probe "("))
			print name
	next
}

# --- Symbols and relocations ---

# split(), since mawk 1.3.4 20260302 can have the NF of an earlier line.
{ count = split($0, columns) }

/^RELOCATION RECORDS FOR \[\.text/ {
	probe = columns[4]
	gsub(/^\[.*\.|\]:$/, "", probe)
	next
}

/^RELOCATION RECORDS/ { probe = "" }

# A symbol of the object has a section. On powerpc, the linker defines .TOC.
!/^RELOCATION/ && /\*UND\*/ && columns[count] != ".TOC." {
	undefined[columns[count]] = 1
}

probe && count == 3 {
	symbol = columns[3]
	sub(/[-+]0x.*/, "", symbol)
	if ((symbol in undefined) && !(symbol in known))
		unexported[probe] = 1
}
