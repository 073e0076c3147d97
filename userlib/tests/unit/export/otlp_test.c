// SPDX-License-Identifier: MIT
/* Batches of OTLP, as a collector receives them, and its answers. */
#include <arpa/inet.h>
#include <errno.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/signals.h"
#include "export/otlp.h"
#include "export/otlp_answer.h"
#include "export/otlp_send.h"
#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/fake_sys_perf.h"
#include "lib/json_help.h"
#include "lib/otel_records.h"
#include "lib/runner.h"
#include "tool.h"

/* A header of answers */
#define EARLY "Early: 1\r\n"

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

static const char format[] =
	"name: test\nID: 77\n" COMMON_FIELDS
	"\tfield:u64 big;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u16 list[2];\toffset:16;\tsize:4;\tsigned:0;\n"
	"\tfield:char a_text[60];\toffset:20;\tsize:60;\tsigned:0;\n\n"
	"print fmt: \"%u\", REC->big\n";

/* The common fields */
#define COMMON_SIZE 8

static const char metrics_format[] =
	"name: otlp_metrics\nID: 78\n" COMMON_FIELDS
	"\tfield:u32 protocol;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:char[8] version;\toffset:12;\tsize:8;\tsigned:0;\n"
	"\tfield:__rel_loc u8[] buffer;\toffset:20;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"\"\n";

static char *bodies;
static char *errors;
static char *url;
static pid_t collector;
static struct export_otlp otlp;
static struct uev_decoder *decoder;
static struct uev_schema *schema;

/* ---- A collector ---- */

/* Reads a request, and appends its path and body. Return: false at the end */
static bool read_request(int fd, FILE *to)
{
	static char bytes[16 << 20];
	size_t size = 0, wanted = sizeof(bytes) - 1;
	char *body = NULL;
	ssize_t got;

	while (!body || size < wanted) {
		got = recv(fd, bytes + size, sizeof(bytes) - 1 - size, 0);
		if (got <= 0)
			return false;
		size += (size_t)got;
		bytes[size] = '\0';
		if (body)
			continue;
		body = strstr(bytes, "\r\n\r\n");
		if (body)
			wanted = (size_t)(body + 4 - bytes) +
				 strtoul(strstr(bytes, "Length: ") + 8, NULL,
					 10);
	}
	fprintf(to, "%.*s %s\n", (int)strcspn(bytes + 5, " "), bytes + 5,
		body + 4);
	fflush(to);

	return true;
}

/*
 * @answers: to each request, the last also to all others; "" closes the
 *           connection instead, and one with "close" afterwards; one with
 *           "EARLY" before the request is read
 */
static void serve(int server, const char *const *answers)
{
	FILE *to = fopen(bodies, "w");
	bool is_early, is_last;
	int fd;

	for (;;) {
		fd = accept(server, NULL, NULL);
		fprintf(to, "connected\n");
		is_early = strstr(*answers, EARLY) != NULL;
		is_last = false;
		while (!is_last && (is_early || read_request(fd, to)) &&
		       **answers) {
			send(fd, *answers, strlen(*answers), MSG_NOSIGNAL);
			is_last = is_early || strstr(*answers, "close");
			answers += answers[1] != NULL;
		}
		answers += !**answers;
		close(fd);
	}
}

static void start(const char *const *answers)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(server, (struct sockaddr *)&address, size), 0);
	ck_assert_int_eq(listen(server, 5), 0);
	getsockname(server, (struct sockaddr *)&address, &size);
	url = tool_print("http://127.0.0.1:%u/base/", ntohs(address.sin_port));
	if (answers) {
		collector = fork();
		if (!collector)
			serve(server, answers);
	}
	close(server);
	ck_assert(!export_otlp_init(&otlp, url));
}

static void set_up(void)
{
	fake_perf_begin();
	errors = tool_print("%s/errors", fake_perf.root);
	ck_assert_ptr_nonnull(freopen(errors, "w", stderr));
	bodies = tool_print("%s/bodies", fake_perf.root);
	decoder = new_decoder();
	schema = schema_of("user_events", format);
}

