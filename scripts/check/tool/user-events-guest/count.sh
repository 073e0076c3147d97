# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317,SC2119
#
# user-events count: counters without a process, of programs that write records
# guest: files
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

trigger=$tracing/events/user_events/request/trigger

# The program registers the event, writes one record, and exits.
request()
{
	guest request "$@"
}

write_some()
{
	request 200 /a 10 &&
		request 500 /b -3 &&
		request -7 /b 5 &&
		request 500 /b 1
}

# prints_exactly TEXT COMMAND...: expects exit status 0 and this output.
prints_exactly()
{
	wanted=$1
	shift
	"$@" >printed || { cat printed; return 1; }
	cat printed
	[ "$(cat printed)" = "$wanted" ]
}

# stays NUMBER: expects this number of triggers.
stays()
{
	cat "$trigger"
	[ "$(grep -c '^hist:' "$trigger")" = "$1" ]
}

check "count requires an event" one_line 3 'nothing: no such event' \
	user-events count start --by a nothing

check "add defines the events of a program" user-events add --from /usr/bin/guest

if [ ! -e "$tracing/events/user_events/request/hist" ]; then
	check "count names the option that the kernel lacks" \
		one_line 1 'CONFIG_HIST_TRIGGERS' \
		user-events count start --by status request
	finish
fi

user-events add 'request_two u32 status'
check "count refuses several events" one_line 2 '2 events match' \
	user-events count start --by status some 'request*'
check "count finds no event of a pattern" one_line 3 'x\*: no such event' \
	user-events count start --by status some 'x*'
check "count refuses a name of a counter" one_line 2 'not a name of up to' \
	user-events count start --by status 'a b' request
user-events del request_two

check "count starts a counter" user-events count start --by status,tid \
	--sum bytes by_tid request
check "the counter is named" grep -q \
	'^hist:name=user_events_count.by_tid:keys=status,common_pid:' "$trigger"
check "count refuses a second one of the name" one_line 1 \
	'by_tid: counter exists' user-events count start --by bytes by_tid request
check "count starts another one" user-events count start --by status \
	--sum bytes --filter 'status != 200' request
check "count refuses an unknown field" one_line 2 \
	'nothing: no such field; fields: status, path, bytes' \
	user-events count start --by nothing other request
check "count explains a filter" one_line 2 'nothing' \
	user-events count start --by status --filter 'nothing > 3' other request
check "count does not add up texts" one_line 2 'path: not a number' \
	user-events count start --by status --sum path other request
echo 'hist:keys=status' >>"$trigger"
echo 'hist:keys=status:name=mine' >>"$trigger"

check "count list prints them" prints_exactly \
	"NAME     EVENT    BY           SUM    ENTRIES  FILTER
by_tid   request  status, tid  bytes     2048  -
request  request  status       bytes     2048  status != 200" \
	user-events count list
check "count list prints JSON" prints_exactly \
	'[{"name":"by_tid","event":"request","by":["status","tid"],"sum":["bytes"],"filter":null,"max_entries":2048},{"name":"request","event":"request","by":["status"],"sum":["bytes"],"filter":"status != 200","max_entries":2048}]' \
	user-events count list --json

check "an empty counter has no entries" prints_exactly \
	'status,count,sum_bytes' user-events count read --format csv request
check "programs write records" write_some
check "the counter has all of them, and signed numbers" prints_exactly \
	'status  COUNT  SUM(bytes)
   500      2          -2
    -7      1           5' user-events count read request
check "the counter has them as CSV" prints_exactly \
	'status,count,sum_bytes
500,2,-2
-7,1,5' user-events count read --format csv request
check "the counter has them as JSON" prints_exactly \
	'{"name":"request","event":"request","by":["status"],"sum":["bytes"],"filter":"status != 200","max_entries":2048,"lost":0,"entries":[{"keys":{"status":500},"count":2,"sums":{"bytes":-2}},{"keys":{"status":-7},"count":1,"sums":{"bytes":5}}]}' \
	user-events count read --json request
check "each thread is a key" test \
	"$(user-events count read --format csv by_tid | wc -l)" = 5

