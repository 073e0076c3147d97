// SPDX-License-Identifier: MIT
#include "report/sink.h"

#include <inttypes.h>

#include "report/page.h"
#include "sink/output_file.h"
#include "tool.h"

#define MEBIBYTE ((uint64_t)1 << 20)

static void begin_part(void *data, const char *name)
{
	struct sink_report *report = data;

	(void)name;
	report_begin(&report->report, report->size);
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_report *report = data;

	report_take(&report->report, decoder, record);

	return 0;
}

static void take_loss(void *data, const struct format_loss *loss)
{
	struct sink_report *report = data;

	report_loss(&report->report, loss);
}

static void end_part(void *data)
{
	struct sink_report *report = data;

	report_end(&report->report);
}

/* Return: 0 or -errno */
static int write_page(const struct sink_report *report)
{
	_cleanup_(uev_output_release) struct uev_output json = UEV_OUTPUT_INIT;
	struct output_file *file;
	int ret = output_file_open_like(&file, report->path, report->like);

	if (ret)
		return ret;
	report_append_json(&report->report, report->name, &json);
	report_page_write(file, &json);

	return output_file_finish(file);
}

static void print_summary(const struct report *report, const char *path)
{
	uint64_t size = report_full_size(report);

	tool_error("%s: %" PRIu64 " events, %" PRIu64 " lost", path,
		   report->records, report->lost);
	if (report->rows.count == report->records)
		return;
	tool_error("%s: has a sample of %zu of %" PRIu64 " records", path,
		   report->rows.count, report->records);
	if (size)
		tool_hint("--max-size=%" PRIu64 "M for all of them",
			  size / MEBIBYTE + 1);
	else
		tool_hint("select fewer records, such as with --since, --until "
			  "or --event");
}

/* Return: as query_spans_report(); TOOL_INCOMPLETE for malformed records */
static int report_mistakes(const struct sink_report *report)
{
	const struct query_select *select = report->pipe->select;
	bool is_complete = !report->pipe->source->is_live &&
			   !query_select_is_full(select);
	int status =
		query_spans_report(&report->report.spans, select, is_complete);

	if (!status && report->report.malformed)
		status = TOOL_INCOMPLETE;

	return status;
}

static int finish(void *data)
{
	struct sink_report *report = data;
	int ret = write_page(report);

	if (ret)
		return tool_error_of(ret, "%s: cannot write", report->path);
	print_summary(&report->report, report->path);

	return report_mistakes(report);
}

const struct sink_ops sink_report = {
	.begin_part = begin_part,
	.record = take_record,
	.loss = take_loss,
	.end_part = end_part,
	.finish = finish,
	.is_single = true,
};
