# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317,SC2119
#
# user-events list, show, add and del, with programs that register events and
# tools that enable them
# guest: readers
# add: scripts/boot:/boot
# add: userlib/tools/completion:/completion
# with: perf,bash,bpftrace,setcap
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

data=/sys/kernel/tracing/user_events_data
dynamic=/sys/kernel/tracing/dynamic_events
events=/sys/kernel/tracing/events/user_events

# is_silent COMMAND...: expects exit status 0 and no output.
is_silent()
{
	"$@" >/tmp/printed 2>&1 || { cat /tmp/printed; return 1; }
	cat /tmp/printed
	[ ! -s /tmp/printed ]
}

exists()
{
	[ -d "$events/$1" ]
}

does_not_exist()
{
	! exists "$1"
}

listed()
{
	grep -qxF -- "u:$1" "$dynamic"
}

# ---- add ----

fields='u32 number; char[20] color; __rel_loc char[] text'
check "add creates an event" is_silent user-events add "door $fields"
check "the event has the given fields" listed "door $fields"
check "adding it again succeeds" is_silent user-events add "u:door $fields"
check "add refuses other fields" one_line 1 'door: event exists with other fields' \
	user-events add 'door u8 a'
check "add creates an EventHeader tracepoint by its name" \
	is_silent user-events add Test_Provider_L4K1f
check "the tracepoint has the fields of EventHeader" \
	prints 'u8 eventheader_flags' cat $events/Test_Provider_L4K1f/format

# points_at LINES COMMAND...: expects these second and third lines of an error.
points_at()
{
	lines=$1
	shift
	exits_with 2 "$@" 2>/tmp/messages || { cat /tmp/messages; return 1; }
	cat /tmp/messages
	[ "$(sed 1d /tmp/messages)" = "$lines" ]
}
check "add points at an unknown type" points_at '  wrong u8 a; color b
              ^' user-events add 'wrong u8 a; color b'
check "add points at a missing name" points_at '  wrong u32
           ^' user-events add 'wrong u32'
is_warned()
{
	one_line 0 'P_L5Kz: not the name of an EventHeader tracepoint' \
		user-events add P_L5Kz && user-events del P_L5Kz
}

check "add warns of a name like EventHeader" is_warned
check "add creates nothing after an error" does_not_exist wrong

cat >definitions <<-'END'
	# two of them are good
	file_one u32 a
	file_two u32 a; u33 b
	u:file_three char[4] b  # as dynamic_events lists it
	file_one u64 a
END
user-events add -r definitions 2>messages
check "add refuses a file with invalid lines" exits_with 2 user-events add \
	-r definitions
check "add prints each invalid line" \
	test "$(grep -c '^user-events: definitions:[35]: ' messages)" = 2
check "add creates no event of the file" does_not_exist file_one
sed '/u33/d; /u64/d' definitions >good
check "add creates the events of a valid file" is_silent user-events add -r good
check "all events of the file exist" listed 'file_three char[4] b'
check "add sets owner, group and mode" is_silent user-events add \
	'owned:uid=7,mode=0600 u32 a'
check "dynamic_events lists them" listed 'owned:uid=7,gid=0,mode=0600 u32 a'
check "add changes the mode" is_silent user-events add 'owned:mode=620 u32 a'
check "the event has the new mode" \
	listed 'owned:uid=0,gid=0,mode=0620 u32 a'
check "add refuses an unknown user" one_line 2 'no such user' user-events add \
	'owned:uid=nobody_of_that_name u32 a'
check "add --wait sets no rights" exits_with 2 user-events add --wait \
	'owned:mode=0600 u32 a'
check "del removes an event with rights" is_silent user-events del owned
check "the event with rights does not exist" does_not_exist owned
printf 'file_four u8 a\ndoor u8 a\n' >half
check "add prints the line that the kernel refuses" \
	one_line 1 'half:2: door: event exists with other fields' user-events add \
	-r half