static void tear_down(void)
{
	if (collector) {
		kill(collector, SIGKILL);
		waitpid(collector, NULL, 0);
	}
	export_otlp_release(&otlp);
	uev_decoder_free(decoder);
	uev_schema_free(schema);
	unlink(bodies);
	free(bodies);
	unlink(errors);
	free(errors);
	free(url);
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* Counts the lines of messages with a text. */
static unsigned int printed(const char *wanted)
{
	FILE *from = fopen(errors, "r");
	unsigned int count = 0;
	char *text = NULL;
	size_t size = 0;

	fflush(stderr);
	while (getline(&text, &size, from) > 0)
		count += strstr(text, wanted) != NULL;
	fclose(from);
	free(text);

	return count;
}

/* Returns a line of what the collector has received; 0 is the first. */
static char *received(unsigned int line)
{
	FILE *from = fopen(bodies, "r");
	char *text = NULL;
	size_t size = 0;

	do
		ck_assert_int_gt(getline(&text, &size, from), 0);
	while (line--);
	fclose(from);
	text[strcspn(text, "\n")] = '\0';

	return text;
}

/* ---- Records ---- */

static const struct uev_source source = { .system = "user_events",
					  .name = "test" };
static const struct uev_clock wall = { .wall = 1700000000000000000,
				       .clock = 1000 };

static struct {
	uint32_t common[2];
	uint64_t big;
	uint16_t list[2];
	char text[60];
} raw = { { 77, 7 }, UINT64_MAX, { 1, 2 }, "a\"\n\xff" };

static const struct uev_sample sample = {
	.source = &source,
	.raw = &raw,
	.raw_size = sizeof(raw),
	.flags = UEV_HAS_TIME | UEV_HAS_TID,
	.time = 3000,
	.pid = 7,
	.tid = 8,
};

static struct format_record record_of(void)
{
	return (struct format_record){ .sample = &sample,
				       .schema = schema,
				       .comm = "svc",
				       .clock = &wall };
}

static void send_record(void)
{
	const struct format_record record = record_of();

	export_otlp_take(&otlp, decoder, &record);
	export_otlp_flush(&otlp);
}

/* Returns a member by its path of names and indices. */
static const char *member(struct json_object *object, const char *path)
{
	object = json_path_find(object, path);

	return object ? json_object_get_string(object) : "(missing)";
}

#define LOG "resourceLogs.0.scopeLogs.0.logRecords.0."
#define SECOND_LOG "resourceLogs.0.scopeLogs.0.logRecords.1."
#define SPAN "resourceSpans.0.scopeSpans.0.spans.0."
#define SECOND_SPAN "resourceSpans.0.scopeSpans.0.spans.1."
#define ATTRIBUTE(index) LOG "attributes." index ".value."

TEST(sends_records)
{
	static const char *const answers[] = { OK, NULL };
	static const struct {
		const char *path, *value;
	} members[] = {
		{ "resourceLogs.0.resource.attributes.0.key", "service.name" },
		{ LOG "timeUnixNano", "1700000000000002000" },
		{ LOG "body.stringValue",
		  "user_events:test big=18446744073709551615 list=[1 2] "
		  "a_text=\"a\\\"\\n\u00ff\"" },
		{ LOG "attributes.0.key", "process.pid" },
		{ ATTRIBUTE("0") "intValue", "7" },
		{ ATTRIBUTE("2") "stringValue", "svc" },
		{ LOG "attributes.3.key", "big" },
		{ ATTRIBUTE("3") "stringValue", "18446744073709551615" },
		{ ATTRIBUTE("4") "stringValue", "[1,2]" },
		{ ATTRIBUTE("5") "stringValue", "a\"\n\u00ff" },
		{ ATTRIBUTE("6") "stringValue", "user_events:test" },
	};
	struct json_object *body;
	char *line;
	size_t i;

	start(answers);
	send_record();
	ck_assert_uint_eq(otlp.logs.sent, 1);
	line = received(1);
	ck_assert(strncmp(line, "/base/v1/logs {", 15) == 0);
	body = json_tokener_parse(line + 14);
	for (i = 0; i < ARRAY_SIZE(members); i++)
		ck_assert_str_eq(member(body, members[i].path),
				 members[i].value);
	json_object_put(body);
	free(line);
}

/* OTLP requires unique keys. */
TEST(numbers_attributes_of_one_name)
{
	static const char *const answers[] = { OK, NULL };
	static const char repeated_format[] =
		"name: test\nID: 79\n" COMMON_FIELDS
		"\tfield:u32 a;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:u16 a[2];\toffset:12;\tsize:4;\tsigned:0;\n"
		"\tfield:u32 thread.name;\toffset:16;\tsize:4;\tsigned:0;\n"
		"\tfield:u32 a;\toffset:20;\tsize:4;\tsigned:0;\n"
		"\tfield:u32 \xff;\toffset:24;\tsize:4;\tsigned:0;\n"
		"\tfield:u32 \u00ff;\toffset:28;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"\"\n";
	static const char *const keys[] = { "a",   "a#2",    "thread.name#2",
					    "a#3", "\u00ff", "\u00ff#2" };
	struct uev_schema *repeated = schema_of("user_events", repeated_format);
	struct format_record record = record_of();
	struct json_object *body;
	char *line, path[64];
	size_t i;

	record.schema = repeated;
	start(answers);
	export_otlp_take(&otlp, decoder, &record);
	/* The names of a record are not those of the next one. */
	export_otlp_take(&otlp, decoder, &record);
	export_otlp_flush(&otlp);
	line = received(1);
	body = json_tokener_parse(line + 14);
	for (i = 0; i < 2 * ARRAY_SIZE(keys); i++) {
		snprintf(path, sizeof(path), "%sattributes.%zu.key",
			 i % 2 ? SECOND_LOG : LOG, 3 + i / 2);
		ck_assert_str_eq(member(body, path), keys[i / 2]);
	}
	json_object_put(body);
	free(line);
	uev_schema_free(repeated);
}

/* The command ends with another status, and the collector has what is known. */
TEST(returns_the_error_of_malformed_records)
{
	static const char *const answers[] = { OK, NULL };
	struct uev_sample malformed = sample;
	struct format_record record = record_of();

	start(answers);
	ck_assert_int_eq(export_otlp_take(&otlp, decoder, &record), 0);
	malformed.raw_size -= 8;
	record.sample = &malformed;
	ck_assert_int_lt(export_otlp_take(&otlp, decoder, &record), 0);
	ck_assert_ptr_nonnull(uev_decoder_error(decoder, NULL));
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.logs.sent, 2);
}

TEST(sends_the_pid_in_a_container)
{
	static const char *const answers[] = { OK, NULL };
	struct uev_sample contained = sample;
	struct format_record record = record_of();
	char *line;

	contained.flags |= UEV_HAS_VPID;
	contained.vpid = 3;
	record.sample = &contained;
	start(answers);
	export_otlp_take(&otlp, decoder, &record);
	export_otlp_flush(&otlp);
	line = received(1);
	ck_assert_ptr_nonnull(strstr(line,
				     "{\"key\":\"process.vpid\",\"value\":"
				     "{\"intValue\":\"3\"}}"));
	free(line);
}

