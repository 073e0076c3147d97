// SPDX-License-Identifier: MIT
/* Slices and counters of plain fields, in the formats of timelines. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "events/payload.h"
#include "export/metrics.h"
#include "export/protobuf.h"
#include "files.h"
#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "pipe/pipe.h"
#include "query/spans.h"
#include "sink/formats.h"
#include "tool.h"

/* Bytes of the common fields */
#define HEADER 8

static struct uev_decoder *decoder;
static struct uev_schema *schema;
static struct payload payload;
static struct uev_source source = { .system = "user_events" };
static const char *comm;
static char *path;
/* Flags that the next records do not have */
static uint32_t lacks;

static void setup(void)
{
	file_tree_begin();
	path = tool_print("%s/out", file_tree_root());
	decoder = new_decoder();
	comm = "five";
	lacks = 0;
}

static void forget_event(void)
{
	uev_schema_free(schema);
	schema = NULL;
	payload_release(&payload);
}

static void teardown(void)
{
	forget_event();
	uev_decoder_free(decoder);
	free(path);
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

/* Selects the event of the next records. */
static void use_event(const char *command)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	const struct payload_field *field;
	size_t offset = HEADER, i;
	static char name[32];

	forget_event();
	payload_init(&payload, command);
	payload.header = HEADER;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(command, " "),
		 command);
	source.name = name;
	format_print(&text, "name: %s\nID: 7\nformat:\n", name);
	format_print(
		&text,
		"\tfield:u64 common_all;\toffset:0;\tsize:%d;\tsigned:0;\n\n",
		HEADER);
	for (i = 0; i < payload.count; i++) {
		field = &payload.fields[i];
		format_print(
			&text,
			"\tfield:%s %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n",
			field->type, field->name, offset, field->size,
			field->is_signed);
		offset += field->size;
	}
	schema = schema_of("user_events", text.text);
	uev_output_release(&text);
}

/* Writes a record of fields "NAME=VALUE|NAME=VALUE". */
static void take(int (*record)(void *data, struct uev_decoder *decoder,
			       const struct format_record *record),
		 void *data, uint64_t time, uint32_t tid, const char *fields)
{
	struct uev_output raw = UEV_OUTPUT_INIT;
	struct uev_sample sample = {
		.source = &source,
		.flags = (UEV_HAS_TIME | UEV_HAS_TID) & ~lacks,
		.time = time,
		.pid = 5,
		.tid = tid,
	};
	const struct format_record from = {
		.sample = &sample,
		.schema = schema,
		.comm = comm,
	};
	char *copy = tool_copy(fields), *rest = copy, *word;
	const char *reason;

	tool_append(&raw, "\0\0\0\0\0\0\0", HEADER);
	while ((word = strsep(&rest, "|"))) {
		size_t size = strcspn(word, "=");

		ck_assert_int_eq(payload_set(&payload, word, size,
					     word + size + 1,
					     strlen(word + size + 1), &reason),
				 0);
	}
	ck_assert_int_eq(payload_append(&payload, &raw), 0);
	sample.raw = raw.text;
	sample.raw_size = (uint32_t)raw.size;
	ck_assert_int_eq(record(data, decoder, &from), 0);
	uev_output_release(&raw);
	free(copy);
}

static struct sink sink;

static void begin(const struct sink_ops *format)
{
	const struct sink_options options = { .path = path };

	ck_assert_int_eq(sink_open(&sink, format, &options), 0);
}

/* Returns the output, for free(). */
static char *end(const struct sink_ops *format, size_t *size)
{
	char *text;

	format->end_part(sink.data);
	ck_assert_int_eq(pipe_end_sink(&sink, true), TOOL_OK);
	ck_assert_int_eq(files_read(path, &text, size), 0);

	return text;
}

#define SLICE "track_slice s32 track_event_type; __data_loc char[] slice_name"
#define COUNTER "track_counter s64 counter_value; __data_loc char[] track_name"

/* ---- chrome ---- */

static void add(const struct sink_ops *format, uint64_t time, uint32_t tid,
		const char *fields)
{
	take(format->record, sink.data, time, tid, fields);
}

