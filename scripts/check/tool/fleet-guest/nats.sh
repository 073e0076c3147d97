# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# Sends events through a broker: written events must be received, or be reported
# as lost by "user-events watch". The broker is stopped for a while, which
# causes losses, and killed and restarted.
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

start_broker()
{
	nats-server --jetstream --store_dir store --addr 127.0.0.1 --port 4222 \
		>>broker.log 2>&1 &
	broker=$!
}

walk()
{
	walk_files / | tee -a walked
}

is_enabled()
{
	grep -q "walk_directory .*Used by.*perf" "$tracing/user_events_status"
}

# connected N: whether the publisher has connected N times. The broker takes
# some time to start.
connected()
{
	[ "$(grep -c connected published)" = "$1" ]
}

# wait_for COMMAND...: for as long as the publisher lives.
wait_for()
{
	until "$@"; do
		kill -0 "$publisher" || return 1
		usleep 100000
	done
}

publishes()
{
	start_broker
	mkfifo lines
	perl /fleet-guest/nats.pl publish <lines >published 2>&1 &
	publisher=$!
	user-events watch --json --buffer-size 4K 'walk_*' 2>messages |
		tee sent >lines &
	wait_for is_enabled || return 1
	wait_for connected 1 || return 1

	walk
	# A stopped broker makes the publisher and the tool wait, and the kernel
	# lose records.
	kill -STOP "$broker"
	for _ in 1 2 3; do
		walk
	done
	kill -CONT "$broker"
	walk
	# The publisher waits for a killed broker to restart.
	kill -KILL "$broker"
	walk
	start_broker
	wait_for connected 2 || return 1
	walk

	kill -TERM "$(pidof user-events)"
	wait "$publisher"
	cat messages published
	grep -q "^$(wc -l <sent) published, 2 connections\$" published
}

receives()
{
	perl /fleet-guest/nats.pl receive 1 >received || return 1
	wc -l sent received
	cmp sent received
}

adds_up()
{
	wrote=$(awk '{ sum += $5 } END { print sum }' walked)
	got=$(grep -c '^{"n":"user_events:walk_' received)
	lost=$(sed -n 's/^{"lost":\([0-9]*\)}$/\1/p' received |
		awk '{ sum += $1 } END { print sum + 0 }')
	echo "$wrote written, $got received, $lost lost"
	[ "$lost" -gt 0 ] && [ $((got + lost)) = "$wrote" ]
}

walk_files / >/dev/null
check "all lines are published, before and after the restart" publishes
check "a slow reader receives all lines once and in order" receives
check "received and lost records add up to the written ones" adds_up
finish
