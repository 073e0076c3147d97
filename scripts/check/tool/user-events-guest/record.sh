# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events record, read by perf script
# guest: perf
# with: perf
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

# events FILE: prints event and values of each record.
events()
{
	perf script -F event,trace -i "$1" 2>/tmp/perf-messages ||
		cat /tmp/perf-messages
}

# dir_is_empty: checks for files, complete or not, in the directory of the test.
dir_is_empty()
{
	ls -A only
	[ -z "$(ls -A only)" ]
}

mkdir only

# perf records the same events at the same time.
same_as_perf()
{
	perf record -q -a -e 'user_events:walk_*' -o theirs -- \
		user-events record -o ours 'walk_*' -- walk_files / >emitted || return 1
	cat emitted
	perf_script -F event,trace -i theirs >theirs.txt
	events ours >ours.txt
	head -n 3 ours.txt
	[ "$(wc -l <ours.txt)" = "$(awk '{ print $5 }' emitted)" ] &&
		cmp ours.txt theirs.txt &&
		[ "$(perf script -F comm -i ours | sort -u)" = \
		"$(perf_script -F comm -i theirs | sort -u)" ]
}

# ---- names of threads ----

# Names printed by "guest names ./another": each record contains its name.
cat >wanted-names <<END
a thread's name
another
first name
first name
first name
first name
first name
guest
END

# named FILE: perf script and decode must show the name in each record.
named()
{
	perf script -F comm,trace -i "$1" |
		sed 's/^ *//; s/ *name=/=/' >perf.txt
	user-events decode "$1" |
		sed 's/^[^]]*] //; s|/[0-9/]* user_events:called name="|=|; s/"$//' >decoded.txt
	cat perf.txt
	diff perf.txt decoded.txt &&
		[ "$(cut -d= -f1 perf.txt)" = "$(cut -d= -f2 perf.txt)" ] &&
		cut -d= -f1 perf.txt | sort | diff - wanted-names
}

names_of_a_command()
{
	user-events record -o a.data called -- guest names ./another || return 1
	named a.data
}

# All threads have exited when the recorder reads the first record.
names_of_exited_threads()
{
	start user-events record ${1:+"$1"} -o a.data called
	wait_until is_recording called || return 1
	kill -STOP "$tool"
	guest names ./another
	kill -CONT "$tool"
	stop || return 1
	named a.data
}

# The process started before the recorder.
names_of_earlier_processes()
{
	hello 4 >emitted &
	sleep 1
	user-events record -o a.data hello -- sleep 1 || return 1
	user-events record -o all.data --all hello -- sleep 1 || return 1
	wait
	events a.data
	perf script -F comm -i all.data | sort | uniq -c
	[ "$(events a.data)" = "" ] &&
		[ "$(perf script -F comm -i all.data | sort -u | tr -d ' ')" = \
		hello ]
}

names_of_snapshots()
{
	rm -f snap.data*
	start user-events record --snapshot -o snap.data called
	wait_until is_recording called || return 1
	guest names ./another
	# Many other processes run in between.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			/bin/true
		done
		usleep 100000
	done
	kill -USR2 "$tool"
	wait_until grep -q 'snap.data.*events$' messages || return 1
	guest names ./another
	stop || return 1
	named snap.data.2* && named snap.data
}

sums_up()
{
	user-events record -o a.data 'walk_*' -- walk_files / >emitted \
		2>messages || return 1
	cat messages
	[ "$(number events)" = "$(awk '{ print $5 }' emitted)" ] &&
		[ "$(number bytes)" = "$(stat -c %s a.data)" ] &&
		[ "$(number lost)" = 0 ]
}

sums_up_json()
{
	user-events record --json -o a.data 'walk_*' -- \
		sh -c 'walk_files / >emitted' >out || return 1
	cat out
	[ "$(cat out)" = \
		"{\"file\":\"a.data\",\"files\":1,\"events\":$(awk '{ print $5 }' emitted),\"bytes\":$(stat -c %s a.data),\"lost\":0,\"missing\":0,\"skipped\":0,\"corrupt\":0}" ]
}

