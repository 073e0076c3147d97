/* SPDX-License-Identifier: MIT */
/* user-events export: counters and latencies, by HTTP and as a file. */
#ifndef USER_EVENTS_SINK_PROMETHEUS_H
#define USER_EVENTS_SINK_PROMETHEUS_H

#include "export/counters.h"
#include "export/http_server.h"
#include "export/metrics.h"
#include "export/module.h"
#include "pipe/pipe.h"

/*
 * struct sink_prometheus - The counters, and where they are given;
 * released with sink_prometheus_release()
 * @metrics: options are set by the command
 * @module: counters of the module; NULL: none; set by the command
 * @sink: in the pipe
 * @counters: counters of the kernel; names are set by the command
 * @address: where they are served: HOST:PORT or PORT; NULL: nowhere
 * @path: file that is replaced; NULL: none
 * @pipe: gives the records
 * @is_only: there is no other sink
 * @server: serves the text at @address
 * @text: memory of the text
 * @error: the last error of @path that was printed
 */
struct sink_prometheus {
	struct export_metrics metrics;
	struct export_module *module;
	struct export_counters counters;
	const char *address;
	const char *path;
	struct sink sink;
	const struct pipe *pipe;
	bool is_only;
	struct export_server *server;
	struct uev_output text;
	int error;
};

/* The options of a struct sink_prometheus */
extern const struct tool_option sink_prometheus_rows[];

/*
 * sink_prometheus_check() - Tests the options together
 * @has_spans: another sink uses the pairs of starts and stops
 * Return: TOOL_OK; TOOL_USAGE, and the error is printed
 */
int sink_prometheus_check(const struct sink_prometheus *prometheus,
			  const struct tool_command *command, bool has_spans);

/*
 * sink_prometheus_add() - Finds the counters, starts to serve at @address, if it is
 * set, and adds the sink, which must be the last one
 *
 * Updates the numbers at ticks and at the end, after which those of files are
 * served until a signal.
 *
 * Return: an exit status; an error is printed
 */
int sink_prometheus_add(struct sink_prometheus *prometheus,
			const struct tool_command *command, struct pipe *pipe);

void sink_prometheus_release(struct sink_prometheus *prometheus);

#endif
