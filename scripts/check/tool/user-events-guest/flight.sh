# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events flight: records that outlive every process
#
# add: scripts/boot:/boot
# with: trace-cmd
# append: reserve_mem=4M:4096:flight trace_instance=boot@flight
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

state=/run/user-events/flight
instances=$tracing/instances

# records NAME: prints the texts of the records, without their times.
records()
{
	user-events flight dump "$1" --time clock 2>dumped | sed 's/^[^ ]* //'
}

# holds NAME NUMBER PATTERN: whether a dump has so many such lines.
holds()
{
	user-events flight dump "$1" >held || return
	has_lines "$2" "$3" held
}

is_gone()
{
	[ ! -e "$instances/$1" ] && [ ! -e "$state/$1" ]
}

has()
{
	[ "$(cat "$1")" = "$2" ] || { cat "$1"; return 1; }
}

# write FIRST LAST: writes a record for each number.
write()
{
	guest numbers "$1" "$2"
}

# ---- Errors, which leave nothing ----

check "without recorders, the list has a title only" [ \
	"$(user-events flight list | wc -l)" = 1 ]
check "an event that does not exist" one_line 3 '^user-events: number: no such event' \
	user-events flight start black number
check "nothing is left" is_gone black
user-events add 'number u32 value'
check "an invalid filter" exits_with 1 user-events flight start black number \
	--filter 'other > 3'
check "nothing is left after a filter" is_gone black
check "more memory than there is" one_line 1 'not enough memory' \
	user-events flight start black number --size 1000G
check "nothing is left after the size" is_gone black
check "an invalid trigger" one_line 1 '^user-events: --on: number: the kernel rejects' \
	user-events flight start black number --on 'number: other > 3'
check "nothing is left after a trigger" is_gone black
check "a trigger without an event" one_line 3 '^user-events: --on: later: no such event' \
	user-events flight start black number --on later
check "nothing is left after that" is_gone black
for on in 'num*' 'number: ' "$(printf 'number: value == 1\nx')" ''; do
	check "no trigger: '$on'" exits_with 2 user-events flight start black \
		number --on "$on"
done
check "no event" exits_with 2 user-events flight start black number:
check "no name" exits_with 2 user-events flight start
check "no name of a dump" exits_with 2 user-events flight dump
check "no name of an instance" exits_with 2 user-events flight dump \
	--instance ../black --consume
check "a long name" exits_with 2 user-events flight start \
	"$(printf '%065d' 0)" number
check "a name that is a path" exits_with 2 user-events flight stop ../black
check "an option of another action" one_line 2 '^user-events: --size: no option of dump' \
	user-events flight dump black --size 1M
check "a recorder that does not exist" one_line 1 'no such flight recorder' \
	user-events flight dump black

mkdir $instances/foreign
echo 1 >$instances/foreign/events/user_events/number/enable
write 1 3
check "an instance of others is not started" one_line 1 'was not made by' \
	user-events flight start foreign number
check "it is not read" one_line 1 'was not made by' user-events flight dump foreign
check "it is not stopped" one_line 1 'was not made by' user-events flight stop foreign
check "it has its records" [ "$(grep -c ' number: ' $instances/foreign/trace)" = 3 ]

# ---- An instance of others, whose records are removed ----

check "its records are not removed unasked" one_line 1 'removes them from this instance' \
	user-events flight dump --instance foreign
check "they are there" [ "$(grep -c ' number: ' $instances/foreign/trace)" = 3 ]
check "a name and an instance" exits_with 2 \
	user-events flight dump --instance foreign --consume foreign
check "the records of a recorder are not removed" exits_with 2 \
	user-events flight dump black --consume
check "an instance that does not exist" one_line 1 'no such instance' \
	user-events flight dump --instance other --consume
check "no trace.dat" exits_with 2 user-events flight dump --instance foreign \
	--consume -t dat -o out.dat
# Its clock is not that of programs, so its times are no dates.
check "its records are printed on request" sh -c \
	'user-events flight dump --instance foreign --consume >held 2>dumped'
check "all of them" has_lines 3 '^ *[0-9.]* .*user_events:number value=' held
check "and their number" grep -q 'foreign: 3 events, 0 overwritten, 0 lost' dumped
check "then they are gone" [ "$(grep -c ' number: ' $instances/foreign/trace)" = 0 ]
check "nothing else is changed" has \
	$instances/foreign/events/user_events/number/enable 1
