// SPDX-License-Identifier: MIT
#include "perf/reader_state.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <linux/perf_event.h>

/* Limit of an error text. */
#define PROBLEM_MAX 256

void uev_perf_reader_problem(struct uev_perf_reader *reader, uint64_t offset,
			     const char *format, ...)
{
	char text[PROBLEM_MAX];
	va_list values;
	int front = 0;

	/* Such as a part of a record that cannot be read: the caller gets it. */
	if (reader->input.error || !reader->options.problem)
		return;
	if (reader->part)
		front = snprintf(text, sizeof(text),
				 "%s: ", reader->part->name);
	va_start(values, format);
	vsnprintf(text + front, sizeof(text) - (size_t)front, format, values);
	va_end(values);
	reader->options.problem(reader->options.data, offset, text);
}

const char *uev_perf_reader_add_attr(struct uev_perf_reader *reader,
				     const void *bytes, size_t size,
				     struct uev_perf_event **event)
{
	struct uev_attr attr;
	size_t attr_size;
	int ret;

	*event = NULL;
	if (size < UEV_ATTR_SIZE_MIN)
		return "attribute too short";
	attr_size = uev_attr_size(bytes, reader->input.big);
	if (attr_size < UEV_ATTR_SIZE_MIN || attr_size > size)
		return "attribute size mismatch";

	uev_attr_read(&attr, bytes, attr_size, reader->input.big);
	ret = uev_perf_events_add(&reader->events, &attr, event);
	if (ret == -ENOMEM)
		reader->input.error = ret;
	if (ret)
		return "too many events";
	if (attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		reader->has_stacks = true;
	if (attr.use_clockid && !reader->info.has_clock)
		reader->info.clock.clockid = attr.clockid;

	return NULL;
}
