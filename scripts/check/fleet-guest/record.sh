# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# The guest that records for another one (listen.sh).
# shellcheck source=scripts/check/tool-guest/lib
. /tool-guest/lib

ip addr add 10.9.8.2/24 dev eth0
ip link set eth0 up
walk_files / >/dev/null

there()
{
	tries=0
	until ping -c 1 -W 1 10.9.8.1; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || return 1
	done
}

records()
{
	trace-cmd record -q -N 10.9.8.1:7000 -e user_events walk_files / >walked || return 1
	cat walked
	files=$(awk '/ records written/ { print $1 }' walked)
	directories=$(awk '/ records written/ { print $3 }' walked)
	[ "$((files + directories))" = "$(awk '/ records written/ { print $5 }' walked)" ] &&
		echo "$files $directories" | nc -w 5 10.9.8.1 7001
}

check "the other machine is there" there
check "trace-cmd record sends what is written" records
finish
