// SPDX-License-Identifier: MIT
#include "export/otlp_send.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/signals.h"
#include "export/gzip.h"
#include "tool.h"

#define LOGS_PATH "/v1/logs"
#define SPANS_PATH "/v1/traces"

#define HOST_NAME_SIZE 256

/* Times in milliseconds: of a request, between two, and after a stop signal */
#define REQUEST_MS 10000
#define RETRY_MS 1000
#define STOP_MS 5000
#define SLICE_MS 50

static void append(struct uev_output *to, const void *bytes, size_t size)
{
	tool_need(uev_output_append(to, bytes, size));
}

static void put(struct uev_output *to, const char *text)
{
	append(to, text, strlen(text));
}

/* ---- Messages ---- */

static void put_attribute(struct uev_output *to, const char *key,
			  const char *text)
{
	format_print(to, "{\"key\":\"%s\",\"value\":{\"stringValue\":", key);
	format_append_quoted(to, text, strlen(text));
	put(to, "}}");
}

static void put_resource(struct uev_output *to)
{
	const char *service = getenv("OTEL_SERVICE_NAME");
	char host[HOST_NAME_SIZE] = "";

	gethostname(host, sizeof(host) - 1);
	put(to, "\"resource\":{\"attributes\":[");
	put_attribute(to, "service.name",
		      service && *service ? service : "user-events");
	put(to, ",");
	put_attribute(to, "host.name", host);
	put(to, "]},");
}

static const struct uev_output *body_of(struct export_otlp *otlp, bool is_logs)
{
	const struct export_batch *batch = is_logs ? &otlp->logs : &otlp->spans;
	struct uev_output *to = &otlp->body;

	to->size = 0;
	put(to, is_logs ? "{\"resourceLogs\":[{" : "{\"resourceSpans\":[{");
	put_resource(to);
	put(to, is_logs ? "\"scopeLogs\":[{" : "\"scopeSpans\":[{");
	put(to,
	    "\"scope\":{\"name\":\"user-events\",\"version\":\"" TOOL_VERSION
	    "\"},");
	put(to, is_logs ? "\"logRecords\":[" : "\"spans\":[");
	append(to, batch->items.text, batch->items.size);
	put(to, "]}]}]}");

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

static void report(struct export_otlp *otlp, int status)
{
	const char *next = can_retry(status) ? ", waiting" : "";

	if (status == otlp->failure)
		return;
	otlp->failure = status;
	if (status < 0)
		tool_error("%s: %s%s", otlp->url,
			   otlp->client.problem[0] ? otlp->client.problem
						   : strerror(-status),
			   next);
	else
		tool_error("%s: HTTP status %d%s", otlp->url, status, next);
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

/* Return: as export_client_post() */
static int post(struct export_otlp *otlp, const char *path,
		const struct uev_output *body)
{
	int status = -EINTR;

	if (otlp->has_ended)
		return status;
	for (;;) {
		status = export_client_post(
			&otlp->client, path, body,
			capture_signals.stop_requests ? STOP_MS : REQUEST_MS);
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

/* Returns the number of rejected ones of an accepted request. */
static uint64_t rejected_of(const struct export_otlp *otlp, const char *name,
			    uint64_t count)
{
	const struct uev_output *reply = &otlp->client.reply;
	const char *at = reply->size ? strstr(reply->text, name) : NULL;
	uint64_t rejected;

	if (!at)
		return 0;
	at += strlen(name);
	rejected = strtoull(at + strspn(at, "\": "), NULL, 10);

	return rejected < count ? rejected : count;
}

void export_otlp_send(struct export_otlp *otlp, bool is_logs)
{
	struct export_batch *batch = is_logs ? &otlp->logs : &otlp->spans;
	int status = post(otlp, is_logs ? LOGS_PATH : SPANS_PATH,
			  content_of(otlp, is_logs));
	uint64_t rejected;

	if (status >= 200 && status < 300) {
		rejected = rejected_of(
			otlp, is_logs ? "rejectedLogRecords" : "rejectedSpans",
			batch->count);
		batch->rejected += rejected;
		batch->sent += batch->count - rejected;
	} else if (can_retry(status) || status == -EKEYREJECTED) {
		batch->dropped += batch->count;
	} else {
		batch->rejected += batch->count;
	}
	batch->count = 0;
	batch->items.size = 0;
}
