// SPDX-License-Identifier: MIT
/*
 * Conventions of the API: constructors return an int and set their pointer, to
 * NULL on error; reserved members of structures of the caller must be 0.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <userevents/decode.h>
#include <userevents/eventheader-dynamic.h>
#include <userevents/session.h>
#include <userevents/tracepoint-dynamic.h>

#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"

static char path[100];

static void setup(void)
{
	fake_perf_begin();
	snprintf(path, sizeof(path), "%s/perf.data", fake_perf.root);
}

TEST_FIXTURE(setup, fake_perf_end);

/* A pointer that must be overwritten. */
#define OLD ((void *)path)

TEST(constructors_set_null_on_error)
{
	struct uev_session_options session_options = { .size = 1 };
	struct uev_perf_reader_options reader_options = { .size = 1 };
	struct uev_perf_writer_options writer_options = { .size = 1 };
	struct uev_session *session = OLD;
	struct uev_perf_reader *reader = OLD;
	struct uev_perf_writer *writer = OLD;
	struct uev_schema *schema = OLD;

	ck_assert_int_eq(uev_session_open(&session, &session_options), -EINVAL);
	ck_assert_ptr_null(session);
	ck_assert_int_eq(uev_perf_reader_open(&reader, path, NULL), -ENOENT);
	ck_assert_ptr_null(reader);
	reader = OLD;
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, 0, &reader_options),
			 -EINVAL);
	ck_assert_ptr_null(reader);
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &writer_options),
			 -EINVAL);
	ck_assert_ptr_null(writer);
	ck_assert_int_eq(uev_schema_parse(&schema, "s", "", 0, 0, NULL),
			 -EINVAL);
	ck_assert_ptr_null(schema);
}

TEST(constructors_of_events_set_null_on_error)
{
	struct uev_tracepoint *tracepoint = OLD;
	struct uev_dynamic_provider *provider = OLD;
	struct uev_event_set *set = OLD;

	ck_assert_int_eq(uev_tracepoint_new(&tracepoint, "", NULL, 0, 0),
			 -EINVAL);
	ck_assert_ptr_null(tracepoint);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "", NULL),
			 -EINVAL);
	ck_assert_ptr_null(provider);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "name", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(provider, 0, 1, &set),
			 -EINVAL);
	ck_assert_ptr_null(set);
	uev_dynamic_provider_free(provider);
}

/* Calls a constructor without memory. */
#define NO_MEMORY(call)                            \
	do {                                       \
		fake_alloc_fail(0);                \
		result = (call);                   \
		ck_assert(fake_alloc_end());       \
		ck_assert_int_eq(result, -ENOMEM); \
	} while (0)

TEST(constructors_set_null_without_memory)
{
	struct uev_decoder *decoder = OLD;
	struct uev_builder *builder = OLD;
	struct uev_session *session = OLD;
	struct uev_perf_reader *reader = OLD;
	struct uev_perf_writer *writer = OLD;
	struct uev_dynamic_provider *provider = OLD;
	int result;

	NO_MEMORY(uev_decoder_new(&decoder));
	ck_assert_ptr_null(decoder);
	NO_MEMORY(uev_builder_new(&builder));
	ck_assert_ptr_null(builder);
	NO_MEMORY(uev_session_open(&session, NULL));
	ck_assert_ptr_null(session);
	NO_MEMORY(uev_perf_reader_open_fd(&reader, 0, NULL));
	ck_assert_ptr_null(reader);
	NO_MEMORY(uev_perf_writer_open(&writer, path, NULL));
	ck_assert_ptr_null(writer);
	NO_MEMORY(uev_dynamic_provider_new(&provider, "name", NULL));
	ck_assert_ptr_null(provider);
}

TEST(writers_reject_reserved_members)
{
	struct uev_perf_info machine = { .hostname = "host" };
	struct uev_clock clock = { .clockid = CLOCK_MONOTONIC };
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.machine = &machine,
		.clock = &clock,
	};
	struct uev_source source = { .system = "s", .name = "n", .id = 1 };
	struct uev_sample record = {
		.source = &source,
		.raw = "",
		.flags = UEV_HAS_TIME,
	};
	struct uev_perf_writer *writer;

	machine.reserved_words[7] = 1;
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options),
			 -EINVAL);
	machine.reserved_words[7] = 0;
	machine.reserved[3] = 1;
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options),
			 -EINVAL);
	machine.reserved[3] = 0;
	clock.reserved_times[1] = 1;
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options),
			 -EINVAL);
	clock.reserved_times[1] = 0;
	clock.reserved = 1;
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options),
			 -EINVAL);
	clock.reserved = 0;
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options), 0);

	source.reserved[3] = 1;
	ck_assert_int_eq(uev_perf_writer_add(writer, &source), -EINVAL);
	source.reserved[3] = 0;
	record.reserved = 1;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -EINVAL);
	record.reserved = 0;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), 0);
	uev_perf_writer_discard(writer);
}