/* A stack of one address without a known file, and of too many */
TEST(sends_stacks)
{
	static const char *const answers[] = { OK, NULL };
	static uint64_t stack[2048] = { 0x401234 };
	struct uev_sample with_stack = sample;
	struct format_record record = record_of();
	struct json_object *body;
	char *line;

	memset(stack + 1, 0x11, sizeof(stack) - sizeof(*stack));
	with_stack.stack = stack;
	with_stack.stack_size = 1;
	record.sample = &with_stack;
	start(answers);
	export_otlp_take(&otlp, decoder, &record);
	with_stack.stack_size = ARRAY_SIZE(stack);
	export_otlp_take(&otlp, decoder, &record);
	export_otlp_flush(&otlp);
	line = received(1);
	body = json_tokener_parse(line + 14);
	ck_assert_str_eq(member(body, LOG "attributes.7.key"),
			 "code.stacktrace");
	ck_assert_str_eq(member(body, ATTRIBUTE("7") "stringValue"),
			 "\t          401234 [unknown] ([unknown])");
	ck_assert_str_eq(member(body, SECOND_LOG "attributes.7"), "(missing)");
	ck_assert_str_eq(member(body, SECOND_LOG "droppedAttributesCount"),
			 "1");
	json_object_put(body);
	free(line);
}

/* Sends two spans that a record starts and ends. Return: the message */
static struct json_object *send_spans(const struct format_record *record)
{
	static const char *const answers[] = { OK, NULL };
	struct uev_output kept = UEV_OUTPUT_INIT;
	struct json_object *body;
	char *line;
	int i;

	start(answers);
	for (i = 0; i < 2; i++) {
		kept.size = 0;
		export_otlp_begin(&otlp, &kept, decoder, record);
		export_otlp_end(&otlp, (struct query_text){ "a:b", 3 },
				(struct query_text){ kept.text, kept.size },
				500, record);
	}
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.spans.sent, 2);
	line = received(1);
	ck_assert(strncmp(line, "/base/v1/traces {", 17) == 0);
	body = json_tokener_parse(line + 16);
	free(line);
	uev_output_release(&kept);

	return body;
}

TEST(sends_spans)
{
	const struct format_record record = record_of();
	struct json_object *body = send_spans(&record);

	ck_assert_str_eq(member(body, SPAN "name"), "a:b");
	ck_assert_str_eq(member(body, SPAN "startTimeUnixNano"),
			 "1700000000000002000");
	ck_assert_str_eq(member(body, SPAN "endTimeUnixNano"),
			 "1700000000000002500");
	ck_assert_str_eq(member(body, SPAN "attributes.4.value.stringValue"),
			 "[1,2]");
	ck_assert_uint_eq(strlen(member(body, SPAN "traceId")), 32);
	ck_assert_uint_eq(strlen(member(body, SPAN "spanId")), 16);
	json_object_put(body);
}

#define ACTIVITY "\0\1\2\3\4\5\6\7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff"
#define TRACE_ID "0001020304050607f8f9fafbfcfdfeff"
#define RELATED \
	"\x20\x21\x22\x23\x24\x25\x26\x27\x20\x21\x22\x23\x24\x25\x26\x27"
#define NO_ACTIVITY "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

/* Activities of records, and what the related one is in OTLP */
static const struct {
	const char *activity;
	const char *related;
	const char *trace_id;
	const char *span_id;
	const char *link_trace_id;
	const char *link_span_id;
} activities[] = {
	{ ACTIVITY, RELATED, TRACE_ID, "f8f8f8f8f8f8f8f8",
	  "20212223242526272021222324252627", "0100000000000000" },
	{ ACTIVITY, NO_ACTIVITY, TRACE_ID, "f8f8f8f8f8f8f8f8", "(missing)",
	  "(missing)" },
	{ NO_ACTIVITY, RELATED, NULL, NULL, "20212223242526272021222324252627",
	  "0100000000000000" },
};

/*
 * An activity is a trace, whose first span has the ID that logs and links name. A
 * related activity is a link of the span.
 */
TEST_LOOP(sends_activities, ARRAY_SIZE(activities))
{
	static const char start[] =
		"\xdc\5\0\0\7\0\0\0\7\0\0\0\0\0\1\5\x20\0\2\x80";
	static const char metadata[] = "\2\0\1\0E";
	struct uev_output bytes = UEV_OUTPUT_INIT;
	struct uev_sample event = sample;
	struct format_record record = record_of();
	struct json_object *body;
	char *line;

	uev_schema_free(schema);
	schema = schema_of("user_events", FORMAT_EVENTHEADER);
	tool_append(&bytes, start, sizeof(start) - 1);
	tool_append(&bytes, activities[_i].activity, UEV_ACTIVITY_SIZE);
	tool_append(&bytes, activities[_i].related, UEV_ACTIVITY_SIZE);
	tool_append(&bytes, metadata, sizeof(metadata));
	event.raw = bytes.text;
	event.raw_size = (uint32_t)bytes.size;
	record.sample = &event;
	record.schema = schema;
	body = send_spans(&record);
	ck_assert_str_eq(member(body, SPAN "links.0.traceId"),
			 activities[_i].link_trace_id);
	ck_assert_str_eq(member(body, SPAN "links.0.spanId"),
			 activities[_i].link_span_id);
	if (activities[_i].trace_id) {
		ck_assert_str_eq(member(body, SPAN "traceId"),
				 activities[_i].trace_id);
		ck_assert_str_eq(member(body, SPAN "spanId"),
				 activities[_i].span_id);
		ck_assert_str_eq(member(body, SECOND_SPAN "traceId"),
				 activities[_i].trace_id);
		ck_assert_str_ne(member(body, SECOND_SPAN "spanId"),
				 activities[_i].span_id);
	} else {
		ck_assert_str_ne(member(body, SPAN "traceId"),
				 "00000000000000000000000000000000");
	}
	json_object_put(body);
	/* The log of the same record */
	export_otlp_take(&otlp, decoder, &record);
	export_otlp_flush(&otlp);
	line = received(2);
	body = json_tokener_parse(strchr(line, '{'));
	ck_assert_str_eq(member(body, LOG "traceId"),
			 activities[_i].trace_id ? activities[_i].trace_id
						 : "(missing)");
	ck_assert_str_eq(member(body, LOG "spanId"),
			 activities[_i].span_id ? activities[_i].span_id
						: "(missing)");
	json_object_put(body);
	free(line);
	uev_output_release(&bytes);
}

