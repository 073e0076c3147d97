# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317,SC2119,SC2016,SC3045
#
# Every record that was written is in the file of user-events record, or is
# reported as lost or missing, and then the exit status is 4.
# guest: library
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

cpu=/sys/devices/system/cpu/cpu1

# kept FILE: the number of records in a file
kept()
{
	user-events decode "$1" 2>/dev/null | grep -vc ' lost: '
}

# lost FILE: the number of records that a file reports as lost
lost()
{
	user-events decode --json --lines "$1" 2>/dev/null |
		awk -F '[:,]' '$1 == "{\"lost\"" { sum += $2 } END { print sum + 0 }'
}

# counts FILE: sets in_file and in_losses to these numbers. To decode many records
# takes longer than to write them.
counts()
{
	in_file=$(kept "$1")
	in_losses=$(lost "$1")
	echo "$in_file in the file, $in_losses lost, status $got"
}

# says_missing: the number of records that messages report as missing
says_missing()
{
	awk '/ records are missing$/ { sum += $3 } END { print sum + 0 }' messages
}

# starts OPTION...: records "number" to a.data
starts()
{
	start user-events record -o a.data "$@" number
	wait_until is_recording number
}

# writes PROCESSES NUMBER: each writes as many records, as fast as it can
writes()
{
	pids=
	while [ "$(echo "$pids" | wc -w)" -lt "$1" ]; do
		guest numbers 1 "$2" &
		pids="$pids $!"
	done
	# shellcheck disable=SC2086 # several numbers
	wait $pids
}

restart_processor()
{
	echo 0 >"$cpu/online" && echo 1 >"$cpu/online"
}

# ---- Full rate ----

# adds_up PROCESSES NUMBER SIZE
adds_up()
{
	starts --buffer-size "$3" || return 1
	writes "$1" "$2"
	stop
	got=$?
	counts a.data
	[ $((in_file + in_losses)) = $(($1 * $2)) ] &&
		[ "$(number events)" = "$in_file" ] &&
		[ "$(number lost)" = "$in_losses" ] &&
		[ "$got" = $((in_losses ? 4 : 0)) ]
}

# Of a command, whose event appears while it runs. The last records do not fit,
# since the recorder is stopped; programs that start then would wait for it.
adds_up_for_a_command()
{
	user-events record --buffer-size 4K -o a.data hello -- sh -c \
		'taskset 2 hello 12 & sleep 2; kill -STOP $PPID; wait; kill -CONT $PPID' \
		>emitted 2>messages
	got=$?
	cat emitted messages
	counts a.data
	[ "$in_losses" -gt 0 ] && [ "$got" = 4 ] &&
		grep -q "^user-events: a.data: .* $in_losses lost\$" messages &&
		[ $((in_file + in_losses)) = "$(written emitted)" ]
}

# ---- Sizes ----

# Records near the limits of perf: each is in the file, or lost.
sizes_are_exact()
{
	for size in 7970 7980 7981 8100 8179 8180 8181 8184 8200 70000; do
		start user-events record -o a.data large
		wait_until is_recording large || return 1
		guest large 1 "$size" || return 1
		stop >/dev/null
		got=$?
		echo "$size: $(number events) + $(number lost), status $got"
		[ $(($(number events) + $(number lost))) = 1 ] &&
			[ "$(kept a.data)" = "$(number events)" ] &&
			[ "$got" = $(($(number lost) ? 4 : 0)) ] || return 1
	done
	[ "$(number lost)" = 1 ]
}

# A log with a long body, as OpenTelemetry writes it
bodies_are_exact()
{
	user-events add "Shop_L4K1 $eventheader_fields" || return 1
	for size in 7000 7900 7980 7981 8000 8100 8200 9000; do
		body=$(head -c "$size" /dev/zero | tr '\0' x)
		start user-events record -o a.data Shop_L4K1
		wait_until is_recording Shop_L4K1 || return 1
		user-events write --report --level 4 --keyword 1 Shop:Log body="$body" \
			2>report
		told=$?
		stop >/dev/null
		echo "$size: writer $told, $(number events) events, $(number lost) lost"
		cat report
		[ "$(number events)" = $((told ? 0 : 1)) ] &&
			[ "$(kept a.data)" = "$(number events)" ] || return 1
	done
	[ "$told" != 0 ] && user-events del Shop_L4K1
}

# ---- The end of the recorder ----

