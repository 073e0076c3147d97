# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317,SC2119
#
# user-events export with live events, read by journalctl and by HTTP
# packages: systemd
# add: /lib/systemd/systemd-journald
# add: /usr/bin/journalctl
# shellcheck source=scripts/check/user-events-guest/lib
. /user-events-guest/lib

journal=/run/log/journal

# Without it, messages are in memory only.
start_journal()
{
	mkdir -p /run/systemd/journal "$journal"
	echo 0123456789abcdef0123456789abcdef >/etc/machine-id
	/lib/systemd/systemd-journald &
	wait_until [ -S /run/systemd/journal/socket ]
}

# exported OPTION...: exports records of hello, and prints their number.
exported()
{
	start user-events export "$@" hello
	wait_until is_recording hello || return 1
	hello 3 >emitted || return 1
}

# Each record is an entry with the text that watch prints.
journal_has_all()
{
	exported --journal || return 1
	stop || return 1
	journalctl --sync || return 1
	journalctl -D "$journal" -o cat USER_EVENTS_EVENT=user_events:hello >out
	cat emitted
	head -n 3 out
	[ "$(number entries)" = "$(written emitted)" ] &&
		[ "$(wc -l <out)" = "$(written emitted)" ] &&
		! grep -qvE '^user_events:hello number=[0-9]+ text="hello, world"$' out
}

journal_finds_fields()
{
	journalctl -D "$journal" -o cat UE_NUMBER=7 SYSLOG_IDENTIFIER=hello |
		tee out
	[ "$(cat out)" = 'user_events:hello number=7 text="hello, world"' ]
}

# records FILE: the number of records of hello in numbers for Prometheus
records()
{
	sed -n 's/^user_events_records_total{event="user_events:hello"} //p' "$1"
}

serves_all()
{
	wget -q -O numbers "http://127.0.0.1:$port/metrics" &&
		[ "$(records numbers)" = "$(written emitted)" ]
}

serves_numbers()
{
	ip link set lo up || return 1
	exported --prometheus 0 || return 1
	cat messages
	port=$(sed -n 's/.*serving .metrics on port //p' messages)
	wait_until serves_all
	got=$?
	cat emitted numbers
	stop && [ "$got" = 0 ]
}

writes_a_file()
{
	exported --textfile numbers || return 1
	stop || return 1
	cat numbers
	[ "$(records numbers)" = "$(written emitted)" ]
}

# Persistent, so that tracers are enabled before the first record.
echo 'u:hello s32 number; __rel_loc char[] text' >>"$tracing/dynamic_events"
check "export reports a missing journal" one_line 1 \
	'journal/socket: No such file or directory$' \
	user-events export --journal hello
check "the journal starts" start_journal
check "export --journal sends all records" journal_has_all
check "journalctl finds fields" journal_finds_fields
check "export --prometheus serves live numbers" serves_numbers
check "export --textfile writes live numbers" writes_a_file
finish