static void ck_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		ck_abort_msg("no %s in %s", part, text);
}

/* An end ends the last slice of its thread. 66, 69 and 73 are B, E and I. */
TEST(chrome_slices)
{
	char *text;

	begin(&sink_chrome);
	use_event(SLICE);
	add(&sink_chrome, 1000, 5, "track_event_type=66|slice_name=outer");
	add(&sink_chrome, 2000, 5, "track_event_type=66|slice_name=inner");
	add(&sink_chrome, 2500, 6, "track_event_type=69");
	add(&sink_chrome, 3000, 5, "track_event_type=73|slice_name=now");
	add(&sink_chrome, 4000, 5, "track_event_type=69");
	add(&sink_chrome, 6000, 5, "track_event_type=69");
	add(&sink_chrome, 7000, 5, "track_event_type=65|slice_name=other");
	text = end(&sink_chrome, NULL);
	ck_has(text, "{\"ph\":\"i\",\"ts\":2.500,\"pid\":5,\"tid\":6,"
		     "\"name\":\"track_slice\",\"cat\":\"user_events\"");
	ck_has(text, "{\"ph\":\"i\",\"ts\":3.000,\"pid\":5,\"tid\":5,"
		     "\"name\":\"now\"");
	ck_has(text,
	       "{\"ph\":\"X\",\"ts\":2.000,\"pid\":5,\"tid\":5,"
	       "\"name\":\"inner\",\"cat\":\"user_events\",\"dur\":2.000");
	ck_has(text,
	       "{\"ph\":\"X\",\"ts\":1.000,\"pid\":5,\"tid\":5,"
	       "\"name\":\"outer\",\"cat\":\"user_events\",\"dur\":5.000");
	/* Another type is no slice. */
	ck_has(text, "{\"ph\":\"i\",\"ts\":7.000,\"pid\":5,\"tid\":5,"
		     "\"name\":\"user_events:track_slice\"");
	free(text);
}

/* Slices of other tracks cross those of the thread. */
TEST(chrome_tracks)
{
	char *text, *first, *second;

	begin(&sink_chrome);
	use_event(
		"work char track_event_type; __rel_loc char[] slice_name; __rel_loc char[] track_name");
	add(&sink_chrome, 1000, 5,
	    "track_event_type=B|slice_name=a|track_name=one");
	add(&sink_chrome, 2000, 5,
	    "track_event_type=B|slice_name=b|track_name=two");
	add(&sink_chrome, 3000, 5, "track_event_type=E|track_name=one");
	add(&sink_chrome, 4000, 6, "track_event_type=E|track_name=two");
	use_event(
		"work char track_event_type; __rel_loc char[] slice_name; u32 scope_id");
	add(&sink_chrome, 5000, 5,
	    "track_event_type=B|slice_name=c|scope_id=7");
	add(&sink_chrome, 6000, 6, "track_event_type=E|scope_id=7");
	text = end(&sink_chrome, NULL);
	first = strstr(text, "{\"ph\":\"b\",\"ts\":1.000");
	second = strstr(text, "{\"ph\":\"e\",\"ts\":3.000");
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_nonnull(second);
	first = strstr(first, "\"id\":");
	second = strstr(second, "\"id\":");
	ck_assert_int_eq(strncmp(first, second, 41), 0);
	/* A track of a name is one of its thread. */
	ck_has(text, "{\"ph\":\"i\",\"ts\":4.000");
	ck_has(text, "{\"ph\":\"b\",\"ts\":5.000");
	ck_has(text, "{\"ph\":\"e\",\"ts\":6.000,\"pid\":5,\"tid\":6,"
		     "\"name\":\"c\"");
	free(text);
}