/* A field of which the collector gets no part is counted, as in a log. */
TEST(counts_fields_that_spans_lose)
{
	static const char large_format[] =
		"name: test\nID: 79\n" COMMON_FIELDS
		"\tfield:u16 list[4000];\toffset:8;\tsize:8000;\tsigned:0;\n\n"
		"print fmt: \"\"\n";
	static uint8_t raw[8008];
	struct format_record record = record_of();
	struct uev_sample large = sample;
	struct uev_schema *large_schema;
	struct json_object *body;

	ck_assert_int_eq(uev_schema_parse(&large_schema, "user_events",
					  large_format, strlen(large_format), 0,
					  NULL),
			 0);
	memset(raw, 0xff, sizeof(raw));
	large.raw = raw;
	large.raw_size = sizeof(raw);
	record.sample = &large;
	record.schema = large_schema;
	body = send_spans(&record);
	ck_assert_str_eq(member(body, SPAN "droppedAttributesCount"), "1");
	json_object_put(body);
	uev_schema_free(large_schema);
}

static const struct uev_source lossy = { .system = "user_events",
					 .name = "test" };
static const struct uev_clock loss_clock = { .wall = 1700000000000000000 };
static const struct format_loss a_loss = {
	.loss.source = &lossy,
	.loss.count = 5,
	.loss.from = 3,
	.loss.to = 4,
	.loss.flags = UEV_HAS_TIME | UEV_HAS_CPU,
	.loss.cpu = 2,
	.loss.reason = "perf_too_large",
	.clock = &loss_clock,
};

TEST(sends_losses)
{
	static const struct format_loss unknown = { .loss.count = 1,
						    .loss.reason = "missing" };
	static const char *const answers[] = { OK, NULL };
	struct json_object *body;
	char *line;

	start(answers);
	export_otlp_loss(&otlp, &a_loss);
	export_otlp_loss(&otlp, &unknown);
	export_otlp_flush(&otlp);
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.logs.sent, 2);
	line = received(1);
	body = json_tokener_parse(line + 14);
	ck_assert_str_eq(member(body, LOG "body.stringValue"),
			 "5 records of user_events:test lost: too large for "
			 "perf and BPF (perf_too_large)");
	ck_assert_str_eq(member(body, LOG "timeUnixNano"),
			 "1700000000000000004");
	ck_assert_str_eq(member(body, ATTRIBUTE("0") "intValue"), "5");
	ck_assert_str_eq(member(body, ATTRIBUTE("1") "stringValue"),
			 "perf_too_large");
	ck_assert_str_eq(member(body, ATTRIBUTE("2") "stringValue"),
			 "user_events:test");
	ck_assert_str_eq(member(body, ATTRIBUTE("3") "intValue"), "2");
	ck_assert_str_eq(member(body, ATTRIBUTE("4") "intValue"),
			 "1700000000000000003");
	json_object_put(body);
	free(line);
}

TEST(sends_metrics)
{
	static const char *const answers[] = { OK, NULL };
	struct uev_output items = UEV_OUTPUT_INIT;
	struct json_object *body;
	char *line;

	start(answers);
	tool_put(&items, "{\"name\":\"a\"},{\"name\":\"b\"}");
	export_otlp_send_metrics(&otlp, &items);
	line = received(1);
	ck_assert(strncmp(line, "/base/v1/metrics {", 18) == 0);
	body = json_tokener_parse(line + 17);
	ck_assert_str_eq(
		member(body, "resourceMetrics.0.scopeMetrics.0.metrics.1.name"),
		"b");
	json_object_put(body);
	free(line);
	uev_output_release(&items);
}

/* A collector of logs only is asked once. */
TEST(collector_without_metrics)
{
	static const char *const answers[] = {
		"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", OK, NULL
	};
	const struct uev_output items = { .text = "{}", .size = 2 };
	char *line;

	start(answers);
	export_otlp_send_metrics(&otlp, &items);
	export_otlp_send_metrics(&otlp, &items);
	ck_assert_uint_eq(printed("metrics are not sent"), 1);
	export_otlp_loss(&otlp, &a_loss);
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.logs.sent, 1);
	line = received(2);
	ck_assert(strncmp(line, "/base/v1/logs {", 15) == 0);
	free(line);
}

/* ---- Answers ---- */

TEST(sends_full_batches)
{
	static const char *const answers[] = { OK, NULL };
	const struct format_record record = record_of();
	unsigned int i;
	char *line;

	start(answers);
	for (i = 0; i < 2 * EXPORT_BATCH_MAX + 1; i++)
		export_otlp_take(&otlp, decoder, &record);
	ck_assert_uint_eq(otlp.logs.sent, (uint64_t)2 * EXPORT_BATCH_MAX);
	/* By one connection */
	for (i = 1; i < 3; i++) {
		line = received(i);
		ck_assert_int_eq(*line, '/');
		free(line);
	}
}

/* Busy; then the connection ends without an answer. */
TEST(repeats_requests)
{
	static const char *const answers[] = {
		"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "", OK, NULL
	};
	char *first, *again;

	start(answers);
	send_record();
	ck_assert_uint_eq(otlp.logs.sent, 1);
	ck_assert_uint_eq(otlp.logs.rejected + otlp.logs.dropped, 0);
	first = received(1);
	again = received(4);
	ck_assert_str_eq(first, again);
	free(first);
	free(again);
}

/* Accepted in part: a length, a chunk, and the end of the connection */
TEST(counts_rejected_records)
{
	static const char *const answers[] = {
		"HTTP/1.1 400 Bad\r\nContent-Length: 3\r\n\r\nbad",
		"HTTP/1.1 200 OK\r\nContent-Length: 45\r\n\r\n"
		"{\"partialSuccess\":{\"rejectedLogRecords\":\"1\"}}",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
		"2d\r\n{\"partialSuccess\":{\"rejectedLogRecords\": 99}}"
		"\r\n0\r\n\r\n",
		OK, NULL
	};

	start(answers);
	send_record();
	ck_assert_uint_eq(otlp.logs.rejected, 1);
	send_record();
	ck_assert_uint_eq(otlp.logs.rejected, 2);
	send_record();
	ck_assert_uint_eq(otlp.logs.rejected, 3);
	send_record();
	ck_assert_uint_eq(otlp.logs.sent, 1);
}

