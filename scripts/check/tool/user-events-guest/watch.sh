# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events watch, top and stat with programs that write events
# guest: perf
# with: script
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

# All records must be shown.
watches()
{
	start user-events watch hello
	wait_until is_recording hello || return 1
	hello 2 >emitted || return 1
	stop || return 1
	count=$(written emitted)
	echo "$count were written, $(wc -l <out) are shown"
	head -n 3 out
	[ "$count" -gt 0 ] && [ "$(wc -l <out)" = "$count" ] &&
		[ "$(number events)" = "$count" ] &&
		[ "$(number lost)" = 0 ] &&
		! grep -qvE \
		'^[-0-9]+T[0-9:.]+Z \[00[01]\] hello/[0-9]+ user_events:hello number=[0-9]+ text="hello, world"$' out
}

# perf_events N: whether it has N perf events per processor: the buffer, the
# event, and those for names of threads.
perf_events()
{
	ls -l "/proc/$tool/fd" >fds
	[ "$(grep -c perf_event fds)" = $(($1 * $(nproc))) ]
}

# The threads have exited when it reads the first record.
watches_names()
{
	start user-events watch called
	wait_until is_recording called && perf_events 3 || return 1
	kill -STOP "$tool"
	guest names ./another
	kill -CONT "$tool"
	stop || return 1
	cat out
	[ "$(wc -l <out)" = 8 ] &&
		! \
		sed 's/^[^]]*] //; s|/[0-9/]* user_events:called name="|=|; s/"$//' out |
		awk -F= '$1 != $2 { print; bad = 1 } END { exit !bad }'
}

watches_json()
{
	start user-events watch --json hello
	# JSON objects have no names of threads.
	wait_until is_recording hello && perf_events 2 || return 1
	hello 2 >emitted || return 1
	stop TERM || return 1
	head -n 3 out
	[ "$(wc -l <out)" = "$(written emitted)" ] &&
		! grep -qvE \
		'^\{"n":"user_events:hello","number":[0-9]+,"text":"hello, world","meta":\{"time":"[-0-9]+T[0-9:.]+Z","cpu":[01],"pid":[0-9]+,"tid":[0-9]+\}\}$' out
}

watches_eventheader()
{
	start user-events watch 'Example_*'
	wait_until is_recording Example_Disk_L5K2 || return 1
	eventheader 20 10 >emitted || return 1
	stop || return 1
	head -n 3 out
	count=$(sed -n 's/.*requests, \([0-9]*\) of.*/\1/p' emitted)
	# Each request has one event of another level.
	[ "$count" -gt 0 ] &&
		[ "$(grep -c 'Example_Disk:Request' out)" = "$count" ] &&
		grep -q \
		'Example_Disk:RequestStart number=20 device="sda" {level=information keyword=0x1 opcode=start .*activity=14000000-' out &&
		grep -q \
		'Example_Disk:RequestStop time={queued=10 served=120} ' out &&
		grep -q 'Example_Disk:CacheMiss sector=0x14000 ' out
}

watches_levels()
{
	start user-events watch --level 4 'Example_*'
	wait_until is_recording Example_Disk_L5K2 || return 1
	eventheader 5 10 >emitted || return 1
	stop || return 1
	cat out
	[ "$(wc -l <out)" = 10 ] && [ "$(number "not selected")" = 5 ] &&
		! grep -q CacheMiss out
}

# Each request is a slice of its activity, and the output is complete.
prints_a_timeline()
{
	start user-events watch --format chrome 'Example_*'
	wait_until is_recording Example_Disk_L5K2 || return 1
	eventheader 5 10 >emitted || return 1
	stop || return 1
	head -n 3 out
	[ "$(grep -c '"ph":"b"' out)" = 5 ] &&
		[ "$(grep -c '"ph":"e"' out)" = 5 ] &&
		[ "$(tail -n 1 out)" = ']}' ]
}

# The page is about the records of the command.
reports_a_command()
{
	user-events report -o page.html 'walk_*' -- walk_files / \
		>emitted 2>messages || return 1
	cat emitted messages
	written=$(sed -n 's/.* \([0-9]*\) records written$/\1/p' emitted)
	grep -q "^user-events: page.html: $written events, 0 lost$" messages &&
		grep -q '</html>' page.html
}