TEST(chrome_counters)
{
	char *text;

	begin(&sink_chrome);
	use_event(COUNTER);
	add(&sink_chrome, 1000, 5, "counter_value=-7|track_name=queue");
	add(&sink_chrome, 2000, 6, "counter_value=8|track_name=queue");
	use_event("depth u64 counter_value; u32 scope_tgid");
	add(&sink_chrome, 3000, 6, "counter_value=9|scope_tgid=4");
	use_event("depth u64 counter_value; u32 scope_cpu");
	add(&sink_chrome, 4000, 6, "counter_value=10|scope_cpu=3");
	use_event("depth u64 counter_value; s64 scope_queue");
	add(&sink_chrome, 4500, 6, "counter_value=11|scope_queue=-8");
	use_event("large u64 counter_value");
	add(&sink_chrome, 5000, 6, "counter_value=18446744073709551615");
	text = end(&sink_chrome, NULL);
	ck_has(text, "\"args\":{\"value\":18446744073709551615}}");
	ck_has(text, "{\"ph\":\"C\",\"ts\":1.000,\"pid\":5,\"tid\":5,"
		     "\"name\":\"queue\",\"cat\":\"user_events\","
		     "\"args\":{\"value\":-7}}");
	ck_has(text, "\"name\":\"queue\",\"cat\":\"user_events\","
		     "\"id\":\"thread 6\",\"args\":{\"value\":8}}");
	ck_has(text, "\"pid\":4,\"tid\":4,\"name\":\"depth\","
		     "\"cat\":\"user_events\",\"args\":{\"value\":9}}");
	ck_has(text, "\"id\":\"cpu 3\",\"args\":{\"value\":10}}");
	ck_has(text, "\"id\":\"-8\",\"args\":{\"value\":11}}");
	free(text);
}

#define INSTANT(name) \
	"{\"ph\":\"i\",\"ts\":1.000,\"pid\":5,\"tid\":5,\"name\":\"" name "\","

/* Events with these names, but other types */
static const struct {
	const char *event;
	const char *fields;
	const char *wanted;
} others[] = {
	{ "a s32 track_event_type; u32 slice_name",
	  "track_event_type=66|slice_name=1", INSTANT("user_events:a") },
	{ "a __data_loc char[] track_event_type; __data_loc char[] slice_name",
	  "track_event_type=B|slice_name=b", INSTANT("user_events:a") },
	{ "a __data_loc char[] counter_value", "counter_value=1",
	  INSTANT("user_events:a") },
	/* Only its track is that of the thread. */
	{ "a u64 counter_value; __data_loc char[] scope_x",
	  "counter_value=1|scope_x=c",
	  "\"name\":\"a\",\"cat\":\"user_events\",\"args\":{\"value\":1}}" },
	{ "a s32 track_event_type; __data_loc char[] slice_name; u32 track_name",
	  "track_event_type=73|slice_name=b|track_name=1", INSTANT("b") },
};

TEST_LOOP(fields_of_other_types_are_no_tracks, COUNT(others))
{
	char *text;

	begin(&sink_chrome);
	use_event(others[_i].event);
	add(&sink_chrome, 1000, 5, others[_i].fields);
	text = end(&sink_chrome, NULL);
	ck_has(text, others[_i].wanted);
	free(text);
}

/* ---- perfetto ---- */

/* Appends "ID:NUMBER ", "ID:'TEXT' " or "ID{...} " of the fields of a message. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the messages of the test */
static void print_message(struct uev_output *to, const char *at, size_t size,
			  const char *messages)
{
	const char *last = at + size;
	struct protobuf_field field;

	while (at < last) {
		ck_assert(protobuf_next(&at, last, &field));
		/* Their number, or "." for that of all others */
		if (field.wire == PROTOBUF_VARINT) {
			format_print(to, "%" PRIu64 ":%" PRIu64 " ", field.id,
				     field.number);
		} else if (field.wire == PROTOBUF_64) {
			format_print(to, "%" PRIu64 ":64 ", field.id);
		} else if (memchr(messages, (int)field.id, strlen(messages))) {
			format_print(to, "%" PRIu64 "{", field.id);
			print_message(to, field.bytes, field.size,
				      field.id == 11 && *messages != '\4'
					      ? "\4\13\14"
				      : field.id == 60 ? "\3\4\10"
						       : "\4\13\14");
			tool_put(to, "} ");
		} else {
			format_print(to, "%" PRIu64 ":'%.*s' ", field.id,
				     (int)field.size, field.bytes);
		}
	}
}

