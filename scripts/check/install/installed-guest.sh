# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions of the tests in the guests of scripts/check/install/installed.sh.
# Source this file after tap.sh. It counts the boots in boot.

tracing=/sys/kernel/tracing
export HOME=/root
boot=$(($(cat /tests/boots 2>/dev/null) + 1))
echo $boot >/tests/boots

check()
{
	tap_check "boot $boot: $1" "${@:2}"
}

as()
{
	runuser -u "$1" -- "${@:2}"
}

# service_is STATE
service_is()
{
	local state
	state=$(systemctl show -P ActiveState user-events)
	[[ $state == "$1" ]] || {
		echo "the service is $state"
		journalctl -b -o cat -u user-events
	}
}

# mode_is FILE MODE: MODE as stat -c '%a %U:%G' prints it
mode_is()
{
	local mode
	mode=$(stat -c '%a %U:%G' "$1")
	[[ $mode == "$2" ]] || echo "$1: $mode, expected $2"
}

modes()
{
	mode_is $tracing "$1"
	mode_is $tracing/user_events_data "660 root:tracing"
	mode_is $tracing/user_events_status "440 root:tracing"
	find $tracing -maxdepth 3 -perm /002 ! -type l
}

# refused COMMAND...: expects a failure.
refused()
{
	! "$@" >/tmp/refused 2>&1 || { echo "succeeded: $*" && cat /tmp/refused; }
}

events_exist()
{
	local name
	for name; do
		[[ -d $tracing/events/user_events/$name ]] ||
			echo "$name: no such event"
	done
}

# emits USER: the user's program registers hello and writes records once root
# has enabled it.
emits()
{
	local enable=$tracing/events/user_events/hello/enable tries=0 records
	echo >$tracing/trace
	as "$1" hello 5 >/tmp/hello 2>&1 &
	while [[ ! -e $enable ]] && ((++tries < 100)); do
		sleep 0.1
	done
	echo 1 >"$enable"
	wait $!
	records=$(grep -c ' hello: ' $tracing/trace)
	((records > 0)) || { echo "no records" && cat /tmp/hello; }
}

# records USER: the tool finds hello after it has been registered.
records()
{
	as "$1" user-events record -o "/tmp/$1.data" hello -- hello 5 \
		>"/tmp/$1.log" 2>&1 || { cat "/tmp/$1.log" && return 1; }
	as "$1" user-events decode "/tmp/$1.data" >"/tmp/$1.text"
	grep -q 'user_events:hello ' "/tmp/$1.text" || {
		echo "no records"
		cat "/tmp/$1.log"
	}
}

quietly()
{
	"$@" >/tmp/output 2>&1 || { cat /tmp/output && return 1; }
}

journal_names()
{
	journalctl -b -o cat -u user-events | grep -q -F -e "$1" || {
		echo "not in the journal: $1"
		journalctl -b -o cat -u user-events
	}
}

doctor_says()
{
	user-events doctor >/tmp/doctor 2>&1
	grep -q -F -e "$1" /tmp/doctor || cat /tmp/doctor
}
