// SPDX-License-Identifier: MIT
/*
 * Records of the exporters of OpenTelemetry leave as what their programs send
 * with an exporter of OTLP; scripts/check/tool/viewer compares them with
 * messages that OpenTelemetry's own code makes.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/otlp.h"
#include "export/otlp_metrics.h"
#include "export/otlp_send.h"
#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/json_help.h"
#include "lib/otel_records.h"
#include "lib/runner.h"
#include "tool.h"

#define COMMON_SIZE 8

static const char metrics_format[] =
	"name: otlp_metrics\nID: 78\n" COMMON_FIELDS
	"\tfield:u32 protocol;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:char[8] version;\toffset:12;\tsize:8;\tsigned:0;\n"
	"\tfield:__rel_loc u8[] buffer;\toffset:20;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"\"\n";

static const char cxx_format[] = "name: otlp_metrics\nID: 78\n" COMMON_FIELDS
				 "\n\nprint fmt: \"\"\n";

/* The records were written 2 microseconds after the clock's moment. */
static const struct uev_clock wall = { .wall = 1782909300000000000,
				       .clock = 1000 };
#define WRITTEN "1782909300000002000"

static struct otel_record records[OTEL_RECORDS];
static struct export_otlp otlp;
static struct uev_decoder *decoder;

static void set_up(void)
{
	unsetenv("OTEL_SERVICE_NAME");
	otel_records_make(records);
	ck_assert(!export_otlp_init(&otlp, "http://127.0.0.1:1"));
	/* Nothing is sent. */
	otlp.has_ended = true;
	decoder = new_decoder();
}

static void tear_down(void)
{
	uev_decoder_free(decoder);
	export_otlp_release(&otlp);
}

TEST_FIXTURE(set_up, tear_down);

/* PID of the process in its own pid namespace; 0: none */
static uint32_t vpid;

/* Takes the payload of a record of an event with this format. */
static void take(const char *format, const char *name, const void *payload,
		 size_t size)
{
	struct uev_source source = { .system = "user_events", .name = name };
	struct uev_schema *schema = schema_of("user_events", format);
	/* An access behind it is detected. */
	char *raw = calloc(1, COMMON_SIZE + size);
	struct uev_sample sample = {
		.source = &source,
		.raw = raw,
		.raw_size = COMMON_SIZE + size,
		.flags = UEV_HAS_TIME | UEV_HAS_TID | (vpid ? UEV_HAS_VPID : 0),
		.time = 3000,
		.pid = 7,
		.tid = 8,
		.vpid = vpid,
	};
	struct format_record record = { .sample = &sample,
					.schema = schema,
					.comm = "svc",
					.clock = &wall };

	ck_assert_ptr_nonnull(raw);
	memcpy(raw + COMMON_SIZE, payload, size);
	export_otlp_take(&otlp, decoder, &record);
	free(raw);
	uev_schema_free(schema);
}

static void take_record(const struct otel_record *record)
{
	char *name = tool_print("%.*s", (int)strcspn(record->command, " "),
				record->command);
	char *format = tool_print("name: %s\nID: 77\n%s", name,
				  COMMON_FIELDS EVENTHEADER_FIELDS);

	take(strcmp(name, "otlp_metrics") == 0 ? metrics_format : format, name,
	     record->bytes, record->size);
	free(format);
	free(name);
}

/* Compares a member of the message of a batch with JSON; "null" is none. */
static void check_member(const struct export_batch *batch, const char *path,
			 const char *wanted)
{
	const struct uev_output *body = export_otlp_body(&otlp, batch);
	struct json_object *message = json_tokener_parse(body->text);
	struct json_object *found, *expected = json_tokener_parse(wanted);

	check_json(body->text);
	ck_assert(expected || strcmp(wanted, "null") == 0);
	found = json_path_find(message, path);
	ck_assert_msg(json_object_equal(found, expected), "%s: %s, not %s",
		      path, json_object_to_json_string(found), wanted);
	json_object_put(expected);
	json_object_put(message);
}

#define LOG "resourceLogs.0.scopeLogs.0.logRecords.0"
#define SPAN "resourceSpans.0.scopeSpans.0.spans.0"

#define TEXT(key, value) \
	"{\"key\":\"" key "\",\"value\":{\"stringValue\":\"" value "\"}}"
