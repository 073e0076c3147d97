# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# Which readers read a text, by its declaration: the table of compat.rst. A cell
# is from the reader's own output.
#
# guest: readers
# with: perf,trace-cmd,bpftrace
# add: build/userlib/static/guest/plugin_user_events.so:/plugins/plugin_user_events.so
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

events=$tracing/events/user_events
kinds='rel data char library'
records=10
all='/srv/0.txt /srv/1.sh /srv/2.txt /srv/3.sh /srv/4.txt /srv/5.sh /srv/6.txt /srv/7.sh /srv/8.txt /srv/9.sh '

# Prints the texts in the output of a reader, each once.
texts()
{
	grep -o -a '/srv/[0-9][.][a-z]*' "$1" | sort -u | tr '\n' ' '
}

# cell FILE TEXTS: prints "ok" if exactly these texts are in the output.
cell()
{
	if [ "$(texts "$1")" = "$2" ]; then
		echo ok
	elif grep -q -a '/srv/' "$1"; then
		echo wrong
	else
		echo none
	fi
	cp "$1" "output.$reader.$event"
}

write_records()
{
	guest kinds "$records" >>log 2>&1
}

# traced SYSTEM/EVENT: records of the event in "trace"
traced()
{
	echo >"$tracing/trace"
	echo 1 >"$tracing/events/$1/enable"
	write_records
	echo 0 >"$tracing/events/$1/enable"
	grep "${1#*/}:" "$tracing/trace" >seen
}

filtered()
{
	echo "$1" >"$events/$event/filter" 2>>log || { echo rejected; return; }
	traced "user_events/$event"
	echo 0 >"$events/$event/filter"
	cell seen "$2"
}

read_filter_equal()
{
	filtered 'path == "/srv/1.sh"' '/srv/1.sh '
}

read_filter_pattern()
{
	filtered 'path ~ "*.sh"' \
		'/srv/1.sh /srv/3.sh /srv/5.sh /srv/7.sh /srv/9.sh '
}

read_hist()
{
	[ -e "$events/$event/hist" ] || { echo -; return; }
	echo 'hist:keys=path' >"$events/$event/trigger" 2>>log ||
		{ echo rejected; return; }
	write_records
	cat "$events/$event/hist" >seen
	echo '!hist:keys=path' >"$events/$event/trigger"
	cell seen "$all"
}

read_event_probe()
{
	grep -q '<group>.<event>\|e\[:\[' "$tracing/README" || { echo -; return; }
	echo "e:probes/of_$event user_events/$event p=\$path:string" \
		>>"$tracing/dynamic_events" 2>>log || { echo rejected; return; }
	traced "probes/of_$event"
	echo "-:probes/of_$event" >>"$tracing/dynamic_events"
	cell seen "$all"
}

read_perf_script()
{
	perf record -q -a -B -e "user_events:$event" -o "perf.data.$event" \
		guest kinds "$records" >>log 2>&1
	perf_script -i "perf.data.$event" >seen 2>>log
	cell seen "$all"
}

# Of the file of read_perf_script
read_perf_fields()
{
	perf_script -F event,trace -i "perf.data.$event" >seen 2>>log
	cell seen "$all"
}

# convert FILE: converts a file of perf to "seen"; fails if perf cannot.
convert()
{
	perf data convert --to-json seen --force -i "$1" >>log 2>&1
}

read_perf_json()
{
	convert "perf.data.$event" || { echo -; return; }
	cell seen "$all"
}

read_perf_trace()
{
	perf trace -o seen -e "user_events:$event" guest kinds "$records" \
		>>log 2>&1
	cell seen "$all"
}

read_trace_cmd()
{
	trace-cmd record -q -e "user_events:$event" -o "trace.dat.$event" \
		wait_for_recorders guest kinds "$records" >>log 2>&1
	trace-cmd report -q -i "trace.dat.$event" >seen 2>>log
	cell seen "$all"
}