/* The last of several addresses is used. */
TEST(prints_what_was_sent)
{
	static const char *const answers[] = { OK, NULL };
	struct export_metrics metrics = { 0 };
	struct pipe pipe = { 0 };

	start(answers);
	ck_assert_int_eq(export_otlp_init(&otlp, "http://127.0.0.1:1"), 0);
	ck_assert_int_eq(export_otlp_init(&otlp, url), 0);
	ck_assert_int_eq(export_otlp_add(&otlp, &metrics, &pipe), TOOL_OK);
	send_record();
	otlp.invalid = 2;
	ck_assert_int_eq(otlp.sink.ops->finish(&otlp), TOOL_OK);
	ck_assert_uint_eq(printed("/base/: 2 records of OpenTelemetry are not "
				  "valid, and were sent like others\n"),
			  1);
	ck_assert_uint_eq(printed("/base/: 1 records, 0 spans, 0 data points, "
				  "0 rejected, 0 not sent\n"),
			  1);
}

#define BAD "HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n"

static void put_metrics(unsigned int count)
{
	static struct otel_record records[OTEL_RECORDS];
	struct uev_schema *metrics = schema_of("user_events", metrics_format);
	struct format_record record = record_of();
	struct uev_sample with_metrics = sample;
	static char payload[COMMON_SIZE + OTEL_RECORD_MAX];

	otel_records_make(records);
	memcpy(payload + COMMON_SIZE, records[OTEL_METRICS].bytes,
	       OTEL_RECORD_MAX);
	with_metrics.raw = payload;
	with_metrics.raw_size = COMMON_SIZE + records[OTEL_METRICS].size;
	record.sample = &with_metrics;
	record.schema = metrics;
	while (count--)
		export_otlp_take(&otlp, decoder, &record);
	uev_schema_free(metrics);
}

static void take_metrics(unsigned int count)
{
	put_metrics(count);
	export_otlp_flush(&otlp);
}

static unsigned int count_requests(void)
{
	unsigned int requests = 0;
	FILE *from = fopen(bodies, "r");
	char *text = NULL;
	size_t size = 0;

	ck_assert_ptr_nonnull(from);
	while (getline(&text, &size, from) > 0)
		requests += strncmp(text, "/base/", 6) == 0;
	fclose(from);
	free(text);

	return requests;
}

/* Each message has three data points. */
TEST(counts_rejected_data_points)
{
	static const char *const answers[] = {
		"HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n"
		"{\"partialSuccess\":{\"rejectedDataPoints\":2}}",
		OK, NULL
	};

	start(answers);
	take_metrics(1);
	ck_assert_uint_eq(otlp.metrics.rejected, 2);
	take_metrics(2);
	ck_assert_uint_eq(otlp.metrics.rejected, 2);
	ck_assert_uint_eq(otlp.metrics.sent, 1 + 6);
}

/* The message of one program does not affect those of others. */
TEST(sends_rejected_metrics_one_by_one)
{
	static const char *const answers[] = { BAD, OK, BAD, OK, NULL };
	char *line;

	start(answers);
	take_metrics(3);
	ck_assert_uint_eq(otlp.metrics.rejected, 3);
	ck_assert_uint_eq(otlp.metrics.sent, 6);
	ck_assert_uint_eq(otlp.logs.count, 0);
	line = received(1);
	/* The first byte of the message is a newline. */
	ck_assert_str_eq(line, "/base/v1/metrics ");
	free(line);
}

/* Parts of a message without data points are not sent again. */
TEST(sends_no_parts_without_data_points)
{
	static const char *const answers[] = { BAD, OK, NULL };

	start(answers);
	put_metrics(1);
	tool_append(&otlp.metrics.items, "\x0a\0\x0a\0", 4);
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.metrics.sent, 3);
	ck_assert_uint_eq(count_requests(), 2);
}

TEST(bounds_the_requests_of_rejected_metrics)
{
	static const char *const answers[] = { BAD, NULL };

	start(answers);
	take_metrics(70);
	ck_assert_uint_eq(otlp.metrics.rejected, 210);
	ck_assert_uint_eq(otlp.metrics.sent + otlp.metrics.dropped, 0);
	ck_assert_uint_le(count_requests(), 64);
}

#define LARGE "HTTP/1.1 413 Large\r\nContent-Length: 0\r\n\r\n"

/* A log of an exporter of OpenTelemetry, which has another resource */
static void take_log(void)
{
	static struct otel_record records[OTEL_RECORDS];
	static char payload[COMMON_SIZE + OTEL_RECORD_MAX];
	struct uev_schema *log = schema_of(
		"user_events",
		"name: rust_L2K1\nID: 79\n" COMMON_FIELDS EVENTHEADER_FIELDS);
	struct uev_source of_log = { .system = "user_events",
				     .name = "rust_L2K1" };
	struct format_record record = record_of();
	struct uev_sample with_log = sample;

	otel_records_make(records);
	memcpy(payload + COMMON_SIZE, records[OTEL_RUST_LOG].bytes,
	       OTEL_RECORD_MAX);
	of_log.name = tool_print(
		"%.*s", (int)strcspn(records[OTEL_RUST_LOG].command, " "),
		records[OTEL_RUST_LOG].command);
	with_log.source = &of_log;
	with_log.raw = payload;
	with_log.raw_size = COMMON_SIZE + records[OTEL_RUST_LOG].size;
	record.sample = &with_log;
	record.schema = log;
	export_otlp_take(&otlp, decoder, &record);
	ck_assert_uint_eq(otlp.invalid, 0);
	free((char *)of_log.name);
	uev_schema_free(log);
}