#define INT(key, value) \
	"{\"key\":\"" key "\",\"value\":{\"intValue\":\"" value "\"}}"

/* The whole record of each exporter */
static const struct {
	unsigned int record;
	bool is_span;
	const char *wanted;
} forwarded[] = {
	{ OTEL_RUST_LOG, false,
	  "{\"timeUnixNano\":\"1782909296123456789\","
	  "\"observedTimeUnixNano\":\"" WRITTEN "\","
	  "\"body\":{\"stringValue\":\"card declined\"},"
	  "\"severityNumber\":17,\"severityText\":\"ERROR\","
	  "\"eventName\":\"checkout.declined\","
	  "\"attributes\":[" TEXT("user", "J\u00f6rg \\\"7\\\"") "," INT(
		  "order",
		  "-9223372036854775808") ","
					  "{\"key\":\"price\",\"value\":{\"doubleValue\":0.1}},"
					  "{\"key\":\"retry\",\"value\":{\"boolValue\":true}}," TEXT(
						  "deployment.environment.name",
						  "test") "," INT("event_id",
								  "42") "],"
									"\"traceId\":\"0af7651916cd43dd8448eb211c80319c\","
									"\"spanId\":\"00f067aa0ba902b7\"}" },
	{ OTEL_RUST_SMALL_LOG, false,
	  "{\"timeUnixNano\":\"1782909297000000000\","
	  "\"observedTimeUnixNano\":\"" WRITTEN "\","
	  "\"severityNumber\":9}" },
	{ OTEL_CXX_LOG, false,
	  "{\"timeUnixNano\":\"" WRITTEN "\","
	  "\"observedTimeUnixNano\":\"" WRITTEN "\","
	  "\"body\":{\"stringValue\":\"cart is full\"},"
	  "\"severityNumber\":13,\"severityText\":\"WARN\","
	  "\"eventName\":\"cart.full\","
	  "\"attributes\":[" INT("event_id", "7") "," INT(
		  "items",
		  "4294967295") ","
				"{\"key\":\"list\",\"value\":{\"arrayValue\":{\"values\":["
				"{\"intValue\":\"1\"},{\"intValue\":\"-2\"}]}}},"
				"{\"key\":\"names\",\"value\":{\"arrayValue\":{\"values\":["
				"{\"stringValue\":\"a\"},{\"stringValue\":\"\"}]}}}]}" },
	{ OTEL_DOTNET_LOG, false,
	  "{\"timeUnixNano\":\"1782909298500000000\","
	  "\"observedTimeUnixNano\":\"" WRITTEN "\","
	  "\"body\":{\"stringValue\":\"cannot save {id}\"},"
	  "\"severityNumber\":17,\"severityText\":\"Error\","
	  "\"attributes\":[" TEXT("exception.type", "System.IO.IOException") "," TEXT(
		  "exception.message",
		  "disk full") "," TEXT("exception.stacktrace",
					"at Billing.Save()") "," INT("event_id",
								     "3") "," INT("id",
										  "-5") "],"
											"\"traceId\":\"0af7651916cd43dd8448eb211c80319d\","
											"\"spanId\":\"00f067aa0ba902b8\"}" },
	{ OTEL_RUST_SPAN, true,
	  "{\"startTimeUnixNano\":\"1782909296500000001\","
	  "\"endTimeUnixNano\":\"1782909296750000000\","
	  "\"name\":\"POST \\/pay\",\"kind\":2,"
	  "\"parentSpanId\":\"00f067aa0ba902b6\","
	  "\"attributes\":[" TEXT("http.request.method", "POST") "," TEXT(
		  "db.system.name",
		  "postgresql") "," INT("amount",
					"1234") "],"
						"\"traceId\":\"0af7651916cd43dd8448eb211c80319c\","
						"\"spanId\":\"00f067aa0ba902b7\","
						"\"links\":[{\"traceId\":\"0af7651916cd43dd8448eb211c80319d\","
						"\"spanId\":\"00f067aa0ba902b8\"},"
						"{\"traceId\":\"ffffffffffffffffffffffffffffffff\","
						"\"spanId\":\"ffffffffffffffff\"}],"
						"\"status\":{\"code\":2,\"message\":\"no answer\"}}" },
	{ OTEL_RUST_SMALL_SPAN, true,
	  "{\"startTimeUnixNano\":\"1782909298000000000\","
	  "\"endTimeUnixNano\":\"1782909299000000000\","
	  "\"name\":\"idle\",\"kind\":1,"
	  "\"traceId\":\"0af7651916cd43dd8448eb211c80319e\","
	  "\"spanId\":\"00f067aa0ba902b9\"}" },
};

