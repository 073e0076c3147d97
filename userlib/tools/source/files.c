// SPDX-License-Identifier: MIT
#include "source/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/trace_merge.h"
#include "terminal.h"
#include "tool.h"

/* Records between two updates of the progress bar, and its steps. */
#define PROGRESS_RECORDS 4096
#define PROGRESS_STEPS 40

/* Maximum number of problems that are printed per part. */
#define PROBLEMS_PRINTED_MAX 20

/*
 * struct files - State of a file, or of files that are merged
 * @input: the open part; or NULL
 * @has_ended: all its records were returned
 * @error: error of read(2) that ended it, or 0
 * @problems: number of its problems
 * @records: number of records so far
 * @is_shown: the bar is visible
 */
struct files {
	struct source source;
	struct source_files_options options;
	struct trace_merge *input;
	bool has_ended;
	int error;
	uint64_t problems;
	uint64_t records;
	bool is_shown;
};

/* ---- Signals ---- */

static volatile sig_atomic_t stopped_by;
static int nowhere = -1;

/* A blocked read returns the end. */
static void stop(int number)
{
	stopped_by = number;
	trace_input_stop(nowhere);
}

static void catch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = stop };
	size_t i;

	nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigemptyset(&action.sa_mask);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i] != SIGHUP || !tool_ignores_hangup())
			sigaction(numbers[i], &action, NULL);
}

static int files_signal(const struct source *source)
{
	(void)source;

	return stopped_by;
}

/* ---- Progress ---- */

static void hide_progress(struct files *files)
{
	if (files->is_shown)
		fputs("\r\033[K", stderr);
	files->is_shown = false;
}

static void show_progress(struct files *files)
{
	static const char bar[PROGRESS_STEPS + 1] =
		"########################################";
	_cleanup_free_ char *name = NULL;
	uint64_t at, size;
	int steps;

	if (!files->options.has_progress || files->records % PROGRESS_RECORDS)
		return;
	at = trace_merge_offset(files->input, &size);
	files->is_shown = true;
	name = terminal_text(trace_merge_name(files->input));
	fprintf(stderr, "\r%s: ", name);
	if (!size) {
		fprintf(stderr, "%" PRIu64 " MiB", at >> 20);
		return;
	}
	steps = at < size ? (int)((double)at / (double)size * PROGRESS_STEPS)
			  : PROGRESS_STEPS;
	fprintf(stderr, "[%-*.*s] %3d %%", PROGRESS_STEPS, steps, bar,
		steps * 100 / PROGRESS_STEPS);
}

/* ---- Problems ---- */

static bool may_print_problem(struct files *files)
{
	hide_progress(files);
	/* Standard output and standard error can be the same. */
	if (files->source.before_message)
		files->source.before_message(files->source.data);

	return files->problems++ < PROBLEMS_PRINTED_MAX;
}

static void problem(void *data, const char *name, uint64_t offset,
		    const char *reason)
{
	struct files *files = data;

	/* The rest of a pipe is missing after a signal. */
	if (!stopped_by && may_print_problem(files))
		tool_error("%s: at byte %" PRIu64 ": %s", name, offset, reason);
}

static void files_bad_record(struct source *source,
			     const struct format_record *record,
			     const struct uev_decoder *decoder, int error)
{
	_cleanup_free_ char *name = NULL;
	const struct uev_source *event = record->sample->source;
	struct files *files = (struct files *)source;
	size_t offset = 0;
	const char *reason = uev_decoder_error(decoder, &offset);

	if (!may_print_problem(files))
		return;
	name = tool_print("%s%s%s", event->system ? event->system : "",
			  event->system ? ":" : "", event->name);
	tool_error("%s: at byte %" PRIu64 ": %s: at byte %zu of the record: %s",
		   trace_merge_name(files->input),
		   trace_merge_record_offset(files->input), name, offset,
		   reason ? reason : strerror(-error));
}

static const char *error_text(int error)
{
	switch (error) {
	case -EBADMSG:
		return "neither perf.data nor trace.dat, or not readable";
	case -ESPIPE:
		return "cannot be read from a pipe";
	case -EXDEV:
		return "times cannot be compared with those of other files";
	default:
		return strerror(-error);
	}
}

/* ---- Records ---- */

static bool is_pipe(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISFIFO(status.st_mode);
}

static int cannot_open(const struct files *files, const char *name, int error)
{
	/* The reason might have been printed, and is no error after a signal. */
	if (!stopped_by && (error != -EBADMSG || !files->problems))
		tool_error("%s: %s", name, error_text(error));
	if (error == -EXDEV)
		tool_hint("record with the same clock, such as perf record -k "
			  "mono, or decode without --merge");

	return TOOL_FAILED;
}

