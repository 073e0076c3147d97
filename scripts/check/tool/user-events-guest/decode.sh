# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2016,SC2034,SC2317 # functions and variables are used indirectly
#
# user-events decode, compared with perf and trace-cmd on their recordings
#
# guest: files
# with: perf,trace-cmd,babeltrace2
# packages: babeltrace2
# add: /usr/lib/*/babeltrace2/plugins
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

# Print time, path, size and mode of each file in the output of a program.

# files_of_perf FILE [OPTION...]: in that of perf script. FILE can be - for the
# standard input.
files_of_perf()
{
	file=$1
	shift
	perf_script --ns -i "$file" "$@" 2>/dev/null |
		sed -n 's/.* \([0-9]*\.[0-9]*\): *user_events:walk_file: *path=\(.*\) size=\([0-9]*\) mode=\([0-9]*\).*/\1 \2 \3 \4/p'
}

files_of_trace_cmd()
{
	sed -n 's/user_events:walk_file:/walk_file:/
		s/.* \([0-9]*\.[0-9]*\): *walk_file: *path=\(.*\) size=\([0-9]*\) mode=\([0-9]*\).*/\1 \2 \3 \4/p'
}

files_of_decode()
{
	sed -n 's/^\([0-9.]*\) .* user_events:walk_file path="\(.*\)" size=\([0-9]*\) mode=\([0-9]*\)$/\1 \2 \3 \4/p'
}

same()
{
	diff "$1" "$2" | head -n 20
	cmp "$1" "$2" && [ -s "$1" ]
}

# requests_of_perf FILE: counts EventHeader events in the output of perf script.
requests_of_perf()
{
	perf_script -i "$1" 2>/dev/null | grep -c Example_Disk_L4K1
}

# same_as_perf FILE [PIPE]: decodes a file to FILE.txt, and its files to got. Sets
# decoded to the exit status. With PIPE, both programs read the file from their
# standard input.
same_as_perf()
{
	if [ "${2-}" = PIPE ]; then
		files_of_perf - <"$1" >wanted
		user-events decode --file-time - <"$1" >"$1.txt"
	else
		files_of_perf "$1" >wanted
		user-events decode --file-time "$1" >"$1.txt"
	fi
	decoded=$?
	files_of_decode <"$1.txt" >got
	same wanted got
}

# perf and trace-cmd require that events exist. Those of walk_files persist.
walk_files /usr/bin >once
eventheader 1000000 10 >running &
emitter=$!
wait_until [ -d $tracing/events/user_events/Example_Disk_L4K1 ]

# ---- perf ----

perf record -q -a -o perf.data -e user_events:walk_file \
	-e user_events:Example_Disk_L4K1 -- walk_files /usr/bin \
	>walked 2>record.err
cat record.err
files=$(sed -n 's/^\([0-9]*\) files.*/\1/p' walked)
check "perf records files" [ "${files:-0}" -gt 0 ]

check "perf.data: same files as in perf script" same_as_perf perf.data
check "perf.data: exit status 0" [ "$decoded" = 0 ]
check "perf.data: all files" has_lines "$files" . got
requests=$(requests_of_perf perf.data)
check "perf.data: as many EventHeader events as in perf script" has_lines \
	"$requests" ' Example_Disk:Request' perf.data.txt
check "perf.data: EventHeader fields" grep -qE \
	' Example_Disk:RequestStart number=[0-9]+ device="sda" \{level=information keyword=0x1 opcode=start activity=' \
	perf.data.txt
check "perf.data: name of the thread" has_lines "$files" \
	' walk_files/[0-9]* user_events:walk_file' perf.data.txt

perf record -q -a -o - -e user_events:walk_file -- walk_files /usr/bin \
	2>record.err >pipe.data
check "perf.data of a pipe: same files as in perf script" same_as_perf \
	pipe.data PIPE
mkfifo fifo
cat pipe.data >fifo &
user-events decode --file-time - <fifo | files_of_decode >got
check "perf.data from a pipe: same files" same wanted got

# from_pipe FILE: a file with offsets is decoded as if it was read itself
from_pipe()
{
	user-events decode "$1" >decoded.wanted &&
		tail -c +1 "$1" | user-events decode - >decoded.got &&
		[ -s decoded.got ] && cmp decoded.wanted decoded.got
}
check "perf.data file from a pipe: same text" from_pipe perf.data