/* Returns the number of records of a message, by resource. */
static void count_records(unsigned int line, size_t counts[2])
{
	static const char list[] = "scopeLogs.0.logRecords";
	struct json_object *body, *resources, *one;
	char *text = received(line);
	size_t i;

	body = json_tokener_parse(strchr(text, '{'));
	ck_assert_ptr_nonnull(body);
	resources = json_object_object_get(body, "resourceLogs");
	for (i = 0; i < 2; i++) {
		one = json_object_array_get_idx(resources, i);
		counts[i] = one ? json_object_array_length(
					  json_path_find(one, list))
				: 0;
	}
	json_object_put(body);
	free(text);
}

/* One faulty record affects no other one of its batch. */
TEST_LOOP(sends_halves_of_a_refused_batch, 2)
{
	const char *refusal = _i ? LARGE : BAD;
	const char *const answers[] = { refusal, OK, refusal, refusal,
					OK,	 OK, NULL };
	static const size_t wanted[][2] = {
		{ 3, 2 }, { 2, 0 }, { 1, 2 }, { 1, 0 }, { 2, 0 },
	};
	struct format_record record = record_of();
	size_t counts[2], i;

	/* Not the end of a record */
	record.comm = "a" EXPORT_SEPARATOR "{";
	start(answers);
	take_log();
	for (i = 0; i < 3; i++)
		export_otlp_take(&otlp, decoder, &record);
	take_log();
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.logs.sent, 4);
	ck_assert_uint_eq(otlp.logs.rejected, 1);
	ck_assert_uint_eq(otlp.logs.dropped, 0);
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		count_records(1 + (unsigned int)i, counts);
		ck_assert_uint_eq(counts[0], wanted[i][0]);
		ck_assert_uint_eq(counts[1], wanted[i][1]);
	}
	ck_assert_uint_eq(printed("HTTP status"), 1);
	/* The next batch is another one. */
	send_record();
	ck_assert_uint_eq(otlp.logs.sent, 5);
}

/*
 * The end of the connection is not an error if there is an answer, with a length
 * or without one. It is if the collector accepts what it has not read.
 */
static const struct {
	const char *answer;
	unsigned int requests;
} early[] = {
	{ "HTTP/1.1 413 Large\r\n" EARLY "Content-Length: 0\r\n\r\n", 2 },
	{ "HTTP/1.1 413 Large\r\n" EARLY "Connection: close\r\n\r\n", 2 },
	{ "HTTP/1.1 200 OK\r\n" EARLY "Content-Length: 0\r\n\r\n", 1 },
	/* An answer of its status line only: libcurl 8.14 takes it. */
	{ "HTTP/1.1 413 " EARLY, 2 },
};

TEST_LOOP(reads_answers_before_the_end_of_requests, ARRAY_SIZE(early))
{
	const char *const answers[] = { early[_i].answer, OK, NULL };
	/* More than the kernel takes at once */
	static char text[8 << 20];
	struct format_record record = record_of();

	memset(text, 'a', sizeof(text) - 1);
	start(answers);
	export_otlp_take(&otlp, decoder, &record);
	record.comm = text;
	export_otlp_take(&otlp, decoder, &record);
	ck_assert_uint_eq(otlp.logs.sent, 2);
	ck_assert_uint_eq(otlp.logs.rejected + otlp.logs.dropped, 0);
	/*
	 * When the server resets the connection, libcurl can miss its answer.
	 * Then the message is repeated as a whole.
	 */
	ck_assert_uint_le(count_requests(), early[_i].requests);
}

/* A collector that refuses all of a batch gets few requests. */
TEST(bounds_the_requests_of_a_refused_batch)
{
	static const char *const answers[] = { BAD, NULL };
	const struct format_record record = record_of();
	unsigned int i, requests;

	start(answers);
	for (i = 0; i < EXPORT_BATCH_MAX; i++)
		export_otlp_take(&otlp, decoder, &record);
	ck_assert_uint_eq(otlp.logs.rejected, EXPORT_BATCH_MAX);
	ck_assert_uint_eq(otlp.logs.sent + otlp.logs.dropped, 0);
	requests = count_requests();
	ck_assert_uint_gt(requests, 10);
	ck_assert_uint_le(requests, 64);
}

/* The end of the wait ends the requests for halves, too. */
TEST_LOOP(sends_no_halves_after_the_wait, 2)
{
	static const char *const answers[] = { BAD, NULL };
	const struct format_record record = record_of();
	struct export_batch *batch = _i ? &otlp.metrics : &otlp.logs;

	start(answers);
	if (_i) {
		put_metrics(2);
	} else {
		export_otlp_take(&otlp, decoder, &record);
		export_otlp_take(&otlp, decoder, &record);
	}
	capture_signals.stop_requests = 1;
	otlp.give_up = 1;
	export_otlp_flush(&otlp);
	capture_signals.stop_requests = 0;
	ck_assert_uint_eq(count_requests(), 1);
	ck_assert_uint_eq(batch->dropped, _i ? 6 : 2);
	ck_assert_uint_eq(batch->sent + batch->rejected, 0);
}

/* A half that the collector cannot take now is repeated. */
TEST(repeats_halves)
{
	static const char *const answers[] = {
		BAD, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", OK, NULL
	};
	const struct format_record record = record_of();

	start(answers);
	export_otlp_take(&otlp, decoder, &record);
	export_otlp_take(&otlp, decoder, &record);
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.logs.sent, 2);
}

#define TYPE(type) "HTTP/1.1 200 OK\r\nContent-Type: " type "\r\n"
#define LENGTH(number) "Content-Length: " number "\r\n\r\n"
#define PROTOBUF TYPE("application/x-protobuf")
#define JSON TYPE("application/json")

