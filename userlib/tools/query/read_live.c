// SPDX-License-Identifier: MIT
/* Reads the records of a session for a query. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "capture/capture.h"
#include "capture/names.h"
#include "capture/schemas.h"
#include "query/read.h"
#include "tool.h"

/* The limit of locked memory of an unprivileged process. */
#define BUFFER_SIZE (512 * 1024)
#define SECOND 1000.0

/* struct live - A session that is being read */
struct live {
	struct query_reader *reader;
	struct capture capture;
	struct capture_schemas schemas;
	struct capture_names names;
	struct uev_decoder *decoder;
	struct uev_clock clock;
	uint64_t start;
	uint64_t last;
};

static void take(struct live *live, const struct uev_sample *sample)
{
	struct query_reader *reader = live->reader;
	const struct format_record record = {
		.sample = sample,
		.schema =
			capture_schema(&live->schemas, sample->source)->schema,
		.comm = capture_comm(&live->names, live->capture.session,
				     sample),
		.clock = &live->clock,
	};

	if (query_select_test(reader->select, live->decoder, &record))
		reader->take(reader->data, live->decoder, &record);
}

/* Return: number of ready records, or -1 */
static ssize_t take_ready(struct live *live, unsigned int flags)
{
	ssize_t ready = capture_read(&live->capture, flags);
	const struct uev_sample *sample;

	while (ready >= 0 && !query_select_is_full(live->reader->select) &&
	       uev_session_next(live->capture.session, &sample))
		take(live, sample);

	return ready;
}

static int time_left(const struct live *live)
{
	return capture_time_left(live->last, live->reader->interval);
}

static void show_if_due(struct live *live)
{
	if (!live->reader->interval || time_left(live))
		return;
	live->reader->seconds = (double)(capture_now() - live->start) / SECOND;
	live->reader->lost += capture_new_losses(&live->capture);
	live->reader->show(live->reader->data);
	live->last = capture_now();
}

/* Return: an exit status */
static int run(struct live *live)
{
	struct capture *capture = &live->capture;
	struct query_select *select = live->reader->select;
	int status = capture_start(capture);
	ssize_t ready;

	live->start = capture_now();
	live->last = live->start;
	while (!status && !query_select_is_full(select) &&
	       capture_wait(capture, time_left(live))) {
		if (take_ready(live, 0) < 0)
			status = TOOL_FAILED;
		show_if_due(live);
	}
	if (!status)
		status = capture_stop(capture);
	while (!status && !query_select_is_full(select)) {
		ready = take_ready(live, UEV_READ_DRAIN);
		if (ready < 0)
			status = TOOL_FAILED;
		if (ready <= 0)
			break;
	}

	return status;
}

/* Return: an exit status */
static int report(struct live *live)
{
	struct capture *capture = &live->capture;
	struct capture_totals totals;
	int missing, status, gaps;

	live->reader->seconds = (double)(capture_now() - live->start) / SECOND;
	live->reader->end_file(live->reader->data);
	if (capture_totals(capture, &totals))
		return TOOL_FAILED;
	live->reader->lost = totals.lost;
	live->reader->has_result = true;
	if (totals.lost)
		tool_error("%" PRIu64 " lost", totals.lost);
	missing = capture_report_missing(capture);
	status = query_select_report(live->reader->select);
	gaps = capture_report_gaps(capture);
	if (!missing)
		missing = status;
	if (!missing)
		missing = gaps;
	if (!missing && (totals.lost || totals.corrupt))
		missing = TOOL_INCOMPLETE;

	return capture_status(capture, missing);
}

int query_read_live(struct query_reader *reader,
		    struct capture_options *options)
{
	struct live *live = tool_alloc(sizeof(*live));
	int status;

	if (!options->buffer_size)
		options->buffer_size = BUFFER_SIZE;
	options->has_names = true;
	live->reader = reader;
	tool_need(uev_decoder_new(&live->decoder));
	status = capture_open(&live->capture, options);
	if (!status) {
		uev_session_clock(live->capture.session, &live->clock);
		status = run(live);
		if (!status)
			status = report(live);
		capture_close(&live->capture);
	}
	capture_schemas_release(&live->schemas);
	uev_decoder_free(live->decoder);
	free(live);

	return status;
}