echo mono >$instances/foreign/trace_clock
write 4 5
user-events flight attach --instance foreign --consume --duration 2 >followed 2>&1 &
collector=$!
wait_until grep -q value=5 followed
echo 0 >$instances/foreign/events/enable
write 6 6
echo 1 >$instances/foreign/events/user_events/number/enable
write 7 8
wait $collector
check "attach prints what it has, and what comes" \
	has_lines 4 '^20.*user_events:number value=[4578]$' followed
write 9 9
echo 0 >$instances/foreign/events/enable
user-events flight dump --instance foreign --consume >held 2>dumped
check "events that are disabled meanwhile are known" has_lines 1 'value=9' held
echo 1 >$instances/foreign/events/user_events/number/enable
write 10 14
check "stat does not remove records of others" one_line 1 'use --consume' \
	user-events stat --instance foreign
check "stat counts records of others" sh -c \
	'user-events stat --instance foreign --consume | grep -q " 5 .*number"'
check "which are then gone" has_lines 0 'value=' $instances/foreign/trace
echo 0 >$instances/foreign/events/enable
rmdir $instances/foreign
user-events flight start black number
check "a recorder is no instance of others" one_line 1 'is read without --instance' \
	user-events flight dump --instance black --consume
user-events flight stop black

# ---- Records ----

check "a recorder starts, with a pattern that matches nothing" one_line 3 \
	'^user-events: later: no such event' \
	user-events flight start black -e 'num*' later --size 256K
check "a name in use" one_line 1 'is started already' \
	user-events flight start black number
check "a name in use is accepted on request" user-events flight start black \
	number --unless-running
write 1 500
check "a dump has all records" holds black 500 'user_events:number value='
records black >first
write 501 510
records black >second
check "records of a dump stay" sh -c 'head -n 500 second | cmp first -'
check "the next dump has the new ones, too" has_lines 510 'value=' second
user-events flight dump black >first 2>/dev/null
user-events flight dump black >second 2>/dev/null
check "two dumps are the same" cmp first second
check "a dump does not stop it" has $instances/black/tracing_on 1

for format in text json csv logfmt chrome; do
	user-events flight dump black -t $format >"out.$format" 2>/dev/null
	check "format $format has all records" \
		has_lines 510 'number' "out.$format"
done
check "format ctf" user-events flight dump black -t ctf -o out.ctf
check "format dat" user-events flight dump black -t dat -o out.dat
user-events decode out.dat >decoded
check "decode reads dat" has_lines 510 'value=' decoded
trace-cmd report out.dat >reported 2>&1
check "trace-cmd reads dat" has_lines 510 'number:' reported
check "a selection" sh -c \
	'user-events flight dump black --where "value > 508" 2>/dev/null | wc -l | grep -qx 2'

# counted OPTION...: prints the number of records of number that stat reads.
counted()
{
	user-events stat "$@" 2>dumped | awk '$2 == "user_events:number" { print $1 }'
}

check "stat counts its records" [ "$(counted --flight black)" = 510 ]
check "stat says what a dump says" \
	has_lines 1 'black: 510 events, 0 overwritten, 0 lost' dumped
check "stat counts a selection" \
	[ "$(counted --flight black --where 'value > 508')" = 2 ]
check "a pattern that no record matches" exits_with 3 \
	user-events stat --flight black nosuch
user-events latency --flight black --start number --stop number >timed 2>dumped
check "latency pairs its records" has_lines 1 '510 starts without stop' dumped
user-events report --flight black 2>dumped
check "report has its records" has_lines 1 'black.html: 510 events, 0 lost' \
	dumped
check "the page is there" has_lines 1 '<title>' black.html
user-events export --flight black --textfile metrics 2>/dev/null
check "export counts its records" has_lines 1 \
	'^user_events_records_total{event="[a-z_:]*number".*} 510$' metrics
check "a recorder that does not exist, for stat" one_line 1 \
	'no such flight recorder' user-events stat --flight nosuch
check "all of them leave the records" holds black 510 'value='
check "the list has it" sh -c \
	'user-events flight list | grep -qE "^black +recording +1 +"'
check "the list is JSON, too" sh -c \
	'user-events flight list --json | grep -q "\"name\":\"black\""'

# ---- Death of processes ----

guest numbers 600 699 segv
check "a program ends by SIGSEGV" [ $? = 139 ]
check "records of a program that SIGSEGV ended are there" \
	sh -c 'user-events flight dump black 2>/dev/null | tail -n 1 | grep -q value=699'

