# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# The guest that gets what another one records (recorder.sh). Its own kernel has no user_events.
# shellcheck source=scripts/check/user-events-guest/lib
. /user-events-guest/lib

ip addr add 10.9.8.1/24 dev eth0
ip link set eth0 up
# trace-cmd listens to nobody whom it cannot name.
echo 'hosts: files' >/etc/nsswitch.conf
echo '10.9.8.2 recorder' >>/etc/hosts

trace-cmd listen -p 7000 -d . >listen.log 2>&1 &
listener=$!

# What the other one has to say at its end: how many records there were of each event.
nc -l -p 7001 >told

# It takes the file a while to be whole after the connection has ended.
is_whole()
{
	trace-cmd report -q -i trace.*.dat >report.txt 2>report.log &&
		[ "$(grep -c 'walk_file:' report.txt)" = "$files" ] && [ "$(grep -c 'walk_directory:' report.txt)" = "$directories" ]
}

arrives()
{
	cat told listen.log
	read -r files directories <told || return 1
	tries=0
	until is_whole; do
		tries=$((tries + 1))
		[ "$tries" -lt 30 ] || { cat report.log; return 1; }
		sleep 1
	done
	kill "$listener"
	head -n 4 report.txt
	[ ! -e "$tracing/user_events_data" ] && [ "$files" -gt 100 ] && grep -q 'path=/fleet-guest/receiver.sh size=' report.txt
}

check "what another machine records arrives, each record" arrives
finish