# ---- JSON, Chrome ----

check "JSON: exit status 0" user-events decode --json -o decoded.json perf.data
check "JSON: all files" has_lines "$files" '"n": "user_events:walk_file"' \
	decoded.json
check "JSON: all requests" has_lines "$requests" '"n": "Example_Disk:Request' \
	decoded.json
user-events decode --json --lines perf.data >lines.json
check "JSON lines: all files" has_lines "$files" \
	'^{"n":"user_events:walk_file",.*}$' lines.json
check "Chrome: exit status 0" user-events decode --format=chrome \
	-o chrome.json perf.data
check "Chrome: an instant for each file" has_lines "$files" \
	'"ph":"i",.*"name":"user_events:walk_file"' chrome.json
check "Chrome: name of the process" \
	grep -q \
	'"ph":"M",.*"name":"process_name","args":{"name":"walk_files"}' chrome.json
check "Chrome: all requests" has_lines "$requests" \
	'"ph":"[bei]",.*"name":"Example_Disk:Request.*"args":' chrome.json
check "Chrome: stop event completes its start event" grep -q \
	'"ph":"e",.*"name":"Example_Disk:RequestStart",.*"id":"0x.*"args":{"stop":{"n":"Example_Disk:RequestStop",' chrome.json

# ---- Selection and columns ----

# The times of the 3rd and 5th file, as perf has them
first=$(sed -n '3s/ .*//p' got)
last=$(sed -n '5s/ .*//p' got)
files_of_perf pipe.data --time "$first,$last" >wanted
user-events decode --file-time --since "$first" --until "$last" pipe.data |
	files_of_decode >some
check "range of times: same files as in perf script" same wanted some
files_of_perf perf.data |
	awk '$3 > 100 && $2 ~ /e/ { print $1, $2, $3 }' |
	tr ' ' ',' >wanted
user-events decode --time=clock -t csv -F time,path,size \
	--where 'size > 100 && path ~ "*e*"' \
	--event walk_file perf.data | sed 1d >some
check "condition on fields: same files as in perf script" same wanted some
check "condition on fields: caret" one_line 2 'expected a field' \
	user-events decode --where 'size > ' perf.data
check "condition on fields: unknown field" one_line 3 'no record has .*siez' \
	user-events decode --where 'siez > 1' perf.data
user-events decode -t logfmt --event 'Example_Disk:Request*' perf.data >some
check "event: EventHeader events only" has_lines "$requests" \
	' event=Example_Disk:Request' some

# ---- Stacks ----

# starts PART WHOLE: whether a file is the start of another.
starts()
{
	wc -l "$1" "$2"
	[ "$(wc -l <"$1")" -gt 10 ] && head -n "$(wc -l <"$1")" "$2" | cmp - "$1"
}

# start_calls PROGRAM: starts it, so that it waits for a line.
start_calls()
{
	rm -f input
	mkfifo input
	"$1" 50 wait <input &
	callee=$!
	exec 3>input
}

# calls_of_perf FILE: prints function and file of each call, those of the kernel if
# PERF_SCRIPT is "perf script". Inline functions
# would take a library that the guest does not have.
# Some builds of perf print the parameters of functions of C++ and the suffixes of
# their clones, which decode leaves out.
calls_of_perf()
{
	${PERF_SCRIPT-perf_script} --no-inline -F ip,sym,symoff,dso -i "$1" \
		2>/dev/null |
		sed -n 's/^[[:space:]]\{1,\}[0-9a-f]* //p' |
		sed 's/operator()/operator/; s/ \[clone [^]]*\]//
			s/ const+0x/+0x/; s/([^()]*)+0x/+0x/
			s/::operator\([^a-z]\)/::operator()\1/'
}

# addresses_of_perf FILE: without leading zeros. perf script prints addresses or
# offsets, depending on its version.
addresses_of_perf()
{
	perf_script --no-inline -D -i "$1" 2>/dev/null |
		sed -n '/fffffffffffffe00$/d; s/^\.\.\.\.\. *[0-9]*: 0*\([0-9a-f]*\)$/\1/p'
}

