# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events list, show, add and del, beside programs that register events, and tools that listen to them.
# with: perf,bash,bpftrace
# shellcheck source=scripts/check/tool-guest/lib
. /tool-guest/lib

data=/sys/kernel/tracing/user_events_data
dynamic=/sys/kernel/tracing/dynamic_events
events=/sys/kernel/tracing/events/user_events

# prints PATTERN COMMAND...: it ends well and prints a line that the pattern (grep -E) finds.
prints()
{
	pattern=$1
	shift
	"$@" >/tmp/printed 2>&1 || { cat /tmp/printed; return 1; }
	cat /tmp/printed
	grep -qE -- "$pattern" /tmp/printed
}

# silent COMMAND...: it ends well and prints nothing.
silent()
{
	"$@" >/tmp/printed 2>&1 || { cat /tmp/printed; return 1; }
	cat /tmp/printed
	[ ! -s /tmp/printed ]
}

is_there()
{
	[ -d "$events/$1" ]
}

is_gone()
{
	! is_there "$1"
}

listed()
{
	grep -qxF -- "u:$1" "$dynamic"
}

# ---- add ----

fields='u32 number; char[20] colour; __rel_loc char[] text'
check "an event is added" silent user-events add "door $fields"
check "it is as it was defined" listed "door $fields"
check "it is added again, which changes nothing" silent user-events add "u:door $fields"
check "other fields are refused" one_line 1 'door: event exists with other fields' user-events add 'door u8 a'
check "an EventHeader tracepoint is added by its name" silent user-events add Test_Provider_L4K1f
check "it has the fields of these" prints 'u8 eventheader_flags' cat $events/Test_Provider_L4K1f/format

# points_at TEXT-OF-TWO-LINES COMMAND...: the second and third line of what is said.
points_at()
{
	lines=$1
	shift
	ends_with 2 "$@" 2>/tmp/said || { cat /tmp/said; return 1; }
	cat /tmp/said
	[ "$(sed 1d /tmp/said)" = "$lines" ]
}
check "a type that does not exist is pointed at" points_at '  wrong u8 a; color b
              ^' user-events add 'wrong u8 a; color b'
check "a name that is missing is pointed at" points_at '  wrong u32
           ^' user-events add 'wrong u32'
check "nothing was added" is_gone wrong

cat >definitions <<-'END'
	# two of them are good
	file_one u32 a
	file_two u32 a; u33 b
	u:file_three char[4] b  # as dynamic_events lists it
	file_one u64 a
END
user-events add -F definitions 2>said
check "a file with bad lines is refused" ends_with 2 user-events add -F definitions
check "each of them is named, with its line" test "$(grep -c '^user-events: definitions:[35]: ' said)" = 2
check "nothing of it was added" is_gone file_one
sed '/u33/d; /u64/d' definitions >good
check "a file of good lines is added" silent user-events add -F good
check "all of it" listed 'file_three char[4] b'
printf 'file_four u8 a\ndoor u8 a\n' >half
check "what the kernel refuses is named by its line" \
	one_line 1 'half:2: door: event exists with other fields' user-events add -F half
check "and what was added before it is taken back" is_gone file_four
check "a file that is not there" one_line 1 'nowhere: cannot read' user-events add -F nowhere
check "no definition at all" ends_with 2 user-events add

user-events add --wait 'waits u32 a' >wait.out &
waiting=$!
check "an event is there while one waits" wait_until is_there waits
check "it says so" wait_until grep -q '^1 event is registered' wait.out
kill $waiting
wait $waiting
check "and gone afterwards" wait_until is_gone waits
check "waiting ended well" test $? = 0
user-events add --wait --persist 'stays u32 a' >/dev/null &
waiting=$!
wait_until is_there stays
kill $waiting
wait $waiting
check "with --persist it stays" listed 'stays u32 a'

# ---- list ----

check "list has a line for each event" \
	prints '^door +- +[0?] +[0?] +u32 number; char\[20\] colour; __rel_loc char\[\] text$' user-events list
check "an EventHeader name is taken apart" \
	prints '^Test_Provider_L4K1f .*EventHeader: Test_Provider, level 4 \(information\), keyword 0x1f$' user-events list
check "globs choose" test "$(user-events list 'file_*' | wc -l)" = 3
check "so do names with a system" test "$(user-events list user_events:door | wc -l)" = 2
check "a glob that means nothing is nothing" silent sh -c 'user-events list "nothing*" | sed 1d'
check "an event that is not there" one_line 3 'nothing: no such event' user-events list nothing
check "what a terminal would obey is not said" \
	one_line 3 'a\?b: no such event' user-events list "$(printf 'a\033b')"
check "a system that is not ours" one_line 3 'no such event' user-events list sched:sched_switch

# ---- show, and who listens ----

echo 1 >$events/door/enable
check "ftrace listens" prints '^  tracers +ftrace$' user-events show door
mkdir $tracing/instances/other
echo 'number > 3' >$tracing/instances/other/events/user_events/door/filter
echo 1 >$tracing/instances/other/events/user_events/door/enable
echo 'traceoff:1 if number == 99' >$events/door/trigger
check "also in instances" prints '^  ftrace +other: enabled' user-events show door
check "with filters" prints '^  filter +other: number > 3' user-events show door
check "and triggers" prints '^  trigger +\(top\): traceoff.*number == 99' user-events show door
perf record -q -a -e user_events:door -o perf.data sleep 30 >/dev/null 2>&1 &
perf=$!
check "perf listens" wait_until prints '^door +ftrace perf ' user-events list door
check "a busy event is not deleted, and it says who uses it" \
	one_line 1 'door: in use: enabled by ftrace; enabled by ftrace in instance other; enabled by perf or BPF; .*perf\[' \
	user-events del door
