# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events record: perf script reads what it wrote, the same events with the same values.
# with: perf
# shellcheck source=scripts/check/tool-guest/lib
. /tool-guest/lib

# begin COMMAND...: runs beside what follows.
begin()
{
	"$@" 2>said &
	tool=$!
}

# end [SIGNAL]: asks it to end, and shows what it said. Its exit status is that of this.
end()
{
	kill -"${1:-INT}" "$tool"
	wait "$tool"
	got=$?
	cat said
	return "$got"
}

# number WORD: the number in front of that word in the last line that was said.
number()
{
	tail -n 1 said | sed -n "s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p"
}

# events FILE: event and values of each record.
events()
{
	perf script -F event,trace -i "$1" 2>/tmp/perf-said || cat /tmp/perf-said
}

# nothing_left: no file, whole or not, in the directory that only this test uses.
nothing_left()
{
	ls -A only
	[ -z "$(ls -A only)" ]
}

mkdir only

# perf records the same at the same time.
same_as_perf()
{
	perf record -q -a -e 'user_events:walk_*' -o theirs -- user-events record -o ours 'walk_*' -- walk_files / >emitted || return 1
	cat emitted
	events theirs >theirs.txt
	events ours >ours.txt
	head -n 3 ours.txt
	[ "$(wc -l <ours.txt)" = "$(awk '{ print $5 }' emitted)" ] && cmp ours.txt theirs.txt &&
		[ "$(perf script -F comm -i ours | sort -u)" = "$(perf script -F comm -i theirs | sort -u)" ]
}

# ---- names of threads ----

# Those of "guest names ./another": each record has the name that it says.
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

# named FILE: perf script and decode show the name that each record says.
named()
{
	perf script -F comm,trace -i "$1" | sed 's/^ *//; s/ *name=/=/' >perf.txt
	user-events decode "$1" | sed 's/^[^]]*] //; s|/[0-9/]* user_events:called name="|=|; s/"$//' >decoded.txt
	cat perf.txt
	diff perf.txt decoded.txt && [ "$(cut -d= -f1 perf.txt)" = "$(cut -d= -f2 perf.txt)" ] &&
		cut -d= -f1 perf.txt | sort | diff - wanted-names
}

names_of_a_command()
{
	user-events record -o a.data called -- guest names ./another || return 1
	named a.data
}

# All of them have ended when the recorder sees the first record.
names_of_what_has_ended()
{
	begin user-events record ${1:+"$1"} -o a.data called
	wait_until listens called || return 1
	kill -STOP "$tool"
	guest names ./another
	kill -CONT "$tool"
	end || return 1
	named a.data
}

# It began before the recorder did, and what it is called is only known from then.
names_of_what_was_there()
{
	hello 4 >emitted &
	sleep 1
	user-events record -o a.data hello -- sleep 1 || return 1
	user-events record -o all.data --all hello -- sleep 1 || return 1
	wait
	events a.data
	perf script -F comm -i all.data | sort | uniq -c
	[ "$(events a.data)" = "" ] && [ "$(perf script -F comm -i all.data | sort -u | tr -d ' ')" = hello ]
}

names_of_snapshots()
{
	rm -f snap.data*
	begin user-events record --snapshot -o snap.data called
	wait_until listens called || return 1
	guest names ./another
	# Many others have come and gone since.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			/bin/true
		done
		usleep 100000
	done
	kill -USR2 "$tool"
	wait_until grep -q 'snap.data.*events$' said || return 1
	guest names ./another
	end || return 1
	named snap.data.2* && named snap.data
}

sums_up()
{
	user-events record -o a.data 'walk_*' -- walk_files / >emitted 2>said || return 1
	cat said
	[ "$(number events)" = "$(awk '{ print $5 }' emitted)" ] && [ "$(number bytes)" = "$(stat -c %s a.data)" ] &&
		[ "$(number lost)" = 0 ]
}

sums_up_json()
{
	user-events record --json -o a.data 'walk_*' -- sh -c 'walk_files / >emitted' >out || return 1
	cat out
	[ "$(cat out)" = "{\"file\":\"a.data\",\"events\":$(awk '{ print $5 }' emitted),\"bytes\":$(stat -c %s a.data),\"lost\":0,\"skipped\":0,\"corrupt\":0}" ]
}

late_events()
{
	user-events record -o a.data -- run_time late=1 "text=defined by the command" || return 1
	events a.data >out
	cat out
	[ "$(wc -l <out)" -gt 0 ] && ! grep -qv 'user_events:run_time: *late=1 text=defined by the command$' out
}

until_a_signal()
{
	rm -f a.data
	begin user-events record -o a.data hello
	wait_until listens hello || return 1
	hello 1 >emitted || return 1
	[ ! -e a.data ] || return 1
	end "$1" || return 1
	[ "$(events a.data | wc -l)" = "$(sed -n 's/ records written//p' emitted)" ]
}

# A record may have nearly 8 KiB.
big_records()
{
	text=$(head -c 6000 /dev/zero | tr '\0' x)
	begin user-events record -o a.data 'run_time*'
	run_time "big=$text" || return 1
	end || return 1
	events a.data >out
	cut -c 1-60 out
	[ "$(wc -l <out)" -gt 0 ] && ! grep -qv "run_time: *big=$text\$" out
}

