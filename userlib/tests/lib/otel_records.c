// SPDX-License-Identifier: MIT
#include "otel_records.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_FIELDS \
	"u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level"
#define METRICS_FIELDS "u32 protocol;char[8] version;__rel_loc u8[] buffer"

/* Encodings, and formats */
enum {
	STRUCT = 1,
	VALUE8 = 2,
	VALUE16 = 3,
	VALUE32 = 4,
	VALUE64 = 5,
	STRING8 = 10,
	STRING16 = 11,
	ARRAY = 0x40,
	DEFAULT = 0,
	UNSIGNED = 1,
	SIGNED = 2,
	HEX = 3,
	BOOLEAN = 7,
	FLOAT = 8,
};

/* struct event - Metadata and data, as an event builder collects them */
struct event {
	uint8_t meta[OTEL_RECORD_MAX];
	size_t meta_size;
	uint8_t data[OTEL_RECORD_MAX];
	size_t data_size;
};

static void put(uint8_t *to, size_t *size, const void *bytes, size_t count)
{
	if (count > OTEL_RECORD_MAX - *size)
		abort();
	memcpy(to + *size, bytes, count);
	*size += count;
}

static void put_meta(struct event *event, const void *bytes, size_t count)
{
	put(event->meta, &event->meta_size, bytes, count);
}

static void put_data(struct event *event, const void *bytes, size_t count)
{
	put(event->data, &event->data_size, bytes, count);
}

static void begin(struct event *event, const char *name)
{
	memset(event, 0, sizeof(*event));
	put_meta(event, name, strlen(name) + 1);
}

/* The format follows if it is not the default. */
static void field(struct event *event, const char *name, uint8_t encoding,
		  uint8_t format)
{
	const uint8_t bytes[] = { encoding | (format ? 0x80 : 0), format };

	put_meta(event, name, strlen(name) + 1);
	put_meta(event, bytes, format ? 2 : 1);
}

static void put_count(struct event *event, size_t count)
{
	const uint16_t number = (uint16_t)count;

	put_data(event, &number, sizeof(number));
}

static void text(struct event *event, const char *name, const char *value)
{
	field(event, name, STRING8, DEFAULT);
	put_count(event, strlen(value));
	put_data(event, value, strlen(value));
}

/* @value: in ASCII */
static void text16(struct event *event, const char *name, const char *value)
{
	uint16_t unit;

	field(event, name, STRING16, DEFAULT);
	put_count(event, strlen(value));
	for (; *value; value++) {
		unit = (uint8_t)*value;
		put_data(event, &unit, sizeof(unit));
	}
}

static void number(struct event *event, const char *name, uint8_t encoding,
		   uint8_t format, int64_t value)
{
	const uint8_t bytes1 = (uint8_t)value;
	const uint16_t bytes2 = (uint16_t)value;
	const uint32_t bytes4 = (uint32_t)value;

	field(event, name, encoding, format);
	switch (encoding) {
	case VALUE8:
		put_data(event, &bytes1, sizeof(bytes1));
		break;
	case VALUE16:
		put_data(event, &bytes2, sizeof(bytes2));
		break;
	case VALUE32:
		put_data(event, &bytes4, sizeof(bytes4));
		break;
	default:
		put_data(event, &value, sizeof(value));
	}
}

static void real(struct event *event, const char *name, double value)
{
	field(event, name, VALUE64, FLOAT);
	put_data(event, &value, sizeof(value));
}

static void end(struct otel_record *record, const struct event *event,
		const char *command, uint8_t level)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint8_t flags = 4 | 2 | (sizeof(void *) == 8);
#else
	const uint8_t flags = 4 | (sizeof(void *) == 8);
#endif
	const uint8_t header[8] = { [0] = flags, [7] = level };
	const uint16_t extension[2] = { (uint16_t)event->meta_size, 1 };

	record->command = command;
	record->size = 0;
	put(record->bytes, &record->size, header, sizeof(header));
	put(record->bytes, &record->size, extension, sizeof(extension));
	put(record->bytes, &record->size, event->meta, event->meta_size);
	put(record->bytes, &record->size, event->data, event->data_size);
}

/* ---- Logs ---- */

static void make_rust_log(struct otel_record *record)
{
	struct event event;

	begin(&event, "Log");
	number(&event, "__csver__", VALUE32, UNSIGNED, 0x400);
	field(&event, "PartA", STRUCT, 5);
	text(&event, "time", "2026-07-01T12:34:56.123456789Z");
	text(&event, "ext_dt_traceId", "0af7651916cd43dd8448eb211c80319c");
	text(&event, "ext_dt_spanId", "00f067aa0ba902b7");
	text(&event, "ext_cloud_role", "checkout");
	text(&event, "ext_cloud_roleInstance", "pod-7");
	field(&event, "PartC", STRUCT, 5);
	text(&event, "user", "J\xc3\xb6rg \"7\"");
	number(&event, "order", VALUE64, SIGNED, INT64_MIN);
	real(&event, "price", 0.1);
	number(&event, "retry", VALUE8, BOOLEAN, 1);
	/* An attribute of the resource that the program has chosen */
	text(&event, "deployment.environment.name", "test");
	field(&event, "PartB", STRUCT, 6);
	text(&event, "_typeName", "Log");
	text(&event, "body", "card declined");
	number(&event, "severityNumber", VALUE16, SIGNED, 17);
	text(&event, "severityText", "ERROR");
	number(&event, "eventId", VALUE64, SIGNED, 42);
	text(&event, "name", "checkout.declined");
	end(record, &event, "checkout_L2K1 " HEADER_FIELDS, 2);
}

