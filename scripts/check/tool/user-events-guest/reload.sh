# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events reload: another module without a restart of programs
# guest: library
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

module=/lib/user_events/user_events.ko
events=$tracing/events/user_events

has()
{
	[ "$(cat "$1")" = "$2" ] || { cat "$1"; return 1; }
}

# Loads the module, with a parameter that shows that it is another one.
reload()
{
	user-events reload "$@" -- insmod "$module" max_events=1234
}

mode_is()
{
	mode=$(stat -c '%a %u:%g' "$tracing/user_events_data")
	echo "$mode"
	[ "$mode" = "$1" ]
}

# The identity of the module in memory.
inode()
{
	stat -c %i $tracing/user_events_data
}

wait_for_records()
{
	echo >"$tracing/trace"
	wait_until grep -q ' reloaded: ' "$tracing/trace"
}

# ---- A program of the library, and a persistent event ----

user-events add 'stays u32 number'
echo 'number > 3' >$events/stays/filter
echo 'traceoff:5 if number == 9' >$events/stays/trigger
{
	echo 'hist:keys=number:vals=hitcount:pause'
	echo 'hist:name=mine:keys=common_pid:vals=hitcount if number > 1'
	echo 'hist:keys=common_pid:first=number'
} >>$events/stays/trigger
echo 1 >$events/stays/enable
grep -v '^#' $events/stays/trigger >triggers
# It uses a variable of an event that comes before it.
user-events add 'uses u32 number'
# shellcheck disable=SC2016 # a variable of the histogram
echo 'hist:keys=common_pid:more=number-$first' >$events/uses/trigger
cat triggers $events/uses/trigger
used=$(grep '^hist:' $events/uses/trigger)
echo Y >/sys/module/user_events/parameters/status_own
echo 500 >/sys/module/user_events/parameters/max_events_per_user
chown 0:50 $tracing/user_events_data
chmod 660 $tracing/user_events_data
guest reload >program 2>&1 &
program=$!
wait_until [ -d $events/reloaded ]
mkdir $tracing/instances/second
echo 1 >$events/reloaded/enable
echo 1 >$tracing/instances/second/events/user_events/reloaded/enable
check "a program writes records" wait_for_records
before=$(inode)
check "the module is replaced" prints '^replaced, 3 events restored$' reload
check "another module is loaded" has \
	/sys/module/user_events/parameters/max_events 1234
check "the file is another one" test "$(inode)" != "$before"
check "mode and owner of the file survive" mode_is '660 0:50'
check "the limit survives" has /proc/sys/kernel/user_events_max 32768
check "parameters survive" has /sys/module/user_events/parameters/status_own Y
check "parameters with numbers survive" has \
	/sys/module/user_events/parameters/max_events_per_user 500
check "a persistent event survives" prints 'u32 number' \
	user-events list stays
check "its filter survives" has $events/stays/filter 'number > 3'
check "its trigger survives" grep -q 'traceoff:count=5 if number == 9' \
	$events/stays/trigger
check "all its triggers survive, and a paused one is paused" \
	has triggers "$(grep -v '^#' $events/stays/trigger)"
check "a paused histogram was saved" grep -q 'keys=number.*\[paused\]$' triggers
check "a named histogram was saved" grep -q 'hist:name=mine:.* \[active\]$' triggers
check "a histogram that uses a variable of another one survives" \
	grep -qxF "${used:?}" $events/uses/trigger
check "it is still enabled" has $events/stays/enable '1*'
check "the program's event is enabled in an instance" has \
	$tracing/instances/second/events/user_events/reloaded/enable 1
check "the program writes records again" wait_for_records
kill $program
wait $program
cat program
check "the program missed no record without a count" \
	grep -qE 'missed [1-9][0-9]* failed 0 pending 0' program
echo 0 >$tracing/instances/second/events/user_events/reloaded/enable
echo 0 >$events/reloaded/enable
check "events of programs do not persist" \
	wait_until [ ! -d $events/reloaded ]

# ---- A program that does not let go ----

# Every user can create a file of this name.
: >user_events_data
exec 6<user_events_data
check "other files of the same name do not count" \
	prints '^replaced, ' reload --timeout 1
exec 6<&-

echo marker-1 >/dev/kmsg
exec 5>$tracing/user_events_data
before=$(inode)
check "a program without the library is named" one_line 1 \
	"did not let go: sh\\[$$\\]" reload --timeout 1
check "the kernel log names it in one line" sh -c \
	"dmesg | sed '1,/marker-1/d' | grep -q 'cannot unload: in use by sh\\[$$\\]'"
check "the module remains" test "$(inode)" = "$before"
check "the mode of the file remains" mode_is '660 0:50'
check "the persistent event remains" has $events/stays/filter 'number > 3'

# Programs that have let go come back to the old module.
guest reload >program 2>&1 5>&- &
program=$!
wait_until [ -d $events/reloaded ]
echo 1 >$events/reloaded/enable
check "one that lets go is not named" one_line 1 \
	"did not let go: sh\\[$$\\]\$" reload --timeout 4
check "it comes back to the old module" wait_for_records
exec 5>&-
kill $program
wait $program
cat program

# ---- A tracer that does not let go ----

echo 0 >$events/reloaded/enable
start user-events record -o held.data stays
wait_until is_recording stays
check "a tracer is named with its events" one_line 1 \
	"^user-events: user_events: in use by event stays, perf events of user-events\\[$tool\\]\$" \
	reload --timeout 1
check "the kernel log names it in one line, too" sh -c \
	"dmesg | grep -q 'cannot unload: in use by event stays, perf events of user-events\\[$tool\\]'"
check "the event that is not deleted keeps its filter" has $events/stays/filter \
	'number > 3'
check "and is enabled" has $events/stays/enable '1*'
check "the tracer ends" stop

# ---- Other reasons ----

check "a module that modprobe does not find is kept" one_line 1 \
	'^user-events: user_events: modprobe does not find' user-events reload
check "with its events" has $events/stays/filter 'number > 3'
check "a command that fails is reported" one_line 1 '^user-events: false: failed' \
	user-events reload -- false
check "the module is unloaded then" test ! -d /sys/module/user_events
check "without the module, one error" one_line 1 'not loaded' reload
insmod $module
user-events add 'restored u32 number'
echo 'number > 5' >$events/restored/filter
nobody=$(id -u nobody)
user-events add "owned:uid=$nobody,gid=$nobody,mode=0600 u32 number"
chmod 640 $tracing/user_events_data
check "a service that loads the module and fails is reported" one_line 4 \
	'^user-events: sh: failed' user-events reload -- sh -c "insmod $module; exit 1"
check "and the events are restored" has $events/restored/filter 'number > 5'
check "and the permissions" mode_is '640 0:0'
check "an event with rights keeps its owner" \
	grep -q "^u:owned:uid=$nobody,gid=$nobody,mode=0600 u32 number\$" \
	$tracing/dynamic_events
check "invalid timeouts are rejected" exits_with 2 user-events reload --timeout 0

finish
