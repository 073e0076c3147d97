// SPDX-License-Identifier: MIT
/*
 * Every vector of EventHeader, written by a macro and by a builder, and read
 * back in all possible ways.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <userevents/decode.h>
#include <userevents/eventheader-dynamic.h>
#include <userevents/eventheader.h>
#include <userevents/session.h>
#include <userevents/tracepoint.h>

#include "lib/vectors.h"
#include "guest.h"

UEV_PROVIDER(vector_macro, "VectorMacro");

#define MACRO 0
#define BUILDER 1

static const char *const providers[] = { "VectorMacro", "VectorBuilder" };
static const char *const events[] = { "VectorMacro_L5K1",
				      "VectorBuilder_L5K1" };

/* --- Writing -------------------------------------------------------------- */

static struct uev_builder *builder;
static struct uev_event_set *set;

static void register_builder(void)
{
	static struct uev_dynamic_provider *provider;

	if (provider)
		return;
	check(uev_dynamic_provider_new(&provider, providers[BUILDER], NULL),
	      "uev_dynamic_provider_new");
	check(uev_dynamic_provider_event_set(provider, 5, 1, &set),
	      "uev_dynamic_provider_event_set");
	check(uev_builder_new(&builder), "uev_builder_new");
	check(uev_event_status(&set->event), "uev_event_status");
	check(UEV_PROVIDER_STATUS(vector_macro), "UEV_PROVIDER_STATUS");
}

static void add(unsigned int encoding, unsigned int format, const void *data,
		size_t count)
{
	uev_builder_begin(builder, "E", 0);
	uev_add(builder, "f", encoding, format, 0, data, count);
	check(uev_builder_write(builder, set, NULL, NULL), "uev_builder_write");
}

#define WRITE(field) \
	check(UEV_EVENTHEADER(vector_macro, 5, 1, "E", field), "macro")
#define ADD(encoding, format, data, count) \
	add(UEV_ENCODING_##encoding, UEV_FORMAT_##format, data, count)

#define WRITE_VALUE(encoding, format, type, value, ...)                    \
	do {                                                               \
		const type value_ = (value);                               \
		WRITE(UEV_EH_VALUE("f", encoding, format, type, (value))); \
		ADD(encoding, format, &value_, 1);                         \
	} while (0);
#define WRITE_ZSTRING(encoding, format, units, ...)          \
	WRITE(UEV_EH_ZSTRING("f", encoding, format, units)); \
	ADD(encoding, format, units, UEV_ZERO_ENDED);
#define WRITE_STRING(encoding, format, units, count, ...)          \
	WRITE(UEV_EH_STRING("f", encoding, format, units, count)); \
	ADD(encoding, format, units, count);
#define WRITE_BINARY(format, bytes, size, ...)            \
	WRITE(UEV_EH_NULLABLE("f", format, bytes, size)); \
	ADD(BINARY, format, bytes, size);

static void write_vectors(void)
{
	VECTOR_VALUES(WRITE_VALUE)
	VECTOR_ZSTRINGS(WRITE_ZSTRING)
	VECTOR_STRINGS(WRITE_STRING)
	VECTOR_BINARIES(WRITE_BINARY)
}

/* --- Comparing ------------------------------------------------------------ */

/* How many records of either event have been compared. */
static size_t seen[2];

/* @padding: bytes that may follow the event */
static void compare_bytes(const struct vector *vector, const uint8_t *bytes,
			  size_t size, size_t padding)
{
	unsigned char expected[VECTOR_EVENT_MAX];
	size_t length = vector_event(vector, VECTOR_IS_BIG, expected);

	if (size < length || size - length > padding)
		fail("%s: %zu bytes, not %zu", vector->name, size, length);
	if (memcmp(bytes, expected, length))
		fail("%s: other bytes", vector->name);
}

static void compare_json(const struct vector *vector, const char *provider,
			 const struct uev_schema *schema, const uint8_t *record,
			 size_t size)
{
	const char *value = vector->json;
	struct uev_decoder *decoder;
	struct uev_output json = UEV_OUTPUT_INIT;
	char expected[256];

	if (VECTOR_IS_BIG && vector->big_json)
		value = vector->big_json;
	snprintf(expected, sizeof(expected),
		 "{ \"n\": \"%s:E\", \"f\": %s, \"meta\": { \"level\": 5, "
		 "\"keyword\": \"0x1\" } }",
		 provider, value);
	check(uev_decoder_new(&decoder), "uev_decoder_new");
	check(uev_decoder_start(decoder, schema, record, size), vector->name);
	check(uev_decoder_append_json(decoder, NULL, NULL, &json),
	      vector->name);
	if (strcmp(json.text, expected) != 0)
		fail("%s: %s, not %s", vector->name, json.text, expected);
	uev_output_release(&json);
	uev_decoder_free(decoder);
}

/* A record from its common fields on, which the kernel says are how long. */
static void compare(const struct uev_schema *schema, const void *record,
		    size_t size, size_t padding)
{
	const struct uev_format_field *first = NULL;
	unsigned int which = MACRO;
	const struct vector *vector;
	size_t i;

	if (!strcmp(uev_schema_name(schema), events[BUILDER]))
		which = BUILDER;
	else if (strcmp(uev_schema_name(schema), events[MACRO]) != 0)
		fail("a record of %s", uev_schema_name(schema));
	if (seen[which] == vector_count)
		fail("%s: too many records", events[which]);
	vector = &vectors[seen[which]++];
	for (i = 0; (first = uev_schema_field(schema, i)); i++)
		if (!first->is_common)
			break;
	if (!first || first->offset > size)
		fail("%s: no fields", events[which]);
	compare_bytes(vector, (const uint8_t *)record + first->offset,
		      size - first->offset, padding);
	compare_json(vector, providers[which], schema, record, size);
}

static void compared_all(void)
{
	if (seen[MACRO] != vector_count || seen[BUILDER] != vector_count)
		fail("%zu and %zu of %zu records", seen[MACRO], seen[BUILDER],
		     vector_count);
}

/* --- ftrace --------------------------------------------------------------- */

static struct uev_schema *schemas[2];

static void read_schemas(void)
{
	char path[256], *text;
	size_t size, i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), EVENTS "/%s/format", events[i]);
		text = read_text(path, &size);
		check(uev_schema_parse(&schemas[i], "user_events", text, size,
				       0, NULL),
		      path);
		free(text);
	}
}