/* @count: number of the files of the part */
static void report_counters(const struct files *files, size_t count)
{
	const char *clock, *name;
	size_t i;

	for (i = 0; i < count; i++) {
		clock = trace_merge_counter(files->input, i, &name);
		if (!clock)
			continue;
		/* Standard output and standard error can be the same. */
		if (files->source.before_message)
			files->source.before_message(files->source.data);
		tool_error("%s: times are counts of the clock %s, shown as if "
			   "they were nanoseconds",
			   name, clock);
		tool_hint("record with a clock in nanoseconds, such as "
			  "trace-cmd record -C mono");
	}
}

static int files_open(struct source *source, size_t part)
{
	struct files *files = (struct files *)source;
	const struct source_files_options *options = &files->options;
	const char *const *names = options->names + part;
	size_t count = options->is_merged ? options->count : 1;
	const char *failed;
	int ret;

	if (strcmp(names[0], "-") == 0)
		source->is_slow |= is_pipe(STDIN_FILENO);
	files->has_ended = false;
	files->error = 0;
	files->problems = 0;
	files->records = 0;
	ret = trace_merge_open(&files->input, names, count, problem, files,
			       &failed);
	if (ret)
		return cannot_open(files, failed, ret);
	source->name = count > 1 ? "merged" : trace_merge_name(files->input);
	report_counters(files, count);

	return TOOL_OK;
}

static bool files_wait(struct source *source, int timeout)
{
	struct files *files = (struct files *)source;

	(void)timeout;

	return !files->has_ended && !stopped_by;
}

/* Files have no buffers. */
static ssize_t files_read(struct source *source, unsigned int flags)
{
	(void)source;
	(void)flags;

	return 0;
}

static bool files_next(struct source *source, struct format_record *record)
{
	struct files *files = (struct files *)source;
	int ret;

	/* After an error, the other files could have records. */
	if (files->has_ended)
		return false;
	ret = stopped_by ? 0 : trace_merge_next(files->input, record);
	if (ret <= 0) {
		files->has_ended = true;
		files->error = ret;
		return false;
	}
	files->records++;
	show_progress(files);

	return true;
}

static bool files_next_loss(struct source *source, uint64_t until,
			    struct format_loss *loss)
{
	struct files *files = (struct files *)source;

	return trace_merge_next_loss(files->input, until, loss);
}

static int files_count(struct source *source)
{
	struct files *files = (struct files *)source;
	struct uev_trace_stats counts;

	trace_merge_counts(files->input, &counts);
	source->counts = (struct capture_totals){
		.read = counts.records,
		.corrupt = counts.corrupt,
		.lost = counts.lost,
	};

	return TOOL_OK;
}

static void close_input(struct files *files)
{
	if (files->input)
		trace_merge_close(files->input);
	files->input = NULL;
}

static int files_end(struct source *source)
{
	struct files *files = (struct files *)source;
	const struct capture_totals *counts = &source->counts;

	hide_progress(files);
	if (files->error) {
		tool_error("%s: %s", trace_merge_name(files->input),
			   error_text(files->error));
		files->problems++;
	}
	if (files->problems > PROBLEMS_PRINTED_MAX)
		tool_error("%s: %" PRIu64 " more errors", source->name,
			   files->problems - PROBLEMS_PRINTED_MAX);
	if (counts->lost)
		tool_error("%s: %" PRIu64 " records lost during recording",
			   source->name, counts->lost);
	close_input(files);
	/* A malformed file without any record is a failure. */
	if (files->problems && !counts->read)
		return TOOL_FAILED;

	return files->problems || counts->corrupt || counts->lost
		       ? TOOL_INCOMPLETE
		       : TOOL_OK;
}

static int files_close(struct source *source, int status)
{
	struct files *files = (struct files *)source;

	hide_progress(files);
	close_input(files);
	free(files);

	return status;
}

static const struct source_ops ops = {
	.open = files_open,
	.wait = files_wait,
	.read = files_read,
	.next = files_next,
	.next_loss = files_next_loss,
	.bad_record = files_bad_record,
	.count = files_count,
	.end = files_end,
	.signal = files_signal,
	.close = files_close,
};

static bool is_same(const struct stat *output, const char *name)
{
	struct stat status;
	int ret = strcmp(name, "-") != 0 ? stat(name, &status)
					 : fstat(STDIN_FILENO, &status);

	return !ret && status.st_dev == output->st_dev &&
	       status.st_ino == output->st_ino;
}

int source_files_check_output(const char *path, const char *const *names,
			      size_t count)
{
	struct stat output;
	size_t i;

	/* Devices and pipes keep nothing that is lost. */
	if (!path || strcmp(path, "-") == 0 || stat(path, &output) ||
	    !S_ISREG(output.st_mode))
		return TOOL_OK;
	for (i = 0; i < count; i++) {
		if (is_same(&output, names[i])) {
			tool_error("%s: is an input, too", path);
			return TOOL_FAILED;
		}
	}

	return TOOL_OK;
}

struct source *source_files_new(const struct source_files_options *options)
{
	struct files *files = tool_alloc(sizeof(*files));

	files->source.ops = &ops;
	files->source.parts = options->is_merged ? 1 : options->count;
	files->options = *options;
	if (options->ends_at_signals)
		catch_signals();

	return &files->source;
}
