/* SPDX-License-Identifier: MIT */
/* user-events report: the HTML page about a file or a session. */
#ifndef USER_EVENTS_REPORT_SINK_H
#define USER_EVENTS_REPORT_SINK_H

#include <stdint.h>

#include "pipe/pipe.h"
#include "report/report.h"

/*
 * struct sink_report - What the page has; set by the command
 * @path: where it is written; "-": standard output
 * @like: a new page can be read by those who can read this file; or NULL
 * @name: title: name of the file
 * @size: about the maximum bytes of the page
 * @pipe: gives the records
 * @report: with options of spans; released by the command
 */
struct sink_report {
	const char *path;
	const char *like;
	const char *name;
	uint64_t size;
	const struct pipe *pipe;
	struct report report;
};

/* Writes the page at the end; its data is a struct sink_report. */
extern const struct sink_ops sink_report;

#endif
