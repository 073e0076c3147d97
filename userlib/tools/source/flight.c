// SPDX-License-Identifier: MIT
#include "source/flight.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/names.h"
#include "capture/signals.h"
#include "flight/describe.h"
#include "flight/flight.h"
#include "flight/losses.h"
#include "flight/pages.h"
#include "formats/schemas.h"
#include "formats/trace_dat.h"
#include "formats/trace_dat_header.h"
#include "tool.h"
#include "util/text_file.h"

/* Between two searches for records, in milliseconds */
#define INTERVAL_MS 100

/* Between two searches for losses, in milliseconds */
#define LOSSES_INTERVAL_MS 1000

/* PROC_PID_INIT_INO of the kernel */
#define INITIAL_PID_NAMESPACE 0xeffffffcU

/*
 * struct source_flight - A recorder that is read
 * @pages: its processors, and the pages that are read
 * @dat: reads records of the pages
 * @losses: records that it did not get
 * @names: names of threads of which the kernel has recorded none
 * @has_names: IDs of threads in /proc are those of records, which are new
 * @has_comms: @dat has the names that the kernel knew after the last move
 * @until: when it ends, in milliseconds; 0: not by time
 * @next_losses: when losses are searched for again, in milliseconds
 * @has_moved: the pages of a dump were moved
 * @has_ended: all records were read
 * @is_stopped: no more pages are wanted
 * @problems: number of malformed pages that were printed
 */
struct source_flight {
	struct source source;
	struct source_flight_options options;
	struct flight flight;
	struct flight_pages pages;
	struct flight_losses losses;
	struct trace_dat *dat;
	struct schemas schemas;
	struct capture_names names;
	uint64_t until;
	uint64_t next_losses;
	bool has_names;
	bool has_comms;
	bool has_moved;
	bool has_ended;
	bool is_stopped;
	uint64_t problems;
};

static struct source_flight *flight_of(struct source *source)
{
	return (struct source_flight *)source;
}

/* ---- Pages ---- */

static void problem(void *data, uint64_t offset, const char *reason)
{
	struct source_flight *flight = data;

	(void)offset;
	if (!flight->problems++)
		tool_error("%s: %s", flight->options.name, reason);
}

/* Return: -1: an error, which is printed; 0: no records */
static int move_pages(struct source_flight *flight, bool wants_copy)
{
	struct flight_pages *pages = &flight->pages;
	int ret = flight_pages_move(pages, wants_copy);
	size_t i;

	flight->has_comms = !flight->options.follows;
	/* The recorder was stopped. */
	if (ret == -ENOENT && flight->options.follows) {
		flight->is_stopped = true;
		return 0;
	}
	if (ret < 0) {
		tool_error_of(ret, "%s: cannot read its records",
			      flight->options.name);
		return -1;
	}
	for (i = 0; i < pages->cpu_count; i++)
		if (pages->cpus[i].end > pages->cpus[i].offset)
			trace_dat_set_pages(flight->dat, pages->cpus[i].number,
					    pages->fd, pages->cpus[i].offset,
					    pages->cpus[i].end,
					    (uint32_t)pages->layout.page_size);

	return ret;
}

/* A trace.dat without pages describes the events. Return: 0 or -errno */
static int open_description(struct source_flight *flight,
			    struct uev_output *text)
{
	int fd = memfd_create("user-events", MFD_CLOEXEC), ret = 0;
	struct trace_dat_header header = {
		.clock = "mono",
		.page_size = (uint32_t)flight->pages.layout.page_size,
	};

	if (fd < 0)
		return -errno;
	trace_dat_table_append(text, &header, NULL, 0);
	if (write(fd, text->text, text->size) != (ssize_t)text->size)
		ret = -EIO;
	if (!ret)
		ret = trace_dat_open(&flight->dat, fd, problem, flight);
	close(fd);

	return ret;
}

/* Records have IDs of the initial PID namespace, whose number is constant. */
static bool is_initial_pid_namespace(void)
{
	struct stat namespace;

	return !stat("/proc/self/ns/pid", &namespace) &&
	       namespace.st_ino == INITIAL_PID_NAMESPACE;
}

/* Return: an exit status */
static int open_pages(struct source_flight *flight)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	const char *name = flight->options.name;
	int ret = flight_pages_open(&flight->pages, &flight->flight);
	int status = TOOL_OK;

	if (ret)
		return tool_error_of(ret, "%s: cannot be read", name);
	status = flight_description(&text, &flight->flight);
	if (!status) {
		ret = open_description(flight, &text);
		if (ret)
			status = tool_error_of(ret, "%s: cannot be read", name);
	}

	return status;
}

/* ---- The source ---- */