static void make_rust_small_log(struct otel_record *record)
{
	struct event event;

	begin(&event, "Log");
	number(&event, "__csver__", VALUE32, UNSIGNED, 0x400);
	field(&event, "PartA", STRUCT, 1);
	text(&event, "time", "2026-07-01T12:34:57Z");
	field(&event, "PartB", STRUCT, 2);
	text(&event, "_typeName", "Log");
	number(&event, "severityNumber", VALUE16, SIGNED, 9);
	end(record, &event, "checkout_L4K1 " HEADER_FIELDS, 4);
}

static void make_cxx_log(struct otel_record *record)
{
	static const int32_t list[] = { 1, -2 };
	struct event event;

	begin(&event, "cart.full");
	number(&event, "__csver__", VALUE16, UNSIGNED, 0x400);
	field(&event, "PartB", STRUCT, 5);
	text(&event, "_typeName", "Log");
	number(&event, "severityNumber", VALUE16, DEFAULT, 13);
	text(&event, "severityText", "WARN");
	number(&event, "eventId", VALUE64, SIGNED, 7);
	text(&event, "body", "cart is full");
	field(&event, "PartC", STRUCT, 3);
	number(&event, "items", VALUE32, DEFAULT, UINT32_MAX);
	field(&event, "list", VALUE32 | ARRAY, SIGNED);
	put_count(&event, sizeof(list) / sizeof(*list));
	put_data(&event, list, sizeof(list));
	field(&event, "names", STRING8 | ARRAY, DEFAULT);
	put_count(&event, 2);
	put_count(&event, 1);
	put_data(&event, "a", 1);
	put_count(&event, 0);
	end(record, &event, "cart_L3K1 " HEADER_FIELDS, 3);
}

static void make_dotnet_log(struct otel_record *record)
{
	struct event event;

	begin(&event, "Log");
	number(&event, "__csver__", VALUE16, HEX, 0x400);
	field(&event, "PartA", STRUCT, 7);
	text16(&event, "time", "2026-07-01T12:34:58.5Z");
	text16(&event, "ext_cloud_role", "billing");
	text16(&event, "ext_dt_traceId", "0af7651916cd43dd8448eb211c80319d");
	text16(&event, "ext_dt_spanId", "00f067aa0ba902b8");
	text16(&event, "ext_ex_type", "System.IO.IOException");
	text16(&event, "ext_ex_msg", "disk full");
	text16(&event, "ext_ex_stack", "at Billing.Save()");
	field(&event, "PartB", STRUCT, 6);
	text16(&event, "_typeName", "Log");
	text16(&event, "severityText", "Error");
	number(&event, "severityNumber", VALUE8, DEFAULT, 17);
	number(&event, "eventId", VALUE32, SIGNED, 3);
	text16(&event, "body", "cannot save {id}");
	text16(&event, "name", "Billing.Store");
	field(&event, "PartC", STRUCT, 1);
	number(&event, "id", VALUE32, SIGNED, -5);
	end(record, &event, "MicrosoftOpenTelemetryLogs_L4K1 " HEADER_FIELDS,
	    4);
}

/* ---- Spans ---- */

static void make_rust_span(struct otel_record *record)
{
	struct event event;

	begin(&event, "Span");
	number(&event, "__csver__", VALUE32, UNSIGNED, 0x400);
	field(&event, "PartA", STRUCT, 4);
	text(&event, "time", "2026-07-01T12:34:56.750Z");
	text(&event, "ext_dt_traceId", "0af7651916cd43dd8448eb211c80319c");
	text(&event, "ext_dt_spanId", "00f067aa0ba902b7");
	text(&event, "ext_cloud_role", "checkout");
	field(&event, "PartB", STRUCT, 10);
	text(&event, "_typeName", "Span");
	text(&event, "name", "POST /pay");
	text(&event, "startTime", "2026-07-01T12:34:56.500000001Z");
	number(&event, "success", VALUE8, BOOLEAN, 0);
	number(&event, "kind", VALUE32, UNSIGNED, 1);
	text(&event, "parentId", "00f067aa0ba902b6");
	text(&event, "links",
	     "[{\"toTraceId\":\"0af7651916cd43dd8448eb211c80319d\","
	     "\"toSpanId\":\"00f067aa0ba902b8\"},"
	     "{\"toTraceId\":\"ffffffffffffffffffffffffffffffff\","
	     "\"toSpanId\":\"ffffffffffffffff\"}]");
	text(&event, "httpMethod", "POST");
	text(&event, "dbSystem", "postgresql");
	text(&event, "statusMessage", "no answer");
	field(&event, "PartC", STRUCT, 1);
	number(&event, "amount", VALUE64, SIGNED, 1234);
	end(record, &event, "checkout_L4K1 " HEADER_FIELDS, 4);
}

