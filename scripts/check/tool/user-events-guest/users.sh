# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events users: processes that hold events, files and enablers
# guest: library
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

check "users lists no process" prints '^PID  COMMAND  HOLDS  EVENTS$' \
	user-events users
check "users --json lists no process" prints '^\[\]$' user-events users --json

hello 1000 >/dev/null 2>&1 &
hello=$!
check "users lists a process, its files and events" wait_until \
	prints "^ *$hello  hello +data, enablers +hello\$" user-events users
check "users --json lists them, too" prints \
	"\\{\"pid\":$hello,\"command\":\"hello\",\"data\":true,\"status\":false,\"list\":false,\"enablers\":true,\"events\":\\[\"user_events:hello\"\\]\\}" \
	user-events users --json

# A file without events, as a shell holds it.
exec 5>$tracing/user_events_data 6<$tracing/user_events_status
check "users lists open files" prints "^ *$$  sh +data, status *\$" \
	user-events users
exec 5>&- 6<&-

# Every user can open files of the same names elsewhere.
: >user_events_data
: >user_events_status
exec 5>user_events_data 6<user_events_status
check "users ignores other files of the same names" \
	sh -c "! user-events users | grep '^ *$$ '"
exec 5>&- 6<&-
kill $hello
wait $hello 2>/dev/null
check "users lists no process again" prints '^\[\]$' user-events users --json

# Without the rights for other processes.
grep -q '^tester:' /etc/passwd 2>/dev/null ||
	echo 'tester:x:1000:1000::/:/bin/sh' >>/etc/passwd
chmod 755 $tracing
check "users tells that processes were not examined" one_line 4 \
	'some processes could not be examined' \
	su -s /bin/sh tester -c 'user-events users'
chmod 700 $tracing
check "users takes no arguments" exits_with 2 user-events users me

finish