/* Kinds of ring buffer entries, in 5 bits. */
#define RING_PADDING 29
#define RING_TIME 30 /* and above */
#define RING_ENTRY_SIZE 4

static void compare_entry(const uint8_t *entry, size_t size)
{
	uint16_t type;
	size_t i;

	memcpy(&type, entry, sizeof(type));
	for (i = 0; i < 2; i++) {
		if (uev_schema_id(schemas[i]) == type) {
			compare(schemas[i], entry, size, 3);
			return;
		}
	}
	fail("an entry of type %u", type);
}

/* Parses the entries of a page, each of which starts with 5 bits and a time. */
static void compare_entries(const uint8_t *at, const uint8_t *end)
{
	uint32_t head, size, kind;

	while (end - at > RING_ENTRY_SIZE) {
		memcpy(&head, at, sizeof(head));
		memcpy(&size, at + RING_ENTRY_SIZE, sizeof(size));
		kind = VECTOR_IS_BIG ? head >> 27 : head & 31;
		/* Padding without a time is all that is left of the page. */
		if (kind == RING_PADDING && (head == kind || head << 5 == 0))
			return;
		if (kind >= RING_TIME) {
			at += RING_ENTRY_SIZE + sizeof(size);
			continue;
		}
		at += RING_ENTRY_SIZE;
		if (kind == RING_PADDING) {
			at += size;
		} else if (kind) {
			compare_entry(at, kind * RING_ENTRY_SIZE);
			at += kind * RING_ENTRY_SIZE;
		} else {
			compare_entry(at + sizeof(size), size - sizeof(size));
			at += (size + 3) & ~3U;
		}
	}
}

/* Where the parts of a page are; a long of the kernel may be of 8 bytes here. */
static void read_header_page(int *commit, int *commit_size, int *data)
{
	size_t size;
	char *text = read_text(TRACING "/events/header_page", &size);
	const char *line = strstr(text, " commit;");
	const char *last = strstr(text, " data;");

	if (!line || !last ||
	    sscanf(line, " commit; offset:%d; size:%d;", commit, commit_size) !=
		    2 ||
	    sscanf(last, " data; offset:%d;", data) != 1)
		fail("header_page: %s", text);
	free(text);
}

static void compare_pages(int fd)
{
	static uint8_t page[1 << 16];
	const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	int commit_at, commit_size, data;
	uint64_t commit;
	uint32_t half;
	ssize_t got;

	read_header_page(&commit_at, &commit_size, &data);
	while ((got = read(fd, page, page_size)) > 0) {
		memcpy(&commit, page + commit_at, sizeof(commit));
		if (commit_size == sizeof(half)) {
			memcpy(&half, page + commit_at, sizeof(half));
			commit = half;
		}
		/* The highest bits mark lost records. */
		commit &= (1 << 20) - 1;
		if (data + (ssize_t)commit > got)
			fail("a page of %zd bytes", got);
		compare_entries(page + data, page + data + commit);
	}
	if (got < 0 && errno != EAGAIN)
		fail("trace_pipe_raw: %s", strerror(errno));
}