# bpf FORMAT VALUE [LINE]: runs bpftrace; its errors are in "seen", too.
bpf()
{
	bpftrace -e "${3-}
		tracepoint:user_events:$event { printf(\"$1\\n\", $2); }" \
		-c "/usr/bin/guest kinds $records" >seen 2>&1
}

# bpf_known READER FORMAT VALUE: prints a program for the cells of this reader that
# are "ok" in the known table. It prints the names of reader and event first.
bpf_known()
{
	for kind in $kinds; do
		[ "$(column "$1" "$kind" expected)" != ok ] ||
			printf 'tracepoint:user_events:%s { printf("%s\\n", %s); }\n' \
				"kind_$kind" "$1.kind_$kind $2" "$3"
	done
}

# A start of bpftrace takes as long as most other readers together, so one program
# reads what can be read. Each other cell has its own.
run_bpf_known()
{
	{
		bpf_known bpftrace '%s' 'str(args->path)'
		bpf_known bpftrace_number '/srv/%d.x' 'args->id'
	} >program
	[ ! -s program ] || bpftrace -c "/usr/bin/guest kinds $records" \
		program >together 2>>log || : >together
}

# bpf_cell FORMAT VALUE TEXTS: prints "define" if bpftrace must be told what u32
# is, as versions without the types of the kernel.
bpf_cell()
{
	grep -a "^$reader\.$event " together >seen
	if [ "$(cell seen "$3")" = ok ]; then
		echo ok
	elif bpf "$1" "$2"; then
		cell seen "$3"
	elif grep -q "unknown type name 'u32'" seen &&
		bpf "$1" "$2" '#define u32 unsigned int' &&
		[ "$(cell seen "$3")" = ok ]; then
		echo define
	else
		cell seen "$3" >/dev/null
		echo rejected
	fi
}

read_bpftrace()
{
	bpf_cell '%s' 'str(args->path)' "$all"
}

# The number beside the text
read_bpftrace_number()
{
	bpf_cell '/srv/%d.x' 'args->id' "$(echo "$all" | sed 's/txt\|sh/x/g')"
}

readers='filter_equal filter_pattern hist event_probe perf_script perf_fields perf_json perf_trace trace_cmd bpftrace bpftrace_number'

# Prints a line for each reader, with a cell for each kind.
table()
{
	for reader in $readers; do
		printf '%s' "$reader"
		for kind in $kinds; do
			event=kind_$kind
			printf ' %s' "$("read_$reader")"
		done
		echo
	done
}

# The known table of this kernel and the tools of its suite; nothing if there is
# none.
known()
{
	case $(uname -r) in
	5.10.*)
		cat <<-EOF
			filter_equal rejected ok ok ok
			filter_pattern rejected ok none ok
			hist - - - -
			event_probe - - - -
			perf_script none ok ok ok
			perf_fields none ok ok ok
			perf_json - - - -
			perf_trace none ok ok ok
			trace_cmd none ok ok ok
			bpftrace rejected rejected rejected rejected
			bpftrace_number rejected define define define
		EOF
		;;
	5.14.*)
		cat <<-EOF
			filter_equal rejected ok ok ok
			filter_pattern rejected ok none ok
			hist rejected ok ok ok
			event_probe - - - -
			perf_script ok ok ok ok
			perf_fields ok ok ok ok
			perf_json none none none none
			perf_trace ok ok ok ok
			trace_cmd ok ok ok ok
			bpftrace rejected ok rejected ok
			bpftrace_number rejected ok ok ok
		EOF
		;;
	5.15.*)
		cat <<-EOF
			filter_equal rejected ok ok ok
			filter_pattern rejected ok none ok
			hist rejected ok ok ok
			event_probe none ok ok ok
			perf_script ok ok ok ok
			perf_fields ok ok ok ok
			perf_json none none none none
			perf_trace ok ok ok ok
			trace_cmd ok ok ok ok
			bpftrace rejected define rejected ok
			bpftrace_number rejected ok ok ok
		EOF
		;;
	6.1.*)
		cat <<-EOF
			filter_equal ok ok ok ok
			filter_pattern ok ok none ok
			hist ok ok ok ok
			event_probe none ok ok ok
			perf_script ok ok ok ok
			perf_fields ok ok ok ok
			perf_json none none none none
			perf_trace ok ok ok ok
			trace_cmd ok ok ok ok
			bpftrace rejected ok rejected ok
			bpftrace_number rejected ok ok ok
		EOF
		;;
	6.12.*)
		cat <<-EOF
			filter_equal ok ok ok ok
			filter_pattern ok ok none ok
			hist ok ok ok ok
			event_probe none ok ok ok
			perf_script ok ok ok ok
			perf_fields ok ok ok ok
			perf_json ok ok ok ok
			perf_trace ok ok ok ok
			trace_cmd ok ok ok ok
			bpftrace rejected none rejected none
			bpftrace_number rejected ok ok ok
		EOF
		;;
	7.2.*)
		cat <<-EOF
			filter_equal ok ok ok ok
			filter_pattern ok ok none ok
			hist ok ok ok ok
			event_probe none ok ok ok
			perf_script ok ok ok ok
			perf_fields ok ok ok ok
			perf_json ok ok ok ok
			perf_trace ok none ok none
			trace_cmd ok ok ok ok
			bpftrace rejected ok ok ok
			bpftrace_number ok ok ok ok
		EOF
		;;
	esac
}