# The module deletes the event of the previous test in the background.
wait_for_deletion()
{
	wait_until [ ! -e "$tracing/events/user_events/run_time" ]
}

# late_events COMMAND...: records an event that COMMAND registers, while another
# process writes it, too.
late_events()
{
	wait_for_deletion || return 1
	exits_with 4 user-events record -o a.data -- "$@" 2>messages || {
		cat messages
		return 1
	}
	cat messages
	grep -q 'run_time: found after it was registered' messages || return 1
	events a.data >out
	cat out
	[ "$(wc -l <out)" -gt 0 ] &&
		! grep -qv 'user_events:run_time: *late=1 text=own$' out
}

late_events_of_children()
{
	late_events sh -c 'run_time late=1 text=own & run_time late=1 text=own; wait' &&
		[ "$(perf script -F tid -i a.data | sort -u | wc -l)" = 2 ]
}

late_events_beside_another()
{
	# Once the event exists, its records are those of both.
	(
		sleep 1
		run_time late=1 text=foreign
	) &
	late_events sh -c 'run_time late=1 text=own; true'
	got=$?
	wait $!
	return "$got"
}

# -p follows children that exist, and those that they create.
late_events_of_a_process()
{
	wait_for_deletion || return 1
	rm -f go found
	# A slow recorder might miss an event that exists for two seconds.
	sh -c 'until [ -e go ]; do usleep 10000; done
		until [ -e found ]; do (run_time late=1 text=own; true); done' &
	writer=$!
	start user-events record -p "$writer" -o a.data
	wait_until is_waiting
	touch go
	wait_until is_enabled run_time
	touch found
	wait "$writer"
	exits_with 4 wait "$tool"
	got=$?
	events a.data >out
	cat messages out
	[ "$got" = 0 ] && [ "$(wc -l <out)" -gt 0 ] &&
		! grep -qv 'text=own$' out
}

# An event without any record: those before it was found can have been all.
late_event_without_records()
{
	exits_with 4 user-events record -o a.data -- \
		sh -c "echo 'u:nothing u32 a' >>$tracing/dynamic_events" \
		2>messages
	got=$?
	cat messages
	user-events del nothing
	[ "$got" = 0 ] &&
		grep -q 'nothing: found after it was registered' messages
}

# come_and_go EVENT: runs a program that registers and writes "run_time" while the
# recorder of EVENT is not looking.
come_and_go()
{
	wait_until [ ! -e "$tracing/events/user_events/run_time" ] || return 1
	start user-events record -o a.data hello "$1"
	wait_until is_recording hello || return 1
	kill -STOP "$tool"
	run_time late=1 text=own
	wait_until [ ! -e "$tracing/events/user_events/run_time" ] || return 1
	kill -CONT "$tool"
	stop
}

events_that_come_and_go()
{
	exits_with 4 come_and_go '[hr]*' || return 1
	grep -q '^user-events: run_time: registered and removed before it was found' messages &&
		! grep 'registered and removed' messages | grep -qv ': run_time: '
}

other_events_that_come_and_go()
{
	come_and_go 'hel*' && ! grep -q 'registered and removed' messages
}

# make_hello: what the tests expect to exist, after "user-events del hello"
make_hello()
{
	echo 'u:hello s32 number; __data_loc char[] text' >>"$tracing/dynamic_events"
}

# first_records COMMAND...: runs hello once or twice. Of an event that is in the
# file of a program, the first record is recorded.
first_records()
{
	user-events del hello || return 1
	user-events record -o a.data -- "$@" >emitted 2>messages
	got=$?
	events a.data >out
	make_hello
	cat emitted messages out
	[ "$got" = 0 ] && [ "$(wc -l <out)" = \
		"$(awk '/ records written$/ { sum += $1 } END { print sum }' emitted)" ] &&
		[ "$(grep -c 'number=0 ' out)" = "$(grep -c written emitted)" ]
}

# The file has only events that another one has, too: that of the command.
elf_of_the_command()
{
	user-events record --elf "$(command -v hello)" -o a.data -- hello 1 \
		>emitted 2>messages
	got=$?
	events a.data >out
	cat messages
	[ "$got" = 0 ] && [ "$(wc -l <out)" = 10 ]
}