TEST_LOOP(forwards_records, ARRAY_SIZE(forwarded))
{
	const bool is_span = forwarded[_i].is_span;

	take_record(&records[forwarded[_i].record]);
	ck_assert_uint_eq(otlp.invalid, 0);
	ck_assert_uint_eq(otlp.logs.count, !is_span);
	ck_assert_uint_eq(otlp.spans.count, is_span);
	check_member(is_span ? &otlp.spans : &otlp.logs, is_span ? SPAN : LOG,
		     forwarded[_i].wanted);
}

static const struct {
	unsigned int record;
	const char *scope;
	const char *resource;
} sources[] = {
	{ OTEL_RUST_LOG, NULL,
	  "[" TEXT("service.name", "checkout") "," TEXT(
		  "service.instance.id", "pod-7") ",HOST," INT("process.pid",
							       "7") "]" },
	{ OTEL_CXX_LOG, NULL,
	  "[" TEXT("service.name", "user-events") ",HOST," INT("process.pid",
							       "7") "]" },
	{ OTEL_DOTNET_LOG, "\"Billing.Store\"",
	  "[" TEXT("service.name", "billing") ",HOST," INT("process.pid",
							   "7") "]" },
};

TEST_LOOP(sends_the_resource_and_the_scope, ARRAY_SIZE(sources))
{
	const char *wanted = sources[_i].resource;
	const char *host = strstr(wanted, "HOST");
	char name[256] = "", *resource;

	gethostname(name, sizeof(name) - 1);
	resource = tool_print("%.*s" TEXT("host.name", "%s") "%s",
			      (int)(host - wanted), wanted, name, host + 4);
	take_record(&records[sources[_i].record]);
	check_member(&otlp.logs, "resourceLogs.0.resource.attributes",
		     resource);
	check_member(&otlp.logs, "resourceLogs.0.scopeLogs.0.scope.name",
		     sources[_i].scope ? sources[_i].scope : "null");
	free(resource);
}

/* With the host and the PID outside before it */
TEST(resource_has_the_pid_in_a_container)
{
	vpid = 9;
	take_record(&records[OTEL_CXX_LOG]);
	check_member(&otlp.logs, "resourceLogs.0.resource.attributes.3",
		     INT("process.vpid", "9"));
}

/* Other records, and those of two services */
TEST(groups_records_by_resource)
{
	static const char other[] = "name: other\nID: 1\n" COMMON_FIELDS
				    "\n\nprint fmt: \"\"\n";

	take_record(&records[OTEL_RUST_LOG]);
	take_record(&records[OTEL_DOTNET_LOG]);
	take(other, "other", "", 0);
	take_record(&records[OTEL_RUST_LOG]);
	ck_assert_uint_eq(otlp.logs.count, 4);
	check_member(&otlp.logs, LOG ".body.stringValue",
		     "\"user_events:other \"");
	check_member(&otlp.logs, "resourceLogs.1.resource.attributes.0",
		     TEXT("service.name", "checkout"));
	check_member(&otlp.logs,
		     "resourceLogs.1.scopeLogs.0.logRecords.1.severityNumber",
		     "17");
	check_member(&otlp.logs, "resourceLogs.2.resource.attributes.0",
		     TEXT("service.name", "billing"));
	export_otlp_flush(&otlp);
	ck_assert_uint_eq(otlp.logs.count, 0);
	ck_assert_uint_eq(otlp.logs.dropped, 4);
	take_record(&records[OTEL_RUST_LOG]);
	check_member(&otlp.logs, "resourceLogs.1", "null");
}

/* ---- Changed records ---- */

/* Replaces the last bytes like @from by others of the same size. */
static void replace(struct otel_record *record, const void *from,
		    const void *to, size_t size)
{
	uint8_t *at = record->bytes + record->size - size;

	while (at > record->bytes && memcmp(at, from, size) != 0)
		at--;
	ck_assert(at > record->bytes);
	memcpy(at, to, size);
}

#define CHANGE(record, from, to)                   \
	{                                          \
		record, from, to, sizeof(from) - 1 \
	}

