# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# user-events flight: a persistent buffer has its records after a panic. The
# script runs twice: the guest is started again, with the same memory and disk.
#
# since: 6.12
# reboot: yes
# append: reserve_mem=4M:4096:flight trace_instance=boot@flight nokaslr
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

saved=var/lib/user-events

# Prints the device of the disk that a panic does not change.
kept_disk()
{
	for serial in /sys/block/*/device/serial /sys/block/*/serial; do
		grep -qsw kept "$serial" || continue
		serial=${serial#/sys/block/}
		echo "/dev/${serial%%/*}"
	done
}

# The first processor is online before the kernel looks at the buffer again.
on_each_processor()
{
	taskset 1 guest numbers "$1" $((($1 + $2) / 2))
	taskset 2 guest numbers $((($1 + $2) / 2 + 1)) "$2"
}

before_the_panic()
{
	user-events add 'number u32 value' || return 1
	user-events flight start boot number || return 1
	on_each_processor 1 100
	tar -cf "$disk" -C / "$saved" && sync
}

records()
{
	user-events flight dump "$1" 2>dumped | sed -n 's/.* user_events:number value=//p'
}

fails()
{
	cat before
	return 1
}

has_all_records()
{
	records boot >got
	cat got dumped
	seq 1 100 | cmp - got
}

# Prints the seconds since the first record of a recorder.
age()
{
	user-events flight dump "$1" -F time -t csv 2>dumped |
		sed -n '2s/^\(.*\)T\(.*\)[.].*/\1 \2/p' >first
	echo $(($(date +%s) - $(date -u -d "$(cat first)" +%s)))
}

# The clock of records starts at 0 with each boot.
has_dates()
{
	seconds=$(age "$1") && cat first dumped
	[ "$seconds" -ge 0 ] && [ "$seconds" -lt 600 ]
}

later_start()
{
	user-events add 'number u32 value' || return 1
	user-events flight start boot number 2>messages || return 1
	cat messages
	on_each_processor 200 203
	records boot.earlier >got
	seq 1 100 | cmp - got || return 1
	records boot >got
	seq 200 203 | cmp - got
}

# A new disk is an empty archive.
was_saved()
{
	tar -xf "$disk" -C / 2>/dev/null
	[ -e "/$saved/flight/boot/state" ]
}

disk=$(kept_disk)
if [ ! -e $tracing/instances/boot/last_boot_info ]; then
	skip "records after a panic" "the kernel has no persistent buffer"
elif ! was_saved; then
	if before_the_panic >before 2>&1; then
		echo 'selftest: the kernel panics on purpose' >/dev/kmsg
		echo c >/proc/sysrq-trigger
		sleep 60
	fi
	check "a recorder has a persistent buffer until the panic" fails
else
	echo 'selftest: the kernel has been started again' >/dev/kmsg
	check "records are there after a panic" has_all_records
	check "with their dates" has_dates boot
	check "they stay when the buffer is used again" later_start
fi

finish