# Collectors are killed at any moment, with more records before and after it.
round=0
while [ $round -lt 100 ]; do
	first=$((1000 + round * 10))
	write $first $((first + 4))
	action=attach
	[ $((round % 2)) = 0 ] || action=dump
	user-events flight $action black >/dev/null 2>&1 &
	collector=$!
	usleep $((round * 1000))
	write $((first + 5)) $((first + 9))
	kill -KILL $collector
	wait $collector
	round=$((round + 1))
done 2>/dev/null
records black | sed -n 's/.*value=//p' | awk '$1 >= 1000' >got
seq 1000 1999 >wanted
check "100 collectors that are killed lose nothing" cmp got wanted

echo 'selftest: the OOM killer is called' >/dev/kmsg
user-events flight attach black >followed 2>&1 &
collector=$!
echo 1000 >/proc/$collector/oom_score_adj
write 2000 2009
wait_until grep -q value=2009 followed
echo f >/proc/sysrq-trigger
wait $collector
killed=$?
echo 'selftest: the OOM killer has ended' >/dev/kmsg
check "a collector is killed for memory" [ $killed = 137 ]
write 2010 2019
records black | sed -n 's/.*value=//p' | awk '$1 >= 2000' >got
seq 2000 2019 >wanted
check "its records, and later ones, are there" cmp got wanted

user-events flight attach black --duration 2 >followed 2>&1 &
collector=$!
usleep 500000
write 3000 3004
wait $collector
check "attach prints new records only" has_lines 5 'value=' followed
check "with the name of their thread" has_lines 5 'guest/' followed

guest numbers 3005 3006 stop &
writer=$!
wait_until holds black 1 'value=3006$'
check "stat counts records of a process" \
	[ "$(counted --flight black --pid "$writer")" = 2 ]
kill -KILL $writer
wait $writer 2>/dev/null

# As a thread that the kernel has not switched away from since its first record
echo norecord-cmd >$instances/black/trace_options
user-events flight attach black --duration 2 >followed 2>&1 &
collector=$!
usleep 500000
guest numbers 3100 3104 stop &
writer=$!
wait $collector
check "the kernel has not recorded a name" sh -c \
	"! grep '^$writer ' $tracing/saved_cmdlines"
kill -KILL $writer
wait $writer 2>/dev/null
echo record-cmd >$instances/black/trace_options
check "the records of the thread are there" has_lines 5 'value=' followed
check "with its name in /proc" has_lines 5 'guest/' followed

user-events stat --flight black --follow --interval 100ms --by comm \
	>followed 2>dumped &
collector=$!
wait_until grep -q COUNT followed
write 3005 3011
wait_until grep -qE '^ +7 ' followed
kill -INT $collector
wait $collector
check "stat follows until a signal" [ $? = 0 ]
check "stat counts new records only" [ "$(tail -n 1 followed |
	awk '{ print $1 }')" = 7 ]
check "stat follows for a time" user-events stat --flight black --follow \
	--duration 10ms
check "a pattern that no new record matches" exits_with 3 \
	user-events stat --flight black --follow --duration 10ms nosuch
check "options of a session" one_line 2 'cannot be combined with' \
	user-events stat --flight black --elf /bin/true

exec 7<$instances/black/trace_pipe
check "a recorder that others read is not stopped" one_line 1 \
	'black: another process reads the instance' user-events flight stop black
exec 7<&-
check "it keeps its records" holds black 5 'value=300[0-4]$'

user-events flight attach black >followed 2>&1 &
collector=$!
usleep 500000
check "stop removes everything" user-events flight stop black
check "the instance and the state are gone" is_gone black
wait $collector
check "attach ends with it" [ $? = 0 ]

# ---- Records from before a recorder of perf ----

user-events flight start once number
write 1 3
user-events record -o later.data number >/dev/null 2>&1 &
collector=$!
tool=$collector
wait_until is_recording number
write 4 6
kill -INT $collector
wait $collector
user-events flight dump once -t dat -o once.dat
user-events decode --merge once.dat later.data | sed -n 's/.*value=//p' >held
check "a flight recorder has what was written before" sh -c \
	'cat held; seq 1 3 >wanted; head -n 3 held | cmp - wanted'
check "and the rest is in both files" has_lines 6 '[456]' held
user-events flight stop once

# ---- A full buffer ----

user-events flight start small number --size 16K
write 1 5000
check "the newest records are kept" sh -c \
	'user-events flight dump small 2>dumped | grep value= | tail -n 1 |
		grep -q value=5000'
check "overwritten ones are counted" grep -qE ' [1-9][0-9]* overwritten, 0 lost' dumped
user-events flight stop small