static const struct {
	unsigned int record;
	const char *from, *to;
	size_t size;
} invalid[] = {
	CHANGE(OTEL_RUST_LOG, "__csver__", "__csver__"),
	CHANGE(OTEL_RUST_LOG, "PartA", "PartD"),
	CHANGE(OTEL_RUST_LOG, "PartA", "PartC"),
	CHANGE(OTEL_RUST_LOG, "_typeName", "_typename"),
	CHANGE(OTEL_RUST_LOG, "Log", "log"),
	CHANGE(OTEL_RUST_LOG, "2026-07-01T12", "2026-13-01T12"),
	CHANGE(OTEL_RUST_LOG, "789Z", "789 "),
	CHANGE(OTEL_RUST_LOG, "0af76519", "0ag76519"),
	/* Twice */
	CHANGE(OTEL_RUST_LOG, "ext_cloud_role\0", "ext_dt_traceId\0"),
	CHANGE(OTEL_RUST_LOG, "name", "body"),
	/* Not a number */
	CHANGE(OTEL_RUST_SPAN, "name", "kind"),
	CHANGE(OTEL_RUST_SPAN, "ext_dt_spanId", "ext_dt_spamId"),
	CHANGE(OTEL_RUST_SPAN, "startTime", "starttime"),
	CHANGE(OTEL_RUST_SPAN, "toSpanId", "toSpamId"),
	CHANGE(OTEL_RUST_SPAN, "ffffff\"}]", "ffffff\"} "),
	CHANGE(OTEL_RUST_SPAN, "00f067aa0ba902b6", "00f067aa0ba902b "),
	CHANGE(OTEL_RUST_LOG, "PartB", "PartX"),
};

/* The first row has a version of its own. */
TEST_LOOP(sends_invalid_records_like_others, ARRAY_SIZE(invalid))
{
	struct otel_record *record = &records[invalid[_i].record];
	const bool is_span = invalid[_i].record == OTEL_RUST_SPAN;

	replace(record, invalid[_i].from, invalid[_i].to, invalid[_i].size);
	if (!_i)
		replace(record, "\x00\x04\x00\x00\x1e", "\x00\x03\x00\x00\x1e",
			5);
	take_record(record);
	ck_assert_uint_eq(otlp.invalid, 1);
	ck_assert_uint_eq(otlp.spans.count, 0);
	check_member(&otlp.logs, LOG ".attributes.2",
		     TEXT("thread.name", "svc"));
	check_member(&otlp.logs, LOG ".attributes.7",
		     is_span ? TEXT("event.name", "checkout:Span")
			     : TEXT("event.name", "checkout:Log"));
}

/* A number is not even read as a truth. */
TEST(success_is_no_number)
{
	struct otel_record *record = &records[OTEL_RUST_SPAN];

	replace(record, "success\0\x82\7", "success\0\x82\1", 10);
	replace(record, "001Z\0\1", "001Z\36\1", 6);
	take_record(record);
	ck_assert_uint_eq(otlp.invalid, 1);
	ck_assert_uint_eq(otlp.spans.count, 0);
}

/* The last bytes of the record */
static const struct {
	uint8_t number;
	bool is_valid;
	const char *wanted;
} severities[] = {
	{ 1, true, "1" },
	{ 24, true, "24" },
	{ 0, true, "null" },
	{ 25, false, "9" },
};

TEST_LOOP(requires_a_severity_of_opentelemetry, ARRAY_SIZE(severities))
{
	struct otel_record *record = &records[OTEL_RUST_SMALL_LOG];

	record->bytes[record->size - 2] = severities[_i].number;
	take_record(record);
	ck_assert_uint_eq(otlp.invalid, !severities[_i].is_valid);
	check_member(&otlp.logs, LOG ".severityNumber", severities[_i].wanted);
}

/* Fields without a place in OTLP */
TEST(keeps_other_fields)
{
	struct otel_record *record = &records[OTEL_RUST_LOG];

	replace(record, "severityText", "severitytext", 12);
	replace(record, "ext_cloud_role", "ext_cloud_rule", 15);
	take_record(record);
	ck_assert_uint_eq(otlp.invalid, 0);
	check_member(&otlp.logs, LOG ".severityText", "null");
	check_member(&otlp.logs, LOG ".attributes.0",
		     TEXT("ext_cloud_rule", "checkout"));
	check_member(&otlp.logs, LOG ".attributes.6",
		     TEXT("severitytext", "ERROR"));
}