/* The records that were sent, rejected and dropped, and a message */
static const struct {
	const char *answer;
	unsigned int sent, rejected, dropped;
	const char *message;
} single[] = {
	{ JSON LENGTH("2") "{}", 1, 0, 0, NULL },
	{ TYPE("application/json;charset=utf-8")
		  LENGTH("21") "{\"partialSuccess\":{}}",
	  1, 0, 0, NULL },
	{ JSON LENGTH("23") "{\"partialSuccess\":null}", 1, 0, 0, NULL },
	{ "HTTP/1.1 202 Accepted\r\n" LENGTH("2") "{}", 1, 0, 0, NULL },
	{ PROTOBUF LENGTH("0"), 1, 0, 0, NULL },
	{ PROTOBUF LENGTH("4") "\x0a\x02\x18\x01", 1, 0, 0, NULL },
	{ "HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n", 1, 0, 0, NULL },
	/* These have no length. */
	{ "HTTP/1.1 204 No Content\r\n\r\n", 1, 0, 0, NULL },
	{ JSON "Connection: close\r\n\r\n{}", 1, 0, 0, NULL },
	{ JSON "Transfer-Encoding: chunked\r\n\r\n"
	       "1;a=b\r\n{\r\n1\r\n}\r\n0\r\nA: b\r\n\r\n",
	  1, 0, 0, NULL },
	/* A warning is not an error. */
	{ JSON LENGTH("42") "{\"partialSuccess\":{\"errorMessage\":\"soon\"}}",
	  1, 0, 0, ": warning: soon\n" },
	{ JSON LENGTH("64") "{\"partialSuccess\":{\"rejectedLogRecords\":1,"
			    "\"errorMessage\":\"bad\"}}",
	  0, 1, 0, ": rejected: bad\n" },
	{ PROTOBUF LENGTH("9") "\x0a\x07\x08\x01\x12\x03"
			       "bad",
	  0, 1, 0, ": rejected: bad\n" },
	{ "HTTP/1.1 404 Not Found\r\n" LENGTH("0"), 0, 1, 0,
	  ": HTTP status 404\n" },
	/* No collector has received these. */
	{ "HTTP/1.1 302 Found\r\nLocation: /\r\n" LENGTH("0"), 0, 0, 1,
	  ": HTTP status 302, not followed\n" },
	{ TYPE("text/html") LENGTH("6") "<html>", 0, 0, 1,
	  "not the answer of a collector (text/html)\n" },
	{ TYPE("text/html; charset=utf-8") LENGTH("0"), 0, 0, 1,
	  "not the answer of a collector (text/html; charset=utf-8)\n" },
	{ "HTTP/1.1 200 OK\r\n" LENGTH("6") "<html>", 0, 0, 1,
	  "not the answer of a collector (without a type)\n" },
	{ JSON LENGTH("2") "[]", 0, 0, 1, "not the answer of a collector" },
	{ JSON LENGTH("1") "{", 0, 0, 1, "not the answer of a collector" },
	{ JSON LENGTH("3") "{}x", 0, 0, 1, "not the answer of a collector" },
	{ PROTOBUF LENGTH("6") "<html>", 0, 0, 1,
	  "not the answer of a collector" },
};

/* The answer is that to two messages, but is printed once. */
TEST_LOOP(requires_the_answer_of_a_collector, ARRAY_SIZE(single))
{
	const char *const answers[] = { single[_i].answer, NULL };

	start(answers);
	send_record();
	send_record();
	ck_assert_uint_eq(otlp.logs.sent, 2 * single[_i].sent);
	ck_assert_uint_eq(otlp.logs.rejected, 2 * single[_i].rejected);
	ck_assert_uint_eq(otlp.logs.dropped, 2 * single[_i].dropped);
	if (single[_i].message)
		ck_assert_uint_eq(printed(single[_i].message), 1);
	ck_assert_uint_eq(printed(""), single[_i].message != NULL);
}

TEST(refuses_long_answers)
{
	static char answer[2 * EXPORT_REPLY_MAX];
	const char *const answers[] = { answer, NULL };
	const char *head = JSON "Connection: close\r\n\r\n";

	memset(answer, ' ', sizeof(answer) - 1);
	memcpy(answer, head, strlen(head));
	start(answers);
	send_record();
	ck_assert_uint_eq(otlp.logs.dropped, 1);
	ck_assert_uint_eq(printed(": answer too long\n"), 1);
}

static const struct {
	const char *body;
	bool is_valid;
	uint64_t rejected;
	const char *message;
} bodies_of[] = {
	{ " {\t\n} ", true, 0, "" },
	{ "{\"a\":[1,-2.5e3,true,null,\"\\u0000\"],\"b\":{\"c\":[]}}", true, 0,
	  "" },
	{ "{\"partialSuccess\":{\"rejectedSpans\":\"7\"}}", true, 7, "" },
	{ "{\"partialSuccess\":{\"rejectedSpans\":-7}}", true, 0, "" },
	{ "{\"partialSuccess\":{\"rejectedSpans\":1e99}}", true, INT64_MAX,
	  "" },
	{ "{\"partialSuccess\":{\"errorMessage\":\"\\\"\\u00e9\\u20ac\\ud83d"
	  "\"}}",
	  true, 0, "\"\u00e9\u20ac?" },
	{ "{\"rejectedSpans\":7}", true, 0, "" },
	{ "{\"a\":{\"b\":[{\"c\":[],\"d\":{}},[[1],2]]},\"e\":[3]}", true, 0,
	  "" },
	{ "{\"a\":[1,]}", false, 0, "" },
	{ "{\"a\":[1}}", false, 0, "" },
	{ "{\"a\":{\"b\":1]}", false, 0, "" },
	{ "{\"a\":{1}}", false, 0, "" },
	{ "{\"a\":[\"b\":1]}", false, 0, "" },
	{ "", true, 0, "" },
	{ " ", false, 0, "" },
	{ "{\"a\":}", false, 0, "" },
	{ "{\"a\":1,}", false, 0, "" },
	{ "{\"a\":1 2}", false, 0, "" },
	{ "{\"a\":nul}", false, 0, "" },
	{ "{\"a\":\"\n\"}", false, 0, "" },
	{ "{\"a\":\"\\x\"}", false, 0, "" },
	{ "{\"a\":\"\\u00g0\"}", false, 0, "" },
	{ "{\"a\":\"", false, 0, "" },
	{ "{\"a\":\"\\", false, 0, "" },
	{ "{\"a\":\"\\u0", false, 0, "" },
	{ "{a:1}", false, 0, "" },
	{ "{\"partialSuccess\":null}", true, 0, "" },
	{ "{\"partialSuccess\":{\"rejectedSpans\":[7]}}", false, 0, "" },
	{ "{\"partialSuccess\":{\"other\":[1],\"rejectedSpans\":2}}", true, 2,
	  "" },
};