# Newer records replace older ones in the kernel, and in the files of dumps.
each_is_kept_or_replaced()
{
	user-events flight start small number --size 16K || return 1
	round=0
	while [ "$round" -lt 24 ]; do
		taskset 1 guest numbers $((round * 300 + 1)) $((round * 300 + 300))
		[ $((round % 3)) = 2 ] ||
			user-events flight dump small >held 2>dumped || return 1
		round=$((round + 1))
	done
	user-events flight dump small >held 2>dumped || return 1
	user-events flight stop small
	cat dumped
	replaced=$(sed -n 's/.* \([0-9]*\) overwritten.*/\1/p' dumped)
	[ "$replaced" -gt 0 ] &&
		[ $(($(grep -c 'value=' held) + replaced)) = 7200 ]
}

check "records are kept or overwritten, also after dumps" each_is_kept_or_replaced
user-events flight start small number --size 16K --no-overwrite
write 1 5000
check "the oldest records are kept on request" sh -c \
	'user-events flight dump small 2>dumped | head -n 1 | grep -q value=1$'
check "lost ones are counted" grep -qE ' 0 overwritten, [1-9][0-9]* lost' dumped
user-events flight dump small >held 2>/dev/null
kept=$(grep -vc ' lost: ' held)
lost=$(sed -n 's/.* \([0-9]*\) lost.*/\1/p' dumped)
check "kept and lost records are all" [ $((kept + lost)) = 5000 ]
check "lost records have a line" grep -qE \
	'^[^ ]* \[[0-9]*\] [0-9]* records lost: .*\(ftrace_buffer\), since 20' held
check "a file of all records does not hide that others are lost" exits_with 4 \
	user-events flight dump small -t dat -o small.dat
check "and is complete" test "$(user-events decode small.dat | wc -l)" = "$kept"
check "the list has losses by processor" sh -c \
	"user-events flight list | grep -qE '[1-9][0-9]* on cpu[0-9]'"
check "losses make a dump incomplete" exits_with 4 user-events flight dump small
user-events flight stop small

# attach_beside COMMAND...: stops to read while COMMAND runs
attach_beside()
{
	user-events flight attach small >followed 2>messages &
	collector=$!
	sleep 1
	kill -STOP "$collector"
	"$@"
	kill -CONT "$collector"
	usleep 500000
	kill -INT "$collector"
	wait "$collector"
}

user-events flight start small number --size 16K --no-overwrite
check "attach reports what a full buffer rejects" exits_with 4 \
	attach_beside write 1 5000
lost=$(sed -n 's/.* \([0-9]*\) records lost: .*(ftrace_buffer).*/\1/p' followed |
	awk '{ sum += $1 } END { print sum + 0 }')
check "printed and lost records are all" [ \
	$(($(grep -c 'value=' followed) + lost)) = 5000 ]
user-events flight stop small

# ---- Records that are too large ----

user-events add 'large u32 first'
echo 1 >$tracing/events/user_events/large/enable
guest large 1 5000
echo 0 >$tracing/events/user_events/large/enable
user-events flight start black number large
guest large 3 5000
guest large 2 4
check "records that are too large for ftrace are lost" exits_with 4 \
	user-events flight dump black
user-events flight dump black >held 2>dumped
check "each of them since the start" grep -q ' 2 events, 0 overwritten, 3 lost' dumped
check "with event, processor and reason" grep -qE \
	'\[[0-9]*\] 3 records of user_events:large lost: .*\(ftrace_too_large\), since 20' \
	held
user-events flight stop black
user-events flight start small large
check "attach reports those since then" exits_with 4 \
	attach_beside guest large 2 5000
check "and only those" has_lines 1 ' 2 records of user_events:large lost: ' followed
user-events flight stop small
user-events del large

# ---- A recorder that others change ----

user-events flight start black number
write 1 3
echo 0 >$instances/black/tracing_on
write 4 6
check "a paused recorder is incomplete" exits_with 4 user-events flight dump black
user-events flight dump black >held 2>dumped
check "and says so" grep -q '^user-events: black: paused: ' dumped
check "with its records" has_lines 3 'value=[123]$' held
echo 1 >$instances/black/tracing_on
echo 0 >$instances/black/events/enable
write 7 9
check "one without its events is incomplete" exits_with 4 \
	user-events flight dump black
user-events flight dump black >held 2>dumped
check "and says how many" grep -q 'others have disabled 1 of its events' dumped
check "records of a disabled event are decoded" has_lines 3 'value=[123]$' held
echo 1 >$instances/black/events/user_events/number/enable
check "nothing is missing when they are enabled" user-events flight dump black
user-events flight stop black

