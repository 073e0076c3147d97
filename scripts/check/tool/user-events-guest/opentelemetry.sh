# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2317
#
# The commands of Documentation/opentelemetry.rst, run as they are
# guest: library
# add: Documentation:/Documentation
# with: perl
# add: build/userlib/static/shared/user-events:/libcurl/user-events
# shellcheck source=scripts/check/tool/user-events-guest/lib
. /user-events-guest/lib

PATH=/libcurl:$PATH

page=/Documentation/opentelemetry.rst

# Prints the commands of the page and what they print. Other blocks, such as
# settings, have no command.
documented()
{
	awk '/^\t/ { if (/^\t# /) on = 1; if (on) print substr($0, 2); next }
		/./ { on = 0 }' "$page"
}

# Prints a script that runs them, and prints them like the page.
page_script()
{
	documented | awk -v quote="'" '/^# / {
		print "cat <<" quote "END" quote "\n" $0 "\nEND"
		print substr($0, 3)
	}'
}

# The size of a file differs with the kernel.
without_size()
{
	sed 's/[0-9]* bytes/N bytes/'
}

prints_what_the_page_says()
{
	page_script >script
	documented | without_size >expected
	sh ./script >printed 2>&1
	without_size <printed >output
	[ "$(grep -c '^# ' expected)" -ge 7 ] && diff expected output
}

# has COUNT TEXT: in the messages that the collector has accepted
has()
{
	got=$(grep -a -o -F -- "$2" collected | wc -l)
	[ "$got" = "$1" ] || { echo "$got times: $2"; return 1; }
}

# Twice: by a session, and by a file.
collector_has_all()
{
	has 2 '"eventName":"checkout.declined"' &&
		has 2 '"body":{"stringValue":"card declined"}' &&
		has 2 '"timeUnixNano":"1782909297000000000"' &&
		has 2 '"parentSpanId":"00f067aa0ba902b6"' &&
		has 2 '"name":"idle"' &&
		has 2 '{order}' &&
		has 0 '"body":{"stringValue":"checkout:'
}

ip link set lo up
mkfifo begin
cat >/usr/bin/checkout <<'END'
#!/bin/sh
. /user-events-guest/lib
guest otel <begin &
exec 3>begin
# The tracer of the page
tool=$(pidof user-events)
for event in checkout_L2K1 checkout_L4K1 otlp_metrics; do
	wait_until is_recording "$event" || exit
done
echo >&3
wait
END
chmod 755 /usr/bin/checkout
perl /user-events-guest/collector.pl collected &
collector=$!
wait_until [ -e collected ]
check "opentelemetry.rst prints what its commands print" \
	prints_what_the_page_says
check "the collector has the logs, spans and metrics" collector_has_all
kill "$collector"
finish
