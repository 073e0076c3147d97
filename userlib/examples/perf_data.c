// SPDX-License-Identifier: MIT
/*
 * Decodes a perf.data file: prints each record in a line, with its fields as
 * JSON.
 *
 *	perf_data [FILE]
 *
 * Without FILE it reads a pipe: perf record -o - | perf_data. Problems of the
 * file are printed to standard error, and the exit status is 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <userevents/decode.h>
#include <userevents/session.h>

#define NANOSECONDS UINT64_C(1000000000)

static void print_problem(void *data, uint64_t offset, const char *reason)
{
	const char *file = data;

	fprintf(stderr, "perf_data: %s: at byte %" PRIu64 ": %s\n", file,
		offset, reason);
}

/* Prints the readable part of a malformed record, too. */
static void print_fields(const struct uev_sample *record,
			 struct uev_decoder *decoder, unsigned int flags)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_output json = UEV_OUTPUT_INIT;
	struct uev_schema *schema;

	options.flags = UEV_JSON_PARTIAL | UEV_JSON_COMPACT;
	/* A program that reads many records keeps the schemas, by source->index. */
	if (uev_schema_of(&schema, record->source, flags))
		return;
	uev_decoder_start(decoder, schema, record->raw, record->raw_size);
	uev_decoder_append_json(decoder, &options, NULL, &json);
	printf(" %s", json.size ? json.text : "");
	uev_output_release(&json);
	uev_schema_free(schema);
}

/* A pipe has the size of long in front of its first record, but not earlier. */
static unsigned int schema_flags(const struct uev_perf_info *info)
{
	unsigned int flags = info->is_foreign ? UEV_SCHEMA_SWAPPED : 0;

	if (info->long_size == 4)
		flags |= UEV_SCHEMA_LONG32;
	else if (info->long_size == 8)
		flags |= UEV_SCHEMA_LONG64;

	return flags;
}

static void print_record(const struct uev_sample *record,
			 struct uev_decoder *decoder, unsigned int flags)
{
	const struct uev_source *source = record->source;

	printf("%5" PRIu64 ".%09" PRIu64 " [%03" PRIu32 "] %" PRIu32 "/%" PRIu32
	       " %s%s%s",
	       record->time / NANOSECONDS, record->time % NANOSECONDS,
	       record->cpu, record->pid, record->tid,
	       source->system ? source->system : "", source->system ? ":" : "",
	       source->name);
	print_fields(record, decoder, flags);
	putchar('\n');
}

int main(int argc, char **argv)
{
	char *file = argc > 1 ? argv[1] : "standard input";
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = print_problem,
		.data = file,
	};
	struct uev_trace_stats counts;
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	struct uev_decoder *decoder;
	int ret;

	ret = argc > 1 ? uev_perf_reader_open(&reader, file, &options)
		       : uev_perf_reader_open_fd(&reader, 0, &options);
	if (ret) {
		fprintf(stderr, "perf_data: %s: %s\n", file, strerror(-ret));
		return 1;
	}

	if (uev_decoder_new(&decoder))
		return 1;
	while ((ret = uev_perf_reader_next(reader, &record)) > 0)
		print_record(record, decoder,
			     schema_flags(uev_perf_reader_info(reader)));
	uev_decoder_free(decoder);
	if (ret)
		fprintf(stderr, "perf_data: %s: %s\n", file, strerror(-ret));

	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	printf("%" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " corrupt\n",
	       counts.records, counts.lost, counts.corrupt);
	uev_perf_reader_close(reader);

	return ret || counts.corrupt ? 1 : 0;
}
