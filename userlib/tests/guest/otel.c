// SPDX-License-Identifier: MIT
/* A program in Rust with the exporters of OpenTelemetry for user_events */
#include "guest.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/uio.h>
#include <userevents/userevents.h>

#include "lib/otel_records.h"

static const unsigned int written[] = {
	OTEL_RUST_LOG,	      OTEL_RUST_SMALL_LOG, OTEL_RUST_SPAN,
	OTEL_RUST_SMALL_SPAN, OTEL_METRICS,
};

#define WRITTEN (sizeof(written) / sizeof(*written))

void write_otel_records(void)
{
	static struct otel_record records[OTEL_RECORDS];
	static struct uev_event events[WRITTEN];
	struct iovec payload;
	size_t i;

	otel_records_make(records);
	for (i = 0; i < WRITTEN; i++) {
		uev_event_init(&events[i], records[written[i]].command);
		check(uev_event_register(&events[i], 0), "register");
	}
	getchar();
	for (i = 0; i < WRITTEN; i++) {
		payload.iov_base = records[written[i]].bytes;
		payload.iov_len = records[written[i]].size;
		check(uev_event_writev(&events[i], &payload, 1), "writev");
	}
}