void test_ftrace(void)
{
	int fd;

	stay_on(0);
	register_builder();
	read_schemas();
	write_file(TRACING "/trace", "\n");
	fd = open(TRACING "/per_cpu/cpu0/trace_pipe_raw",
		  O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		fail("trace_pipe_raw: %s", strerror(errno));
	enable(events[MACRO], true);
	enable(events[BUILDER], true);
	write_vectors();
	enable(events[MACRO], false);
	enable(events[BUILDER], false);
	compare_pages(fd);
	close(fd);
	compared_all();
}

/* --- perf ----------------------------------------------------------------- */

/* perf says of a record how long it is with up to 7 bytes of padding. */
#define PERF_PADDING 7

static void compare_sample(const struct uev_sample *sample)
{
	static struct uev_schema *schema[2];
	struct uev_schema **slot;

	if (!sample->source->format || sample->source->index > 1)
		fail("%s has no format", sample->source->name);
	slot = &schema[sample->source->index];
	if (!*slot)
		check(uev_schema_parse(slot, sample->source->system,
				       sample->source->format,
				       sample->source->format_size, 0, NULL),
		      sample->source->name);
	compare(*slot, sample->raw, sample->raw_size, PERF_PADDING);
}

static struct uev_session *begin_session(void)
{
	struct uev_session *session;

	register_builder();
	check(uev_session_open(&session, NULL), "uev_session_open");
	if (check(uev_session_add(session, "Vector*_L5K1", NULL),
		  "uev_session_add") != 2)
		fail("not two events");
	check(uev_session_start(session), "uev_session_start");
	return session;
}

void test_session(void)
{
	struct uev_session *session = begin_session();
	const struct uev_sample *sample;

	write_vectors();
	check(uev_session_stop(session), "uev_session_stop");
	check(uev_session_read(session, UEV_READ_DRAIN), "uev_session_read");
	while (uev_session_next(session, &sample))
		compare_sample(sample);
	uev_session_close(session);
	compared_all();
}

void read_vectors_of(const char *path)
{
	struct uev_perf_reader *reader;
	const struct uev_sample *sample;

	check(uev_perf_reader_open(&reader, path, NULL), path);
	while (check(uev_perf_reader_next(reader, &sample), path))
		compare_sample(sample);
	uev_perf_reader_close(reader);
	compared_all();
}

void test_perf_data(void)
{
	static const char path[] = "records.data";
	struct uev_perf_writer_options options = { .size = sizeof(options) };
	struct uev_session *session = begin_session();
	struct uev_perf_writer *writer;
	const struct uev_sample *sample;
	struct uev_clock clock;

	check(uev_session_clock(session, &clock), "uev_session_clock");
	options.clock = &clock;
	check(uev_perf_writer_open(&writer, path, &options), path);
	write_vectors();
	check(uev_session_stop(session), "uev_session_stop");
	check(uev_session_read(session, UEV_READ_DRAIN), "uev_session_read");
	while (uev_session_next(session, &sample))
		check(uev_perf_writer_record(writer, sample), "write");
	check(uev_perf_writer_finish(writer), path);
	uev_session_close(session);
	read_vectors_of(path);
	unlink(path);
}

void hold_vectors(void)
{
	register_builder();
	pause();
}

void write_vectors_when_heard(void)
{
	register_builder();
	while (!UEV_EVENTHEADER_ENABLED(vector_macro, 5, 1) ||
	       !uev_enabled(&set->event))
		usleep(1000);
	write_vectors();
}

/* --- Plain fields --------------------------------------------------------- */

void test_plain(void)
{
	static const char expected[] =
		"{ \"n\": \"user_events:vector_plain\", \"a\": -1, \"b\": 255, "
		"\"c\": -2, \"d\": 65535, \"e\": -3, \"f\": 4294967295, "
		"\"g\": -4, \"h\": 18446744073709551615, "
		"\"i\": \"h\xc3\xa9\", \"j\": [ 1, 2, 255 ] }";
	static const struct uev_bytes bytes = { "\1\2\xff", 3 };
	struct uev_decoder *decoder;
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_output json = UEV_OUTPUT_INIT;
	const struct uev_source *source;
	const struct uev_sample *sample;
	struct uev_session *session;
	struct uev_schema *schema;

	check(uev_decoder_new(&decoder), "uev_decoder_new");
	check(uev_session_open(&session, NULL), "uev_session_open");
	check(uev_session_add(session, "vector_plain", NULL), "add");
	check(uev_session_start(session), "uev_session_start");
	UEV_TRACE(vector_plain, a, (int8_t)-1, b, (uint8_t)255, c, (int16_t)-2,
		  d, (uint16_t)65535, e, (int32_t)-3, f, UINT32_MAX, g,
		  (int64_t)-4, h, UINT64_MAX, i, "h\xc3\xa9", j, bytes);
	check(uev_session_stop(session), "uev_session_stop");
	check(uev_session_read(session, UEV_READ_DRAIN), "uev_session_read");
	if (!uev_session_next(session, &sample))
		fail("no record");
	source = sample->source;
	check(uev_schema_parse(&schema, source->system, source->format,
			       source->format_size, 0, NULL),
	      "format");
	options.meta = 0;
	check(uev_decoder_start(decoder, schema, sample->raw, sample->raw_size),
	      "record");
	check(uev_decoder_append_json(decoder, &options, NULL, &json), "JSON");
	if (strcmp(json.text, expected) != 0)
		fail("%s, not %s", json.text, expected);
	uev_session_close(session);
	uev_schema_free(schema);
	uev_output_release(&json);
	uev_decoder_free(decoder);
}