# column READER KIND [FILE]: prints a cell.
column()
{
	awk -v reader="$1" -v kinds="$kinds" -v kind="$2" '
		$1 == reader {
			count = split(kinds, names, " ")
			for (i = 1; i <= count; i++)
				if (names[i] == kind)
					print $(i + 1)
		}' "${3-cells}"
}

# Whether bpftrace reads a text of an event of the kernel.
bpftrace_reads_texts()
{
	bpftrace -e 'tracepoint:sched:sched_process_exec {
			printf("%s\n", str(args->filename)); }' \
		-c /bin/true >seen 2>&1
	grep '^/.*true$' seen
}

# A text of the library is read. perf trace of new versions prints the word of any
# __data_loc field. perf 6.1 converts no fields of any event. Some versions of
# bpftrace read no text of any event.
library_is_read()
{
	of_library=$(column "$1" library)
	echo "$1: $of_library"
	tail -n 10 "output.$1.kind_library"
	case $1/$of_library in
	*/ok | */- | */define) ;;
	perf_trace/none) [ "$(column "$1" data)" = none ] ;;
	perf_json/none) [ "$(column "$1" char)" = none ] ;;
	bpftrace/*) ! bpftrace_reads_texts ;;
	*) return 1 ;;
	esac
}

matches_known()
{
	diff -u expected cells
}

# A file of user-events record, which has less about the machine than perf's
converts_our_file()
{
	user-events record -o ours.data kind_library -- \
		guest kinds "$records" >>log 2>&1
	convert ours.data
	grep -c '"timestamp"' seen | grep -qx "$records"
}

# It shows the names of events and how many there are, and no fields.
hist_counts()
{
	trace-cmd hist -i trace.dat.kind_library 2>>log | tee hist
	grep -q " kind_library #$records\$" hist
}

# Readers that do not know EventHeader see what precedes its names and values.
# Opcode 1 is a start.
header='eventheader_flags=.*version=0.* opcode=1 level=4'

record_headers()
{
	eventheader 100000 10 >>log 2>&1 &
	emitter=$!
	wait_until [ -d "$events/Example_Disk_L5K2" ]
	perf record -q -a -B -e user_events:Example_Disk_L4K1 \
		-e user_events:Example_Disk_L5K2 -o headers.data \
		sleep 1 >>log 2>&1
	trace-cmd record -q -e user_events:Example_Disk_L4K1 \
		-e user_events:Example_Disk_L5K2 -o headers.dat \
		wait_for_recorders sleep 1 >>log 2>&1
	kill "$emitter"
}

perf_script_shows_header()
{
	perf_script -F event,trace -i headers.data >seen 2>>log
	head -n 2 seen
	grep -q "Example_Disk_L4K1: *$header" seen
}

perf_json_shows_header()
{
	convert headers.data
	head -n 30 seen
	grep -q '"opcode": "1"' seen && grep -q '"level": "4"' seen
}

trace_cmd_shows_header()
{
	trace-cmd report -q -i headers.dat >seen 2>>log
	head -n 2 seen
	grep -q "Example_Disk_L4K1: *$header" seen
}

# A record of EventHeader, and one that ends in its metadata
record_malformed()
{
	{
		user-events add 'Broken_L4K1Ggroup u8 eventheader_flags; u8 version;
			u16 id; u16 tag; u8 opcode; u8 level'
		perf record -q -a -B -e user_events:Broken_L4K1Ggroup \
			-o malformed.data guest malformed
		trace-cmd record -q -e user_events:Broken_L4K1Ggroup -o malformed.dat \
			wait_for_recorders guest malformed
	} >>log 2>&1
}

# decoded FILE: prints the records of EventHeader, without what decode tells of
# process, time and processor.
decoded()
{
	user-events decode --json "$1" 2>>log | sed -n '/^  { "n"/{
		s/^ *//
		s/ *[],]*$//
		s/"meta": { "time".*"level"/"meta": { "level"/
		p
		}'
}

# with_plugins PLUGINS READER...: prints the records of EventHeader that READER
# prints with the plugins in a directory.
with_plugins()
{
	plugins=$1
	shift
	TRACEEVENT_PLUGIN_DIR=$plugins "$@" >printed 2>>log || {
		echo "exited with status $?"
		return 1
	}
	sed -n 's/.*_L[45]K[12][a-zG]*: *//p' printed
}

# as_decode PLUGINS FILE READER...: READER prints what decode prints of FILE.
as_decode()
{
	plugins=$1
	decoded "$2" >wanted
	shift 2
	with_plugins "$plugins" "$@" >seen
	diff -u wanted seen | head -n 20
	grep -q '^{ "n": "[A-Za-z_]*:[A-Za-z]*", .* }$' wanted &&
		cmp -s wanted seen
}