static int source_open(struct source *source, size_t part)
{
	struct source_flight *flight = flight_of(source);
	const struct source_flight_options *options = &flight->options;
	int status =
		options->instance
			? flight_open_instance(&flight->flight, options->name)
			: flight_open(&flight->flight, options->name);

	(void)part;
	if (!status && options->follows &&
	    flight->flight.condition != FLIGHT_RECORDING) {
		tool_error("%s: does not record", options->name);
		tool_hint("its records are those of \"user-events flight dump "
			  "%s%s\"",
			  options->instance ? "--instance " : "",
			  options->name);
		status = TOOL_FAILED;
	}
	if (!status)
		status = open_pages(flight);
	if (status)
		return status;
	if (options->follows && !options->instance &&
	    move_pages(flight, false) < 0)
		return TOOL_FAILED;
	/* The ID of a thread in an old record can be that of another one now. */
	flight->has_names = options->follows && !options->instance &&
			    is_initial_pid_namespace();
	flight_losses_begin(&flight->losses, &flight->pages, options->follows);
	if (options->duration)
		flight->until = tool_now() + options->duration;

	return TOOL_OK;
}

static bool is_over(const struct source_flight *flight)
{
	return flight->is_stopped || capture_signals.stop_requests ||
	       (flight->until && tool_now() >= flight->until);
}

static bool source_wait(struct source *source, int timeout)
{
	struct source_flight *flight = flight_of(source);

	if (!flight->options.follows)
		return !flight->has_moved && !is_over(flight);
	if (timeout < 0 || timeout > INTERVAL_MS)
		timeout = INTERVAL_MS;
	if (!is_over(flight))
		poll(NULL, 0, timeout);

	return !is_over(flight);
}

/* After the stop, once more for the records since then */
static ssize_t source_read(struct source *source, unsigned int flags)
{
	struct source_flight *flight = flight_of(source);

	if (flight->has_moved)
		return 0;
	flight->has_moved = !flight->options.follows || flags & UEV_READ_DRAIN;

	return move_pages(flight, true);
}

/* Threads can have appeared, or have other names, since the last move. */
static void read_comms(struct source_flight *flight)
{
	_cleanup_free_ char *path =
		tool_print("%s/saved_cmdlines", flight->flight.tracefs);
	char *text;

	flight->has_comms = true;
	if (!uev_text_file_read(path, &text, NULL))
		trace_dat_set_comms(flight->dat, text);
}

/* The kernel records the name of a thread when it switches to another one. */
static const char *comm_of(struct source_flight *flight, uint32_t tid)
{
	const char *comm;

	if (!flight->has_comms)
		read_comms(flight);
	comm = trace_dat_comm(flight->dat, tid);

	return comm || !flight->has_names
		       ? comm
		       : capture_name(&flight->names, tid, tool_now());
}

static bool source_next(struct source *source, struct format_record *record)
{
	struct source_flight *flight = flight_of(source);
	const struct uev_sample *sample;
	bool is_cut = !flight->options.follows && capture_signals.stop_requests;

	if (is_cut)
		return false;
	if (trace_dat_next(flight->dat, &sample) <= 0) {
		flight->has_ended = true;
		return false;
	}
	*record = (struct format_record){
		.sample = sample,
		.schema = schemas_get(&flight->schemas, sample->source, 0),
		.clock = flight->flight.has_dates ? &flight->flight.clock
						  : NULL,
	};
	if (sample->flags & UEV_HAS_TID)
		record->comm = comm_of(flight, sample->tid);

	return true;
}

/*
 * Seldom, since each processor has a file; for a dump once, because later ones
 * are not among its records
 */
static void source_find_losses(struct source *source)
{
	struct source_flight *flight = flight_of(source);
	uint64_t now = tool_now();
	bool is_due = flight->options.follows &&
		      (now >= flight->next_losses || is_over(flight));

	if (flight->next_losses && !is_due)
		return;
	flight_losses_find(&flight->losses);
	flight->next_losses = now + LOSSES_INTERVAL_MS;
}

static bool source_next_loss(struct source *source, uint64_t until,
			     struct format_loss *loss)
{
	struct source_flight *flight = flight_of(source);

	if (!trace_dat_next_loss(flight->dat, until, &loss->loss) &&
	    !loss_queue_take(&flight->losses.found, until, &loss->loss))
		return false;
	loss->clock = flight->flight.has_dates ? &flight->flight.clock : NULL;

	return true;
}

/*
 * Returns the records that newer ones have replaced: in the kernel, which marks
 * them in its pages, or in the rings. All that left the buffers of the kernel and
 * is not here was replaced. With a snapshot, the kernel exchanges the numbers with
 * the buffers.
 */