# Of a program that the tool does not start
elf_of_another()
{
	user-events del hello || return 1
	start user-events record --elf "$(command -v hello)" -o a.data hello
	wait_until is_recording hello && hello 1 >emitted
	stop
	got=$?
	events a.data >out
	make_hello
	[ "$got" = 0 ] && [ "$(wc -l <out)" = 10 ] && grep -q 'number=0 ' out
}

# ---- processors that are restarted ----

restart_processor()
{
	echo 0 >/sys/devices/system/cpu/cpu1/online &&
		echo 1 >/sys/devices/system/cpu/cpu1/online
}

suspend()
{
	echo 0 >/sys/class/rtc/rtc0/wakealarm &&
		echo +5 >/sys/class/rtc/rtc0/wakealarm &&
		echo mem >/sys/power/state
}

# written_by_walk: prints the number of records in the file "emitted".
written_by_walk()
{
	awk '{ sum += $5 } END { print sum + 0 }' emitted
}

# The file has its name only at the end; until then, a.data is that of another test.
is_recorded_again()
{
	taskset 2 walk_files / >>emitted
	sleep 1
	user-events decode a.data.tmp-* 2>/dev/null | grep -qv ' lost: '
}

# records_after COMMAND: what is written on a processor after it was restarted is
# in the file, or said to be missing.
records_after()
{
	start user-events record -o a.data 'walk_*'
	wait_until is_recording walk_directory || return 1
	sleep 1
	"$1" || return 1
	: >emitted
	wait_until is_recorded_again
	taskset 2 walk_files / >>emitted
	stop
	got=$?
	events a.data >out
	missing=$(awk '/ records are missing$/ { sum += $3 } END { print sum + 0 }' messages)
	cat emitted
	wc -l out
	[ $(($(wc -l <out) + missing)) = "$(written_by_walk)" ] &&
		[ "$(wc -l <out)" -ge "$(tail -n 1 emitted | awk '{ print $5 }')" ] &&
		[ "$got" = $((missing ? 4 : 0)) ]
}

# The recorder does not run in between, for longer than since it last looked.
records_missed()
{
	start user-events record -o a.data 'walk_*'
	wait_until is_recording walk_directory || return 1
	kill -STOP "$tool"
	restart_processor
	taskset 2 walk_files / >emitted
	sleep 2
	kill -CONT "$tool"
	stop
	got=$?
	[ "$got" = 4 ] && [ "$(events a.data | wc -l)" = 0 ] &&
		[ "$(awk '/ records are missing$/ { sum += $3 } END { print sum + 0 }' messages)" = "$(written_by_walk)" ] &&
		grep -q 'restarts of processors' messages
}

# The program writes 20 records in 2 s.
first_cxx_records()
{
	user-events record -o a.data -- cxx_program || return 1
	events a.data | tee out
	[ "$(wc -l <out)" = 20 ] && grep -q 'name=requests value=0 state=0' out
}

# Of a provider that no program has registered before
first_eventheader_records()
{
	user-events record -o a.data -- eventheader 2 >emitted || return 1
	cat emitted
	user-events decode a.data | tee out
	[ "$(grep -c ' Example_Disk:Request' out)" = 4 ] &&
		grep -q "^2 requests, 4 " emitted
}

until_a_signal()
{
	rm -f a.data
	start user-events record -o a.data hello
	wait_until is_recording hello || return 1
	hello 1 >emitted || return 1
	[ ! -e a.data ] || return 1
	stop "$1" || return 1
	[ "$(events a.data | wc -l)" = \
		"$(sed -n 's/ records written//p' emitted)" ]
}

# Records can have nearly 8 KiB.
big_records()
{
	text=$(head -c 6000 /dev/zero | tr '\0' x)
	start user-events record -o a.data 'run_time*'
	run_time "big=$text" || return 1
	stop || return 1
	events a.data >out
	cut -c 1-60 out
	[ "$(wc -l <out)" -gt 0 ] && ! grep -qv "run_time: *big=$text\$" out
}

