#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: selftests/user_events/refuse_builtin.sh MODULE.ko
#
# Run on a kernel with built-in user_events: the module must refuse to load, log
# the reason in one line, and leave the built-in user_events working. Prints TAP
# and a line "N passed, N failed, N skipped".
set -u

module=$1
tracing=/sys/kernel/tracing
reason="user_events: cannot load: module not needed:"
reason="$reason this kernel has user_events built in"

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

# insmod can try two system calls to load a module, so the line can appear
# twice.
logs_reason_only()
{
	[ "$(dmesg | grep -o 'user_events: cannot load.*' | sort -u)" = "$reason" ]
}

events_work()
{
	echo "u:refusal u32 number" >>$tracing/dynamic_events &&
		grep -q "refusal" $tracing/user_events_status &&
		echo "-:refusal" >>$tracing/dynamic_events
}

echo "TAP version 13"
result "kernel has built-in user_events" test -e $tracing/user_events_data
result "insmod fails" fails insmod "$module"
result "kernel log has the reason in one line" logs_reason_only
result "module is not loaded" fails grep -q '^user_events ' /proc/modules
result "built-in user_events still work" events_work
echo "1..$((passed + failed))"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
