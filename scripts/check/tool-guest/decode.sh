# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2016,SC2034,SC2317 # functions are called, and texts expanded, by others
#
# user-events decode reads what perf and trace-cmd record, and says the same of it as they do.
#
# with: perf,trace-cmd,babeltrace2
# packages: babeltrace2
# add: /usr/lib/*/babeltrace2/plugins
# shellcheck source=scripts/check/tool-guest/lib
. /tool-guest/lib

# What all of the programs say of files: time, path, size, mode.
files_of_perf()
{
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

# counts NUMBER PATTERN FILE
counts()
{
	found=$(grep -c "$2" "$3")
	[ "$found" = "$1" ] || {
		echo "there are $found of '$2', not $1"
		head -n 5 "$3"
		return 1
	}
}

# Events must be there before perf and trace-cmd can be told of them; those of walk_files stay.
walk_files /usr/bin >once
eventheader 1000000 10 >running &
emitter=$!
wait_until [ -d $tracing/events/user_events/Example_Disk_L4K1 ]

# ---- perf ----

perf record -q -a -o perf.data -e user_events:walk_file -e user_events:Example_Disk_L4K1 -- walk_files /usr/bin \
	>walked 2>record.err
cat record.err
files=$(sed -n 's/^\([0-9]*\) files.*/\1/p' walked)
check "perf recorded what the program met" [ "${files:-0}" -gt 0 ]

perf script --ns -i perf.data 2>/dev/null | files_of_perf >wanted
user-events decode --file-time perf.data >decoded.txt
check "perf.data: it ends with 0" [ $? = 0 ]
files_of_decode <decoded.txt >got
check "perf.data: as many files as the program met" counts "$files" . got
check "perf.data: the same files as perf script says" same wanted got
requests=$(perf script -i perf.data 2>/dev/null | grep -c Example_Disk_L4K1)
check "perf.data: as many EventHeader events as perf script has" counts "$requests" ' Example_Disk:Request' decoded.txt
check "perf.data: their fields" grep -qE \
	' Example_Disk:RequestStart number=[0-9]+ device="sda" \{level=information keyword=0x1 opcode=start activity=' \
	decoded.txt
check "perf.data: the thread's name" counts "$files" ' walk_files/[0-9]* user_events:walk_file' decoded.txt

perf record -q -a -o - -e user_events:walk_file -- walk_files /usr/bin 2>record.err >pipe.data
perf script --ns -i pipe.data 2>/dev/null | files_of_perf >wanted
user-events decode --file-time - <pipe.data | files_of_decode >got
check "perf.data of a pipe: the same files as perf script says" same wanted got
mkfifo fifo
cat pipe.data >fifo &
user-events decode --file-time - <fifo | files_of_decode >got
check "perf.data through a pipe: the same" same wanted got

# ---- JSON, Chrome ----

check "JSON: it is written" user-events decode --json -o decoded.json perf.data
check "JSON: as many files" counts "$files" '"n": "user_events:walk_file"' decoded.json
check "JSON: as many requests" counts "$requests" '"n": "Example_Disk:Request' decoded.json
user-events decode --json --lines perf.data >lines.json
check "JSON, a line each: as many files" counts "$files" '^{"n":"user_events:walk_file",.*}$' lines.json
check "Chrome: it is written" user-events decode --format=chrome -o chrome.json perf.data
check "Chrome: as many instants as files" counts "$files" '"ph":"i",.*"name":"user_events:walk_file"' chrome.json
check "Chrome: the process's name" grep -q '"ph":"M",.*"name":"process_name","args":{"name":"walk_files"}' chrome.json
check "Chrome: as many ends as perf has requests" counts "$requests" \
	'"ph":"[bei]",.*"name":"Example_Disk:Request.*"args":' chrome.json
check "Chrome: a stop ends its start" grep -q \
	'"ph":"e",.*"name":"Example_Disk:RequestStart",.*"id":"0x.*"args":{"stop":{"n":"Example_Disk:RequestStop",' chrome.json

# ---- CTF ----

# What babeltrace2 says of files, as the others do.
files_of_ctf()
{
	babeltrace2 "$1" | sed -n \
		's/.* user_events:walk_file: .*{ path = "\(.*\)", size = \([0-9]*\), mode = \([0-9]*\) }$/\1 \2 \3/p'
}

check "CTF: it is written" user-events decode --format=ctf -o ctf perf.data
# In the order of their times.
files_of_decode <decoded.txt | cut -d' ' -f2- >wanted
files_of_ctf ctf >got
check "CTF: babeltrace2 reads the same files" same wanted got
babeltrace2 ctf >ctf.txt
check "CTF: babeltrace2 reads as many requests" counts "$requests" ' Example_Disk:Request' ctf.txt
check "CTF: their fields" grep -qE \
	'RequestStop: .*opcode = 2, .*time = \{ queued = 10, served = [0-9]+ \}, result = ' ctf.txt
check "CTF: what is there is not written to" one_line 1 'ctf.*exists' user-events decode --format=ctf -o ctf perf.data

# ---- trace-cmd ----

# trace_cmd_records OPTION...: sets $files, as many as the program met.
trace_cmd_records()
{
	trace-cmd record -q "$@" -o trace.dat wait_for_recorders walk_files /usr/bin >walked 2>record.err
	files=$(sed -n 's/^\([0-9]*\) files.*/\1/p' walked)
}

for kind in "v6" "v7 none" "v7 zstd"; do
	version=${kind%% *}
	how=${kind#* }
	[ "$how" = "$kind" ] && how=none
	trace_cmd_records --file-version "${version#v}" --compression "$how" -e user_events:walk_file \
		-e user_events:Example_Disk_L4K1
	trace-cmd report -q -t -i trace.dat >report.txt 2>report.err
	files_of_trace_cmd <report.txt >wanted
	user-events decode trace.dat >decoded.txt
	check "trace.dat, $kind: it ends with 0" [ $? = 0 ]
	files_of_decode <decoded.txt >got
	check "trace.dat, $kind: as many files as the program met" counts "$files" . got
	check "trace.dat, $kind: the same files as trace-cmd report says" same wanted got
	requests=$(grep -c Example_Disk_L4K1 report.txt)
	check "trace.dat, $kind: as many EventHeader events as trace-cmd report has" counts "$requests" \
		' Example_Disk:Request' decoded.txt
	check "trace.dat, $kind: the thread's name" counts "$files" ' walk_files/[0-9]* user_events:walk_file' decoded.txt
done

for version in 6 7; do
	trace_cmd_records --file-version $version -B instance -e user_events:walk_file
	user-events decode trace.dat >decoded.txt
	check "trace.dat, v$version, an instance: as many files as the program met" counts "$files" walk_file decoded.txt
done

# ---- What is bad ----

size=$(wc -c <perf.data)
head -c $((size / 2)) perf.data >half.data
check "half of perf.data: part of it, and it says so" ends_with 4 sh -c 'user-events decode half.data >half.txt'
check "half of perf.data: there is something" [ -s half.txt ]
head -c 40 perf.data >short.data
check "no more than its header: one line" one_line 1 'short.data' user-events decode short.data
echo nothing >text
check "something else: one line" one_line 1 'neither perf.data nor trace.dat' user-events decode text
check "nothing there: one line" one_line 1 'No such file' user-events decode missing.data
check "a pipe of something else: one line" one_line 1 'standard input' sh -c 'echo nothing | user-events decode -'
check "a directory: one line" one_line 1 'directory' user-events decode /tmp
check "no file: it says so" ends_with 2 user-events decode
check "no such format: it says so" ends_with 2 user-events decode --format=paper perf.data

mkdir small
mount -t tmpfs -o size=8k nodev small
for format in text json chrome; do
	check "disk full, $format: one line" one_line 1 'small/out: cannot write: No space' \
		user-events decode --format=$format -o small/out perf.data
done
check "disk full, ctf: one line" one_line 1 'small/out: cannot write: No space' user-events decode --format=ctf -o small/out perf.data
check "disk full: nothing is left" [ -z "$(ls -A small)" ]
# More than a pipe takes.
many=
for i in 1 2 3 4 5 6 7 8 9 10; do
	many="$many perf.data"
done
check "a closed pipe: one line" one_line 1 'Broken pipe' sh -c \
	'{ user-events decode '"$many"'; echo $? >status; } | head -n 1 >/tmp/first; exit "$(cat status)"'

# With nothing to read, and killed.
sleep 100 >fifo &
sleeper=$!
user-events decode -o small/killed - <fifo &
decoder=$!
wait_until ls small/killed.*
kill $decoder
wait $decoder
check "killed: the status says so" [ $? = 143 ]
check "killed: nothing is left" [ -z "$(ls -A small)" ]
kill $sleeper

kill $emitter
finish
