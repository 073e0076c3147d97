// SPDX-License-Identifier: MIT
#include "export/otlp_send.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/signals.h"
#include "export/gzip.h"
#include "export/otlp_answer.h"
#include "tool.h"

#define LOGS_PATH "/v1/logs"
#define SPANS_PATH "/v1/traces"

#define HOST_NAME_SIZE 256

/* Times in milliseconds: of a request, between two, and after a stop signal */
#define REQUEST_MS 10000
#define RETRY_MS 1000
#define STOP_MS 5000
#define SLICE_MS 50

/* ---- Messages ---- */

static void put_attribute(struct uev_output *to, const char *key,
			  const char *text)
{
	format_print(to, "{\"key\":\"%s\",\"value\":{\"stringValue\":", key);
	format_append_quoted(to, text, strlen(text));
	tool_put(to, "}}");
}

static void put_resource(struct uev_output *to)
{
	const char *service = getenv("OTEL_SERVICE_NAME");
	char host[HOST_NAME_SIZE] = "";

	gethostname(host, sizeof(host) - 1);
	tool_put(to, "\"resource\":{\"attributes\":[");
	put_attribute(to, "service.name",
		      service && *service ? service : "user-events");
	tool_put(to, ",");
	put_attribute(to, "host.name", host);
	tool_put(to, "]},");
}

static const struct uev_output *body_of(struct export_otlp *otlp, bool is_logs)
{
	const struct export_batch *batch = is_logs ? &otlp->logs : &otlp->spans;
	struct uev_output *to = &otlp->body;

	to->size = 0;
	tool_put(to,
		 is_logs ? "{\"resourceLogs\":[{" : "{\"resourceSpans\":[{");
	put_resource(to);
	tool_put(to, is_logs ? "\"scopeLogs\":[{" : "\"scopeSpans\":[{");
	tool_put(
		to,
		"\"scope\":{\"name\":\"user-events\",\"version\":\"" TOOL_VERSION
		"\"},");
	tool_put(to, is_logs ? "\"logRecords\":[" : "\"spans\":[");
	tool_append(to, batch->items.text, batch->items.size);
	tool_put(to, "]}]}]}");

	return to;
}

static const struct uev_output *content_of(struct export_otlp *otlp,
					   bool is_logs)
{
	const struct uev_output *body = body_of(otlp, is_logs);

	if (!otlp->client.is_compressed)
		return body;
	export_gzip(&otlp->compressed, body);

	return &otlp->compressed;
}

/* ---- Attempts ---- */

/* As OTLP specifies it, and without a connection */
static bool can_retry(int status)
{
	return status == 429 || (status >= 502 && status <= 504) ||
	       (status < 0 && status != -EMSGSIZE && status != -EPROTO &&
		status != -EKEYREJECTED);
}

static bool is_redirection(int status)
{
	return status >= 300 && status < 400;
}

static void report(struct export_otlp *otlp, int status)
{
	const char *next = can_retry(status) ? ", waiting" : "";

	if (status == otlp->failure)
		return;
	otlp->failure = status;
	if (status < 0)
		tool_error("%s: %s%s", otlp->url,
			   otlp->client.problem[0] ? otlp->client.problem
			   : status == -EMSGSIZE   ? "answer too long"
						   : strerror(-status),
			   next);
	else
		tool_error("%s: HTTP status %d%s%s", otlp->url, status,
			   is_redirection(status) ? ", not followed" : "",
			   next);
}

/* Tests for the end of the wait, some time after a stop signal. */
static bool is_over(struct export_otlp *otlp)
{
	if (!capture_signals.stop_requests)
		return false;
	if (!otlp->give_up)
		otlp->give_up = capture_now() + STOP_MS;

	return capture_signals.stop_requests > 1 ||
	       capture_now() >= otlp->give_up;
}

/* Waits before the next attempt. Return: false to give up */
static bool wait_to_retry(struct export_otlp *otlp)
{
	uint64_t seconds = export_client_retry_after(&otlp->client);
	uint64_t until = capture_now() + (seconds ? 1000 * seconds : RETRY_MS);

	while (capture_now() < until && !otlp->has_ended) {
		poll(NULL, 0, SLICE_MS);
		otlp->has_ended = is_over(otlp);
	}

	return !otlp->has_ended;
}

/*
 * Tests for the answer of a collector. Other servers, such as one that wants a
 * user to log in, have a status of success, too.
 *
 * Return: as export_client_post(), or -EPROTO
 */
static int read_answer(struct export_otlp *otlp, int status,
		       struct otlp_answer *answer)
{
	struct export_client *client = &otlp->client;

	if (status < 200 || status >= 300)
		return status;
	if (otlp_answer_parse(answer, client->type, client->reply.text,
			      client->reply.size))
		return status;
	snprintf(client->problem, sizeof(client->problem),
		 "HTTP status %d, but not the answer of a collector (%s)",
		 status, client->type[0] ? client->type : "without a type");

	return -EPROTO;
}

/* Return: as read_answer() */
static int post(struct export_otlp *otlp, const char *path,
		const struct uev_output *body, struct otlp_answer *answer)
{
	int status = -EINTR;

	if (otlp->has_ended)
		return status;
	for (;;) {
		status = export_client_post(
			&otlp->client, path, body,
			capture_signals.stop_requests ? STOP_MS : REQUEST_MS);
		status = read_answer(otlp, status, answer);
		if (status >= 200 && status < 300) {
			otlp->failure = 0;
			otlp->give_up = 0;
			return status;
		}
		report(otlp, status);
		if (!can_retry(status) || !wait_to_retry(otlp))
			return status;
	}
}

/* Prints what the collector tells, unless it was the last that was printed. */
static void report_answer(struct export_otlp *otlp,
			  const struct otlp_answer *answer)
{
	const char *message = answer->message;

	if (!*message || (otlp->told && strcmp(otlp->told, message) == 0))
		return;
	tool_error("%s: %s: %s", otlp->url,
		   answer->rejected ? "rejected" : "warning", message);
	free(otlp->told);
	otlp->told = tool_copy(message);
}

void export_otlp_send(struct export_otlp *otlp, bool is_logs)
{
	struct export_batch *batch = is_logs ? &otlp->logs : &otlp->spans;
	struct otlp_answer answer = { 0 };
	int status = post(otlp, is_logs ? LOGS_PATH : SPANS_PATH,
			  content_of(otlp, is_logs), &answer);

	if (status >= 200 && status < 300) {
		report_answer(otlp, &answer);
		if (answer.rejected > batch->count)
			answer.rejected = batch->count;
		batch->rejected += answer.rejected;
		batch->sent += batch->count - answer.rejected;
	} else if (status < 0 || is_redirection(status) || can_retry(status)) {
		batch->dropped += batch->count;
	} else {
		batch->rejected += batch->count;
	}
	batch->count = 0;
	batch->items.size = 0;
}