static uint64_t count_replaced(const struct source_flight *flight,
			       const struct uev_trace_stats *counts)
{
	uint64_t here = counts->records + counts->corrupt, gone = 0;
	struct flight_stats stats;
	size_t i;

	if (!flight->has_ended || flight->options.follows ||
	    flight->flight.is_foreign || flight->flight.on ||
	    flight->flight.condition == FLIGHT_GONE ||
	    flight->flight.condition == FLIGHT_EARLIER)
		return counts->lost;
	for (i = 0; i < flight->pages.cpu_count; i++) {
		flight_stats_read(&stats, &flight->flight,
				  flight->pages.cpus[i].number);
		gone += stats.overwritten + stats.read;
	}

	return gone > here + counts->lost ? gone - here : counts->lost;
}

static int source_count(struct source *source)
{
	struct source_flight *flight = flight_of(source);
	struct uev_trace_stats counts;

	trace_dat_counts(flight->dat, &counts);
	source->counts = (struct capture_totals){
		.read = counts.records,
		.corrupt = counts.corrupt,
		.lost = count_replaced(flight, &counts),
		.unseen = flight->losses.sum,
	};

	return TOOL_OK;
}

/* Overwriting is what a recorder is for, and is only said. */
static int source_end(struct source *source)
{
	struct source_flight *flight = flight_of(source);
	const struct capture_totals *counts = &source->counts;
	int status = flight->flight.is_foreign
			     ? TOOL_OK
			     : flight_losses_pause(&flight->flight);

	if (!flight->options.follows)
		tool_error("%s: %" PRIu64 " events, %" PRIu64
			   " overwritten, %" PRIu64 " lost",
			   flight->options.name, counts->read, counts->lost,
			   counts->unseen);
	if (flight->problems || (!flight->options.follows && counts->unseen))
		status = TOOL_INCOMPLETE;

	return status;
}

/* A dump that is interrupted has no result. */
static int source_signal(const struct source *source)
{
	const struct source_flight *flight =
		(const struct source_flight *)source;

	return flight->options.follows ? 0 : capture_signals.stop_signal;
}

static int source_close(struct source *source, int status)
{
	struct source_flight *flight = flight_of(source);

	trace_dat_close(flight->dat);
	flight_losses_release(&flight->losses);
	flight_pages_close(&flight->pages);
	schemas_release(&flight->schemas);
	flight_release(&flight->flight);
	free(flight);

	return status;
}

static const struct source_ops ops = {
	.open = source_open,
	.wait = source_wait,
	.read = source_read,
	.next = source_next,
	.find_losses = source_find_losses,
	.next_loss = source_next_loss,
	.count = source_count,
	.end = source_end,
	.signal = source_signal,
	.close = source_close,
};

/* ---- Options ---- */

const struct tool_option source_flight_rows[] = {
	{ "instance", 0, "NAME",
	  "read an instance of ftrace that others made, which requires --consume",
	  SET_TEXT(struct source_flight_options, instance, NULL) },
	{ "consume", 0, NULL,
	  "remove the records that are read from the instance",
	  SET_FLAG(struct source_flight_options, consumes) },
	{ 0 },
};

const struct tool_option source_flight_choice[] = {
	{ "flight", 0, "NAME",
	  "read the records of a flight recorder, which stay in it",
	  SET_TEXT(struct source_flight_options, name, NULL) },
	{ "follow", 0, NULL,
	  "with --flight or --instance, read those from now on",
	  SET_FLAG(struct source_flight_options, follows) },
	{ 0 },
};

bool source_flight_is_set(const struct source_flight_options *options)
{
	return options->name || options->instance || options->consumes ||
	       options->follows;
}

/* Return: an exit status */
static int check_instance(const struct source_flight_options *options,
			  const struct tool_command *command)
{
	const char *name = options->instance;

	if (options->name)
		return tool_usage(command,
				  "--instance: takes the place of a name");
	if (!*name || *name == '.' || strchr(name, '/'))
		return tool_usage(command, "--instance: \"%s\": invalid name",
				  name);
	if (options->consumes)
		return TOOL_OK;
	tool_error("%s: to read its records removes them from this instance",
		   name);
	tool_hint("use --consume if its owner does not need them, or the file "
		  "\"trace\" of the instance");

	return TOOL_FAILED;
}

int source_flight_check(struct source_flight_options *options,
			const struct tool_command *command, char **names,
			size_t count)
{
	int status;

	if (count)
		options->name = names[0];
	if (options->instance) {
		status = check_instance(options, command);
		options->name = options->instance;
		return status;
	}
	if (options->consumes)
		return tool_usage(command, "--consume: only with --instance");
	if (!options->name)
		return tool_usage(command, "no name given");

	return flight_name_require(command, options->name);
}

struct source *source_flight_new(const struct source_flight_options *options)
{
	struct source_flight *flight = tool_alloc(sizeof(*flight));

	flight->source.ops = &ops;
	flight->source.name = options->name;
	flight->source.loss_reason = FORMAT_LOSS_OVERWRITTEN;
	flight->source.parts = 1;
	flight->source.is_live = options->follows;
	flight->source.is_slow = options->follows;
	flight->options = *options;
	capture_signals_catch();

	return &flight->source;
}