check "add removes the events of earlier lines" does_not_exist file_four
printf 'bad_one u33 a\ndoor u8 a\ngood_one u8 a\n' >mixed
check "add --keep-going fails for a line that the kernel refuses" \
	exits_with 1 user-events add --keep-going -r mixed
user-events add --keep-going -r mixed 2>messages
check "add --keep-going prints both lines" \
	test "$(grep -c '^user-events: mixed:[12]: ' messages)" = 2
check "add --keep-going creates the other event" listed 'good_one u8 a'
check "add --keep-going is no option of --wait" exits_with 2 \
	user-events add --keep-going --wait 'waits u32 a'
check "add reports a missing file" one_line 1 'nowhere: cannot read' \
	user-events add -r nowhere
check "add requires a definition" exits_with 2 user-events add
check "add accepts a file without definitions" is_silent user-events add \
	-r /dev/null
check "add --wait registers all events or none" one_line 1 \
	'door: event exists with other fields' \
	user-events add --wait --persist 'waits u32 a' 'door u8 a'
check "so the first one does not exist" does_not_exist waits

user-events add --wait 'waits u32 a' >wait.out &
waiting=$!
check "add --wait creates an event" wait_until exists waits
check "add --wait prints that it waits" wait_until \
	grep -q '^1 event registered' wait.out
kill $waiting
wait $waiting
check "the event does not exist after add --wait" wait_until \
	does_not_exist waits
check "add --wait exits with 0" test $? = 0
user-events add --wait --persist 'stays u32 a' >/dev/null &
waiting=$!
wait_until exists stays
kill $waiting
wait $waiting
check "add --wait --persist keeps the event" listed 'stays u32 a'

# The guest has no groups, so the script fails for other reasons.
boot_defines()
{
	mkdir -p /etc/user-events.d
	echo 'boot_one u32 a' >/etc/user-events.d/one.conf
	printf '# two\nboot_two u32 a\n' >/etc/user-events.d/two.conf
	printf '#!/bin/sh\nstat -c %%a %s >mode\nexec /usr/bin/user-events "$@"\n' \
		"$data" >user-events
	chmod +x user-events
	chmod 600 "$data"
	sed "s,@bindir@,$PWD," /boot/user-events-boot >boot
	sh boot
	exists boot_one && exists boot_two
}
check "the service at boot adds the events of its files" boot_defines
check "before others can take their names" grep -x 600 mode
check "and then gives access to the group" test "$(stat -c %a "$data")" = 660