stacks_of_decode()
{
	user-events decode "$1" | sed -n 's/^\t *//p'
}

# same_stacks FILE RECORDS: each address, function and file as in perf script,
# and each record with the functions of the program. The caller of write(),
# which has no frame, is missing.
same_stacks()
{
	stacks_of_decode "$1" >got
	head -n 8 got
	addresses_of_perf "$1" >wanted
	sed 's/ .*//' got >addresses
	same wanted addresses || return 1
	calls_of_perf "$1" >wanted
	sed 's/^[0-9a-f]* //' got >calls
	same wanted calls || return 1
	has_lines "$2" ' .*write+0x[0-9a-f]* (/usr/bin/calls' got &&
		has_lines $(($2 / 2)) ' middle+0x[0-9a-f]* (/usr/bin/calls' got &&
		has_lines "$2" ' outermost+0x[0-9a-f]* (/usr/bin/calls' got &&
		has_lines "$2" ' write_records+0x[0-9a-f]* (/usr/bin/calls' got &&
		has_lines 10 ' calls::program<int>::operator()+' got &&
		has_lines 10 ' calls::(anonymous namespace)::run+' got
}

# folded_by_perf FILE: folds the stacks of perf script: the thread, the calls from
# the outermost one, and the number of records with these calls.
folded_by_perf()
{
	perf script --no-inline -F comm,ip,sym,dso -i "$1" 2>/dev/null | awk '
		function end() {
			if (comm != "")
				print comm calls
			comm = calls = ""
		}
		/^\t/ {
			sub(/^[ \t]*[0-9a-f]+ /, "")
			file = $0
			sub(/.* \(/, "", file)
			sub(/\)$/, "", file)
			sub(/.*\//, "", file)
			sub(/ \([^(]*\)$/, "")
			if ($0 == "[unknown]" && file != $0)
				$0 = "[" file "]"
			calls = ";" $0 calls
			next
		}
		{ end() }
		NF { gsub(/^ +| +$/, ""); gsub(/ /, "_"); comm = $0 }
		END { end() }' | LC_ALL=C sort | uniq -c |
		sed 's/^ *\([0-9]*\) \(.*\)/\2 \1/'
}

# same_folded FILE: as those of perf script. Names of C++ differ.
same_folded()
{
	user-events decode --format folded "$1" | grep -v '^calls_cxx' |
		LC_ALL=C sort >got_folded
	folded_by_perf "$1" | grep -v '^calls_cxx' | LC_ALL=C sort >wanted
	head -n 4 got_folded
	grep -q '^calls;.*outermost;middle;' got_folded && same wanted got_folded
}

# Prints the functions of the kernel. perf script knows no functions of modules
# at first, and then says that they are of the kernel.
functions_of_kernel()
{
	sed -n '/ ue_/d; s/.* \([^ ]* (\[kernel.kallsyms\])\)$/\1/p'
}

# same_kernel_stacks FILE RECORDS: each function of the kernel as in perf script,
# and each record with one of the module.
same_kernel_stacks()
{
	stacks_of_decode "$1" >got
	head -n 8 got
	PERF_SCRIPT="perf script" calls_of_perf "$1" | sed 's/^/ /' |
		functions_of_kernel >wanted
	functions_of_kernel <got >calls
	same wanted calls &&
		has_lines "$2" ' vfs_write+0x[0-9a-f]* (\[kernel.kallsyms\])$' got &&
		has_lines "$2" ' ue_write+0x[0-9a-f]* (\[user_events\])$' got
}

# without_names COMMAND...: expects the message about hidden addresses, and no
# functions of the kernel in the output.
without_names()
{
	"$@" >got 2>messages || return 1
	cat messages
	grep -q 'the kernel hides its addresses' messages &&
		! grep 'vfs_write\|ue_write' got
}

# stacks_of_record COMMAND...: records new programs, a child, a program after
# exec(), and one that was running before.
stacks_of_record()
{
	start_calls calls_fixed
	"$@" -- sh -c \
		'echo >&3; calls 20; calls 20 fork; calls 10 exec; calls_cxx 10; sleep 1'
	wait $callee
	exec 3>&-
}

echo 'u:called u32 number' >>$tracing/dynamic_events
stacks_of_record perf record -q -g --user-callchains -a -o stacks.data \
	-e user_events:called 2>record.err
cat record.err
check "perf record -g: same stacks as in perf script" same_stacks stacks.data 110
stacks_of_record user-events record -g -a -o ours.data called
check "record -g: same stacks as in perf script" same_stacks ours.data 110
check "record -g: same folded stacks as of perf script" same_folded ours.data
perf script --no-inline --show-mmap-events -i ours.data 2>/dev/null >maps
check "record -g: a mapping for each process" has_lines 5 PERF_RECORD_MMAP2 maps
user-events decode --json ours.data >stacks.json
check "record -g: JSON" has_lines 110 \
	'"stack": \[ { "address": "0x[0-9a-f]*", "symbol": ".*write", "offset": [0-9]*, "file": "/usr/bin/calls' \
	stacks.json
# A file that was not completed has no header.
head -c $(($(wc -c <ours.data) / 2)) ours.data >half.data
stacks_of_decode half.data 2>/dev/null >some
check "record -g: stacks of a truncated file" starts some got
stacks_of_record perf record -q -g -a -o kernel.data -e user_events:called \
	2>record.err
cat record.err
check "perf record -g: same functions of the kernel as in perf script" \
	same_kernel_stacks kernel.data 110
stacks_of_record user-events record --stacks=both -a -o both.data called
check "record --stacks=both: same functions of the kernel as in perf script" \
	same_kernel_stacks both.data 110
check "record --stacks=both: functions of the program" has_lines 110 \
	' outermost+0x[0-9a-f]* (/usr/bin/calls' got
stacks_of_record user-events record -gkernel -a -o kernel.data called
check "record --stacks=kernel: same functions of the kernel" \
	same_kernel_stacks kernel.data 110
check "record --stacks=kernel: no functions of the program" has_lines 0 \
	/usr/bin/calls got
restrict=/proc/sys/kernel/kptr_restrict
before=$(cat $restrict)
echo 2 >$restrict
check "hidden addresses: decode says so" without_names \
	user-events decode both.data
check "hidden addresses: record says so" without_names \
	user-events record -gkernel -o hidden.data called -- calls 1
echo "$before" >$restrict
user-events decode hidden.data >got
check "hidden addresses: not in the file" has_lines 0 'vfs_write\|ue_write' got
check "record --stacks: another word" one_line 2 \
	'--stacks: "all" is not user, kernel or both' \
	user-events record --stacks=all called

start_calls calls
start user-events watch -gkernel called
wait_until is_recording called
echo >&3
wait $callee
exec 3>&-
wait_until grep -q 'number=49' out
check "watch --stacks=kernel: exit status 0" stop
check "watch --stacks=kernel: stacks" has_lines 50 \
	'^	 *[0-9a-f]* vfs_write+0x[0-9a-f]* (\[kernel.kallsyms\])$' out
start_calls calls
start user-events watch -g called
wait_until is_recording called
echo >&3
wait $callee
exec 3>&-
wait_until grep -q 'number=49' out
check "watch -g: exit status 0" stop
check "watch -g: not with columns" one_line 2 '^user-events: --stacks: not supported with' \
	user-events watch -g -F time called
check "watch -g: stacks" has_lines 50 \
	'^	 *[0-9a-f]* outermost+0x[0-9a-f]* (/usr/bin/calls)$' out

# ---- Latency ----

# Each request of a process is an activity with a start and a stop.
user-events latency -r perf.data --json >latency.json 2>summary
check "latency: exit status 0" [ $? = 0 ]
pairs=$(user-events decode -F event perf.data |
	grep -c '^Example_Disk:RequestStop')
sum=$(sed -n 's/.* \([0-9]*\) pairs, \([0-9]*\) stops without.*/\1+\2/p' \
	summary)
check "latency: all stops" [ "$pairs" = $((${sum:-0})) ]
check "latency: name of the start" grep -q '"name":"Example_Disk:RequestStart"' \
	latency.json

# ---- Aggregation ----

files_of_perf perf.data |
	awk '{ count[$4]++; sum[$4] += $3 }
		END { for (mode in count) print count[mode], sum[mode], mode }' |
	sort >wanted
user-events stat -r perf.data --by mode --value size walk_file |
	awk 'NR > 1 { print $1, $2, $NF }' | sort >some
check "stat --by: same sums as from perf script" same wanted some
check "stat --by: unknown field" one_line 3 'no record has the field "siez"' \
	sh -c 'user-events stat -r perf.data --by siez >/tmp/none'

# ---- CTF ----

# Prints files in the output of babeltrace2.
files_of_ctf()
{
	babeltrace2 "$1" | sed -n \
		's/.* user_events:walk_file: .*{ path = "\(.*\)", size = \([0-9]*\), mode = \([0-9]*\) }$/\1 \2 \3/p'
}

check "CTF: exit status 0" user-events decode --format=ctf -o ctf perf.data
# In the order of time stamps
files_of_decode <perf.data.txt | cut -d' ' -f2- >wanted
files_of_ctf ctf >got
check "CTF: babeltrace2 reads the same files" same wanted got
babeltrace2 ctf >ctf.txt
check "CTF: babeltrace2 reads all requests" has_lines "$requests" \
	' Example_Disk:Request' ctf.txt
check "CTF: EventHeader fields" grep -qE \
	'RequestStop: .*opcode = 2, .*time = \{ queued = 10, served = [0-9]+ \}, result = ' ctf.txt
check "CTF: existing directories are not overwritten" one_line 1 'ctf.*exists' \
	user-events decode --format=ctf -o ctf perf.data

# ---- perf record -z ----

# Without build IDs, which perf.data has, and for which perf reads the functions of
# the kernel

perf record -q -z -a -B -o packed.data -e user_events:walk_file \
	-e user_events:Example_Disk_L4K1 -- walk_files /usr/bin \
	>walked 2>record.err
cat record.err
files=$(sed -n 's/^\([0-9]*\) files.*/\1/p' walked)
check "perf record -z: compresses" sh -c 'perf report --header-only \
	-i packed.data 2>/dev/null | grep "^# compressed : Zstd"'
check "perf record -z: same files as in perf script" same_as_perf packed.data
check "perf record -z: exit status 0" [ "$decoded" = 0 ]
check "perf record -z: all files" has_lines "$files" . got
requests=$(requests_of_perf packed.data)
check "perf record -z: all requests" has_lines "$requests" \
	' Example_Disk:Request' packed.data.txt

perf record -q -z -a -o - -e user_events:walk_file -- walk_files /usr/bin \
	2>record.err >packed.pipe
check "perf record -z to a pipe: same files as in perf script" same_as_perf \
	packed.pipe PIPE

# Records that wrap around in a small buffer continue in the next compressed
# record. Such a buffer can lose records.
perf record -q -z -m 4 -a -B -o small.data -e user_events:walk_file \
	-e user_events:Example_Disk_L4K1 -- \
	sh -c 'walk_files /usr/bin; sleep 2; walk_files /usr/bin' \
	>walked 2>record.err
check "perf record -z, small buffers: same files as in perf script" \
	same_as_perf small.data
requests=$(requests_of_perf small.data)
check "perf record -z, small buffers: all requests" has_lines "$requests" \
	' Example_Disk:Request' small.data.txt

# Truncated in the last compressed record. The header has the offset and the
# size of the records; the formats of events follow them.
end=$(od -An -t u8 -j 40 -N 16 small.data | awk '{ print $1 + $2 }')
head -c $((end - 100)) small.data >cut.data
check "truncated perf record -z: exit status 4" exits_with 4 \
	sh -c 'user-events decode --file-time cut.data >cut.txt'
cut -d' ' -f1 small.data.txt | head -n 20 >wanted
cut -d' ' -f1 cut.txt | head -n 20 >got
check "truncated perf record -z: first records" same wanted got

# ---- trace-cmd ----

# trace_cmd_records OPTION...: sets $files to the number of files of the
# program.
trace_cmd_records()
{
	trace-cmd record -q "$@" -o trace.dat wait_for_recorders walk_files \
		/usr/bin >walked 2>record.err
	files=$(sed -n 's/^\([0-9]*\) files.*/\1/p' walked)
}

for kind in "v6" "v7 none" "v7 zstd"; do
	version=${kind%% *}
	how=${kind#* }
	[ "$how" = "$kind" ] && how=none
	trace_cmd_records --file-version "${version#v}" --compression "$how" \
		-e user_events:walk_file \
		-e user_events:Example_Disk_L4K1
	trace-cmd report -q -t -i trace.dat >report.txt 2>report.err
	files_of_trace_cmd <report.txt >wanted
	user-events decode trace.dat >decoded.txt
	check "trace.dat, $kind: exit status 0" [ $? = 0 ]
	check "trace.dat, $kind, from a pipe: same text" from_pipe trace.dat
	files_of_decode <decoded.txt >got
	check "trace.dat, $kind: all files" has_lines "$files" . got
	check "trace.dat, $kind: same files as in trace-cmd report" same \
		wanted got
	requests=$(grep -c Example_Disk_L4K1 report.txt)
	check "trace.dat, $kind: all EventHeader events" has_lines "$requests" \
		' Example_Disk:Request' decoded.txt
	check "trace.dat, $kind: name of the thread" has_lines "$files" \
		' walk_files/[0-9]* user_events:walk_file' decoded.txt
done

for version in 6 7; do
	trace_cmd_records --file-version $version -B instance \
		-e user_events:walk_file
	user-events decode trace.dat >decoded.txt
	check "trace.dat, v$version, instance: all files" has_lines "$files" \
		walk_file decoded.txt
done

# ---- Invalid input ----

size=$(wc -c <perf.data)
head -c $((size / 2)) perf.data >half.data
check "half of perf.data: exit status 4" exits_with 4 \
	sh -c 'user-events decode half.data >half.txt'
check "half of perf.data: first records" [ -s half.txt ]
head -c 40 perf.data >short.data
check "header of perf.data: one error message" one_line 1 'short.data' \
	user-events decode short.data
echo nothing >text
check "another file: one error message" one_line 1 \
	'neither perf.data nor trace.dat' user-events decode text
check "missing file: one error message" one_line 1 'No such file' \
	user-events decode missing.data
check "another pipe: one error message" one_line 1 'standard input' \
	sh -c 'echo nothing | user-events decode -'
check "directory: one error message" one_line 1 'directory' user-events decode \
	/tmp
check "no file name: exit status 2" exits_with 2 user-events decode
check "unknown format: exit status 2" exits_with 2 user-events decode \
	--format=paper perf.data

mkdir small
mount -t tmpfs -o size=8k nodev small
for format in text json chrome; do
	check "disk full, $format: one error message" one_line 1 \
		'small/out: cannot write: No space' \
		user-events decode --format=$format -o small/out perf.data
done
check "disk full, ctf: one error message" one_line 1 'small/out: cannot write: No space' \
	user-events decode --format=ctf -o small/out perf.data
check "disk full: no file" [ -z "$(ls -A small)" ]

# limited COMMAND...: runs it with a limit of file sizes of 512 bytes.
limited()
{
	(ulimit -f 1 && "$@")
}

for format in json perfetto ctf; do
	check "file size limit, $format: one error message" one_line 1 \
		'small/out: cannot write: File too large' \
		limited user-events decode --format=$format -o small/out \
		perf.data
done
check "file size limit: no file" [ -z "$(ls -A small)" ]
# More than the capacity of a pipe
many=
for i in 1 2 3 4 5 6 7 8 9 10; do
	many="$many perf.data"
done
closed_pipe()
{
	# shellcheck disable=SC2086
	{
		user-events decode $many 2>messages
		echo $? >status
	} | head -n 1 >/tmp/first
	cat messages
	[ "$(cat status)" = 1 ] && [ ! -s messages ]
}
check "closed pipe: no message" closed_pipe

# Kills a process that waits for input.
sleep 100 >fifo &
sleeper=$!
user-events decode -o small/killed - <fifo &
decoder=$!
wait_until sh -c 'ls small/killed.*'
kill $decoder
wait $decoder
check "killed: exit status 143" [ $? = 143 ]
check "killed: no file" [ -z "$(ls -A small)" ]
kill $sleeper

kill $emitter
finish