# Selects by fields and by the name of the event, and prints columns.
watches_selected()
{
	start user-events watch --event 'Example_Disk:RequestStart' \
		--where 'number >= 2 && device ~ "sd?" && comm == "eventheader"' \
		--format csv --fields number,meta.level,comm 'Example_*'
	wait_until is_recording Example_Disk_L5K2 || return 1
	eventheader 5 10 >emitted || return 1
	stop || return 1
	cat out
	[ "$(head -n 1 out)" = number,meta.level,comm ] &&
		[ "$(sed 1d out | grep -c '^[2-5],4,eventheader$')" = 4 ] &&
		[ "$(wc -l <out)" = 5 ] && [ "$(number "not selected")" = 11 ]
}

measures_latency()
{
	start user-events latency --json 'Example_*'
	wait_until is_recording Example_Disk_L5K2 || return 1
	eventheader 5 10 >emitted || return 1
	stop || return 1
	cat out messages
	grep -q '"name":"Example_Disk:RequestStart","count":5,' out &&
		[ "$(number "stops without start")" = 0 ]
}

# All files have one of the modes.
counts_by_field()
{
	user-events stat --by mode --value size walk_file -- \
		walk_files /usr/bin >out 2>messages
	got=$?
	cat out messages
	files=$(sed -n 's/^\([0-9]*\) files.*/\1/p' out)
	sum=$(awk 'NF == 8 && $8 ~ /^[0-9]+$/ { sum += $1 } END { print sum }' \
		out)
	[ "$got" = 0 ] && [ "${files:-0}" -gt 0 ] && [ "$sum" = "$files" ]
}

watches_a_process()
{
	hello 3 >emitted &
	one=$!
	hello 3 >emitted2 &
	start user-events watch --pid "$one" hello
	wait "$one" || return 1
	# It exits after the process.
	wait "$tool"
	got=$?
	wait
	cat messages
	echo "exited with status $got"
	[ "$got" = 0 ] && [ "$(wc -l <out)" -gt 0 ] &&
		! grep -qv "hello/$one " out
}

watches_through_a_filter()
{
	start user-events watch --filter 'number > 5 && number < 9' hello
	wait_until is_recording hello || return 1
	hello 2 >emitted || return 1
	stop || return 1
	cat out
	[ "$(sed 's/.*number=\([0-9]*\).*/\1/' out | tr '\n' ' ')" = "6 7 8 " ]
}

watches_a_count()
{
	hello 3 >emitted &
	exits_with 0 user-events watch -n 4 hello >out || return 1
	wait
	[ "$(wc -l <out)" = 4 ]
}

# The event does not exist when it starts.
watches_new_events()
{
	start user-events watch
	run_time appears=1 text=late || return 1
	stop || return 1
	grep -q 'user_events:run_time appears=1 text="late"$' out
}

# adds_up WRITTEN SHOWN LOST
adds_up()
{
	echo "$1 written, $2 shown, $3 lost"
	[ "$3" -gt 0 ] && [ $(($2 + $3)) = "$1" ]
}

# The reader of standard output sleeps while more is written than pipe and
# buffers hold.
accounts_for_a_slow_reader()
{
	mkfifo slow
	{ sleep 4; cat; } <slow >out &
	reader=$!
	user-events watch --buffer-size 4K "$@" 'walk_*' >slow 2>messages &
	tool=$!
	wait_until is_recording walk_directory || return 1
	: >emitted
	for _ in 1 2 3; do
		walk_files / >>emitted
	done
	wrote=$(awk '{ sum += $5 } END { print sum }' emitted)
	stop
	got=$?
	wait "$reader"
	rm slow
	[ "$got" = 4 ]
}

accounts_as_text()
{
	accounts_for_a_slow_reader || return 1
	lost=$(sed -n 's/.* \([0-9]*\) records of user_events:walk_.* lost: .*(perf_buffer), since .*/\1/p' out |
		awk '{ sum += $1 } END { print sum + 0 }')
	adds_up "$wrote" "$(grep -vc ' lost: ' out)" "$lost" &&
		[ "$(number lost)" = "$lost" ]
}

accounts_as_json()
{
	accounts_for_a_slow_reader --json || return 1
	lost=$(sed -n 's/^{"lost":\([0-9]*\),"event":"user_events:walk_.*","reason":"perf_buffer","meta":{"since":".*","time":".*","cpu":[0-9]*}}$/\1/p' out |
		awk '{ sum += $1 } END { print sum + 0 }')
	adds_up "$wrote" "$(grep -vc '^{"lost"' out)" "$lost" &&
		[ "$(number lost)" = "$lost" ]
}

