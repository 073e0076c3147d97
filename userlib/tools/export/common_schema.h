/* SPDX-License-Identifier: MIT */
/*
 * user-events export: records of the exporters of OpenTelemetry.
 *
 * They write a log or a span as an EventHeader event in version 4.0 of
 * Microsoft's Common Schema: a field "__csver__" and the structs PartA (time,
 * trace, service), PartB (the log or span) and PartC (other attributes), in any
 * order. This file is the only one that knows the names of their fields.
 */
#ifndef USER_EVENTS_EXPORT_COMMON_SCHEMA_H
#define USER_EVENTS_EXPORT_COMMON_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "export/otlp_json.h"
#include "formats/record.h"
#include "query/names.h"

#define COMMON_SCHEMA_TRACE_SIZE 16
#define COMMON_SCHEMA_SPAN_SIZE 8

/* Maximum bytes of the body and of all attributes, in JSON */
#define COMMON_SCHEMA_TEXT_MAX ((size_t)1 << 20)

enum common_schema_kind {
	COMMON_SCHEMA_NONE = 0, /* another event */
	COMMON_SCHEMA_INVALID, /* starts with "__csver__", but is not as defined */
	COMMON_SCHEMA_LOG,
	COMMON_SCHEMA_SPAN,
};

/*
 * struct common_schema - A log or a span; initialized to zeros, released with
 * common_schema_release()
 * @seen: bits of the fields that the record has; private
 * @parts: bits of its parts; private
 * @has_part_a: it has the time and the trace
 * @time: nanoseconds since 1970, of a span its end; 0 if unknown
 * @start: start of a span, likewise
 * @trace, @span, @parent: zeros if unknown
 * @trace_flags: 0 to 255; -1 if unknown
 * @severity: of a log, 1 to 24; 0 if unknown
 * @span_kind: that of OpenTelemetry, less 1
 * @has_failed: the status of a span is an error
 * @name: of the log or of the span
 * @role, @instance: the service and its instance
 * @severity_text, @status, @trace_state: texts
 *        Values are of type UEV_DECODED_NULL if unknown, otherwise texts, which
 *        point into the record.
 * @body: value of a log as JSON of OTLP; empty if unknown
 * @attributes, @links: lists in JSON of OTLP, without brackets
 * @dropped: number of attributes that did not fit
 * @text, @names: memory
 */
struct common_schema {
	uint64_t seen;
	unsigned int parts;
	bool has_part_a;
	uint64_t time;
	uint64_t start;
	uint8_t trace[COMMON_SCHEMA_TRACE_SIZE];
	uint8_t span[COMMON_SCHEMA_SPAN_SIZE];
	uint8_t parent[COMMON_SCHEMA_SPAN_SIZE];
	int trace_flags;
	unsigned int severity;
	unsigned int span_kind;
	bool has_failed;
	struct uev_decoded_value name;
	struct uev_decoded_value role;
	struct uev_decoded_value instance;
	struct uev_decoded_value severity_text;
	struct uev_decoded_value status;
	struct uev_decoded_value trace_state;
	struct uev_output body;
	struct uev_output attributes;
	struct uev_output links;
	unsigned int dropped;
	struct uev_output text;
	struct query_names names;
};

/*
 * common_schema_read() - Reads a record
 * @decoder: any decoder; it is started with the record
 *
 * A record is invalid if it is malformed, if a field that has a place in OTLP has
 * another type than there or an impossible value, or if one occurs twice. Fields
 * without such a place become attributes.
 */
enum common_schema_kind common_schema_read(struct common_schema *schema,
					   struct uev_decoder *decoder,
					   const struct format_record *record);

/* Tests whether an ID is known. */
bool common_schema_has_id(const uint8_t *id, size_t size);

void common_schema_release(struct common_schema *schema);

#endif