# ---- A snapshot ----

user-events flight start shot number --size 16K --on 'number: value == 100'
write 1 100
write 101 5000
user-events flight dump shot >dumped 2>/dev/null
check "records before the trigger stay" has_lines 100 \
	'value=\([0-9][0-9]\{0,1\}\|100\)$' dumped
check "and the newest ones" sh -c 'tail -n 1 dumped | grep -q value=5000'
check "the trigger is set again" grep -q 'snapshot:count=1 if value == 100' \
	$instances/shot/events/user_events/number/trigger
user-events flight stop shot
check "a snapshot leaves nothing" is_gone shot

# ---- An instance of others, with the name of a recorder that is gone ----

user-events flight start black number
rmdir $instances/black
check "one that is gone does not record" one_line 1 'black: does not record' \
	user-events flight attach black --duration 10ms
mkdir $instances/black
check "the instance of others can be read" user-events flight dump \
	--instance black --consume
check "stop removes the state" user-events flight stop black
check "the instance of others stays" [ -d $instances/black ]
rmdir $instances/black

# Each dump keeps its records, and the next start their newest part.
user-events flight start black number
check "a recorder that is gone is kept under another name" sh -c \
	"exec 2>messages
	write()
	{
		guest numbers \$1 \$2 && user-events flight dump black >/dev/null 2>&1
		rmdir $instances/black && user-events flight start black number
	}
	write 1 3 && write 4 5"
check "which is said" has_lines 2 'black: earlier records are in black.earlier now' \
	messages
check "with the records since the last time" holds black.earlier 2 'value=[45]$'
user-events flight stop black.earlier
user-events flight stop black

# ---- A persistent buffer ----

if [ -e $instances/boot/last_boot_info ]; then
	echo 1 >$instances/boot/events/user_events/number/enable
	check "a persistent buffer that others use is not used" one_line 1 \
		'boot: others have enabled events' \
		user-events flight start boot number
	echo 0 >$instances/boot/events/enable
	check "a persistent buffer is used, and said" one_line 0 \
		'boot: uses the persistent buffer' \
		user-events flight start boot number
	write 1 10
	check "it has records" holds boot 10 'value='
	check "its state survives a boot" [ -e /var/lib/user-events/flight/boot/formats ]
	# As after a boot: an ID of another one
	sed -i 's/^boot .*/boot 0/' /var/lib/user-events/flight/boot/state
	write 11 12
	check "records of an earlier boot" holds boot 12 'value='
	echo 0 >$instances/boot/events/enable
	check "the next start succeeds" sh -c \
		'user-events flight start boot number 2>messages'
	check "and says that it keeps them" grep -q \
		'boot: earlier records are in boot.earlier now' messages
	write 13 14
	check "under another name" holds boot.earlier 12 'value='
	check "and records new ones" holds boot 2 'value='
	user-events flight stop boot.earlier
	user-events flight stop boot
	check "stop leaves the instance of the kernel" [ -d $instances/boot ]
	check "which does not record" has \
		$instances/boot/events/user_events/number/enable 0
else
	skip "a persistent buffer" "the kernel has none"
fi

# ---- At boot ----

# The guest has no groups, so the script fails for other reasons.
boot_starts()
{
	mkdir -p /etc/user-events.d
	echo 'early u32 value' >/etc/user-events.d/one.conf
	# An editor can omit the end of the last line.
	printf '# two\nboot1 early --size 64K\n\nboot2 "ear*" -f "value > 1"' \
		>/etc/user-events.d/one.flight
	sed 's,@bindir@,/usr/bin,' /boot/user-events-boot >script
	sh script
	grep -q 'value > 1' "$instances/boot2/events/user_events/early/filter" &&
		has "$instances/boot1/events/user_events/early/enable" 1
}
check "the service at boot starts recorders" boot_starts
check "and leaves them as they are when it is reloaded" boot_starts
user-events flight stop boot1
user-events flight stop boot2

boot_reports()
{
	echo 'early u32 value' >/etc/user-events.d/one.conf
	printf 'boot3 early nosuch\nboot4 nosuch\n' >/etc/user-events.d/one.flight
	sh script 2>messages || true
	grep 'one.flight' messages >lines
	diff lines - <<-end && grep -q '^user-events: nosuch' messages
		user-events: /etc/user-events.d/one.flight: started without some of its events: boot3 early nosuch
		user-events: /etc/user-events.d/one.flight: not started: boot4 nosuch
	end
}
check "it tells recorders without some events from those without any" boot_reports
user-events flight stop boot3

finish
