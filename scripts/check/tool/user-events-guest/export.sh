# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317,SC2119
#
# user-events export with live events, read by journalctl and by HTTP
# guest: library
# with: perl
# packages: systemd
# add: /lib/systemd/systemd-journald
# add: /usr/bin/journalctl
# add: build/userlib/static/shared/user-events:/libcurl/user-events
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

PATH=/libcurl:$PATH

journal=/run/log/journal

# Without it, messages are in memory only.
start_journal()
{
	mkdir -p /run/systemd/journal "$journal"
	echo 0123456789abcdef0123456789abcdef >/etc/machine-id
	/lib/systemd/systemd-journald &
	wait_until [ -S /run/systemd/journal/socket ]
}

# exported OPTION...: starts to export records of hello.
exported()
{
	start user-events export "$@" hello
	wait_until is_recording hello || return 1
	hello 3 >emitted || return 1
}

# Each record is an entry with the text that watch prints.
journal_has_all()
{
	exported --journal || return 1
	stop || return 1
	journalctl --sync || return 1
	journalctl -D "$journal" -o cat USER_EVENTS_EVENT=user_events:hello >out
	cat emitted
	head -n 3 out
	[ "$(number entries)" = "$(written emitted)" ] &&
		[ "$(wc -l <out)" = "$(written emitted)" ] &&
		! grep -qvE '^user_events:hello number=[0-9]+ text="hello, world"$' out
}

journal_finds_fields()
{
	journalctl -D "$journal" -o cat UE_NUMBER=7 SYSLOG_IDENTIFIER=hello |
		tee out
	[ "$(cat out)" = 'user_events:hello number=7 text="hello, world"' ]
}

# records FILE: the number of records of hello in numbers for Prometheus
records()
{
	sed -n 's/^user_events_records_total{event="user_events:hello"} //p' "$1"
}

serves_all()
{
	wget -q -O numbers "http://127.0.0.1:$port/metrics" &&
		[ "$(records numbers)" = "$(written emitted)" ]
}

serves_numbers()
{
	exported --prometheus 0 || return 1
	cat messages
	port=$(sed -n 's/.*serving .metrics on port //p' messages)
	wait_until serves_all
	got=$?
	cat emitted numbers
	stop && [ "$got" = 0 ]
}

writes_a_file()
{
	exported --textfile numbers || return 1
	stop || return 1
	cat numbers
	[ "$(records numbers)" = "$(written emitted)" ]
}

# sum PATTERN: the sum of the numbers after PATTERN in all messages
sum()
{
	grep -o "$1[0-9]*" collected |
		awk -F '[^0-9]' '{ sum += $NF } END { print sum + 0 }'
}

start_collector()
{
	rm -f collected
	perl /user-events-guest/collector.pl collected &
	collector=$!
	wait_until [ -e collected ]
}

# While the collector is busy, more is written than the buffers hold. Each
# record is one that the collector has, or is counted as lost.
waits_for_a_collector()
{
	start_collector || return 1
	touch collected.busy
	start user-events export --otlp http://127.0.0.1:4318 \
		--buffer-size 4K 'walk_*'
	wait_until is_recording walk_directory || return 1
	for _ in 1 2 3; do
		walk_files /
	done >emitted
	wait_until grep -q 'HTTP status 503, waiting$' messages || return 1
	rm collected.busy
	kill -INT "$tool"
	exits_with 4 wait "$tool"
	got=$?
	kill "$collector"
	written=$(awk '{ sum += $5 } END { print sum }' emitted)
	records=$(grep -o '"event.name"' collected | wc -l)
	lost=$(sum '"user_events.lost","value":{"intValue":"')
	cat messages
	echo "$written written, $records collected, $lost lost"
	[ "$got" = 0 ] && [ "$lost" -gt 0 ] && [ "$records" -gt 0 ] &&
		[ $((records + lost)) = "$written" ]
}

# counts FILE: what the module has counted of walk_*, in numbers for Prometheus:
# hits, and records that no tracer was offered
counts()
{
	awk '/^user_events_module_hits_total[{]event="user_events:walk_/ ||
		/^user_events_module_losses_total[{]event="user_events:walk_.*reason="(disabled|fault|invalid|nomem)"/ {
			sum += $NF
		} END { print sum + 0 }' "$1"
}

# The program is killed and started again. Its receiver has the numbers of the
# module, which continue: what was written in between is in them.
numbers_survive_a_kill()
{
	user-events export --textfile before --duration 1 'walk_*' || return 1
	start user-events export --textfile first 'walk_*'
	wait_until is_recording walk_directory || return 1
	walk_files / >emitted
	wait_until [ -s first ] || return 1
	kill -KILL "$tool"
	wait "$tool"
	start user-events watch walk_directory walk_file
	wait_until is_recording walk_directory || return 1
	walk_files / >>emitted
	stop || return 1
	start user-events export --textfile second 'walk_*'
	wait_until is_recording walk_directory || return 1
	walk_files / >>emitted
	stop || return 1
	cat emitted second
	[ $(($(counts second) - $(counts before))) = \
		"$(awk '{ sum += $5 } END { print sum }' emitted)" ]
}

