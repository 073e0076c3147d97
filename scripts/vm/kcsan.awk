# SPDX-License-Identifier: GPL-2.0-only
#
# Removes races of the kernel with itself from a kernel log. KCSAN reports all
# races, and kernels have many. Only reports in which the module user_events
# accessed memory count. Of other reports, the line that names the race is
# removed, and nothing else: messages of others in between remain.
#
# A report is enclosed in two lines of '='. It has the stacks of one or two
# accesses, each after a line that names the task or interrupt and up to an
# empty line, innermost function first. Other functions in it accessed nothing:
# the work function of a worker, or linked-in modules.
#
# An access is attributed to the module if a function of the module made it or
# called the function that made it, since inlining is up to the compiler. A
# called function counts if it is the only one above the module, or if all above
# only access their arguments, like memcpy(). Further calls are the kernel's own
# work. A function below an interrupt or exception entry was only interrupted,
# and did not call the functions above.

# Lines can start with their number and a time.
{
	text = $0
	sub(/^[0-9]+:/, "", text)
	sub(/^\[ *[0-9]+\.[0-9]+\](\[ *[TC][0-9]+\])? ?/, "", text)
}

!open && text !~ /==========$/ {
	print
	next
}

{
	lines[++count] = $0
}

text ~ /BUG: KCSAN:/ {
	named[count] = 1
}

text ~ / by (task [0-9]+|interrupt) on cpu [0-9]+:$/ {
	in_stack = 1
	above = others = 0
	next
}

text ~ /^ *$/ {
	in_stack = 0
}

# Entries of interrupts and exceptions. </IRQ> separates the interrupted
# function.
in_stack && (text ~ /^ *(asm_(sysvec|common|spurious|exc|int)|sysvec_)/ ||
	     text ~ /^ *(common_interrupt|exc_|<\/IRQ>|el[01]h?_)/) {
	in_stack = 0
}

BEGIN {
	symbol = "^ *[A-Za-z_][A-Za-z0-9_.]*[+]0x[0-9a-f]+/0x[0-9a-f]+"
	accessors = "^ *_*(mem(cpy|move|set|cmp|chr|dup)|str[a-z]*|" \
		"raw_copy_|copy_(from|to)_|list_|hlist_|rb_|find_|" \
		"bitmap_|k?v?free|kmem_cache_free)"
}

in_stack && text ~ symbol " \\[user_events\\]$" {
	if (above <= 1 || !others)
		ours = 1
}

in_stack && text ~ symbol {
	above++
	if (text !~ accessors)
		others++
}

text !~ /==========$/ {
	next
}

!open {
	open = 1
	next
}

function flush_report(	i) {
	for (i = 1; i <= count; i++)
		if (ours || !named[i])
			print lines[i]
	split("", lines)
	split("", named)
	open = count = ours = in_stack = 0
}

{
	flush_report()
}

# An incomplete report is kept.
END {
	ours = 1
	flush_report()
}