kill -INT $perf
wait $perf
bpftrace -e 'tracepoint:user_events:door { @hits = count(); }' >bpftrace.out 2>&1 &
bpftrace=$!
# It is a compiler, and takes minutes where others want the machine, too.
attaches_or_ends()
{
	grep -q '^Attach' bpftrace.out || ! kill -0 "$bpftrace" 2>/dev/null
}
for _ in 1 2 3 4 5 6 7 8 9; do
	wait_until attaches_or_ends && break
done
if grep -q '^Attach' bpftrace.out; then
	check "BPF listens" \
		wait_until prints "^  bpf +program [0-9]+, attached by process $bpftrace\$" user-events show door
	check "also in JSON" \
		prints "\"bpf\":\[\{\"program\":[0-9]+,\"pid\":$bpftrace\}\]" user-events show --json door
else
	skip "BPF listens" "bpftrace does not attach: $(head -n 1 bpftrace.out)"
	skip "also in JSON" "bpftrace does not attach"
fi
kill -INT $bpftrace
wait $bpftrace
echo '!traceoff:1 if number == 99' >$events/door/trigger
check "the commands that it shows work" sh -c "$(user-events show door | sed -n 's/^  *echo/echo/p')"
rmdir $tracing/instances/other
echo 0 >$events/door/enable
check "fields have types, offsets and sizes" prints '^  char\[20\] +colour +12 +20$' user-events show door
check "show of nothing" ends_with 2 user-events show
check "show of what is not there" one_line 3 'nothing: no such event' user-events show nothing

hello 20 >/dev/null &
hello=$!
wait_until is_there hello
check "who may have made it" prints '^  created by .*hello\[[0-9]+\]' user-events show hello
check "what is registered is not deleted" one_line 1 "hello: in use: .*hello\\[$hello\\]" user-events del hello
echo 1 >$events/hello/enable
hits()
{
	user-events list --json hello | grep -q '"hits":[1-9]'
}
if [ -e $tracing/user_events_profile ]; then
	check "hits are counted" wait_until hits
else
	check "hits are not known" prints '"hits":null,"lost":null' user-events list --json hello
fi
echo 0 >$events/hello/enable
kill $hello
wait $hello 2>/dev/null

eventheader 600 1000 >/dev/null &
disk=$!
wait_until is_there Example_Disk_L4K1
check "a provider is shown" prints '^  provider +Example_Disk$' user-events show 'Example_Disk_L4*'
check "and as JSON" prints '"provider":"Example_Disk","level":4,"level_name":"information","keyword":"0x1"' \
	user-events show --json Example_Disk_L4K1
kill $disk
wait $disk 2>/dev/null

check "JSON of all of them is in one line" test "$(user-events list --json | wc -l)" = 1
check "fields are in JSON" \
	prints '\{"type":"char\[20\]","name":"colour","offset":12,"size":20,"signed":(true|false)\}' \
	user-events show --json door

# ---- completion ----

if [ -d /completion ]; then
	cat >complete.bash <<-'END'
		. /completion/user-events.bash
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_user_events
		printf '%s\n' "${COMPREPLY[@]}"
	END
	check "completion knows commands" prints '^doctor$' bash complete.bash user-events d
	check "and options" prints '^--json$' bash complete.bash user-events list --
	check "and events" prints '^door$' bash complete.bash user-events show doo
	check "and systems" prints '^door$' bash complete.bash user-events show user_events : doo
fi

# ---- del ----

check "del of what is not there" one_line 3 'nothing: no such event' user-events del door nothing
check "then nothing was deleted" is_there door
check "events are deleted" silent user-events del door 'file_*' Test_Provider_L4K1f
check "they are gone" is_gone door
check "all that were meant" is_gone file_three
check "others are not" is_there stays
user-events del '*'
check "all of them" test "$(user-events list --json)" = '[]'

# ---- users, pipes and full disks ----

check "standard output that is closed" \
	one_line 1 'standard output: cannot write' sh -c 'user-events list --json >/dev/full'
adduser -D -H somebody 2>/dev/null || echo 'somebody:x:1000:1000::/:/bin/sh' >>/etc/passwd
as_somebody()
{
	su -s /bin/sh somebody -c "$*"
}
check "a user without rights lists nothing" one_line 1 'doctor' as_somebody user-events list
check "and adds nothing" one_line 1 'doctor' as_somebody user-events add "'mine u32 a'"
# Who may write to user_events_data makes events that go with who waits for them.
chmod 711 $tracing $tracing/events 2>/dev/null
chmod 755 $tracing
chmod 666 $data
as_somebody user-events add --wait "'mine u32 a'" >/dev/null &
check "with the file open to it, it registers" wait_until is_there mine
check "but deletes nothing of others" one_line 1 '.' as_somebody user-events del mine
kill "$(pidof user-events)"
wait
check "and all is gone in the end" wait_until is_gone mine

finish
