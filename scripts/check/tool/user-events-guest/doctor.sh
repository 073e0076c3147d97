# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events doctor: with and without the module, tracefs and privileges
#
# guest: files
# with: setpriv
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

module=/lib/user_events/user_events.ko
echo 'ID=debian' >/etc/os-release

# finds STATUS PATTERN COMMAND...: expects an exit status and a line that
# matches PATTERN (grep -E).
finds()
{
	wanted=$1
	pattern=$2
	shift 2
	exits_with "$wanted" "$@" >/tmp/printed 2>&1
	result=$?
	cat /tmp/printed
	[ "$result" = 0 ] && grep -qE -- "$pattern" /tmp/printed
}

# Prints files of doctor in tracefs.
doctor_files()
{
	find $tracing/instances $tracing/events/user_events -maxdepth 1 \
		-name '*doctor*' 2>/dev/null
}

waits_for_the_module()
{
	user-events watch 2>messages &
	tool=$!
	wait_until grep -q 'no user_events; waiting for the module$' messages
	got=$?
	kill -INT "$tool"
	wait "$tool"
	cat messages
	return "$got"
}

check "doctor succeeds" finds 0 '^user_events works' user-events doctor
check "the test event passes through ftrace" finds 0 \
	'^ok +ftrace +[a-z]+ recorded a test event' user-events doctor
check "the test event passes through perf" finds 0 \
	'^ok +perf +[a-z]+ recorded a test event' user-events doctor
check "the test event leaves no files" test -z "$(doctor_files)"
check "doctor prints parameters of the module" finds 0 \
	'^ok +module .*data_mode=0640' user-events doctor
check "doctor --json succeeds" finds 0 \
	'^\{"works":true,"writing":true,"ftrace":true,"perf":true,"findings":\[\{' \
	user-events doctor --json
check "doctor --json has no error" \
	sh -c '! user-events doctor --json | grep -q "\"level\":\"error\""'
check "doctor takes no arguments" exits_with 2 user-events doctor me

# ---- Without rights ----

grep -q '^tester:' /etc/passwd 2>/dev/null ||
	echo 'tester:x:1000:1000::/:/bin/sh' >>/etc/passwd
as_user()
{
	su -s /bin/sh tester -c "$*"
}
check "doctor reports missing access to tracefs" \
	finds 1 "^error +tracefs +$tracing: no permission to search" \
	as_user user-events doctor
check "doctor reports nothing that it could not examine" \
	sh -c '! su -s /bin/sh tester -c "user-events doctor" |
		grep -E "^(error|warning) +(registering|module|files|container)"'
check "doctor prints how to grant access to tracefs" finds 1 \
	"# groupadd .* remount,mode=711 $tracing" as_user user-events doctor
check "doctor reports missing access to perf" finds 1 \
	'^error +perf +no permission to read records' as_user user-events doctor
check "doctor prints how to grant access to perf" finds 1 \
	'# groupadd .* setcap cap_perfmon=ep /usr/bin/user-events' \
	as_user user-events doctor
check "doctor never advises perf for all users" \
	sh -c '! su -s /bin/sh tester -c "user-events doctor" | grep -e paranoid=-1'
chmod 711 $tracing
check "doctor reports that tracefs cannot be read" finds 1 \
	"^warning +tracefs +$tracing: .* written, but not recorded" \
	as_user user-events doctor
check "doctor prints how to read tracefs" finds 1 \
	'# groupadd .* remount,mode=750,gid=' as_user user-events doctor
check "doctor reports missing access to user_events_data" finds 1 \
	'^error +files +user_events_data: no permission' as_user user-events doctor
chmod 666 $tracing/user_events_data
check "doctor registers an event with access to the file" finds 4 \
	'^ok +registering' as_user user-events doctor
check "doctor has a verdict for writing" finds 4 \
	'^writing events: works' as_user user-events doctor
check "doctor has a verdict for recording" finds 4 \
	'^recording events: does not work' as_user user-events doctor
check "doctor --json has both verdicts" finds 4 \
	'^\{"works":false,"writing":true,"ftrace":false,"perf":false,' \
	as_user user-events doctor --json

# Debian's kernels with more than 2 refuse CAP_PERFMON.
with_perfmon()
{
	/usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups \
		--inh-caps -all,+perfmon --ambient-caps -all,+perfmon \
		user-events doctor
}
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
sysctl -w kernel.perf_event_paranoid=3 >/dev/null
check "doctor reports that CAP_PERFMON is refused" finds 4 \
	'^error +perf +.*refuses CAP_PERFMON while perf_event_paranoid is 3' \
	with_perfmon
check "doctor prints how CAP_PERFMON is enough" finds 4 \
	'# sysctl kernel.perf_event_paranoid=2$' with_perfmon
