/* SPDX-License-Identifier: MIT */
/*
 * Records that the exporters of OpenTelemetry for user_events write, byte for
 * byte, written from reading their sources:
 *
 * RUST   opentelemetry-rust-contrib e075a6c, with eventheader_dynamic of
 *        LinuxTracepoints-Rust bb466c1: logs at the level of their severity with
 *        the keyword 1 and the parts A, C, B; spans at level 4 with A, B, C;
 *        metrics as the plain event "otlp_metrics"
 * CXX    opentelemetry-cpp-contrib 9f9cd7b, exporters/user_events: logs with the
 *        parts B and C; metrics in an event without fields
 * DOTNET opentelemetry-dotnet-contrib cd0365a, OpenTelemetry.Exporter.Geneva:
 *        logs with the parts A, B, C and UTF-16, all at level 4; metrics as RUST
 */
#ifndef OTEL_RECORDS_H
#define OTEL_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#define OTEL_RECORD_MAX 1024

enum {
	OTEL_RUST_LOG, /* with all members */
	OTEL_RUST_SMALL_LOG, /* with those that all logs have */
	OTEL_RUST_SPAN,
	OTEL_RUST_SMALL_SPAN,
	OTEL_CXX_LOG,
	OTEL_DOTNET_LOG,
	OTEL_METRICS,
	OTEL_RECORDS,
};

/*
 * struct otel_record - A record
 * @command: the name of the event and its fields, as the exporter registers it
 * @bytes: @size bytes, which the exporter writes after the index
 */
struct otel_record {
	const char *command;
	uint8_t bytes[OTEL_RECORD_MAX];
	size_t size;
};

/* otel_records_make() - Sets all of them */
void otel_records_make(struct otel_record records[OTEL_RECORDS]);

/* The message of OTEL_METRICS. C++ writes it after its number of bytes. */
extern const uint8_t otel_metrics[];
extern const size_t otel_metrics_size;

#endif
