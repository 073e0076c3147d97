# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events serve: programs of the library in containers without tracefs
# guest: library
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

events=$tracing/events/user_events
socket=/tmp/broker
tab=$(printf '\t')

for id in 1000 1001 1002; do
	echo "user$id:x:$id:$id::/:/bin/sh" >>/etc/passwd
done

# in_container USER COMMAND: runs a shell command of a user, without tracefs
# shellcheck disable=SC2016 # expanded by the other shell
in_container()
{
	unshare -m -p -f sh -c '
		umount /sys/kernel/tracing
		exec su -s /bin/sh "$1" -c "USER_EVENTS_SOCKET='$socket' $2"
	' sh "$@"
}

# Expects a record of an event, with a PID of the host.
records()
{
	echo 1 >"$events/$1/enable"
	wait_until grep -q " $1: " "$tracing/trace"
}

# The PIDs of "hello" on the host and in its pid namespace, as /proc has them.
pids_of_hello()
{
	# shellcheck disable=SC2046 # none or one
	set -- $(pidof hello)
	awk '/^NSpid:/ { print $2 "\t" $NF }' "/proc/$1/status"
}

records_have_both_pids()
{
	pids=$(pids_of_hello)
	user-events record -o both.data --duration 1s hello 2>/dev/null
	user-events watch --json -n 1 hello >both.json 2>/dev/null
	host=${pids%%"$tab"*}
	inside=${pids##*"$tab"}
	user-events decode -F pid,vpid -n 1 both.data | tee both.pids
	[ "$host" != "$inside" ] && [ "$(cat both.pids)" = "$pids" ] &&
		grep "\"pid\":$host,\"tid\":$host,\"vpid\":$inside}" both.json
}

names_user()
{
	wait_until grep -q "process [0-9]*: no rule for uid $1, gid $1" broker
}

check "serve needs a socket" one_line 2 'no --socket given' \
	user-events serve --allow uid=0
check "serve needs a rule" one_line 2 'no --allow given' \
	user-events serve --socket $socket
check "serve names an invalid rule" one_line 2 '--allow=uid=x: no such user' \
	user-events serve --socket $socket --allow uid=x
check "serve names a socket that cannot be created" one_line 1 \
	'/nowhere/socket: ' user-events serve --socket /nowhere/socket \
	--allow uid=0

user-events serve --socket $socket --allow uid=1000,prefix=hel \
	--allow gid=1001,prefix=web_ 2>broker &
broker=$!
wait_until [ -S $socket ]

in_container user1000 'hello 1000' >/dev/null 2>&1 &
check "a program in a container registers its event" \
	wait_until [ -d $events/hello ]
check "its records reach the host" records hello
check "they have both PIDs" records_have_both_pids
check "the broker keeps no file" sh -c \
	"! user-events users | grep '^ *$broker '"
echo 0 >$events/hello/enable
kill -9 "$(user-events users --json |
	sed -n 's/.*"pid":\([0-9]*\),"command":"hello".*/\1/p')"
check "its event goes with it" wait_until [ ! -d $events/hello ]

check "a prefix excludes other names" prints \
	'^first pending event, hello .*the file has a prefix' \
	in_container user1001 'hello 1'
check "a program without a rule gets nothing" prints \
	"^$socket: cannot be used: permission denied" \
	in_container user1002 'hello 1'
check "the broker names its user" names_user 1002

kill $broker
wait $broker 2>/dev/null
check "a program without a broker waits for it" prints \
	"^$socket: cannot be used: no broker" in_container user1000 'hello 1'

su -s /bin/sh user1000 -c "exec user-events serve --socket /tmp/early \
	--allow uid=0" 2>early &
broker=$!
check "serve without access to the file says so" wait_until \
	grep -q '^user-events: user_events_data: Permission denied' early
kill $broker
wait $broker 2>/dev/null

# As its service runs it: a user who can open the file, and nothing else.
chgrp 1002 $tracing/user_events_data
chmod 660 $tracing/user_events_data
chmod 711 $tracing
socket=/tmp/other
su -s /bin/sh user1002 -c \
	"exec user-events serve --socket $socket --allow uid=1000" &
broker=$!
wait_until [ -S $socket ]
check "a broker without access to tracefs passes the file" prints \
	'^events of this program: 1 registered' \
	in_container user1000 'hello 1'
kill $broker

finish