sysctl -w kernel.perf_event_paranoid=2 >/dev/null
# A member of the group that can read events
user-events add 'refused u32 a'
mount -o remount,mode=750,gid=1000 $tracing
for command in record watch top stat latency 'export --textfile -'; do
	check "$command names CAP_PERFMON if perf refuses events" finds 1 \
		'CAP_PERFMON and permission to read tracefs \(perf_event_paranoid is 2\)' \
		as_user "cd /tmp && user-events $command refused"
done
mount -o remount,mode=755,gid=0 $tracing
user-events del refused
check "doctor reports that CAP_PERFMON is enough" finds 4 \
	'^ok +perf +permitted by a capability' with_perfmon

# As on development machines: an instance, and perf for all users.
sysctl -w kernel.perf_event_paranoid=-1 >/dev/null
check "doctor reports access to perf" finds 4 \
	'^ok +perf +permitted for all users' as_user user-events doctor
sysctl -w "kernel.perf_event_paranoid=$paranoid" >/dev/null
chmod 640 $tracing/user_events_data
chmod 700 $tracing

# ---- Limits ----

max=$(cat /proc/sys/kernel/user_events_max)
echo 2 >/proc/sys/kernel/user_events_max
user-events add 'one u32 a' 'two u32 a'
check "doctor reports that the limit is reached" finds 1 \
	'^error +limits +event limit reached \(2 of 2\)' user-events doctor
check "the test event is refused at the limit" finds 1 \
	'^error +registering .*too many' user-events doctor
sysctl -w kernel.user_events_max="$max" >/dev/null
user-events del one two

# ---- Tracing disabled at the top level ----

echo 0 >$tracing/tracing_on
check "doctor reports disabled tracing, but succeeds" finds 0 \
	'^note +tracing-on' user-events doctor
echo 1 >$tracing/tracing_on

# ---- Without tracefs, and without the module ----

check "the module can be unloaded" rmmod user_events
check "watch says at once that the module is missing" waits_for_the_module
check "doctor fails without the module" finds 1 '^error +module ' \
	user-events doctor
check "doctor names the package with the headers" finds 1 \
	"^ +# apt-get install linux-headers-$(uname -r | sed 's/[+.]/[&]/g')\$" \
	user-events doctor
check "the test event fails without the module" finds 1 \
	'^error +registering .*the kernel has no user_events' user-events doctor
check "list prints one error without the module" one_line 1 \
	'the kernel has no user_events' user-events list
check "count prints the same" one_line 1 'the kernel has no user_events' \
	user-events count list
check "export prints the same" one_line 1 'the kernel has no user_events' \
	user-events export --textfile - --counters hits
mkdir -p "/lib/modules/$(uname -r)/extra"
cp $module "/lib/modules/$(uname -r)/extra/"
check "doctor suggests depmod" finds 1 '# depmod -a && modprobe user_events' \
	user-events doctor
echo 'extra/user_events.ko:' >>"/lib/modules/$(uname -r)/modules.dep"
check "doctor reports that the module is not loaded" finds 1 \
	'extra/user_events.ko is installed but not loaded' user-events doctor
check "doctor suggests modprobe" finds 1 '# modprobe user_events$' \
	user-events doctor
check "doctor --kernel finds the module of another kernel" finds 0 \
	"^user_events on Linux $(uname -r | sed 's/[+.]/[&]/g'): no problem found\$" \
	user-events doctor --kernel "$(uname -r)"
check "doctor --kernel finds no module" finds 1 \
	'^user_events on Linux 1.2.3: will not work$' \
	user-events doctor --kernel 1.2.3
check "doctor --kernel --json has no verdict of a test" finds 1 \
	'^\{"works":false,"findings":\[\{' user-events doctor --json --kernel 1.2.3
for kernel in '' ../lib .x; do
	check "no kernel: '$kernel'" exits_with 2 user-events doctor \
		--kernel="$kernel"
done
# A debugfs contains an automounted tracefs.
umount $tracing
if [ -d /sys/kernel/debug/tracing ]; then
	check "doctor finds tracefs in debugfs" \
		finds 1 \
		'^ok +tracefs .*at /sys/kernel/debug/tracing \(mode 0700' user-events doctor
	umount /sys/kernel/debug/tracing
	umount /sys/kernel/debug
fi
check "doctor reports that tracefs is not mounted" finds 1 \
	'^error +tracefs +no tracefs is mounted' user-events doctor
check "doctor suggests to mount tracefs" finds 1 \
	'# mount -t tracefs nodev /sys/kernel/tracing' user-events doctor
check "doctor skips the test event without tracefs" \
	sh -c '! user-events doctor | grep registering'
check "list prints one error without tracefs" one_line 1 \
	'no tracefs is mounted' user-events list

# Follows the suggestions.
check "tracefs can be mounted" mount -t tracefs nodev $tracing
check "the module can be loaded" insmod $module
check "doctor succeeds afterwards" finds 0 '^user_events works' \
	user-events doctor

finish