/* Returns a line per packet, with uuids as in the file; for free() */
static char *packets(const char *text, size_t size)
{
	struct uev_output lines = UEV_OUTPUT_INIT;
	const char *at = text, *last = text + size;
	struct protobuf_field field;

	while (at < last) {
		ck_assert(protobuf_next(&at, last, &field));
		ck_assert_uint_eq(field.id, 1);
		print_message(&lines, field.bytes, field.size, "\6\13\74");
		tool_put(&lines, "\n");
	}

	return lines.text;
}

static char *end_perfetto(void)
{
	size_t size;
	char *text = end(&sink_perfetto, &size);
	char *lines = packets(text, size);

	free(text);

	return lines;
}

/* Returns the number after a text, at or after another. */
static uint64_t number_after(const char *text, const char *place,
			     const char *before)
{
	const char *at = strstr(text, place);

	ck_assert_ptr_nonnull(at);
	at = strstr(at, before);
	ck_assert_ptr_nonnull(at);

	return strtoull(at + strlen(before), NULL, 10);
}

/* 8 is the time in nanoseconds, 9 the type, 23 the name, and 6 the text. */
TEST(perfetto_slices)
{
	char *text;

	begin(&sink_perfetto);
	use_event(SLICE);
	add(&sink_perfetto, 1001, 5, "track_event_type=66|slice_name=outer");
	add(&sink_perfetto, 2002, 6, "track_event_type=69");
	add(&sink_perfetto, 3003, 5, "track_event_type=73|slice_name=now");
	add(&sink_perfetto, 4004, 5, "track_event_type=69");
	add(&sink_perfetto, 5005, 5, "track_event_type=69");
	text = end_perfetto();
	ck_has(text, "10:1 8:1001 11{9:1 11:");
	ck_has(text, " 23:'outer' 22:'user_events' ");
	ck_has(text, "10:1 8:2002 11{9:3 11:");
	ck_has(text, "10:1 8:3003 11{9:3 11:");
	ck_has(text, "10:1 8:4004 11{9:2 11:");
	/* Nothing is left to end. */
	ck_has(text, "10:1 8:5005 11{9:3 11:");
	ck_has(text, "4{10:'slice_name' 6:'outer' }");
	/* One packet for each record, and two for each of two threads */
	ck_assert_uint_eq(count_text(text, "\n"), 5 + 2 * 2);
	ck_has(text, "3{1:5 6:'five' }");
	ck_has(text, "4{1:5 2:6 5:'five' }");
	free(text);
}

TEST(perfetto_counters)
{
	char *text, *wanted;
	uint64_t cpu;

	begin(&sink_perfetto);
	use_event(COUNTER);
	add(&sink_perfetto, 1001, 5, "counter_value=7|track_name=queue");
	add(&sink_perfetto, 2002, 5,
	    "counter_value=9223372036854775807|track_name=queue");
	use_event("depth u64 counter_value; u32 scope_tgid");
	add(&sink_perfetto, 3003, 5, "counter_value=1|scope_tgid=4");
	add(&sink_perfetto, 4004, 5, "counter_value=2|scope_tgid=4");
	use_event("depth u64 counter_value; u32 scope_cpu");
	add(&sink_perfetto, 5005, 5, "counter_value=3|scope_cpu=2");
	use_event("depth u64 counter_value; s64 scope_queue");
	add(&sink_perfetto, 6006, 5, "counter_value=4|scope_queue=-8");
	text = end_perfetto();
	/* The process is described once. */
	ck_assert_uint_eq(count_text(text, "3{1:4 }"), 1);
	ck_has(text, "2:'queue' 8{} ");
	ck_assert_uint_eq(count_text(text, "2:'queue' "), 1);
	ck_has(text, "8:1001 11{9:4 11:");
	ck_has(text, " 30:7 }");
	ck_has(text, " 30:9223372036854775807 }");
	/* Tracks of no process have no parent. */
	cpu = number_after(text, " 8:5005 ", "11{9:4 11:");
	wanted = tool_print("60{1:%" PRIu64 " 2:'depth cpu 2' 8{} ", cpu);
	ck_has(text, wanted);
	free(wanted);
	ck_has(text, " 2:'depth -8' 8{} ");
	free(text);
}