# The recorder is stopped while more is written than its buffers hold.
counts_losses()
{
	start user-events record --buffer-size 4K -o a.data 'walk_*'
	wait_until is_recording walk_directory || return 1
	kill -STOP "$tool"
	walk_files / >emitted
	kill -CONT "$tool"
	stop
	[ $? = 4 ] && [ "$(number lost)" -gt 0 ] &&
		[ $(($(number lost) + $(number events))) = \
		"$(awk '{ print $5 }' emitted)" ] &&
		[ "$(events a.data | wc -l)" = "$(number events)" ] &&
		[ \
		"$(perf script --show-lost-events -i a.data | awk '/PERF_RECORD_LOST/ { sum += $NF } END { print sum }')" = "$(number lost)" ]
}

# losses FILE REASON: the number of records that a file says to be lost
losses()
{
	user-events decode --format json --lines "$1" 2>/dev/null |
		sed -n "s/^{\"lost\":\([0-9]*\),\"event\":\"user_events:[a-z_]*\",\"reason\":\"$2\",\"meta\":{\"since\":\".*\",\"time\":\".*\",\"cpu\":[0-9]*}}$/\1/p" |
		awk '{ sum += $1 } END { print sum + 0 }'
}

# Each loss has its event, reason, processor and time.
counts_losses_in_a_file()
{
	counts_losses || return 1
	[ "$(losses a.data perf_buffer)" = "$(number lost)" ]
}

# Records of more than 8184 bytes: the write succeeds, and perf does not get them.
# "$@" is the way to record them.
too_large()
{
	user-events add 'large u32 first' || return 1
	"$@" 2>messages
	got=$?
	user-events del large
	cat messages
	user-events decode a.data 2>reasons | tee out
	cat reasons
	[ "$got" = 4 ] && [ "$(number lost)" = 2 ] &&
		[ "$(number events)" = 1 ] &&
		[ "$(losses a.data perf_too_large)" = 2 ] &&
		grep -q '\[001\] [12] records of user_events:large lost: too large for perf and BPF (perf_too_large), since 2' out &&
		! grep -q 'records are missing' messages &&
		grep -q ': 2 records lost during recording$' reasons &&
		grep -q '^user-events: 2 records lost: user_events:large: too large' reasons &&
		[ "$(perf script -i a.data 2>/dev/null | wc -l)" = 1 ] &&
		perf report --stdio -i a.data >/dev/null 2>&1
}

of_a_command()
{
	user-events record -o a.data large -- taskset 2 sh -c \
		'guest large 1 4; guest large 2 9000'
}

of_all_processes()
{
	user-events record -o a.data large &
	tool=$!
	wait_until is_recording large || return 1
	taskset 2 guest large 1 4
	taskset 2 guest large 2 9000
	kill -INT "$tool"
	wait "$tool"
}

clocks()
{
	user-events record --clockid monotonic_raw -o a.data hello -- hello 1 ||
		return 1
	perf script --header-only -i a.data >out 2>&1
	cat out
	grep -q 'clockid: monotonic_raw' out
}

one_processor()
{
	user-events record --cpu 1 -o a.data 'walk_*' -- \
		sh -c 'taskset 1 walk_files / >emitted; taskset 2 walk_files / >>emitted' || return 1
	cat emitted
	[ "$(events a.data | wc -l)" = \
		"$(tail -n 1 emitted | awk '{ print $5 }')" ] &&
		! perf script -F cpu -i a.data | grep -qv '\[001\]'
}

# The newest records must be in the snapshot, and overwritten ones must not.
snapshots()
{
	rm -f snap.data*
	start user-events record --snapshot=16K -o snap.data 'walk_*' hello
	wait_until is_recording hello || return 1
	walk_files / >emitted
	hello 1 >/dev/null
	kill -USR2 "$tool"
	wait_until grep -q 'snap.data.*events$' messages || return 1
	hello 2 >/dev/null
	stop || return 1
	ls -l snap.data*
	first=$(ls snap.data.2*)
	events "$first" >first.txt
	events snap.data >last.txt
	tail -n 2 first.txt
	wc -l first.txt last.txt
	[ "$(tail -n 1 first.txt)" = "$(grep hello first.txt | tail -n 1)" ] &&
		grep -q 'number=9 ' first.txt &&
		grep -q walk_ first.txt &&
		[ "$(wc -l <first.txt)" -lt "$(awk '{ print $5 }' emitted)" ] &&
		[ "$(wc -l <last.txt)" = 20 ] && ! grep -q walk_ last.txt
}

