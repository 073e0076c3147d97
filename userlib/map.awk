# SPDX-License-Identifier: MIT
# Writes the version script of a library from the previous one and a sorted list
# of its functions, which are in a node of the release that they came with. New
# functions are in the node NAME_RELEASE.
#
# awk -v node=NAME_RELEASE -f map.awk MAP LIST

FNR == NR && /^[A-Z_0-9.]+ \{$/ {
	current = $1
	nodes[++count] = current
}

FNR == NR && /^\tuev_/ {
	sub(/^\t/, "")
	sub(/;$/, "")
	node_of[$0] = current
}

FNR == NR { next }

{
	if (!($0 in node_of))
		node_of[$0] = node
	if (node_of[$0] == node && nodes[count] != node)
		nodes[++count] = node
	functions[node_of[$0]] = functions[node_of[$0]] "\t" $0 ";\n"
}

END {
	print "/* SPDX-License-Identifier: MIT */"
	for (i = 1; i <= count; i++) {
		print nodes[i] " {\nglobal:"
		printf "%s", functions[nodes[i]]
		print i == 1 ? "local:\n\t*;\n};" : "} " nodes[i - 1] ";"
	}
}