/* Counters of Perfetto are integers with a sign, or doubles. */
TEST(perfetto_large_counters)
{
	/* double_counter_value, 64 bits, 2^63 */
	static const char wanted[] = "\xe1\x02\0\0\0\0\0\0\xe0\x43";
	char *text, *lines;
	size_t size;

	begin(&sink_perfetto);
	use_event("large u64 counter_value");
	add(&sink_perfetto, 1001, 5, "counter_value=9223372036854775808");
	text = end(&sink_perfetto, &size);
	lines = packets(text, size);
	ck_has(lines, "8:1001 11{9:4 11:");
	ck_assert_ptr_null(strstr(lines, " 30:"));
	ck_assert_ptr_nonnull(memmem(text, size, wanted, sizeof(wanted) - 1));
	free(lines);
	free(text);
}

/* Writes a record of an EventHeader event of an activity; texts with a NUL. */
static int add_activity(uint64_t time, uint32_t pid, uint8_t opcode,
			const char *metadata, size_t metadata_size,
			const char *payload, size_t payload_size)
{
	static const char format[] = "name: P_L4K1\nID: 77\n" COMMON_FIELDS
				     "\tfield:u8 eventheader_flags;\toffset:8;"
				     "\tsize:1;\tsigned:0;\n\n";
	const uint8_t big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint8_t flags = big ? 5 : 7, level = UEV_LEVEL_INFORMATION;
	const uint16_t blocks[] = { UEV_ACTIVITY_SIZE, 0x8002,
				    (uint16_t)metadata_size, 1 };
	struct uev_output raw = UEV_OUTPUT_INIT;
	struct uev_sample sample = {
		.source = &source,
		.flags = UEV_HAS_TIME | UEV_HAS_TID,
		.time = time,
		.pid = pid,
		.tid = pid,
	};
	struct format_record from = { .sample = &sample };
	int ret;

	forget_event();
	source.name = "P_L4K1";
	schema = schema_of("user_events", format);
	from.schema = schema;
	tool_append(&raw, "\0\0\0\0\0\0\0", HEADER);
	tool_append(&raw, &flags, 1);
	tool_append(&raw, "\0\0\0\0", 5);
	tool_append(&raw, &opcode, 1);
	tool_append(&raw, &level, 1);
	tool_append(&raw, blocks, 4);
	tool_append(&raw, "0123456789abcdef", UEV_ACTIVITY_SIZE);
	tool_append(&raw, blocks + 2, 4);
	tool_append(&raw, metadata, metadata_size);
	tool_append(&raw, payload, payload_size);
	sample.raw = raw.text;
	sample.raw_size = (uint32_t)raw.size;
	ret = sink_perfetto.record(sink.data, decoder, &from);
	uev_output_release(&raw);

	return ret;
}

#define ADD_ACTIVITY(time, pid, opcode, metadata, payload)                   \
	add_activity(time, pid, opcode, metadata, sizeof(metadata), payload, \
		     sizeof(payload) - 1)

/*
 * The slices of an activity have a track of the process where the first one
 * begins, and can end in another. Perfetto accepts no second parent of a track.
 */