# Every record is in one of the files, in order.
switches_by_size()
{
	rm -f part.*
	user-events record --switch-output=16K -o part 'walk_*' -- \
		sh -c 'walk_files / >emitted; walk_files / >>emitted' \
		2>messages || return 1
	cat messages emitted
	ls -l part.*
	for file in part.*; do
		events "$file"
	done >out
	[ "$(parts | wc -l)" -gt 1 ] &&
		[ "$(parts | wc -l)" = "$(number files)" ] &&
		[ "$(wc -l <out)" = \
		"$(awk '{ sum += $5 } END { print sum }' emitted)" ]
}

# parts: the files of a recording, also the one that is written
parts()
{
	find . -name 'part.*' | sort
}

parts_differ()
{
	! parts | cmp -s - before
}

# The newest two files; the last one has what was written last.
switches_at_a_signal()
{
	rm -f part.*
	start user-events record --switch-output --max-files 2 -o part called hello
	wait_until is_recording hello || return 1
	for i in 1 2 3; do
		guest names ./another
		parts >before
		kill -USR2 "$tool"
		wait_until parts_differ || return 1
	done
	hello 1 >/dev/null
	stop || return 1
	ls -l part.*
	[ "$(number files)" = 4 ] && [ "$(parts | wc -l)" = 2 ] &&
		named "$(parts | head -n 1)" &&
		events "$(parts | tail -n 1)" | grep -q 'hello: *number=9 '
}

# Files of an earlier recording, and of one that was killed
removes_earlier_files()
{
	rm -f part.*
	touch part.2000010100000000 part.2000010100000001.tmp-5-0 part.other
	start user-events record --switch-output --max-files 2 -o part hello
	wait_until is_recording hello || return 1
	stop || return 1
	parts
	[ "$(number files)" = 1 ] && [ "$(parts | wc -l)" = 3 ] &&
		[ ! -e part.2000010100000000 ] && [ -e part.other ]
}

# A snapshot when a filter hits: it has what preceded that.
trigger_writes_a_snapshot()
{
	rm -f snap.data*
	start user-events record --snapshot --max-files 3 -o snap.data \
		--trigger 'hello if number == 7' called hello
	wait_until is_recording hello || return 1
	guest names ./another
	hello 1 >/dev/null
	wait_until grep -q 'snap.data.*events$' messages || return 1
	stop || return 1
	ls -l snap.data*
	[ "$(find . -name 'snap.data.2*' | wc -l)" = 1 ] &&
		events snap.data.2* >out && grep -q called out &&
		grep -q 'number=7 ' out
}

trigger_stops()
{
	hello 100 >/dev/null &
	writer=$!
	wait_until [ -e "$tracing/events/user_events/hello" ] || return 1
	start user-events record -o a.data --trigger hello --trigger-rate 3 \
		--on-trigger stop hello
	wait "$tool"
	got=$?
	kill "$writer"
	cat messages
	# The trigger also counts records before the first of the file.
	[ "$got" = 0 ] && grep -q 'a.data: stopped at --trigger$' messages &&
		[ "$(events a.data | wc -l)" -gt 0 ]
}

group=/sys/fs/cgroup/some.slice/server.service

# in_group COMMAND...: runs it in a control group, which its process enters.
in_group()
{
	sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$group" "$@" \
		>/dev/null
}

