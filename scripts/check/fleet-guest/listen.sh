# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# The guest that gets what another one records (record.sh). Its own kernel has no user_events.
# shellcheck source=scripts/check/tool-guest/lib
. /tool-guest/lib

ip addr add 10.9.8.1/24 dev eth0
ip link set eth0 up

# What the other one has to say at its end: how many records there were, of each event.
nc -l -p 7001 >told &
teller=$!

arrives()
{
	trace-cmd listen -p 7000 -d . >listen.log 2>&1 &
	listener=$!
	wait "$teller"
	cat told listen.log
	read -r files directories <told || return 1
	# The file gets its name when all of it is there.
	wait_until sh -c 'ls trace.*.dat' || return 1
	kill "$listener"
	trace-cmd report -q -i trace.*.dat >report.txt || return 1
	head -n 4 report.txt
	[ ! -e "$tracing/user_events_data" ] || return 1
	[ "$(grep -c 'walk_file:' report.txt)" = "$files" ] && [ "$(grep -c 'walk_directory:' report.txt)" = "$directories" ] &&
		[ "$files" -gt 100 ] && grep -q 'path=/fleet-guest/listen.sh size=' report.txt
}

check "what another machine records arrives, each record" arrives
finish