# ---- Texts ----

# A text that looks like the rest of an entry has one meaning, because the
# number of entries tells.
hostile='} hitcount:          9
{ path: x'

texts_are_keys()
{
	request 1 'a, status: "b"' 1 || return 1
	request 1 "$(printf 'two\nlines \033[1m')" 1 || return 1
	user-events count read --json by_path >printed || return 1
	cat printed
	grep -qF '{"keys":{"path":"a, status: \"b\"","status":1},"count":1,"sums":{}}' printed &&
		grep -qF '{"keys":{"path":"two\nlines \u001b[1m","status":1},"count":1,"sums":{}}' printed
}

check "count starts a counter of texts" \
	user-events count start --by path,status by_path request
check "texts are keys" texts_are_keys
request 1 "$(printf '%60s%s' "$hostile" x)" 1
check "a text like an entry is no entry" user-events count read by_path
check "count stops a counter of texts" user-events count stop by_path

# ---- Losses ----

overflows()
{
	user-events count start --by status --entries 128 small request || return 1
	guest requests 400 || return 1
	user-events count read --json small >printed 2>messages
	got=$?
	cat messages
	kept=$(grep -o '"count":' printed | wc -l)
	lost=$(sed -n 's/.*"lost":\([0-9]*\),.*/\1/p' printed)
	echo "$kept kept, $lost lost, status $got"
	[ "$got" = 4 ] && [ $((kept + lost)) = 400 ] && [ "$lost" -gt 0 ] &&
		grep -q "^user-events: small: $lost records lost" messages
}

check "records of too many keys are counted as lost" overflows

# The kernel runs no trigger for them.
reports_too_large()
{
	user-events add 'large u32 first' &&
		user-events count start --by first large || return 1
	guest large 2 4
	prints_exactly 'first,count
0,2' user-events count read --format csv large || return 1
	guest large 3 5000
	one_line 4 '^user-events: large: up to 3 records not counted: ' \
		user-events count read large || return 1
	user-events count stop large &&
		user-events count start --by first large || return 1
	exits_with 0 user-events count read large || return 1
	guest large 2 5000
	one_line 4 '^user-events: large: up to 2 records not counted: ' \
		user-events count read large || return 1
	user-events count stop large && user-events del large
}

check "records that are too large for ftrace are not counted silently" \
	reports_too_large

# ---- Prometheus ----

exported()
{
	start user-events export --textfile numbers --counters request \
		--counters small --interval 10ms
	wait_until [ -s numbers ] || return 1
	stop
	got=$?
	grep '^user_events_count' numbers
	[ "$got" = 4 ] &&
		grep -qxF 'user_events_count_total{counter="request",status="-7"} 1' numbers &&
		grep -qxF 'user_events_count_value{counter="request",field="bytes",status="-7"} 5' numbers &&
		grep -qxF 'user_events_count_lost_total{counter="request"} 0' numbers &&
		grep -q '^user_events_count_lost_total{counter="small"} [1-9]' numbers
}

check "export gives counters to Prometheus" exported
check "export refuses an unknown counter" one_line 3 'nothing: no such counter' \
	user-events export --textfile numbers --counters nothing

# ---- stop ----

check "del refuses a counted event and names its counters" \
	one_line 1 'request: in use: counter [a-z_]*; counter [a-z_]*; .*enabled by ftrace' \
	user-events del request

check "count stop deletes a counter" user-events count stop request
check "it deletes no other" stays 4
check "count stop reports a missing one" one_line 3 'request: no such counter' \
	user-events count stop request
check "count read reports a missing one" one_line 3 'request: no such counter' \
	user-events count read request
check "count stops the last ones" sh -c \
	'user-events count stop by_tid && user-events count stop small'
check "triggers of others stay" stays 2
check "count list prints nothing" prints_exactly '[]' user-events count list --json
echo '!hist:keys=status' >>"$trigger"
echo '!hist:keys=status:name=mine' >>"$trigger"
check "the event can be deleted" user-events del request
check "its counters are unknown" one_line 3 'small: no such counter' \
	user-events count read small

finish