# records_of WORD NAME: of a process in the control group, and of the child of
# one that enters it, but not of others.
records_of()
{
	[ -e /sys/fs/cgroup/cgroup.procs ] ||
		mount -t cgroup2 nodev /sys/fs/cgroup || return 1
	# Groups have the controller of perf once any other is enabled.
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control || return 1
	mkdir -p "$group"
	hello 30 >/dev/null &
	other=$!
	in_group hello 30 &
	wait_until grep -q . "$group/cgroup.procs" || return 1
	member=$(cat "$group/cgroup.procs")
	start user-events record "$1" "$2" -o only/a.data hello called
	wait_until is_recording hello || { cat messages && return 1; }
	in_group sh -c 'guest name; true'
	wait_until has_records || return 1
	stop || return 1
	kill "$other" "$member"
	wait
	user-events decode -F comm,pid,event only/a.data | tr '\t' ' ' | sort |
		uniq -c | tee out
	rm only/a.data
	[ "$(grep -c "^ *1 guest [0-9]* user_events:called$" out)" = 1 ] &&
		grep -q " hello $member user_events:hello$" out &&
		[ "$(wc -l <out)" = 2 ]
}

# keeps_records: the file has a temporary name, and decode reads its records.
keeps_records()
{
	ls -l only
	[ ! -e only/a.data ] &&
		grep -q 'user-events decode only/a.data.tmp-' messages &&
		exits_with 4 user-events decode only/a.data.tmp-* >decoded.txt &&
		tail -n 2 decoded.txt && grep -q 'walk_' decoded.txt
}

full_disk()
{
	mount -t tmpfs -o size=32k small only || return 1
	exits_with 1 user-events record -o only/a.data 'walk_*' -- \
		sh -c 'walk_files / >/dev/null' 2>messages &&
		grep 'only/a.data: cannot write: No space left on device$' messages &&
		keeps_records
	got=$?
	umount only
	return "$got"
}

# During a long recording
disk_becomes_full()
{
	mount -t tmpfs -o size=32k small only || return 1
	start user-events record -o only/a.data 'walk_*'
	wait_until is_recording walk_directory || return 1
	# The tool writes its buffer when it is full.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		kill -0 "$tool" && walk_files / >/dev/null
	done
	wait "$tool"
	got=$?
	cat messages
	[ "$got" = 1 ] && keeps_records
	got=$?
	umount only
	return "$got"
}

has_records()
{
	user-events decode only/a.data.tmp-* 2>/dev/null | grep -q :hello
}

# A recorder that is killed loses what it has not read.
killed()
{
	rm -rf only/*
	start user-events record -o only/a.data 'walk_*' hello
	wait_until is_recording hello || return 1
	hello 1 >/dev/null
	wait_until has_records || return 1
	kill -KILL "$tool"
	wait "$tool"
	exits_with 4 user-events decode only/a.data.tmp-* >decoded.txt 2>messages
	got=$?
	cat messages
	head -n 2 decoded.txt
	rm only/a.data.tmp-*
	[ "$got" = 0 ] && grep -q 'recording was not finished' messages &&
		grep -q 'user_events:hello number=' decoded.txt
}

# A copy of a file of perf or of the tool that was interrupted.
truncated()
{
	perf record -q -a -B -e user_events:hello -o theirs -- hello 2 >/dev/null &&
		user-events record -o ours hello -- hello 2 || return 1
	for file in theirs ours; do
		size=$(perf script --header-only -i "$file" 2>/dev/null |
			sed -n 's/^# data size *: *//p')
		head -c "$((size - 40))" "$file" >part.data
		exits_with 4 user-events decode part.data >decoded.txt 2>messages || return 1
		cat messages
		grep -q 'part.data: .*truncated' messages &&
			[ "$(wc -l <decoded.txt)" -gt 5 ] || return 1
	done
	grep -q 'number=' decoded.txt
}

# stops_at OPTION VALUE: without a command.
stops_at()
{
	hello 100 >/dev/null &
	writer=$!
	wait_until [ -e "$tracing/events/user_events/hello" ] || return 1
	start user-events record -o a.data "$1" "$2" hello
	wait "$tool"
	got=$?
	kill "$writer"
	cat messages
	[ "$got" = 0 ] && grep -q "a.data: stopped at $1" messages
}

stops_at_a_count()
{
	stops_at --count 7 && [ "$(events a.data | wc -l)" = 7 ]
}