# Before Linux 5.16, only the mode of the directory protects most files in it.
# shellcheck disable=SC2016 # expanded by the other shell
others_read_nothing()
{
	test "$(stat -c %a "$tracing")" = 711 &&
		is_silent su -s /bin/sh nobody -c \
			'for file; do [ ! -r "$file" ] || echo "$file"; done' \
			sh "$tracing"/* "$tracing"/.[!.]*
}
check "and other users read nothing in tracefs" others_read_nothing

# ---- Commands ----

check "the start of a name is a command" test "$(user-events li)" = \
	"$(user-events list)"
check "a start of several names is none" one_line 2 \
	'^user-events: re: ambiguous command: record, reload, report$' user-events re
check "another word is none" one_line 2 '^user-events: lists: unknown command$' \
	user-events lists
check "a command is required" one_line 2 'no command given' user-events
check "help of a command" prints '^Usage: user-events del ' user-events help del
check "help of all commands" prints '^  del +Delete ' user-events --help
check "the version" prints '^user-events [0-9]' user-events --version

# ---- list ----

check "list prints a line for each event" \
	prints \
	'^door +- +[0?] +[0?] +u32 number; char\[20\] color; __rel_loc char\[\] text$' user-events list
check "list decodes EventHeader names" \
	prints \
	'^Test_Provider_L4K1f .*EventHeader: Test_Provider, level 4 \(information\), keyword 0x1f$' user-events list
check "list accepts globs" test "$(user-events list 'file_*' | wc -l)" = 3
check "list accepts names with a system" \
	test "$(user-events list user_events:door | wc -l)" = 2
check "list accepts globs without matches" is_silent \
	sh -c 'user-events list "nothing*" | sed 1d'
check "list reports an unknown event" one_line 3 'nothing: no such event' \
	user-events list nothing
check "error messages contain no control characters" \
	one_line 3 'a\\x1bb: no such event' user-events list \
	"$(printf 'a\033b')"
check "list --elf prints definitions of a program" prints \
	'^request s32 status; ' user-events list --elf /usr/bin/guest
check "list --elf refuses other files" one_line 1 'good: not an ELF file' \
	user-events list --elf good
check "list --elf reports a missing file" one_line 1 'nowhere: cannot read' \
	user-events list --elf nowhere
check "list --elf requires a file" exits_with 2 user-events list --elf
check "list has one form" exits_with 2 user-events list --json --definitions
check "list refuses other systems" one_line 3 'no such event' \
	user-events list sched:sched_switch

# ---- Programs that start later ----

# The program writes its first record at once.
has_first_record()
{
	user-events decode late.data >decoded
	cat decoded
	[ "$(grep -c 'request status=404 path="/late" bytes=7$' decoded)" = 1 ]
}

first_record_is_recorded()
{
	start user-events record -o late.data request
	wait_until is_recording request || return 1
	guest request 404 /late 7 || return 1
	stop || return 1
	has_first_record
}

check "there is no event of a program that did not run" does_not_exist request
start user-events record -o late.data request
check "record says what it misses without a definition" wait_until \
	grep -q 'records from before it is found are missing' messages
check "add --from defines events while record waits" \
	is_silent user-events add --from /usr/bin/guest
check "record finds the event" wait_until is_recording request
check "the program runs" guest request 404 /late 7
check "record ends" stop
check "the first record is in the file" has_first_record
user-events del request
check "the event is deleted" does_not_exist request

check "add --from defines events of the last recording" \
	is_silent user-events add --from late.data
check "record has the first record of a program" first_record_is_recorded
user-events list --definitions request >definitions
check "list --definitions prints definitions" \
	grep -qE '^request s32 status; __(rel|data)_loc char\[\] path; s32 bytes$' \
	definitions
user-events del request
check "add reads them again" is_silent user-events add -r definitions
check "record has the first record again" first_record_is_recorded
user-events list --definitions >all
user-events del '*'
check "add reads all definitions" is_silent user-events add -r all
check "they are the same" sh -c 'user-events list --definitions | cmp - all'
user-events del request
printf 'neither' >neither
check "add --from refuses other files" one_line 1 \
	'neither: neither a program nor a perf.data file' \
	user-events add --from neither
check "add --from reports a missing file" one_line 1 'nowhere: cannot read' \
	user-events add --from nowhere

# ---- show, tracers ----

echo 1 >$events/door/enable
check "show prints ftrace" prints '^  tracers +ftrace$' user-events show door
mkdir $tracing/instances/other
echo 'number > 3' >$tracing/instances/other/events/user_events/door/filter
echo 1 >$tracing/instances/other/events/user_events/door/enable
echo 'traceoff:1 if number == 99' >$events/door/trigger
check "show prints instances" prints '^  ftrace +other: enabled' \
	user-events show door
check "show prints filters" prints '^  filter +other: number > 3' \
	user-events show door
check "show prints triggers" \
	prints '^  trigger +\(top\): traceoff.*number == 99' user-events show door
perf record -q -a -B -e user_events:door -o perf.data sleep 30 >/dev/null 2>&1 &
perf=$!
check "list prints perf" wait_until prints '^door +ftrace perf ' \
	user-events list door
check "del refuses a busy event and prints its users" \
	one_line 1 \
	'door: in use: enabled by ftrace; enabled by ftrace in instance other; enabled by perf or BPF; .*perf\[' \
	user-events del door
kill -INT $perf
wait $perf
bpftrace -e 'tracepoint:user_events:door { @hits = count(); }' >bpftrace.out \
	2>&1 &
bpftrace=$!
# bpftrace compiles the program, which takes minutes on a busy machine.
has_attached_or_exited()
{
	grep -q '^Attach' bpftrace.out || ! kill -0 "$bpftrace" 2>/dev/null
}
for _ in $(seq 30); do
	wait_until has_attached_or_exited && break
done
if kill -0 $bpftrace 2>/dev/null; then
	check "show prints BPF programs" \
		wait_until \
		prints "^  bpf +program [0-9]+, attached by process $bpftrace\$" user-events show door
	check "show --json prints BPF programs" \
		prints "\"bpf\":\[\{\"program\":[0-9]+,\"pid\":$bpftrace\}\]" \
		user-events show --json door
else
	skip "show prints BPF programs" \
		"bpftrace does not attach: $(head -n 1 bpftrace.out)"
	skip "show --json prints BPF programs" "bpftrace does not attach"
fi
# Other signals end bpftrace only if they arrive while it waits for records.
kill -KILL $bpftrace
wait $bpftrace
echo '!traceoff:1 if number == 99' >$events/door/trigger
check "commands printed by show work" \
	sh -c "$(user-events show door | sed -n 's/^  *echo/echo/p')"
rmdir $tracing/instances/other
echo 0 >$events/door/enable
check "show prints types, offsets and sizes of fields" \
	prints '^  char\[20\] +color +12 +20$' user-events show door
check "show requires an event" exits_with 2 user-events show
check "show reports an unknown event" one_line 3 'nothing: no such event' \
	user-events show nothing

hello 20 >/dev/null &
hello=$!
wait_until exists hello
check "show prints a process that may have created the event" \
	prints '^  created by .*hello\[[0-9]+\]' user-events show hello
check "del refuses a registered event" one_line 1 \
	"hello: in use: .*hello\\[$hello\\]" user-events del hello
echo 1 >$events/hello/enable
hits()
{
	user-events list --json hello | grep -q '"hits":[1-9]'
}
if [ -e $tracing/user_events_profile ]; then
	check "list prints hits" wait_until hits
else
	check "list prints unknown hits" prints '"hits":null,"lost":null,"losses":null' \
		user-events list --json hello
fi
echo 0 >$events/hello/enable
kill $hello
wait $hello 2>/dev/null

# A program registers another format of the name.
user-events add 'hello u64 other'
hello 20 >/dev/null &
hello=$!
wait_until [ -d "${events}_multi" ]
check "del deletes no format without the others" one_line 1 \
	'hello: cannot be deleted without user_events_multi:hello.[0-9a-f]*, which' \
	user-events del user_events:hello
kill $hello
wait $hello 2>/dev/null
check "del deletes the last format" is_silent user-events del hello

eventheader 600 1000 >/dev/null &
disk=$!
wait_until exists Example_Disk_L4K1
check "show prints a provider" prints '^  provider +Example_Disk$' \
	user-events show 'Example_Disk_L4*'
check "show --json prints a provider" \
	prints '"provider":"Example_Disk","level":4,"level_name":"information","keyword":"0x1"' \
	user-events show --json Example_Disk_L4K1
kill $disk
wait $disk 2>/dev/null

check "list --json prints one line" test "$(user-events list --json | wc -l)" \
	= 1
check "show --json prints fields" \
	prints \
	'\{"type":"char\[20\]","name":"color","offset":12,"size":20,"signed":(true|false)\}' \
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
	check "completion of commands" prints '^doctor$' bash complete.bash \
		user-events d
	check "completion of options" prints '^--json$' bash complete.bash \
		user-events list --
	check "completion of events" prints '^door$' bash complete.bash \
		user-events show doo
	check "completion of systems" prints '^door$' bash complete.bash \
		user-events show user_events : doo
fi

# ---- del ----

check "del requires an event" exits_with 2 user-events del
check "del reports an unknown event" one_line 3 'nothing: no such event' \
	user-events del door nothing
check "del removes nothing after an error" exists door
check "del removes events" is_silent user-events del door 'file_*' \
	Test_Provider_L4K1f
check "a removed event does not exist" does_not_exist door
check "events of a glob do not exist" does_not_exist file_three
check "other events exist" exists stays
user-events del '*'
check "del removes all events" test "$(user-events list --json)" = '[]'

# ---- users, pipes and full disks ----

check "list reports a full disk" \
	one_line 1 'standard output: cannot write' \
	sh -c 'user-events list --json >/dev/full'
adduser -D -H tester 2>/dev/null ||
	echo 'tester:x:1000:1000::/:/bin/sh' >>/etc/passwd
as_user()
{
	su -s /bin/sh tester -c "$*"
}
check "list refers unprivileged users to doctor" one_line 1 'doctor' \
	as_user user-events list
check "add refers unprivileged users to doctor" one_line 1 'doctor' \
	as_user user-events add "'mine u32 a'"
# Users with access to user_events_data create events that exist while a process
# refers to them.
chmod 711 $tracing $tracing/events 2>/dev/null
chmod 755 $tracing
chmod 666 $data
as_user user-events add --wait "'mine u32 a'" >/dev/null &
check "add works with access to user_events_data" wait_until exists mine
check "del refuses unprivileged users" one_line 1 '.' as_user user-events del \
	mine
kill "$(pidof user-events)"
wait
check "the event does not exist after its process" wait_until \
	does_not_exist mine

check "write tells that it cannot read where a __data_loc field starts" \
	one_line 1 'mine: cannot read its format, which __data_loc' \
	as_user user-events write "'mine __data_loc char[] text'"

# Users with access to dynamic_events only
user-events add 'others u32 a' 'mine_too:uid=tester,mode=0600 u32 a'
chmod 755 $tracing/events $events
chmod 600 $data
chmod 666 $dynamic
as_user user-events add "'mine u32 a; char[20] b'"
as_user user-events add "'mines u32 a'"
check "del writes to dynamic_events" is_silent as_user user-events del mine \
	mine_too
check "which deletes the event" does_not_exist mine
check "and one with rights" does_not_exist mine_too
check "and no other one" exists mines
check "del writes no event of others to dynamic_events" \
	one_line 1 'others: created by another user' as_user user-events del others
chmod 640 $dynamic
check "del names the files that it needs" \
	one_line 1 'mines: no permission to write user_events_data or dynamic' \
	as_user user-events del mines
user-events del mines others
chmod 666 $data

# A file with CAP_PERFMON records for each user that executes it (COLLECT=yes).
mount -t tmpfs collect /mnt
cp /usr/bin/user-events /mnt
setcap cap_perfmon=ep /mnt/user-events
user-events add 'audit:uid=0,mode=0600 u32 a'
echo 1 >$events/audit/enable
mount -o remount,gid=1000,mode=750 "$tracing"
chmod 750 "$tracing/events"
# A kernel without the capability, which is number 38, drops it.
if [ "$(cat /proc/sys/kernel/cap_last_cap)" -lt 38 ]; then
	rm /mnt/user-events
	cp /usr/bin/user-events /mnt
	skip "a program that records for others has CAP_PERFMON" \
		"the kernel has no CAP_PERFMON"
else
	check "a program that records for others has CAP_PERFMON" prints \
		'permitted by a capability' \
		as_user '/mnt/user-events doctor || true'
fi
for definition in audit "'audit u32 a'"; do
	check "but does not write the protected event $definition" \
		one_line 1 'not permitted|denied' \
		as_user /mnt/user-events write "$definition" a=1
done
echo 0 >$events/audit/enable
check "or delete it" one_line 1 'audit: created by another user' \
	as_user /mnt/user-events del audit
check "the protected event exists" exists audit
echo 1 >/sys/module/user_events/parameters/max_events_per_user
as_user user-events add --wait "'mine u32 a'" >/dev/null &
wait_until exists mine
check "or register more events than users can" prints \
	'cannot register a test event' as_user '/mnt/user-events doctor || true'
kill "$(pidof user-events)"
wait
echo 0 >/sys/module/user_events/parameters/max_events_per_user
umount /mnt
user-events del audit

finish