# The tool is stopped while its output is blocked. Unwritten records are
# counted.
accounts_for_a_dead_reader()
{
	mkfifo dead
	# shellcheck disable=SC2217 # must not read
	sleep 60 <dead &
	reader=$!
	user-events watch 'walk_*' >dead 2>messages &
	tool=$!
	wait_until is_recording walk_directory || return 1
	: >emitted
	for _ in 1 2 3; do
		walk_files / >>emitted
	done
	stop TERM
	got=$?
	kill "$reader"
	rm dead
	wrote=$(awk '{ sum += $5 } END { print sum }' emitted)
	unwritten=$(number "not written")
	[ "$got" = 4 ] && [ "$unwritten" -gt 0 ] &&
		[ $(($(number events) + $(number lost) + unwritten)) = \
		"$wrote" ]
}

closed_pipe()
{
	{
		user-events watch walk_file 2>messages
		echo $? >status
	} | true &
	wait_until is_enabled walk_file || return 1
	walk_files / >emitted
	wait
	cat messages
	[ "$(cat status)" = 1 ] && [ ! -s messages ]
}

full_disk()
{
	{ wait_until is_enabled walk_file; walk_files / >emitted; } &
	one_line 1 'standard output: cannot write: No space left on device$' \
		user-events watch walk_file >/dev/full
	got=$?
	wait
	return "$got"
}

unknown_event()
{
	start user-events watch nothere
	sleep 1
	stop
	[ $? = 3 ] && grep -q 'nothere: no such event$' messages
}

# says PATTERN COMMAND...: prints a line that matches while it runs.
says()
{
	pattern=$1
	shift
	start "$@"
	wait_until grep -qE "$pattern" messages
	said=$?
	# The event does not exist at the end, either.
	stop
	return "$said"
}

# An event lacks the field; the others have it.
refuses_a_filter()
{
	user-events add 'size_one u32 size' 'size_two u32 length' || return 1
	exits_with 2 user-events watch --filter 'size > 1' 'size_*' \
		2>messages || return 1
	user-events del size_one size_two
	cat messages
	ls "$tracing/instances"
	grep -q 'user_events:size_two: filter: Field not found$' messages &&
		grep -qx '  size > 1' messages && grep -qx ' *^' messages &&
		[ -z "$(ls "$tracing/instances")" ]
}

watches_a_process_by_name()
{
	hello 3 >emitted &
	writer=$!
	wait_until grep -qx hello "/proc/$writer/comm" || return 1
	user-events watch --pid hello hello >out || return 1
	wait
	[ "$(wc -l <out)" -gt 0 ] && ! grep -v " hello/$writer " out
}

without_rights()
{
	one_line 1 'not readable|Permission denied|Operation not permitted' su \
		-s /bin/sh nobody -c "user-events $1 hello"
}

# ---- stat ----

# count_of EVENT: prints the count in the last block of stat.
count_of()
{
	awk -v event="user_events:$1" \
		'$NF == event { count = $1 } END { print count }' out
}

stat_counts()
{
	user-events stat walk_file walk_directory -- \
		sh -c 'walk_files / >emitted; walk_files / >>emitted' >out ||
		return 1
	cat out
	walk_files / >one
	[ "$(count_of walk_file)" = \
		"$(awk '{ sum += $1 } END { print sum }' emitted)" ] &&
		[ "$(count_of walk_directory)" = \
		"$(awk '{ sum += $3 } END { print sum }' emitted)" ]
}

# Other processes are not counted without --all.
# The event is registered by children.
stat_counts_late_events()
{
	exits_with 4 user-events stat run_time -- \
		sh -c 'run_time late=1 & run_time late=1; wait' >out || return 1
	cat out
	[ "$(count_of run_time)" -gt 20 ] && [ "$(count_of run_time)" -le 40 ]
}

stat_of_others()
{
	hello 4 >emitted &
	sleep 1
	user-events stat hello -- sleep 1 >out || return 1
	[ "$(count_of hello)" = 0 ] || return 1
	user-events stat --all hello -- sleep 1 >out || return 1
	wait
	cat out
	[ "$(count_of hello)" -gt 0 ]
}