# A recorder that is killed leaves what it has read, in order. Without a message,
# no record in between is missing.
killed_at_any_time()
{
	round=0
	full=0
	while [ "$round" -lt 100 ]; do
		rm -f only/*
		user-events record -o only/a.data number >/dev/null 2>&1 &
		tool=$!
		guest numbers 1 $((round * 100)) &
		writer=$!
		usleep $((round % 50 * 20000))
		kill -KILL "$tool"
		wait "$tool"
		wait "$writer"
		round=$((round + 1))
		for file in only/a.data.tmp-*; do
			[ -s "$file" ] || continue
			user-events decode "$file" 2>told |
				sed -n 's/.*value=//p' >values
			sort -n values | uniq | cmp - values || return 1
			[ -s values ] || continue
			full=$((full + 1))
			grep -q 'not finished\| lost' told ||
				seq "$(head -n 1 values)" "$(tail -n 1 values)" |
				cmp - values || return 1
		done
	done 2>/dev/null
	echo "$full of $round have records"
}

# What was written before is in a flight recorder that runs beside it.
killed_beside_a_flight_recorder()
{
	user-events flight start black number || return 1
	round=0
	while [ "$round" -lt 100 ]; do
		user-events record -o only/a.data number >/dev/null 2>&1 &
		tool=$!
		usleep $((round % 20 * 10000))
		guest numbers $((round * 10)) $((round * 10 + 9))
		kill -KILL "$tool"
		wait "$tool"
		round=$((round + 1))
	done 2>/dev/null
	rm -f only/*
	user-events flight dump black | sed -n 's/.*value=//p' >values
	seq 0 999 | cmp - values
	got=$?
	user-events flight stop black
	return "$got"
}

# ---- What the recorder does not see ----

too_few_descriptors()
{
	(
		ulimit -n 40
		exec user-events record -o a.data 'number' 'many_*'
	) 2>messages &
	tool=$!
	wait_until is_recording number || return 1
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		echo "many_$i u32 a"
	done >definitions
	user-events add -r definitions
	wait_until grep -q 'cannot add new events: Too many open files' messages
	stop
	got=$?
	wait_until user-events del 'many_*'
	[ "$got" = 4 ]
}

# Nothing is compared with the module, and the recorder ends before its next
# look.
restart_before_the_end()
{
	starts --filter 'value > 0' || return 1
	sleep 1
	kill -STOP "$tool"
	restart_processor
	taskset 2 guest numbers 1 10
	kill -INT "$tool"
	kill -CONT "$tool"
	exits_with 4 wait "$tool"
	got=$?
	cat messages
	[ "$got" = 0 ] && grep -q 'restarts of processors' messages
}

# Others write while the counts are read.
restart_beside_busy_writers()
{
	while :; do
		taskset 1 guest numbers 1 20000
	done &
	writer=$!
	starts --buffer-size 4K || return 1
	kill -STOP "$tool"
	restart_processor
	taskset 2 guest numbers 900001 900500
	kill -CONT "$tool"
	sleep 1
	stop
	got=$?
	kill "$writer"
	wait "$writer"
	[ "$got" = 4 ] && [ "$(says_missing)" -ge 500 ]
}

# What the processor has is read, and what it lost is counted.
processor_stays_offline()
{
	starts --buffer-size 4K || return 1
	sleep 1
	kill -STOP "$tool"
	taskset 2 guest numbers 1 5000
	echo 0 >"$cpu/online"
	kill -CONT "$tool"
	sleep 1
	stop
	got=$?
	echo 1 >"$cpu/online"
	counts a.data
	[ "$got" = 4 ] && [ $((in_file + in_losses)) = 5000 ]
}

# not_followed MODE: perf does not follow a program of such a mode.
not_followed()
{
	cp "$(command -v hello)" program && chmod "$1" program || return 1
	user-events record -o a.data hello -- su -s /bin/sh nobody \
		-c "$PWD/program 1" >emitted 2>messages
	got=$?
	cat messages
	[ "$got" = 4 ] && [ "$(kept a.data)" = 0 ] &&
		grep -q "^user-events: $PWD/program: .*perf does not follow it" messages
}

followed()
{
	cp "$(command -v hello)" program && chmod 755 program || return 1
	user-events record -o a.data hello -- su -s /bin/sh nobody \
		-c "$PWD/program 1" >emitted && [ "$(kept a.data)" = 10 ]
}

eventheader_fields='u8 eventheader_flags; u8 version; u16 id; u16 tag'
eventheader_fields="$eventheader_fields; u8 opcode; u8 level"
mkdir only
user-events add 'number u32 value' 'large u32 first'
for threads in 1 2 8; do
	check "the sum of $threads writers is exact" adds_up $threads 8000 512K
	check "the sum of $threads writers is exact with small buffers" \
		adds_up $threads 8000 4K
done
check "the sum is exact for a command with a new event" adds_up_for_a_command
check "records of each size are in the file or lost" sizes_are_exact
check "a writer of long bodies is told what became of them" bodies_are_exact
check "100 recorders that are killed leave files that are read" \
	killed_at_any_time
check "100 recorders that are killed lose nothing of a flight recorder" \
	killed_beside_a_flight_recorder
check "events that cannot be recorded make it incomplete" too_few_descriptors
check "a restart of a processor before the end is reported" \
	restart_before_the_end
check "records that a restart beside busy writers loses are missing" \
	restart_beside_busy_writers
check "records of a processor that stays offline are read or lost" \
	processor_stays_offline
echo 'u:hello s32 number; __data_loc char[] text' >>"$tracing/dynamic_events"
chmod 666 "$tracing/user_events_data"
chmod a+rx "$tracing"
check "a program that its user can read is followed" followed
check "one that its user cannot read is not" not_followed 0711
check "one with the rights of another user is not" not_followed 4755
finish
