// SPDX-License-Identifier: MIT
/*
 * Prints the records of a perf.data file, one per line.
 *
 *	perf_data [FILE]
 *
 * Without FILE it reads a pipe: perf record -o - | perf_data Problems of the
 * file are printed to standard error, and the exit status is 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <userevents/session.h>

#define NANOSECONDS UINT64_C(1000000000)

static void print_problem(void *data, uint64_t offset, const char *reason)
{
	const char *file = data;

	fprintf(stderr, "perf_data: %s: at byte %" PRIu64 ": %s\n", file,
		offset, reason);
}

static void print_record(const struct uev_sample *record)
{
	const struct uev_source *source = record->source;

	printf("%5" PRIu64 ".%09" PRIu64 " [%03" PRIu32 "] %" PRIu32 "/%" PRIu32
	       " %s%s%s %" PRIu32 " bytes\n",
	       record->time / NANOSECONDS, record->time % NANOSECONDS,
	       record->cpu, record->pid, record->tid,
	       source->system ? source->system : "", source->system ? ":" : "",
	       source->name, record->raw_size);
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
	int ret;

	if (argc > 2) {
		fprintf(stderr, "usage: perf_data [FILE]\n");
		return 2;
	}

	ret = argc > 1 ? uev_perf_reader_open(&reader, file, &options)
		       : uev_perf_reader_open_fd(&reader, 0, &options);
	if (ret) {
		fprintf(stderr, "perf_data: %s: %s\n", file, strerror(-ret));
		return 1;
	}

	while ((ret = uev_perf_reader_next(reader, &record)) > 0)
		print_record(record);
	if (ret)
		fprintf(stderr, "perf_data: %s: %s\n", file, strerror(-ret));

	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	printf("%" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " corrupt\n",
	       counts.records, counts.lost, counts.corrupt);
	uev_perf_reader_close(reader);

	return ret || counts.corrupt ? 1 : 0;
}