# Linux 5 and 6 take some milliseconds for each event that perf no longer uses. The
# tool exits before, and a process closes the others. Linux 7.2 is faster.
many_events()
{
	i=0
	while [ "$i" -lt 500 ]; do
		echo "many_$i u32 a"
		i=$((i + 1))
	done >definitions
	user-events add -r definitions || return 1
	start user-events record -o a.data 'many_*'
	wait_until is_recording many_499 || return 1
	stop || return 1
	cat messages
	if ! grep -q '^user-events: 500 events are in use until process' messages
	then
		case $(uname -r) in
		[56].*) return 1 ;;
		esac
		! grep ' Used by.*perf' "$tracing/user_events_status" || return 1
	fi
	while grep -q ' Used by.*perf' "$tracing/user_events_status"; do
		usleep 100000
	done
	user-events del 'many_*'
}

too_big()
{
	(
		ulimit -f 16
		one_line 1 'only/a.data: cannot write: File too large$' \
			user-events record -o only/a.data 'walk_*' -- \
			sh -c 'walk_files / | cat'
	) && ls only/a.data.tmp-* && rm only/a.data.tmp-*
}

no_such_command()
{
	one_line 127 'nothere: cannot run: No such file or directory$' \
		user-events record -o only/a.data hello -- nothere &&
		dir_is_empty
}

no_such_event()
{
	one_line 3 'nothere: no such event$' user-events record \
		-o only/a.data nothere -- true && dir_is_empty
}

without_rights()
{
	mkdir -m 777 public &&
		one_line 1 \
		'not readable|Permission denied|Operation not permitted' \
		su -s /bin/sh nobody \
		-c "user-events record -o public/a.data hello" &&
		[ -z "$(ls -A public)" ]
}

# Links of the same user are followed, and remain.
follows_links()
{
	echo target >target
	mkdir -p links
	ln -sf ../second links/first
	ln -sf "$PWD/target" second
	user-events record -o links/first hello -- hello 1 || return 1
	ls -l . links
	[ "$(events target | wc -l)" = 10 ] && [ -h links/first ] && [ -h second ]
}

# keeps_target COMMAND...: writes to a link that another user has made in a
# directory such as /tmp. As open(2) does, COMMAND must refuse to follow it.
keeps_target()
{
	echo target >target
	rm -rf shared
	mkdir -m 1777 shared
	su -s /bin/sh nobody -c "ln -s $PWD/target shared/link" || return 1
	protected=$(cat /proc/sys/fs/protected_symlinks)
	echo 1 >/proc/sys/fs/protected_symlinks
	one_line 1 'shared/link: cannot write: Permission denied$' "$@"
	status=$?
	echo "$protected" >/proc/sys/fs/protected_symlinks
	ls -l . shared
	[ "$status" = 0 ] && [ "$(cat target)" = target ] &&
		[ "$(ls -A shared)" = link ] && [ -h shared/link ]
}

# Persistent events, so that tracers are enabled before the first record.
echo 'u:hello s32 number; __data_loc char[] text' >>"$tracing/dynamic_events"
echo 'u:called __data_loc char[] name' >>"$tracing/dynamic_events"
ln -s "$(command -v guest)" another
walk_files / >/dev/null
check "perf script prints the same as for perf record" same_as_perf
check "names of threads: of a command" names_of_a_command
check "names of threads: of exited threads" names_of_exited_threads
check "names of threads: of earlier processes" names_of_earlier_processes
check "names of threads: of threads exited before a snapshot" \
	names_of_exited_threads --snapshot
check "names of threads: in each snapshot" names_of_snapshots
check "record prints totals" sums_up
check "record --json" sums_up_json
check "record finds events registered by the command" late_events \
	run_time late=1 text=own
check "record finds events registered by children" late_events_of_children
check "record skips late events of others" late_events_beside_another
check "record finds events registered by children of --pid" \
	late_events_of_a_process
check "record reports a late event without records" late_event_without_records
check "record reports events that come and go" events_that_come_and_go
check "record does not report others that come and go" \
	other_events_that_come_and_go
check "record has the first record of a program" first_records hello 1
check "record has the first record of a child" first_records \
	sh -c 'hello 1; true'
