# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events doctor: before and after the module is loaded, without tracefs, and without rights.
# shellcheck source=scripts/check/tool-guest/lib
. /tool-guest/lib

module=/lib/user_events/user_events.ko

# finds STATUS PATTERN COMMAND...: it ends so, and prints a line that the pattern (grep -E) finds.
finds()
{
	wanted=$1
	pattern=$2
	shift 2
	ends_with "$wanted" "$@" >/tmp/printed 2>&1
	result=$?
	cat /tmp/printed
	[ "$result" = 0 ] && grep -qE -- "$pattern" /tmp/printed
}

# What there is in tracefs that was not there before.
left_behind()
{
	find $tracing/instances $tracing/events/user_events -maxdepth 1 -name '*doctor*' 2>/dev/null
}

check "all is well" finds 0 '^user_events works' user-events doctor
check "the event came through ftrace" finds 0 '^ok +ftrace +[a-z]+ recorded a test event' user-events doctor
check "and through perf" finds 0 '^ok +perf +[a-z]+ recorded a test event' user-events doctor
check "and left nothing behind" test -z "$(left_behind)"
check "the module is known, with its parameters" finds 0 '^ok +module .*data_mode=0640' user-events doctor
check "JSON says the same" finds 0 '^\{"works":true,"findings":\[\{' user-events doctor --json
check "JSON has no error in it" sh -c '! user-events doctor --json | grep -q "\"level\":\"error\""'
check "doctor takes no arguments" ends_with 2 user-events doctor me

# ---- Without rights ----

grep -q '^somebody:' /etc/passwd 2>/dev/null || echo 'somebody:x:1000:1000::/:/bin/sh' >>/etc/passwd
as_somebody()
{
	su -s /bin/sh somebody -c "$*"
}
check "tracefs is closed to a user" \
	finds 1 "^error +tracefs +$tracing: no permission to search" as_somebody user-events doctor
check "the fix is below it" finds 1 '# groupadd .* remount,mode=750,gid=' as_somebody user-events doctor
check "perf is closed to a user" finds 1 '^error +perf +no permission to read records' as_somebody user-events doctor
check "with the fix" finds 1 '# sysctl kernel.perf_event_paranoid=-1' as_somebody user-events doctor
chmod 755 $tracing
check "then the files are" finds 1 '^error +files +user_events_data: no permission' as_somebody user-events doctor
chmod 666 $tracing/user_events_data
check "then an event is registered, and no more" finds 1 '^ok +registering' as_somebody user-events doctor
# As a machine for developers may be: an instance, and records for everybody.
sysctl -w kernel.perf_event_paranoid=-1 >/dev/null
check "perf is open to everybody" finds 1 '^ok +perf +permitted for all users' as_somebody user-events doctor
chmod 640 $tracing/user_events_data
chmod 700 $tracing

# ---- Limits ----

max=$(cat /proc/sys/kernel/user_events_max)
echo 2 >/proc/sys/kernel/user_events_max
user-events add 'one u32 a' 'two u32 a'
check "the limit is reached" finds 1 '^error +limits +event limit reached \(2 of 2\)' user-events doctor
check "so that the test event is refused" finds 1 '^error +registering .*too many' user-events doctor
sysctl -w kernel.user_events_max="$max" >/dev/null
user-events del one two

# ---- ftrace is switched off at the top, which instances do not mind ----

echo 0 >$tracing/tracing_on
check "recording is off at the top" finds 0 '^note +tracing-on' user-events doctor
echo 1 >$tracing/tracing_on

# ---- Without tracefs, and without the module ----

check "the module goes" rmmod user_events
check "without it nothing works" finds 1 '^error +module ' user-events doctor
check "and the test event says so" finds 1 '^error +registering .*the kernel has no user_events' user-events doctor
check "list says so in one line" one_line 1 'the kernel has no user_events' user-events list
mkdir -p "/lib/modules/$(uname -r)/extra"
cp $module "/lib/modules/$(uname -r)/extra/"
check "a module that modprobe does not know" finds 1 '# depmod -a && modprobe user_events' user-events doctor
echo 'extra/user_events.ko:' >>"/lib/modules/$(uname -r)/modules.dep"
check "one that is not loaded" finds 1 'extra/user_events.ko is installed but not loaded' user-events doctor
check "with the command" finds 1 '# modprobe user_events$' user-events doctor
# A debugfs has tracefs as well, where it is mounted when somebody looks.
umount $tracing
if [ -d /sys/kernel/debug/tracing ]; then
	check "a tracefs in debugfs will do" \
		finds 1 '^ok +tracefs .*at /sys/kernel/debug/tracing \(mode 0700' user-events doctor
	umount /sys/kernel/debug/tracing
	umount /sys/kernel/debug
fi
check "tracefs is not mounted" finds 1 '^error +tracefs +no tracefs is mounted' user-events doctor
check "with the command" finds 1 '# mount -t tracefs nodev /sys/kernel/tracing' user-events doctor
check "nor does the test event find it" finds 1 '^error +registering .*no tracefs is mounted' user-events doctor
check "list says so in one line" one_line 1 'no tracefs is mounted' user-events list

# As it says: mount, load, and it works.
check "the first command mends that" mount -t tracefs nodev $tracing
check "the second the other" insmod $module
check "then all is well" finds 0 '^user_events works' user-events doctor

finish