static void make_rust_small_span(struct otel_record *record)
{
	struct event event;

	begin(&event, "Span");
	number(&event, "__csver__", VALUE32, UNSIGNED, 0x400);
	field(&event, "PartA", STRUCT, 3);
	text(&event, "time", "2026-07-01T12:34:59Z");
	text(&event, "ext_dt_traceId", "0af7651916cd43dd8448eb211c80319e");
	text(&event, "ext_dt_spanId", "00f067aa0ba902b9");
	field(&event, "PartB", STRUCT, 5);
	text(&event, "_typeName", "Span");
	text(&event, "name", "idle");
	text(&event, "startTime", "2026-07-01T12:34:58Z");
	number(&event, "success", VALUE8, BOOLEAN, 1);
	number(&event, "kind", VALUE32, UNSIGNED, 0);
	end(record, &event, "checkout_L4K1 " HEADER_FIELDS, 4);
}

/* ---- Metrics ---- */

/*
 * ExportMetricsServiceRequest in Protobuf: of the service "checkout", with the
 * scope "shop", a delta of 5 of the sum "orders", where "paid" is true, and the
 * values 0.25 and 0.5 of the gauge "load". Rust writes each of the three data
 * points as a message of its own, .NET as many as fit.
 */
const uint8_t otel_metrics[] = {
	0x0a, 0x9c, 0x01, 0x0a, 0x1c, 0x0a, 0x1a, 0x0a, 0x0c, 0x73, 0x65, 0x72,
	0x76, 0x69, 0x63, 0x65, 0x2e, 0x6e, 0x61, 0x6d, 0x65, 0x12, 0x0a, 0x0a,
	0x08, 0x63, 0x68, 0x65, 0x63, 0x6b, 0x6f, 0x75, 0x74, 0x12, 0x7c, 0x0a,
	0x06, 0x0a, 0x04, 0x73, 0x68, 0x6f, 0x70, 0x12, 0x40, 0x0a, 0x06, 0x6f,
	0x72, 0x64, 0x65, 0x72, 0x73, 0x1a, 0x07, 0x7b, 0x6f, 0x72, 0x64, 0x65,
	0x72, 0x7d, 0x3a, 0x2d, 0x0a, 0x27, 0x11, 0x00, 0xa4, 0x31, 0x91, 0x8d,
	0x2a, 0xbe, 0x18, 0x19, 0x00, 0x88, 0x3d, 0xe5, 0x8f, 0x2a, 0xbe, 0x18,
	0x31, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x0a, 0x0a,
	0x04, 0x70, 0x61, 0x69, 0x64, 0x12, 0x02, 0x10, 0x01, 0x10, 0x01, 0x18,
	0x01, 0x12, 0x30, 0x0a, 0x04, 0x6c, 0x6f, 0x61, 0x64, 0x2a, 0x28, 0x0a,
	0x12, 0x19, 0x00, 0x88, 0x3d, 0xe5, 0x8f, 0x2a, 0xbe, 0x18, 0x21, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0xd0, 0x3f, 0x0a, 0x12, 0x19, 0x01, 0x88,
	0x3d, 0xe5, 0x8f, 0x2a, 0xbe, 0x18, 0x21, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0xe0, 0x3f,
};

const size_t otel_metrics_size = sizeof(otel_metrics);

static void make_metrics(struct otel_record *record)
{
	const uint32_t protocol = 0;
	const uint32_t place = (uint32_t)otel_metrics_size << 16;

	record->command = "otlp_metrics " METRICS_FIELDS;
	record->size = 0;
	put(record->bytes, &record->size, &protocol, sizeof(protocol));
	put(record->bytes, &record->size, "v0.19.00", 8);
	put(record->bytes, &record->size, &place, sizeof(place));
	put(record->bytes, &record->size, otel_metrics, otel_metrics_size);
}

void otel_records_make(struct otel_record records[OTEL_RECORDS])
{
	static void (*const makers[OTEL_RECORDS])(struct otel_record *) = {
		[OTEL_RUST_LOG] = make_rust_log,
		[OTEL_RUST_SMALL_LOG] = make_rust_small_log,
		[OTEL_RUST_SPAN] = make_rust_span,
		[OTEL_RUST_SMALL_SPAN] = make_rust_small_span,
		[OTEL_CXX_LOG] = make_cxx_log,
		[OTEL_DOTNET_LOG] = make_dotnet_log,
		[OTEL_METRICS] = make_metrics,
	};
	size_t i;

	for (i = 0; i < OTEL_RECORDS; i++)
		makers[i](&records[i]);
}
