# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# Guest that records for another guest (receiver.sh).
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

ip addr add 10.9.8.2/24 dev eth0
ip link set eth0 up
walk_files / >/dev/null

# The receiver opens its port last.
receiver_is_ready()
{
	tries=0
	until nc -w 1 10.9.8.1 7000 </dev/null; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || return 1
		sleep 1
	done
}

records()
{
	trace-cmd record -N 10.9.8.1:7000 -e user_events walk_files / >walked ||
		return 1
	cat walked
	files=$(awk '/ records written/ { print $1 }' walked)
	directories=$(awk '/ records written/ { print $3 }' walked)
	[ "$((files + directories))" = \
		"$(awk '/ records written/ { print $5 }' walked)" ]
}

files=0
directories=0
check "the other machine is ready" receiver_is_ready
check "trace-cmd record sends all records" records
# Sends totals in any case, since the receiver waits for them.
echo "$files $directories" | nc -w 5 10.9.8.1 7001
finish