# The recorder does not run while more is written than its buffers hold.
counts_losses()
{
	begin user-events record --buffer-size 4K -o a.data 'walk_*'
	wait_until listens walk_directory || return 1
	kill -STOP "$tool"
	walk_files / >emitted
	kill -CONT "$tool"
	end
	[ $? = 4 ] && [ "$(number lost)" -gt 0 ] &&
		[ $(($(number lost) + $(number events))) = "$(awk '{ print $5 }' emitted)" ] &&
		[ "$(events a.data | wc -l)" = "$(number events)" ] &&
		[ "$(perf script --show-lost-events -i a.data | awk '/PERF_RECORD_LOST/ { sum += $NF } END { print sum }')" = "$(number lost)" ]
}

clocks()
{
	user-events record --clockid monotonic_raw -o a.data hello -- hello 1 || return 1
	perf script --header-only -i a.data >out 2>&1
	cat out
	grep -q 'clockid: monotonic_raw' out
}

one_processor()
{
	user-events record --cpu 1 -o a.data 'walk_*' -- sh -c 'taskset 1 walk_files / >emitted; taskset 2 walk_files / >>emitted' || return 1
	cat emitted
	[ "$(events a.data | wc -l)" = "$(tail -n 1 emitted | awk '{ print $5 }')" ] &&
		! perf script -F cpu -i a.data | grep -qv '\[001\]'
}

# The newest are there, and those that were written over are not.
snapshots()
{
	rm -f snap.data*
	begin user-events record --snapshot=16K -o snap.data 'walk_*' hello
	wait_until listens hello || return 1
	walk_files / >emitted
	hello 1 >/dev/null
	kill -USR2 "$tool"
	wait_until grep -q 'snap.data.*events$' said || return 1
	hello 2 >/dev/null
	end || return 1
	ls -l snap.data*
	first=$(ls snap.data.2*)
	events "$first" >first.txt
	events snap.data >last.txt
	tail -n 2 first.txt
	wc -l first.txt last.txt
	[ "$(tail -n 1 first.txt)" = "$(grep hello first.txt | tail -n 1)" ] && grep -q 'number=9 ' first.txt &&
		grep -q walk_ first.txt && [ "$(wc -l <first.txt)" -lt "$(awk '{ print $5 }' emitted)" ] &&
		[ "$(wc -l <last.txt)" = 20 ] && ! grep -q walk_ last.txt
}

full_disk()
{
	mount -t tmpfs -o size=32k small only || return 1
	one_line 1 'only/a.data: cannot write: No space left on device$' user-events record -o only/a.data 'walk_*' -- \
		sh -c 'walk_files / >/dev/null' && nothing_left
	got=$?
	umount only
	return "$got"
}

# In the middle, while it would go on for a long time.
full_disk_ends_it()
{
	mount -t tmpfs -o size=32k small only || return 1
	begin user-events record -o only/a.data 'walk_*'
	wait_until listens walk_directory || return 1
	# It writes when there is enough to write.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		kill -0 "$tool" && walk_files / >/dev/null
	done
	wait "$tool"
	got=$?
	cat said
	[ "$got" = 1 ] && nothing_left
	got=$?
	umount only
	return "$got"
}

too_big()
{
	(
		ulimit -f 16
		one_line 1 'only/a.data: cannot write: File too large$' user-events record -o only/a.data 'walk_*' -- \
			sh -c 'walk_files / | cat'
	) && nothing_left
}

no_such_command()
{
	one_line 127 'nothere: cannot run: No such file or directory$' user-events record -o only/a.data hello -- nothere &&
		nothing_left
}

no_such_event()
{
	one_line 3 'nothere: no such event$' user-events record -o only/a.data nothere -- true && nothing_left
}

without_rights()
{
	mkdir -m 777 everybodys && one_line 1 'not readable|Permission denied|Operation not permitted' \
		su -s /bin/sh nobody -c "user-events record -o everybodys/a.data hello" && [ -z "$(ls -A everybodys)" ]
}

# Programs find it defined, and it stays when they end: then there is somebody who listens from the first record on.
echo 'u:hello s32 number; __rel_loc char[] text' >>"$tracing/dynamic_events"
echo 'u:called __rel_loc char[] name' >>"$tracing/dynamic_events"
ln -s "$(command -v guest)" another
walk_files / >/dev/null
check "perf script reads the same from us as from perf record" same_as_perf
check "names of threads: of a command" names_of_a_command
check "names of threads: of what has ended" names_of_what_has_ended
check "names of threads: of what was there before" names_of_what_was_there
check "names of threads: of what has ended before a snapshot" names_of_what_has_ended --snapshot
check "names of threads: in each snapshot" names_of_snapshots
check "record sums up" sums_up
check "record --json" sums_up_json
check "events that the command registers" late_events
for signal in INT TERM HUP QUIT; do
	check "record until $signal" until_a_signal $signal
done
check "big records" big_records
check "losses are counted, and in the file" counts_losses
check "record --clockid" clocks
check "record --cpu" one_processor
check "record --snapshot" snapshots
check "the disk is full" full_disk
check "the disk gets full" full_disk_ends_it
check "the file gets too big" too_big
check "a directory that is not there" one_line 1 'nowhere/a.data: cannot write: No such file or directory$' \
	user-events record -o nowhere/a.data hello -- true
check "a device is no file" one_line 1 '/dev/full: not a regular file$' user-events record -o /dev/full hello -- true
check "record ends as its command does" ends_with 7 user-events record -o a.data hello -- sh -c 'exit 7'
check "there is no such command" no_such_command
check "there is no such event" no_such_event
check "record without rights" without_rights
check "a size that is none" ends_with 2 user-events record --snapshot=0 hello
finish
