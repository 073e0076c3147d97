// SPDX-License-Identifier: MIT
#include "formats/trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "tool.h"
#include "formats/schemas.h"
#include "formats/spool.h"

/* Bytes to detect the kind of a file. */
#define MAGIC_SIZE 10

/*
 * @fd: to be closed; -1 if it belongs to the caller
 * @spooled: copy of a pipe, or -1
 * @stream: the pipe or socket that is read; -1: a file
 * @perf, @dat: one of them
 * @named: by index of a source without a name, the same with one; or NULL
 * @running: the running kernel
 * @copy: the last record, if it has a source of @named
 */
struct trace_input {
	int fd;
	int spooled;
	int stream;
	struct uev_perf_reader *perf;
	struct trace_dat *dat;
	struct schemas schemas;
	struct uev_source **named;
	size_t named_count;
	struct utsname running;
	struct uev_sample copy;
};

/*
 * For a signal handler: the pipe or socket that is read, and what replaces it;
 * -1: none
 */
static volatile sig_atomic_t waits_for = -1, replacement = -1;

static void wait_for(int stream)
{
	waits_for = stream;
	/* The signal might have come before. */
	if (stream >= 0 && replacement >= 0)
		dup2(replacement, stream);
}

void trace_input_stop(int nowhere)
{
	replacement = nowhere;
	if (waits_for >= 0)
		dup2(nowhere, waits_for);
}

/* Return: 0, or -EBADMSG after the error was reported */
static int copy_pipe(struct trace_input *input, int fd, trace_problem problem,
		     void *data)
{
	int ret = spool_open(fd, &input->spooled);
	char *reason;

	if (!ret)
		return 0;
	reason = tool_print("cannot be copied to %s: %s", spool_directory(),
			    strerror(-ret));
	problem(data, 0, reason);
	free(reason);

	return -EBADMSG;
}

static bool is_trace_dat(int fd)
{
	char bytes[MAGIC_SIZE];
	ssize_t got = pread(fd, bytes, sizeof(bytes), 0);

	return got == (ssize_t)sizeof(bytes) &&
	       trace_dat_is(bytes, sizeof(bytes));
}

/* @path: of @fd, if it is known */
static int open_input(struct trace_input **opened, int fd, const char *path,
		      trace_problem problem, void *data)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = problem,
		.data = data,
	};
	struct trace_input *input = tool_alloc(sizeof(*input));
	struct stat status;
	bool is_known = !fstat(fd, &status);
	bool is_directory = is_known && S_ISDIR(status.st_mode);
	bool is_file = is_known && S_ISREG(status.st_mode);
	int ret;

	input->fd = -1;
	uname(&input->running);
	/* The reader of anything else can wait for ever. */
	input->stream = is_known && !is_file && !is_directory ? fd : -1;
	wait_for(input->stream);
	ret = copy_pipe(input, fd, problem, data);
	if (input->spooled >= 0) {
		fd = input->spooled;
		input->stream = -1;
	}
	if (!ret && is_trace_dat(fd))
		ret = trace_dat_open(&input->dat, fd, problem, data);
	else if (!ret && is_directory && path)
		ret = uev_perf_reader_open(&input->perf, path, &options);
	else if (!ret)
		ret = uev_perf_reader_open_fd(&input->perf, fd, &options);
	if (ret) {
		trace_input_close(input);
		return ret;
	}
	*opened = input;

	return 0;
}

int trace_input_open_fd(struct trace_input **opened, int fd,
			trace_problem problem, void *data)
{
	return open_input(opened, fd, NULL, problem, data);
}

int trace_input_open(struct trace_input **input, const char *path,
		     trace_problem problem, void *data)
{
	int fd, ret;

	if (strcmp(path, "-") == 0)
		return trace_input_open_fd(input, STDIN_FILENO, problem, data);

	if (replacement >= 0)
		return -EINTR;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = open_input(input, fd, path, problem, data);
	if (ret)
		close(fd);
	else
		(*input)->fd = fd;

	return ret;
}

static void free_named(struct uev_source *named)
{
	if (named)
		free((char *)named->name);
	free(named);
}

void trace_input_close(struct trace_input *input)
{
	size_t i;

	wait_for(-1);
	for (i = 0; i < input->named_count; i++)
		free_named(input->named[i]);
	free(input->named);
	schemas_release(&input->schemas);
	uev_perf_reader_close(input->perf);
	trace_dat_close(input->dat);
	if (input->spooled >= 0)
		close(input->spooled);
	if (input->fd >= 0)
		close(input->fd);
	free(input);
}

/* Selects the flags of schemas for a file. */
static unsigned int schema_flags(const struct trace_input *input)
{
	bool is_foreign;
	uint8_t size;

	if (input->perf) {
		is_foreign = uev_perf_reader_info(input->perf)->is_foreign;
		size = uev_perf_reader_info(input->perf)->long_size;
	} else {
		is_foreign = trace_dat_info(input->dat)->is_foreign;
		size = trace_dat_info(input->dat)->long_size;
	}

	return (is_foreign ? UEV_SCHEMA_SWAPPED : 0) |
	       (size == 4   ? UEV_SCHEMA_LONG32
		: size == 8 ? UEV_SCHEMA_LONG64
			    : 0);
}

