# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel log without the races that the kernel has with itself. KCSAN tells of all races that it sees, and kernels have
# many of their own; only those count in which the module user_events has a part. Of a report that does not, the line that
# names it is taken away, and nothing else: what others say in the middle of it stays.
#
# A report is between two lines of =. It has the stacks of one or two accesses, each below a line that ends with who made it
# and up to an empty one, the newest function first. What else it names was there and accessed nothing: the work of a
# worker, modules that are linked in.
#
# An access is the module's when a function of it made it, or called what made it: whether that is compiled into its caller
# is up to the compiler. What is called works for its caller if it is the only one above, or if all above only touch what
# they are given, like memcpy(). Further down the kernel is at its own business. A function below the entry of an interrupt
# or an exception is not the caller of what is above it: it happened to run.

# Lines may begin with their number and have a time.
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

# Entries of interrupts and exceptions; </IRQ> is where the kernel says itself that what follows was interrupted.
in_stack && text ~ /^ *(asm_(sysvec|common|spurious|exc|int)|sysvec_|common_interrupt|exc_|<\/IRQ>|el[01]h?_)/ {
	in_stack = 0
}

in_stack && text ~ /^ *[A-Za-z_][A-Za-z0-9_.]*\+0x[0-9a-f]+\/0x[0-9a-f]+ \[user_events\]$/ {
	if (above <= 1 || !others)
		ours = 1
}

in_stack && text ~ /^ *[A-Za-z_][A-Za-z0-9_.]*\+0x[0-9a-f]+\/0x[0-9a-f]+/ {
	above++
	if (text !~ /^ *_*(mem(cpy|move|set|cmp|chr|dup)|str[a-z]*|raw_copy_|copy_(from|to)_|list_|hlist_|rb_|find_|bitmap_|k?v?free|kmem_cache_free)/)
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

# One that does not end is not judged.
END {
	ours = 1
	flush_report()
}