TEST(reads_times_with_the_offset_of_utc)
{
	replace(&records[OTEL_RUST_LOG], "123456789Z", "1234+00:00", 10);
	take_record(&records[OTEL_RUST_LOG]);
	check_member(&otlp.logs, LOG ".timeUnixNano",
		     "\"1782909296123400000\"");
}

static const struct {
	double number;
	const char *wanted;
} doubles[] = {
	{ NAN, "{\"doubleValue\":\"NaN\"}" },
	{ INFINITY, "{\"doubleValue\":\"Infinity\"}" },
	{ -INFINITY, "{\"doubleValue\":\"-Infinity\"}" },
	{ 1e300, "{\"doubleValue\":1e300}" },
};

TEST_LOOP(keeps_the_type_of_doubles, ARRAY_SIZE(doubles))
{
	const double before = 0.1;

	replace(&records[OTEL_RUST_LOG], &before, &doubles[_i].number,
		sizeof(before));
	take_record(&records[OTEL_RUST_LOG]);
	check_member(&otlp.logs, LOG ".attributes.2.value", doubles[_i].wanted);
}

/* No record is lost, wherever it ends. */
TEST_LOOP(takes_truncated_records, OTEL_RECORDS)
{
	struct otel_record *record = &records[_i];
	const size_t whole = record->size;
	uint64_t taken;

	for (record->size = 0; record->size < whole; record->size++) {
		take_record(record);
		ck_assert_uint_eq(otlp.logs.count, 1);
		check_json(export_otlp_body(&otlp, &otlp.logs)->text);
		taken = otlp.logs.dropped;
		export_otlp_flush(&otlp);
		ck_assert_uint_eq(otlp.logs.dropped, taken + 1);
	}
}

/* One of the two severities would be lost. */
TEST(rejects_fields_that_occur_twice)
{
	static const char format[] =
		"name: a_L4K1\nID: 77\n" COMMON_FIELDS EVENTHEADER_FIELDS;
	struct bytes bytes = bytes_of(
		"07 00 00 00 00 00 00 04 ['Log' 00 '__csver__' 00 03"
		"'PartB' 00 81 03 '_typeName' 00 0a 'severityNumber' 00 02"
		"'severityNumber' 00 02] 00 04 03 00 'Log' 09 11");

	take(format, "a_L4K1", bytes.at, bytes.size);
	bytes_free(&bytes);
	ck_assert_uint_eq(otlp.invalid, 1);
}

/* Members that no exporter writes yet */
TEST(takes_the_flags_and_the_state_of_a_trace)
{
	static const char format[] =
		"name: a_L4K1\nID: 77\n" COMMON_FIELDS EVENTHEADER_FIELDS;
	struct bytes bytes = bytes_of(
		"07 00 00 00 00 00 00 04 ['Span' 00 '__csver__' 00 03"
		"'PartA' 00 81 04 'time' 00 0a 'ext_dt_traceId' 00 0a"
		"'ext_dt_spanId' 00 0a 'ext_dt_traceFlags' 00 02"
		"'PartB' 00 81 03 '_typeName' 00 0a 'startTime' 00 0a"
		"'traceState' 00 0a]"
		"00 04 14 00 '2026-07-01T12:35:00Z'"
		"20 00 '0AF7651916CD43DD8448EB211C80319C'"
		"10 00 '00f067aa0ba902b7' 01"
		"04 00 'Span' 14 00 '2026-07-01T12:34:00Z' 03 00 'a=b'");

	take(format, "a_L4K1", bytes.at, bytes.size);
	bytes_free(&bytes);
	check_member(&otlp.spans, SPAN ".flags", "1");
	check_member(&otlp.spans, SPAN ".traceState", "\"a=b\"");
	check_member(&otlp.spans, SPAN ".traceId",
		     "\"0af7651916cd43dd8448eb211c80319c\"");
}

#define MANY 30000
#define TEN "long_name_"