stat_blocks()
{
	hello 4 >emitted &
	user-events stat --interval 200ms --json hello -- sleep 2 >out || return 1
	wait
	cat out
	[ "$(grep -c '"total":false' out)" -ge 3 ] &&
		[ "$(grep -c '"total":true' out)" = 1 ] &&
		tail -n 1 out |
		grep -qE \
		'^\{"time":[0-9.]+,"total":true,"events":\[\{"event":"user_events:hello","count":0,"rate":0,"lost":0,"losses":\{\}\}\]\}$'
}

stat_finds_new_events()
{
	exits_with 4 user-events stat 'run_*' -- run_time brought=1 >out ||
		return 1
	cat out
	[ "$(count_of run_time)" -gt 0 ]
}

stat_until_a_signal()
{
	start user-events stat hello
	wait_until is_recording hello || return 1
	hello 1 >emitted || return 1
	stop || return 1
	cat out
	[ "$(count_of hello)" = "$(written emitted)" ]
}

killed()
{
	start user-events stat hello -- sleep 60
	wait_until is_recording hello || return 1
	stop TERM
	[ $? = 143 ]
}

# ---- top ----

tops()
{
	# This process lives long enough to have its name read.
	hello 8 >/dev/null &
	start user-events top --json --updates 4 hello 'walk_*'
	wait_until is_recording walk_directory || return 1
	walk_files / >emitted
	wait "$tool" || return 1
	wait
	cat messages out
	[ "$(wc -l <out)" = 4 ] &&
		grep -q \
		'"event":"user_events:hello",.*"processes":\[{"pid":[0-9]*,"name":"hello","count":[0-9]*}\]' out &&
		tail -n 1 out |
		grep -q \
		"\"event\":\"user_events:walk_file\",\"rate\":[0-9.]*,\"count\":[0-9]*,\"records\":[0-9]*,\"bytes\":[0-9]*,\"total\":$(awk '{ print $1 }' emitted),\"lost\":0,"
}

tops_in_blocks()
{
	start user-events top --updates 1 hello
	wait "$tool" || return 1
	cat messages out
	grep -q 'EVENTS/S .* PROCESSES$' out && grep -q '0  hello$' out &&
		! grep -q "$(printf '\033')" out
}

escape=$(printf '\033')

# tops_on_a_terminal COMMAND...: COMMAND stops it. The terminal must be
# restored.
tops_on_a_terminal()
{
	rm -f screen
	"$@" | script -q -f -c 'stty rows 10 cols 80; stty >before; user-events top hello 2>messages; echo $? >status; stty >after' screen \
		>/dev/null
	cat status messages
	[ "$(cat status)" = 0 ] && cmp before after &&
		grep -q "$escape\[?1049h$escape\[?25l" screen &&
		grep -q "$escape\[?25h$escape\[?1049l" screen &&
		grep -q '0  hello' screen
}

# However long it takes to start
is_drawn()
{
	grep -q '0  hello' screen
}

quit_key()
{
	wait_until is_drawn
	printf q
	sleep 1
}

is_stopped()
{
	grep -q '^State:.*T' "/proc/$(pidof user-events)/status"
}

pause_and_quit()
{
	wait_until is_drawn
	kill -TSTP "$(pidof user-events)"
	wait_until is_stopped
	kill -CONT "$(pidof user-events)"
	quit_key
}

quit_signal()
{
	wait_until is_drawn
	kill -TERM "$(pidof user-events)"
	sleep 1
}

# Persistent events, so that tracers are enabled before the first record.
eventheader_fields='u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level'
cat >definitions <<END
u:hello s32 number; __data_loc char[] text
u:called __data_loc char[] name
u:Example_Disk_L4K1 $eventheader_fields
u:Example_Disk_L5K2 $eventheader_fields
END
while read -r definition; do
	echo "$definition" >>"$tracing/dynamic_events"
done <definitions
walk_files / >/dev/null
ln -s "$(command -v guest)" another

check "watch prints all records" watches
check "watch prints names of threads" watches_names
check "watch --json prints one object per line" watches_json
check "watch decodes EventHeader events" watches_eventheader
check "watch --level" watches_levels
check "watch --format chrome" prints_a_timeline
check "watch: selection and columns" watches_selected
check "report about a command" reports_a_command
check "latency: all pairs" measures_latency
check "stat --by: all files" counts_by_field
check "watch --pid exits with the process" watches_a_process
check "watch --filter" watches_through_a_filter
check "watch --count" watches_a_count
check "watch finds new events" watches_new_events
check "watch reports records lost by a slow reader" accounts_as_text
check "watch --json reports records lost by a slow reader" accounts_as_json
check "watch reports records not written to a blocked reader" \
	accounts_for_a_dead_reader