# Both files have a handle of their own.
two_as_decode()
{
	{ decoded headers.dat; decoded malformed.dat; } | sort >wanted
	with_plugins plugins trace-cmd report -q -i headers.dat \
		-i malformed.dat | sort >seen
	diff -u wanted seen | head -n 20
	cmp -s wanted seen
}

# A pipe has no names before its records.
live_as_decode()
{
	start eventheader 100000 10
	wait_until [ -d "$events/Example_Disk_L5K2" ]
	perf record -q -a -B -e user_events:Example_Disk_L4K1 \
		-e user_events:Example_Disk_L5K2 -o - sleep 1 2>>log |
		tee pipe.data | TRACEEVENT_PLUGIN_DIR=plugins perf_script -i - \
		2>>log | sed -n 's/.*_L[45]K[12][a-zG]*: *//p' >seen
	stop TERM
	decoded pipe.data >wanted
	diff -u wanted seen | head -n 20
	grep -q '"n": "Example_Disk:RequestStart"' wanted &&
		cmp -s wanted seen
}

# installed FILE READER...: READER finds the plugin beside those of the system.
installed()
{
	cp plugins/plugin_user_events.so "$system"
	mkdir -p none
	as_decode none "$@"
	result=$?
	rm "$system/plugin_user_events.so"
	return "$result"
}

# The plugin leaves events to their print fmt that are no EventHeader events.
same_with_plugin()
{
	perf_script -i perf.data.kind_library >without 2>>log
	TRACEEVENT_PLUGIN_DIR=plugins perf_script \
		-i perf.data.kind_library >seen 2>>log
	head -n 2 seen
	grep -q 'kind_library: ' seen && cmp without seen
}

: >log
for kind in 'rel u32 id; __rel_loc char[] path' \
	'data u32 id; __data_loc char[] path' 'char u32 id; char[32] path'; do
	echo "u:kind_$kind" >>"$tracing/dynamic_events" || exit 1
done
user-events add --from /usr/bin/guest >>log 2>&1 || { cat log; exit 1; }
check "the library declares a text as __data_loc" grep -q \
	'field:__data_loc char\[\] path;' "$events/kind_library/format"

known >expected
: >together
run_bpf_known
table >cells
echo "# $(uname -r), $(bpftrace --version), $(perf --version), $(trace-cmd \
	--version 2>&1 | grep -m 1 -i version)"
echo "# reader $kinds"
sed "s/^/# /" cells
for reader in $readers; do
	check "$reader reads a text of the library" library_is_read "$reader"
done
check "trace-cmd hist counts the records of an event" hist_counts
if [ "$(column perf_json library)" != - ]; then
	check "perf data convert reads a file of user-events record" \
		converts_our_file
fi
record_headers
check "perf script shows the header of EventHeader events" \
	perf_script_shows_header
check "trace-cmd report shows the header of EventHeader events" \
	trace_cmd_shows_header
if [ "$(column perf_json library)" = ok ]; then
	check "perf data convert shows the header of EventHeader events" \
		perf_json_shows_header
fi
record_malformed
mkdir plugins all-plugins
cp /plugins/plugin_user_events.so plugins
# Beside those of the system, whose unloaders compare the names of all handlers
cp plugins/* all-plugins
cp /usr/lib/*/traceevent/plugins/plugin_*.so all-plugins 2>>log
for plugins in plugins all-plugins; do
	for file in headers malformed; do
		check "perf script prints $file as decode, with $plugins" \
			as_decode $plugins $file.data perf_script -i $file.data
		check "trace-cmd report prints $file as decode, with $plugins" \
			as_decode $plugins $file.dat \
			trace-cmd report -q -i $file.dat
	done
done
check "trace-cmd report prints two files as decode" two_as_decode
check "perf script prints a pipe as decode while the events exist" \
	live_as_decode
check "the plugin leaves other events to their print fmt" same_with_plugin
# Debian 11 has no such directory.
for system in /usr/lib/*/traceevent/plugins; do
	[ -d "$system" ] || continue
	check "trace-cmd report finds the plugin in its directory" \
		installed headers.dat trace-cmd report -q -i headers.dat
	# Before, perf has a copy of libtraceevent, without this directory.
	case $(perf --version) in
	*' 6.1.'*) ;;
	*) check "perf script finds the plugin in the same directory" \
		installed headers.data perf_script -i headers.data ;;
	esac
done
if [ -s expected ]; then
	check "the table is that of compat.rst" matches_known
fi
finish
