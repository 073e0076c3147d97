// SPDX-License-Identifier: MIT
/*
 * Writes a perf.data file with the records of lib/otel_records.h, for a test that
 * compares what leaves "user-events export --otlp" with what their programs send.
 *
 *	write_otel_data FILE
 *
 * The record number N was written N seconds after 2026-07-01T12:35:00Z.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/session.h>

#include "lib/decode_formats.h"
#include "lib/otel_records.h"

#define COMMON_SIZE 8
#define FIRST_ID 1500
#define SECOND 1000000000ULL

#define METRICS_FORMAT                                               \
	"name: otlp_metrics\nID: %u\n" COMMON_FIELDS                 \
	"\tfield:u32 protocol;\toffset:8;\tsize:4;\tsigned:0;\n"     \
	"\tfield:char[8] version;\toffset:12;\tsize:8;\tsigned:0;\n" \
	"\tfield:__rel_loc u8[] buffer;\toffset:20;\tsize:4;"        \
	"\tsigned:0;\n\n"                                            \
	"print fmt: \"protocol=%%u\", REC->protocol\n"

/* @sources: of an event each; the records of Rust at a level share one */
static struct {
	struct uev_source source;
	char name[64];
	char format[2048];
} events[OTEL_RECORDS];

static const struct uev_source *source_of(const char *command)
{
	size_t size = strcspn(command, " "), i;

	for (i = 0; events[i].name[0]; i++)
		if (strlen(events[i].name) == size &&
		    memcmp(events[i].name, command, size) == 0)
			return &events[i].source;
	snprintf(events[i].name, sizeof(events[i].name), "%.*s", (int)size,
		 command);
	if (strcmp(events[i].name, "otlp_metrics") == 0)
		snprintf(events[i].format, sizeof(events[i].format),
			 METRICS_FORMAT, FIRST_ID + (unsigned int)i);
	else
		snprintf(events[i].format, sizeof(events[i].format),
			 "name: %.*s\nID: %u\n%s", (int)size, command,
			 FIRST_ID + (unsigned int)i,
			 COMMON_FIELDS EVENTHEADER_FIELDS);
	events[i].source = (struct uev_source){
		.system = "user_events",
		.name = events[i].name,
		.format = events[i].format,
		.format_size = strlen(events[i].format),
		.id = FIRST_ID + (uint32_t)i,
	};

	return &events[i].source;
}

static int write_one(struct uev_perf_writer *writer,
		     const struct otel_record *record, uint64_t number)
{
	char raw[COMMON_SIZE + OTEL_RECORD_MAX] = "";
	struct uev_sample sample = {
		.source = source_of(record->command),
		.raw = raw,
		.raw_size = COMMON_SIZE + record->size,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID,
		.time = (number + 1) * SECOND,
		.pid = 7,
		.tid = 8,
	};
	const uint16_t type = (uint16_t)sample.source->id;

	sample.id = type;
	memcpy(raw, &type, sizeof(type));
	memcpy(raw + COMMON_SIZE, record->bytes, record->size);

	return uev_perf_writer_record(writer, &sample);
}

int main(int argc, char **argv)
{
	struct uev_clock clock = {
		.clockid = 4,
		.wall = 1782909300 * SECOND,
		.clock = SECOND,
	};
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.clock = &clock,
	};
	struct otel_record records[OTEL_RECORDS];
	struct uev_perf_writer *writer;
	uint64_t i;
	int ret;

	if (argc != 2) {
		fprintf(stderr, "usage: write_otel_data FILE\n");
		return 2;
	}
	otel_records_make(records);
	ret = uev_perf_writer_open(&writer, argv[1], &options);
	for (i = 0; i < OTEL_RECORDS && !ret; i++)
		ret = write_one(writer, &records[i], i);
	ret = ret ? ret : uev_perf_writer_finish(writer);
	if (ret)
		fprintf(stderr, "write_otel_data: %s\n", strerror(-ret));

	return ret ? 1 : 0;
}