check "record has the first records of two children" first_records \
	sh -c 'hello 1 & hello 1; wait'
check "record --elf has the first record of another program" elf_of_another
check "record --elf accepts the file of the command" elf_of_the_command
check "record --elf reports a missing file" one_line 1 \
	'--elf: nothere: cannot read: No such file or directory$' \
	user-events record --elf nothere -o a.data
check "record --elf reports another file" one_line 1 \
	'--elf: emitted: not an ELF file$' \
	user-events record --elf emitted -o a.data
check "record --elf reports a program without the event" one_line 3 \
	'no such event in this file$' \
	user-events record --elf "$(command -v hello)" -o a.data called
check "record after a processor was restarted" records_after restart_processor
if [ -e /sys/class/rtc/rtc0/wakealarm ]; then
	check "record after a suspend" records_after suspend
else
	skip "record after a suspend" "no alarm clock"
fi
check "record counts what it misses" records_missed
check "record has the first record of a program in C++" first_cxx_records
check "record has the first EventHeader records of a program" \
	first_eventheader_records
for signal in INT TERM HUP QUIT; do
	check "record stops at SIG$signal" until_a_signal $signal
done
check "record writes large records" big_records
check "record reports and writes losses" counts_losses
check "losses have event, reason, processor and time" counts_losses_in_a_file
check "records that are too large are losses, of a command" too_large of_a_command
check "records that are too large are losses, of all processes" \
	too_large of_all_processes
check "record --clockid" clocks
check "record --cpu" one_processor
check "record --snapshot" snapshots
check "record --switch-output with a size" switches_by_size
check "record --switch-output and --max-files" switches_at_a_signal
check "record --max-files removes earlier files" removes_earlier_files
check "record --trigger writes a snapshot" trigger_writes_a_snapshot
check "record --trigger stops at a rate" trigger_stops
check "record reports a refused filter of --trigger" one_line 2 \
	'user_events:hello: filter: Field not found$' user-events record \
	--snapshot -o snap.data --trigger 'hello if nothing > 1' hello
check "record --cgroup" records_of --cgroup some.slice/server.service
check "record --unit" records_of --unit server
check "record reports a missing unit" one_line 1 \
	'--unit: nothere: No such file or directory$' \
	user-events record --unit nothere -o a.data hello
mkdir -p /sys/fs/cgroup/other.slice/server.service
check "record refuses a unit of several groups" one_line 1 \
	'--unit: several control groups match "server"$' \
	user-events record --unit server --duration 10ms -o a.data hello
rmdir /sys/fs/cgroup/other.slice/server.service /sys/fs/cgroup/other.slice
for option in '--container short' '--unit server --pid 1' '--clockid other' \
	--switch-output=other; do
	# shellcheck disable=SC2086 # several words
	check "record refuses $option" exits_with 2 \
		user-events record $option --duration 10ms -o a.data hello
done
check "record reports a full disk" full_disk
check "record stops when the disk becomes full" disk_becomes_full
check "record leaves its records when it is killed" killed
check "decode reads truncated files" truncated
check "record --count" stops_at_a_count
check "record --duration" stops_at --duration 0.5
check "record --max-size" stops_at --max-size 3K
check "record exits before it has closed many events" many_events
check "record stops at the file size limit" too_big
check "record reports a missing directory" one_line 1 \
	'nowhere/a.data: cannot write: No such file or directory$' \
	user-events record -o nowhere/a.data hello -- true
check "record refuses a device" one_line 1 \
	'/dev/full: not a regular file$' user-events record -o /dev/full hello -- true
check "record replaces the target of a link" follows_links
check "record does not follow links of other users" keeps_target \
	user-events record -o shared/link hello -- true
check "decode does not follow links of other users" keeps_target \
	user-events decode -o shared/link ours
check "record exits with the status of the command" exits_with 7 \
	user-events record -o a.data hello -- sh -c 'exit 7'
check "record reports a missing command" no_such_command
check "record reports an unknown event" no_such_event
check "record reports missing privileges" without_rights
check "record refuses the size 0" exits_with 2 user-events record --snapshot=0 \
	hello
finish