# hits: the last number of hits of walk_* that the collector has
hits()
{
	grep -o '"user_events:walk_[a-z]*"}}\],"startTimeUnixNano":"[0-9]*","timeUnixNano":"[0-9]*","asInt":"[0-9]*"' collected |
		awk -F '"' '{ last[$2] = $(NF - 1) } END { for (i in last) sum += last[i]; print sum + 0 }'
}

starts()
{
	grep -o '"startTimeUnixNano":"[0-9]*"' collected | sort -u | wc -l
}

# Records that a collector has, and those that are lost for a reason, are the hits
# of the module, whichever of two programs has sent them.
otlp_survives_a_kill()
{
	user-events export --textfile before --duration 1 'walk_*' || return 1
	start_collector || return 1
	for signal in KILL INT; do
		start user-events export --otlp http://127.0.0.1:4318 'walk_*'
		wait_until is_recording walk_directory || return 1
		walk_files / >emitted
		# The records, and the numbers that follow them
		sleep 3
		kill -"$signal" "$tool"
		wait "$tool"
	done
	kill "$collector"
	records=$(grep -o '"event.name"' collected | wc -l)
	lost=$(sum '"user_events.lost","value":{"intValue":"')
	echo "$records collected, $lost lost, $(hits) hits, $(counts before) before"
	[ "$records" -gt 0 ] && [ "$(starts)" = 1 ] &&
		[ $((records + lost)) = $(($(hits) - $(counts before))) ]
}

sends_spans()
{
	start_collector || return 1
	start user-events export --otlp http://127.0.0.1:4318 'Example_*'
	wait_until is_recording Example_Disk_L5K2 || return 1
	eventheader 5 10 >emitted || return 1
	stop
	got=$?
	kill "$collector"
	tail -n 1 collected | cut -c 1-1000
	[ "$got" = 0 ] && [ "$(number spans)" = 5 ] &&
		[ "$(grep -o '"name":"Example_Disk:RequestStart"' collected | wc -l)" = 5 ]
}

sends_headers()
{
	start_collector || return 1
	export OTEL_EXPORTER_OTLP_HEADERS='x-first=a%20b, x-second = 2'
	export OTEL_EXPORTER_OTLP_COMPRESSION=gzip
	exported --otlp http://127.0.0.1:4318 \
		--otlp-header 'Authorization=Bearer 1=2' || return 1
	stop
	got=$?
	unset OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_COMPRESSION
	kill "$collector"
	tr -d '\r' <collected.headers | tee headers
	[ "$got" = 0 ] && grep -qxF 'x-first: a b' headers &&
		grep -qxF 'x-second: 2' headers &&
		grep -qxF 'Authorization: Bearer 1=2' headers || return 1
	# The last of several messages
	gunzip -c collected.gz | grep -q '"event.name"'
}

# Persistent, so that tracers are enabled before the first record.
echo 'u:hello s32 number; __data_loc char[] text' >>"$tracing/dynamic_events"
user-events add Example_Disk_L4K1 Example_Disk_L5K2
walk_files / >/dev/null
ip link set lo up
check "export reports a missing journal" one_line 1 \
	'journal/socket: No such file or directory$' \
	user-events export --journal hello
check "the journal starts" start_journal
check "export --journal sends all records" journal_has_all
check "journalctl finds fields" journal_finds_fields
check "export --prometheus serves live numbers" serves_numbers
check "export --textfile writes live numbers" writes_a_file
check "export --otlp waits, and sends losses" waits_for_a_collector
check "numbers of the module survive a kill" numbers_survive_a_kill
check "sums of a collector survive a kill" otlp_survives_a_kill
check "export --otlp sends spans" sends_spans
check "export --otlp sends headers, and compresses" sends_headers
check "export --otlp-header takes one header" one_line 2 \
	'^user-events: --otlp-header: not NAME=VALUE of a header$' \
	user-events export --otlp http://127.0.0.1 --otlp-header 'a=b
c=d'
check "export --otlp-header takes no header of the client" one_line 2 \
	'^user-events: --otlp-header: not NAME=VALUE of a header$' \
	user-events export --otlp http://127.0.0.1 --otlp-header Host=a
check "export reports an unknown compression" one_line 2 \
	'^user-events: OTEL_EXPORTER_OTLP_COMPRESSION: "zip" is not gzip or none$' \
	env OTEL_EXPORTER_OTLP_COMPRESSION=zip \
	user-events export --otlp http://127.0.0.1 hello
check "export does not print invalid headers" one_line 2 \
	'^user-events: OTEL_EXPORTER_OTLP_HEADERS: not a list of NAME=VALUE, separated by commas$' \
	env OTEL_EXPORTER_OTLP_HEADERS=secret \
	user-events export --otlp http://127.0.0.1 hello
check "a program without libcurl reports --otlp" one_line 2 \
	'^user-events: --otlp: not supported by this program$' \
	/usr/bin/user-events export --otlp http://127.0.0.1 hello
finish