/* An attribute with many members of a long name is left out. */
TEST(bounds_attributes)
{
	static const char format[] =
		"name: a_L4K1\nID: 77\n" COMMON_FIELDS EVENTHEADER_FIELDS;
	static const uint8_t zero[1];
	struct bytes bytes =
		bytes_of("07 00 00 00 00 00 00 04 ['Log' 00 '__csver__' 00 03"
			 "'PartC' 00 81 02 'many' 00 c1 01"
			 "'" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "' 00 02"
			 "'one' 00 02 'PartB' 00 81 01 '_typeName' 00 0a]"
			 "00 04 30 75");
	struct bytes all = { malloc(bytes.size + MANY), bytes.size + MANY };

	ck_assert_ptr_nonnull(all.at);
	memcpy(all.at, bytes.at, bytes.size);
	memset(all.at + bytes.size, *zero, MANY);
	bytes_append(&all, "05 03 00 'Log'");
	take(format, "a_L4K1", all.at, all.size);
	bytes_free(&all);
	bytes_free(&bytes);
	ck_assert_uint_eq(otlp.invalid, 0);
	check_member(&otlp.logs, LOG ".attributes", "[" INT("one", "5") "]");
	check_member(&otlp.logs, LOG ".droppedAttributesCount", "1");
}

#define LIST(key, type, values)                                             \
	"{\"key\":\"" key "\",\"value\":{\"" type "\":{\"values\":[" values \
	"]}}}"
#define PAIR(one, other)                                              \
	"{\"kvlistValue\":{\"values\":[" INT("b", one) "," INT("b#2", \
							       other) "]}}"

/* As those of the record, but of each struct alone */
TEST(numbers_members_of_one_name)
{
	static const char format[] =
		"name: a_L4K1\nID: 77\n" COMMON_FIELDS EVENTHEADER_FIELDS;
	struct bytes bytes = bytes_of(
		"07 00 00 00 00 00 00 04 ['Log' 00 '__csver__' 00 03"
		"'PartC' 00 81 03 'a' 00 02"
		"'s' 00 81 03 'a' 00 02 'a' 00 02 't' 00 81 01 'a' 00 02"
		"'l' 00 c1 02 'b' 00 02 'b' 00 02"
		"'PartB' 00 81 01 '_typeName' 00 0a]"
		"00 04 00 01 02 03 02 00 04 05 06 07 03 00 'Log'");

	take(format, "a_L4K1", bytes.at, bytes.size);
	bytes_free(&bytes);
	ck_assert_uint_eq(otlp.invalid, 0);
	check_member(
		&otlp.logs, LOG ".attributes",
		"[" INT("a", "0") "," LIST(
			"s", "kvlistValue",
			INT("a", "1") "," INT("a#2", "2") "," LIST(
				"t", "kvlistValue",
				INT("a",
				    "3"))) "," LIST("l", "arrayValue",
						    PAIR("4", "5") "," PAIR(
							    "6", "7")) "]");
}

/* ---- Metrics ---- */

static void check_metrics(uint64_t messages)
{
	const struct uev_output *body = export_otlp_body(&otlp, &otlp.metrics);
	uint64_t i;

	ck_assert_uint_eq(otlp.logs.count, 0);
	ck_assert_uint_eq(otlp.metrics.count, 3 * messages);
	ck_assert_uint_eq(body->size, messages * otel_metrics_size);
	for (i = 0; i < messages; i++)
		ck_assert(memcmp(body->text + i * otel_metrics_size,
				 otel_metrics, otel_metrics_size) == 0);
}

TEST(forwards_metrics_unchanged)
{
	take_record(&records[OTEL_METRICS]);
	check_metrics(1);
	take_record(&records[OTEL_METRICS]);
	check_metrics(2);
}

/* perf aligns records. */
TEST_LOOP(forwards_metrics_of_cxx, 8)
{
	const uint32_t size = (uint32_t)otel_metrics_size;
	char payload[OTEL_RECORD_MAX] = "";

	memcpy(payload, &size, sizeof(size));
	memcpy(payload + sizeof(size), otel_metrics, size);
	take(cxx_format, "otlp_metrics", payload,
	     sizeof(size) + size + (size_t)_i);
	check_metrics(1);
}

/* Offsets in the message, and what is there in place of the right byte */
static const struct {
	size_t at;
	uint8_t byte;
} faults[] = {
	{ 0, 0x0b }, /* a group */
	{ 0, 0x02 }, /* a field 0 */
	{ 1, 0x9d }, /* beyond the end */
	{ 34, 0x7d }, /* of ScopeMetrics */
	{ 44, 0x7f }, /* of Metric */
	{ 62, 0x38 }, /* Sum is a number */
	{ 63, 0x7f }, /* of Sum */
};

