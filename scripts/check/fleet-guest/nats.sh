# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# Events through a broker: what programs write is what is received, and what "user-events watch" says that it lost. The
# broker stands still for a while, so that there are losses, and is killed and begun again.
# shellcheck source=scripts/check/user-events-guest/lib
. /user-events-guest/lib

begin_broker()
{
	nats-server --jetstream --store_dir store --addr 127.0.0.1 --port 4222 >>broker.log 2>&1 &
	broker=$!
}

walk()
{
	walk_files / | tee -a walked
}

listened()
{
	grep -q "walk_directory .*Used by.*perf" "$tracing/user_events_status"
}

# connected N: the publisher has found a broker so many times. That takes as long as the broker needs to begin.
connected()
{
	[ "$(grep -c connected published)" = "$1" ]
}

# until_it COMMAND...: for as long as the publisher lives.
until_it()
{
	until "$@"; do
		kill -0 "$publisher" || return 1
		usleep 100000
	done
}

publishes()
{
	begin_broker
	mkfifo lines
	perl /fleet-guest/nats.pl publish <lines >published 2>&1 &
	publisher=$!
	user-events watch --json --buffer-size 4K 'walk_*' 2>said | tee sent >lines &
	until_it listened || return 1
	until_it connected 1 || return 1

	walk
	# A broker that does not move makes the publisher wait, that the tool, and that the kernel lose.
	kill -STOP "$broker"
	for _ in 1 2 3; do
		walk
	done
	kill -CONT "$broker"
	walk
	# And one that is gone is waited for.
	kill -KILL "$broker"
	walk
	begin_broker
	until_it connected 2 || return 1
	walk

	kill -TERM "$(pidof user-events)"
	wait "$publisher"
	cat said published
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
	lost=$(sed -n 's/^{"lost":\([0-9]*\)}$/\1/p' received | awk '{ sum += $1 } END { print sum + 0 }')
	echo "$wrote written, $got received, $lost lost"
	[ "$lost" -gt 0 ] && [ $((got + lost)) = "$wrote" ]
}

walk_files / >/dev/null
check "all lines are published, to two brokers one after the other" publishes
check "a slow reader gets them all, once and in order" receives
check "what was written is what was received and what was lost" adds_up
finish
