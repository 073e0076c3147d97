# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# Guest that receives the records of another guest (recorder.sh). Its own kernel
# has no user_events.
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

ip addr add 10.9.8.1/24 dev eth0
ip link set eth0 up
# trace-cmd requires a host name of the peer.
echo 'hosts: files' >/etc/nsswitch.conf
echo '10.9.8.2 recorder' >>/etc/hosts

trace-cmd listen -p 7000 -d . >receiver.log 2>&1 &
receiver=$!

# Totals of the recorder: numbers of records of both events.
nc -l -p 7001 >totals

# The file is complete some time after the connection is closed.
is_complete()
{
	trace-cmd report -q -i trace.*.dat >report.txt 2>report.log &&
		[ "$(grep -c 'walk_file:' report.txt)" = "$files" ] &&
		[ "$(grep -c 'walk_directory:' report.txt)" = "$directories" ]
}

arrives()
{
	cat totals receiver.log
	read -r files directories <totals || return 1
	tries=0
	until is_complete; do
		tries=$((tries + 1))
		[ "$tries" -lt 30 ] || { cat report.log; return 1; }
		sleep 1
	done
	kill "$receiver"
	head -n 4 report.txt
	[ ! -e "$tracing/user_events_data" ] && [ "$files" -gt 100 ] &&
		grep -q 'path=/fleet-guest/receiver.sh size=' report.txt
}

check "all records of the other machine arrive" arrives
finish