TEST(perfetto_activities)
{
	uint64_t track, process, other;
	char *text;

	begin(&sink_perfetto);
	ck_assert_int_eq(
		ADD_ACTIVITY(1001, 5, UEV_OPCODE_ACTIVITY_STOP, "E", ""), 0);
	ck_assert_int_eq(
		ADD_ACTIVITY(2002, 5, UEV_OPCODE_ACTIVITY_START, "E", ""), 0);
	ck_assert_int_eq(
		ADD_ACTIVITY(3003, 6, UEV_OPCODE_ACTIVITY_START, "E", ""), 0);
	ck_assert_int_eq(
		ADD_ACTIVITY(4004, 5, UEV_OPCODE_ACTIVITY_STOP, "E", ""), 0);
	ck_assert_int_eq(
		ADD_ACTIVITY(5005, 6, UEV_OPCODE_ACTIVITY_STOP, "E", ""), 0);
	ck_assert_int_eq(
		ADD_ACTIVITY(6006, 6, UEV_OPCODE_ACTIVITY_START, "E", ""), 0);
	text = end_perfetto();
	process = number_after(text, "60{1:", "60{1:");
	track = number_after(text, " 8:2002 ", "11{9:1 11:");
	/* Nothing is there to end; it is an instant of the thread. */
	ck_assert_uint_ne(number_after(text, " 8:1001 ", "11{9:3 11:"), track);
	ck_assert_uint_eq(number_after(text, " 8:1001 ", "60{1:"), track);
	ck_assert_uint_eq(number_after(text, " 8:1001 ", " 5:"), process);
	ck_assert_uint_eq(number_after(text, " 8:3003 ", "11{9:1 11:"), track);
	ck_assert_uint_eq(number_after(text, " 8:4004 ", "11{9:2 11:"), track);
	ck_assert_uint_eq(number_after(text, " 8:5005 ", "11{9:2 11:"), track);
	/* The last one is of another process. */
	other = number_after(text, " 8:6006 ", "11{9:1 11:");
	ck_assert_uint_ne(other, track);
	ck_assert_uint_eq(number_after(text, " 8:5005 ", "60{1:"), other);
	ck_assert_uint_ne(number_after(text, " 8:5005 ", " 5:"), process);
	ck_has(text,
	       "{10:'activity' 6:'30313233-3435-3637-3839-616263646566' ");
	free(text);
}

/* A value that Perfetto cannot show is a text, and a missing one has a name. */
TEST(perfetto_values)
{
	char *text;

	begin(&sink_perfetto);
	use_event("wide u64 one; u64 other");
	add(&sink_perfetto, 1001, 5,
	    "one=9223372036854775807|other=9223372036854775808");
	/* A struct with a value without bytes, and one that is truncated */
	/* A struct with a value without bytes, and one that is truncated */
	ck_assert_int_eq(ADD_ACTIVITY(2002, 5, 0, "E\0s\0\201\2n\0\215\21t\0\7",
				      "\0\0x"),
			 -EBADMSG);
	text = end_perfetto();
	ck_has(text, "4{10:'one' 3:9223372036854775807 } "
		     "4{10:'other' 6:'9223372036854775808' } ");
	ck_has(text, "4{10:'s' 11{10:'n' } } 4{10:'meta' ");
	free(text);
}

/* A thread is described again when it has another name. */
TEST(perfetto_names)
{
	char *text;

	begin(&sink_perfetto);
	use_event(SLICE);
	add(&sink_perfetto, 1, 5, "track_event_type=73|slice_name=a");
	comm = "\xff";
	add(&sink_perfetto, 2, 5, "track_event_type=73|slice_name=b");
	comm = NULL;
	add(&sink_perfetto, 3, 5, "track_event_type=73|slice_name=c");
	text = end_perfetto();
	ck_assert_uint_eq(count_text(text, "4{1:5 2:5 "), 2);
	ck_has(text, "4{1:5 2:5 5:'\xc3\xbf' }");
	free(text);
}

/* Nothing is kept inside a slice that has no room; its end is no other's. */
TEST(perfetto_full)
{
	const uint64_t room = 65536;
	uint64_t i;
	char *text;

	begin(&sink_perfetto);
	use_event(SLICE);
	for (i = 0; i < room + 2; i++)
		add(&sink_perfetto, i, 5, "track_event_type=66|slice_name=a");
	add(&sink_perfetto, 1000001, 5, "track_event_type=69");
	add(&sink_perfetto, 1000002, 5, "track_event_type=69");
	add(&sink_perfetto, 1000003, 5, "track_event_type=69");
	add(&sink_perfetto, 1000004, 5, "track_event_type=66|slice_name=b");
	text = end_perfetto();
	ck_assert_uint_eq(count_text(text, " 11{9:1 "), room + 1);
	ck_has(text, " 8:65536 11{9:3 ");
	ck_has(text, " 8:1000001 11{9:3 ");
	ck_has(text, " 8:1000002 11{9:3 ");
	ck_has(text, " 8:1000003 11{9:2 ");
	ck_has(text, " 8:1000004 11{9:1 ");
	free(text);
}

