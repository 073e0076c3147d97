// SPDX-License-Identifier: MIT
#include "source/live.h"

#include <stdlib.h>
#include <string.h>

#include "capture/clock.h"
#include "capture/missing.h"
#include "capture/output.h"
#include "formats/kernel_symbols.h"
#include "tool.h"
#include "ui/out.h"

/* The limit of locked memory of an unprivileged process. */
#define BUFFER_SIZE (512 * 1024)

static struct source_live *live_of(struct source *source)
{
	return (struct source_live *)source;
}

static const struct uev_mapping *find_mapping(const void *data, uint32_t pid,
					      uint64_t address)
{
	return pid == UEV_KERNEL_PID ? kernel_symbols_mapping(address)
				     : uev_session_mapping(data, pid, address);
}

/* A command registers its events later. Return: an exit status */
static int check_events(const struct source_live *live)
{
	if (!live->needs_events || live->capture.workload.pid)
		return TOOL_OK;

	return capture_missing_at_end(live->options, live->capture.session);
}

static int live_open(struct source *source, size_t part)
{
	struct source_live *live = live_of(source);
	struct capture *capture = &live->capture;
	int status = capture_open(capture, live->options);

	(void)part;
	if (!status) {
		status = check_events(live);
		if (status)
			capture_close(capture);
	}
	if (status) {
		capture->session = NULL;
		return status;
	}
	capture->is_passive = live->is_passive;
	if (live->options->stacks & UEV_SESSION_KERNEL_STACKS)
		kernel_symbols_check();
	live->has_clock = !uev_session_clock(capture->session, &live->clock);

	return TOOL_OK;
}

static int live_start(struct source *source)
{
	out_write_with(capture_output_result);

	return capture_start(&live_of(source)->capture);
}

static bool live_wait(struct source *source, int timeout)
{
	return capture_wait(&live_of(source)->capture, timeout);
}

static ssize_t live_read(struct source *source, unsigned int flags)
{
	struct source_live *live = live_of(source);

	if (live->has_clock)
		capture_clock_follow(&live->clock);

	return capture_read(&live->capture, flags);
}

static const char *keep_comm(struct source_live *live,
			     const struct uev_sample *sample)
{
	const char *comm =
		capture_comm(&live->names, live->capture.session, sample);

	return comm && memccpy(live->comm, comm, '\0', sizeof(live->comm))
		       ? live->comm
		       : NULL;
}

static bool live_next(struct source *source, struct format_record *record)
{
	struct source_live *live = live_of(source);
	struct uev_session *session = live->capture.session;
	const struct uev_sample *sample;

	if (!uev_session_next(session, &sample))
		return false;
	capture_losses_saw(&live->capture.losses, sample);
	*record = (struct format_record){
		.sample = sample,
		.schema = schemas_get(&live->schemas, sample->source, 0),
		.mapping = find_mapping,
		.mapping_data = session,
		.clock = &live->clock,
	};
	if (live->options->has_names)
		record->comm = keep_comm(live, sample);

	return true;
}

static void live_find_losses(struct source *source)
{
	struct capture *capture = &live_of(source)->capture;

	capture_losses_find(&capture->losses, capture->has_stopped);
}

static bool live_next_loss(struct source *source, uint64_t until,
			   struct format_loss *loss)
{
	struct source_live *live = live_of(source);

	if (!loss_queue_take(&live->capture.losses.found, until, &loss->loss))
		return false;
	loss->clock = &live->clock;

	return true;
}

static int live_stop(struct source *source)
{
	return capture_stop(&live_of(source)->capture);
}

static int live_count(struct source *source)
{
	const struct capture *capture = &live_of(source)->capture;

	source->missing = capture->gaps.missing;

	return capture_totals(capture, &source->counts);
}

static int live_end(struct source *source)
{
	struct source_live *live = live_of(source);

	live->missing =
		capture_missing_at_end(live->options, live->capture.session);

	return live->missing;
}

static int live_report(struct source *source)
{
	return capture_report_gaps(&live_of(source)->capture);
}

static int live_close(struct source *source, int status)
{
	struct source_live *live = live_of(source);

	if (live->capture.session) {
		status = capture_status(&live->capture, status);
		capture_close(&live->capture);
	}
	schemas_release(&live->schemas);
	free(live);

	return status;
}

static const struct source_ops ops = {
	.open = live_open,
	.start = live_start,
	.wait = live_wait,
	.read = live_read,
	.next = live_next,
	.find_losses = live_find_losses,
	.next_loss = live_next_loss,
	.stop = live_stop,
	.count = live_count,
	.end = live_end,
	.report = live_report,
	.close = live_close,
};

struct source_live *source_live_new(struct capture_options *options)
{
	struct source_live *live = tool_alloc(sizeof(*live));

	if (!options->buffer_size)
		options->buffer_size = BUFFER_SIZE;
	live->source.ops = &ops;
	live->source.name = "live";
	live->source.parts = 1;
	live->source.is_live = true;
	live->options = options;

	return live;
}