TEST_LOOP(sends_invalid_metrics_like_other_records, ARRAY_SIZE(faults))
{
	struct otel_record *record = &records[OTEL_METRICS];

	record->bytes[record->size - otel_metrics_size + faults[_i].at] =
		faults[_i].byte;
	take_record(record);
	ck_assert_uint_eq(otlp.invalid, 1);
	ck_assert_uint_eq(otlp.metrics.count, 0);
	check_member(&otlp.logs, LOG ".attributes.3", INT("protocol", "0"));
}

struct metrics_message {
	uint32_t size;
	char bytes[12];
};

/* An empty message, an empty resource, and one with a metric without points */
static const struct metrics_message empty_metrics[] = {
	{ 0, "" },
	{ 2, "\x0a\0" },
	{ 11, "\x0a\x09\x12\x07\x12\x05\x0a\x01"
	      "m\x3a\0" },
};

static void take_message(const struct metrics_message *message)
{
	/* protocol, version, and the place of the buffer */
	char payload[64] = "\0\0\0\0"
			   "v0.19.00\0\0";

	payload[14] = (char)message->size;
	memcpy(payload + 16, message->bytes, message->size);
	take(metrics_format, "otlp_metrics", payload, 16 + message->size);
}

/* An exporter without metrics says nothing, and nothing of that is sent. */
TEST_LOOP(does_not_send_empty_metrics, ARRAY_SIZE(empty_metrics))
{
	const uint32_t size = empty_metrics[_i].size;
	char payload[64];

	take_message(&empty_metrics[_i]);
	memcpy(payload, &size, sizeof(size));
	memcpy(payload + sizeof(size), empty_metrics[_i].bytes, size);
	take(cxx_format, "otlp_metrics", payload, sizeof(size) + size);
	ck_assert_uint_eq(otlp.invalid, 0);
	ck_assert_uint_eq(otlp.metrics.count + otlp.logs.count, 0);
	ck_assert_uint_eq(otlp.metrics.items.size, 0);
}

/* In the message, a resource, a scope, a metric, and in what a metric has */
static const struct metrics_message unknown_metrics[] = {
	{ 2, "\x10\x01" },
	{ 2, "\x12\0" },
	{ 4, "\x0a\x02\x20\x01" },
	{ 5, "\x0a\x03\xc2\x3e\0" },
	{ 6, "\x0a\x04\x12\x02\x22\0" },
	{ 8, "\x0a\x06\x12\x04\x12\x02\x6a\0" },
	{ 10, "\x0a\x08\x12\x06\x12\x04\x3a\x02\x22\0" },
};

/* Nothing is dropped without a count. */
TEST_LOOP(sends_unknown_metrics_like_other_records, ARRAY_SIZE(unknown_metrics))
{
	take_message(&unknown_metrics[_i]);
	ck_assert_uint_eq(otlp.invalid, 1);
	ck_assert_uint_eq(otlp.metrics.count, 0);
	ck_assert_uint_eq(otlp.logs.count, 1);
}

/* A collector can know more than this program. */
TEST(forwards_unknown_fields_among_metrics)
{
	struct otel_record *record = &records[OTEL_METRICS];
	size_t at = record->size - otel_metrics_size;
	uint64_t points;

	memcpy(record->bytes + record->size, "\x12\0", 2);
	ck_assert(otlp_metrics_count(
		(struct query_text){ (const char *)record->bytes + at,
				     otel_metrics_size + 2 },
		&points));
	ck_assert_uint_eq(points, 3);
}

/* Another protocol, and another event of the name */
TEST(takes_metrics_in_protobuf_only)
{
	struct otel_record *record = &records[OTEL_METRICS];

	record->bytes[0] = 1;
	take_record(record);
	ck_assert_uint_eq(otlp.logs.count, 1);
	take(cxx_format, "otlp_metrics", "\xff\xff\xff\xff", 4);
	take(cxx_format, "otlp_metrics", "\0\0\0", 3);
	ck_assert_uint_eq(otlp.logs.count, 3);
	ck_assert_uint_eq(otlp.invalid + otlp.metrics.count, 0);
}