TEST(perfetto_losses)
{
	const struct format_loss loss = {
		.loss = {
			.source = &source,
			.count = 3,
			.reason = "perf_buffer",
			.flags = UEV_HAS_TIME | UEV_HAS_CPU,
			.from = 10,
			.to = 20,
			.cpu = 1,
		},
	};
	char *text;

	begin(&sink_perfetto);
	use_event(SLICE);
	sink_perfetto.loss(sink.data, &loss);
	sink_perfetto.loss(sink.data, &loss);
	text = end_perfetto();
	ck_assert_uint_eq(count_text(text, "2:'lost records' "), 1);
	ck_assert_uint_eq(count_text(text, "8:20 11{9:3 "), 2);
	ck_has(text, "4{10:'lost' 3:3 } "
		     "4{10:'event' 6:'user_events:track_slice' } "
		     "4{10:'reason' 6:'perf_buffer' } 4{10:'since' 3:10 } "
		     "4{10:'cpu' 3:1 } ");
	free(text);
}

/* ---- Times between beginnings and ends ---- */

static char names[100];

static void begin_span(void *data, struct uev_output *kept,
		       struct uev_decoder *of,
		       const struct format_record *record)
{
	query_spans_name(data, kept, of, record->sample);
}

static void end_span(void *data, struct query_text kept, uint64_t duration,
		     const struct format_record *record)
{
	size_t size = strlen(names);

	(void)data;
	(void)record;
	snprintf(names + size, sizeof(names) - size, "%.*s=%" PRIu64 " ",
		 (int)kept.size, kept.text, duration);
}

static int take_span(void *data, struct uev_decoder *of,
		     const struct format_record *record)
{
	query_spans_take(data, of, record);

	return 0;
}

TEST(spans)
{
	struct query_spans pairs = {
		.begin = begin_span,
		.end = end_span,
	};

	*names = '\0';
	pairs.data = &pairs;
	use_event(SLICE);
	take(take_span, &pairs, 10, 5, "track_event_type=66|slice_name=outer");
	take(take_span, &pairs, 20, 5, "track_event_type=66|slice_name=inner");
	take(take_span, &pairs, 25, 6, "track_event_type=69");
	take(take_span, &pairs, 30, 5, "track_event_type=69");
	take(take_span, &pairs, 50, 5, "track_event_type=69");
	/* No time passes without times. */
	lacks = UEV_HAS_TIME;
	take(take_span, &pairs, 0, 5, "track_event_type=66|slice_name=none");
	take(take_span, &pairs, 0, 5, "track_event_type=69");
	ck_assert_uint_eq(pairs.skipped, 2);
	ck_assert_str_eq(names, "inner=10 outer=40 ");
	query_spans_release(&pairs);
}

static int take_metrics(void *data, struct uev_decoder *of,
			const struct format_record *record)
{
	export_metrics_take(data, of, record);

	return 0;
}

/* Slices have their own name, for Prometheus and as spans of OpenTelemetry. */
TEST(export_names_spans_by_slices)
{
	struct export_metrics metrics = { 0 };
	struct uev_output text = UEV_OUTPUT_INIT;

	export_metrics_begin(&metrics);
	use_event(SLICE);
	take(take_metrics, &metrics, 10, 5,
	     "track_event_type=66|slice_name=work");
	take(take_metrics, &metrics, 30, 5, "track_event_type=69");
	export_metrics_append(&metrics, 0, &text);
	ck_assert_ptr_nonnull(
		strstr(text.text,
		       "user_events_latency_seconds_count{start=\"work\"} 1"));
	uev_output_release(&text);
	export_metrics_release(&metrics);
}