check "watch reports a closed pipe" closed_pipe
check "watch reports a full disk" full_disk
check "watch reports an unknown event" unknown_event
check "watch reports a refused filter" one_line 2 \
	'user_events:hello: filter: Field not found$' \
	user-events watch --filter 'nothing > 1' hello
check "watch names the event that a filter does not fit" refuses_a_filter
check "watch names what it waits for" says '^user-events: waiting for other$' \
	user-events watch other
check "watch names the nearest event" says \
	'^user-events: waiting for helol; nearest: hello$' \
	user-events watch helol
check "watch --pid NAME" watches_a_process_by_name
check "watch --pid reports a missing name" one_line 1 \
	'--pid: no process is named "nothere"$' \
	user-events watch --pid nothere hello
check "watch reports a missing process" one_line 1 '--pid: no such process$' \
	user-events watch --pid 4194303 hello
check "watch reports an offline processor" one_line 1 \
	'--cpu: no such processor online$' user-events watch --cpu 77 hello
check "watch reports missing privileges" without_rights watch
check "stat reports missing privileges" without_rights stat
check "stat counts events of a command and its children" stat_counts
check "stat --all counts events of other processes" stat_of_others
check "stat --interval --json" stat_blocks
check "stat finds new events" stat_finds_new_events
check "stat counts events registered by children" stat_counts_late_events
check "stat stops at a signal" stat_until_a_signal
check "stat exits with the status of the command" exits_with 7 \
	user-events stat hello -- sh -c 'exit 7'
check "stat passes a signal on" killed
check "stat reports an unknown event" one_line 3 \
	'nothere: no such event$' user-events stat nothere
check "stat reports a missing command" one_line 127 \
	'nothere: cannot run: No such file or directory$' \
	user-events stat hello -- nothere
check "top --json" tops
check "top without a terminal" tops_in_blocks
check "top on a terminal stops at q" tops_on_a_terminal quit_key
check "top on a terminal pauses" tops_on_a_terminal pause_and_quit
check "a pause gives the terminal back, and takes it again" sh -c \
	"tr '\\033' '^' <screen | grep -o '\\^\\[?1049[hl]' | tr -d '\\n' |
		grep -qxF '^[?1049h^[?1049l^[?1049h^[?1049l'"
check "top on a terminal stops at a signal" tops_on_a_terminal quit_signal
# ---- write ----

# The fields of an existing event come from its format.
writes()
{
	start user-events watch written 'Example_Shell_*'
	wait_until is_recording written || return
	user-events write written number=5 text='a b' &&
		user-events write --level 3 --keyword 0x10 Example_Shell:Backup \
			path=/srv size:u32=7 &&
		printf 'number=6\nnumber=7 text="a \\"b\\""\n' |
			user-events write --report -r - user_events:written \
				2>report || return
	# With a definition, only the start of its fields comes from it.
	user-events write 'written u32 number; __data_loc char[] text; __rel_loc u8[] bytes' \
		number=8 text=c || return
	wait_until grep -q 'number=8' out
	stop || return
	cat out report
	has_lines 1 'written number=5 text="a b" bytes=' out &&
		has_lines 1 'written number=6 text="" bytes=' out &&
		has_lines 1 'written number=7 text="a \\"b\\"" bytes=' out &&
		has_lines 1 'written number=8 text="c" bytes=' out &&
		has_lines 1 'Backup .*path="/srv" size=7' out &&
		has_lines 1 'written: 2 of 2 records taken' report
}

user-events add 'written u32 number; __data_loc char[] text; __rel_loc u8[] bytes' \
	"Example_Shell_L3K10 $eventheader_fields"
check "write writes records that watch prints" writes
check "write --report tells that no tracer was there" one_line 4 \
	'written: 0 of 1 records taken' user-events write --report written
check "write refuses an event of EventHeader" one_line 2 \
	'Example_Shell_L3K10: is of EventHeader' \
	user-events write Example_Shell_L3K10
check "write finds no such event" one_line 3 'absent: no such event' \
	user-events write absent
check "write rejects another field" one_line 2 'color: no such field' \
	user-events write written color=red
user-events del written Example_Shell_L3K10

finish
