#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: selftests/user_events/refuse_builtin.sh MODULE.ko
#
# On a kernel that has user_events of its own: the module must refuse to load, say why in one sentence, and change
# nothing. Prints TAP and a line "N passed, N failed, N skipped".
set -u

module=$1
tracing=/sys/kernel/tracing
sentence="user_events: cannot load: this kernel has user_events built in, so the module is not needed"

passed=0
failed=0

# result NAME COMMAND...: passes if the command succeeds.
result()
{
	name=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
		echo "ok $((passed + failed)) - $name"
	else
		failed=$((failed + 1))
		echo "not ok $((passed + failed)) - $name"
	fi
}

fails()
{
	! "$@" 2>/dev/null
}

# A program that loads modules may try twice in different ways, so the sentence may stand there twice.
says_only_why()
{
	[ "$(dmesg | grep -o 'user_events: cannot load.*' | sort -u)" = "$sentence" ]
}

works()
{
	echo "u:refusal u32 number" >>$tracing/dynamic_events &&
		grep -q "refusal" $tracing/user_events_status &&
		echo "-:refusal" >>$tracing/dynamic_events
}

echo "TAP version 13"
result "the kernel has user_events" test -e $tracing/user_events_data
result "the module does not load" fails insmod "$module"
result "the kernel log says why, in a sentence" says_only_why
result "the module is not there" fails grep -q '^user_events ' /proc/modules
result "the kernel's own go on working" works
echo "1..$((passed + failed))"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