TEST_FIXTURE(NULL, NULL);

TEST_LOOP(parses_answers, ARRAY_SIZE(bodies_of))
{
	struct otlp_answer answer;
	/* An access behind it is detected. */
	size_t size = strlen(bodies_of[_i].body);
	char *body = malloc(size + !size);

	ck_assert_ptr_nonnull(body);
	memcpy(body, bodies_of[_i].body, size);
	ck_assert(otlp_answer_parse(&answer, "", body, size) ==
		  bodies_of[_i].is_valid);
	free(body);
	if (!bodies_of[_i].is_valid)
		return;
	ck_assert_uint_eq(answer.rejected, bodies_of[_i].rejected);
	ck_assert_str_eq(answer.message, bodies_of[_i].message);
}

/* A character that does not fit is left out. */
TEST_LOOP(shortens_messages, 3)
{
	static const char start[] = "{\"partialSuccess\":{\"errorMessage\":\"";
	char body[1024], *at = body + sprintf(body, "%s", start);
	struct otlp_answer answer;
	int i;

	at += sprintf(at, "%.*s", _i, "aaa");
	for (i = 0; i < 150; i++)
		at += sprintf(at, "\u20ac");
	at += sprintf(at, "\"}}");
	ck_assert(otlp_answer_parse(&answer, "", body, (size_t)(at - body)));
	ck_assert_uint_eq(
		strlen(answer.message),
		(size_t)(_i + (OTLP_ANSWER_MESSAGE_SIZE - 1 - _i) / 3 * 3));
}

TEST(bounds_the_depth)
{
	static char body[100000];
	struct otlp_answer answer;

	memset(body, '[', sizeof(body));
	memcpy(body, "{\"a\":", 5);
	ck_assert(!otlp_answer_parse(&answer, "", body, sizeof(body)));
}

TEST_FIXTURE(set_up, tear_down);

/* Also if there is a collector: the second signal is for no more requests. */
TEST_LOOP(gives_up_after_two_signals, 2)
{
	static const char *const answers[] = { OK, NULL };

	start(_i ? answers : NULL);
	capture_signals.stop_requests = 2;
	send_record();
	send_record();
	capture_signals.stop_requests = 0;
	ck_assert_uint_eq(otlp.logs.dropped, 2);
	ck_assert_uint_eq(otlp.logs.sent, 0);
}

/* The end of --duration, or that of the command, ends the wait. */
TEST_LOOP(gives_up_after_the_capture, 2)
{
	struct capture_options options = CAPTURE_OPTIONS_INIT;
	char *command[4] = { "true", NULL };
	struct capture capture;

	fake_perf_file("/sys/devices/system/cpu/online", "0\n");
	fake_perf_tracepoint("user_events", "test", 77);
	options.everywhere = true;
	options.duration = _i;
	options.command = _i ? NULL : command;
	start(NULL);
	ck_assert_int_eq(capture_open(&capture, &options), TOOL_OK);
	ck_assert_int_eq(capture_start(&capture), TOOL_OK);
	/* Not some seconds later */
	otlp.give_up = 1;
	send_record();
	ck_assert_uint_eq(otlp.logs.dropped, 1);
	ck_assert(capture.is_over == (_i == 1));
	capture_close(&capture);
	capture_options_release(&options);
}

/* ---- URLs ---- */

static const struct {
	const char *url, *host, *port, *path;
} urls[] = {
	{ "http://a", "a", "4318", "" },
	{ "http://a/", "a", "4318", "" },
	{ "http://a.b:80/c/d/", "a.b", "80", "/c/d" },
	{ "http://[::1]", "[::1]", "4318", "" },
	{ "http://[::1]:90/x", "[::1]", "90", "/x" },
	{ "ftp://a", NULL, NULL, NULL },
	{ "a:4318", NULL, NULL, NULL },
	{ "http://", NULL, NULL, NULL },
	{ "http://:80", NULL, NULL, NULL },
	{ "http://a:", NULL, NULL, NULL },
	{ "http://user@a", NULL, NULL, NULL },
	{ "http://a?b", NULL, NULL, NULL },
	{ "http://a/b c", NULL, NULL, NULL },
	{ "http://a/\r\nHost: b", NULL, NULL, NULL },
	{ "", NULL, NULL, NULL },
};

static void check_url(const struct export_client *client, const char *host,
		      const char *port, const char *path)
{
	char *wanted = tool_print("http://%s:%s%s", host, port, path);

	ck_assert_str_eq(client->url, wanted);
	free(wanted);
}

TEST_FIXTURE(NULL, NULL);

/* HTTPS has a port of its own. */
TEST(https_has_no_default_port)
{
	struct export_client client;

	ck_assert(!export_client_init(&client, "https://a/b/", "4318"));
	ck_assert_str_eq(client.url, "https://a/b");
	export_client_release(&client);
}

TEST_LOOP(parses_urls, ARRAY_SIZE(urls))
{
	struct export_client client;

	ck_assert_int_eq(export_client_init(&client, urls[_i].url, "4318"),
			 urls[_i].host ? 0 : -EINVAL);
	if (!urls[_i].host)
		return;
	check_url(&client, urls[_i].host, urls[_i].port, urls[_i].path);
	export_client_release(&client);
}