/* A file can lack the names of events. Their tracepoints have IDs. */
static const struct uev_sample *with_name(struct trace_input *input,
					  const struct uev_sample *sample)
{
	const struct uev_source *source = sample->source;
	struct uev_source **named;

	if (*source->name || !source->id)
		return sample;
	while (input->named_count <= source->index)
		*tool_add(input->named, input->named_count) = NULL;
	named = &input->named[source->index];
	if (!*named) {
		*named = tool_alloc(sizeof(**named));
		**named = *source;
		(*named)->name = tool_print("tracepoint-%u", source->id);
	}
	input->copy = *sample;
	input->copy.source = *named;

	return &input->copy;
}

/* Clocks of ftrace: others count events, ticks, or cycles of an architecture. */
static bool has_nanoseconds(const char *clock)
{
	static const char *const clocks[] = { "local", "global",   "perf",
					      "mono",  "mono_raw", "boot",
					      "tai" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (strcmp(clock, clocks[i]) == 0)
			return true;

	return false;
}

/* Clock of trace.dat whose times are dates. */
static const struct uev_clock dates = { .clockid = CLOCK_REALTIME };

/* Counts of another unit than nanoseconds are no dates. */
static bool has_dates(const struct trace_dat_info *info)
{
	return info->is_wall && has_nanoseconds(info->clock);
}

static const struct uev_clock *clock_of(const struct trace_input *input)
{
	const struct uev_perf_info *info;

	if (!input->perf)
		return has_dates(trace_dat_info(input->dat)) ? &dates : NULL;
	info = uev_perf_reader_info(input->perf);

	return info->has_clock ? &info->clock : NULL;
}

/* Tests whether the file is of a kernel that the running one cannot describe. */
static bool is_other_kernel(const struct trace_input *input)
{
	const char *release = uev_perf_reader_info(input->perf)->osrelease;

	return release && strcmp(release, input->running.release) != 0;
}

static const struct uev_mapping *find_mapping(const void *data, uint32_t pid,
					      uint64_t address)
{
	const struct trace_input *input = data;

	if (pid == UEV_KERNEL_PID && is_other_kernel(input))
		return NULL;

	return uev_perf_reader_mapping(input->perf, pid, address);
}

int trace_input_next(struct trace_input *input, struct format_record *record)
{
	const struct uev_sample *sample;
	int ret;

	wait_for(input->stream);
	ret = input->perf ? uev_perf_reader_next(input->perf, &sample)
			  : trace_dat_next(input->dat, &sample);
	if (ret <= 0)
		return ret;

	*record = (struct format_record){
		.sample = with_name(input, sample),
		.schema = schemas_get(&input->schemas, sample->source,
				      schema_flags(input)),
		.clock = clock_of(input),
	};
	if (sample->flags & UEV_HAS_TID)
		record->comm = input->dat
				       ? trace_dat_comm(input->dat, sample->tid)
				       : uev_perf_reader_comm(input->perf,
							      sample->tid);
	if (input->perf) {
		record->mapping = find_mapping;
		record->mapping_data = input;
	}

	return 1;
}

bool trace_input_next_loss(struct trace_input *input, uint64_t until,
			   struct format_loss *loss)
{
	struct uev_loss found;

	if (!(input->dat
		      ? trace_dat_next_loss(input->dat, until, &found)
		      : uev_perf_reader_next_loss(input->perf, until, &found)))
		return false;
	*loss = (struct format_loss){
		.loss = found,
		.clock = clock_of(input),
	};

	return true;
}

uint64_t trace_input_record_offset(const struct trace_input *input)
{
	return input->perf ? uev_perf_reader_record_offset(input->perf)
			   : trace_dat_record_offset(input->dat);
}

/* Clocks of perf record -k. ftrace has other names. */
static const char *clock_name(int32_t clockid)
{
	switch (clockid) {
	case UEV_CLOCK_PERF:
		return "perf";
	case CLOCK_MONOTONIC:
		return "mono";
	case CLOCK_MONOTONIC_RAW:
		return "mono_raw";
	case CLOCK_BOOTTIME:
		return "boot";
	case CLOCK_TAI:
		return "tai";
	default:
		return "";
	}
}

void trace_input_clock(const struct trace_input *input,
		       struct trace_clock *clock)
{
	const struct trace_dat_info *dat;
	const struct uev_perf_info *info;

	*clock = (struct trace_clock){ 0 };
	if (input->dat) {
		dat = trace_dat_info(input->dat);
		clock->is_wall = dat->is_wall;
		clock->wall = clock_of(input);
		clock->name = dat->is_shifted ? "" : dat->clock;
		clock->host = *dat->host ? dat->host : NULL;
		clock->counter = has_nanoseconds(dat->clock) ? NULL
							     : dat->clock;
		return;
	}
	info = uev_perf_reader_info(input->perf);
	clock->is_wall = info->clock.clockid == CLOCK_REALTIME;
	clock->name = clock_name(info->clock.clockid);
	clock->host = info->hostname && *info->hostname ? info->hostname : NULL;
	if (info->has_clock)
		clock->wall = &info->clock;
}

void trace_input_counts(const struct trace_input *input,
			struct uev_trace_stats *counts)
{
	if (input->perf)
		uev_perf_reader_stats(input->perf, counts, sizeof(*counts));
	else
		trace_dat_counts(input->dat, counts);
}

uint64_t trace_input_offset(const struct trace_input *input, uint64_t *size)
{
	return input->perf ? uev_perf_reader_offset(input->perf, size)
			   : trace_dat_offset(input->dat, size);
}
