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
#include "export/otlp_json.h"
#include "export/otlp_metrics.h"
#include "export/protobuf.h"
#include "tool.h"
#include "ui/out.h"

#define HOST_NAME_SIZE 256

/* Times in milliseconds: of a request, between two, and after the end */
#define REQUEST_MS 10000
#define RETRY_MS 1000
#define STOP_MS 5000
#define SLICE_MS 50

/* One faulty record of a full batch takes 19 requests. */
#define BATCH_REQUESTS_MAX 64

/* ---- Messages ---- */

/*
 * struct signal - The messages of a batch
 * @path: appended to the URL
 * @type: of the messages
 * @resources, @scopes, @items: names of lists in JSON
 */
struct signal {
	const char *path;
	const char *type;
	const char *resources;
	const char *scopes;
	const char *items;
};

static const struct signal logs = { "/v1/logs", "application/json",
				    "resourceLogs", "scopeLogs", "logRecords" };

static const struct signal spans = { "/v1/traces", "application/json",
				     "resourceSpans", "scopeSpans", "spans" };

/* Those of programs are forwarded. */
static const struct signal metrics = { "/v1/metrics", "application/x-protobuf",
				       NULL, NULL, NULL };

static const struct signal counts = { "/v1/metrics", "application/json",
				      "resourceMetrics", "scopeMetrics",
				      "metrics" };

static const struct signal *signal_of(const struct export_otlp *otlp,
				      const struct export_batch *batch)
{
	if (batch == &otlp->metrics)
		return &metrics;

	return batch == &otlp->logs ? &logs : &spans;
}

void export_otlp_put_service(struct uev_output *to)
{
	const char *service = getenv("OTEL_SERVICE_NAME");

	otlp_put_text(to, "service.name",
		      service && *service ? service : "user-events");
}

void export_otlp_put_host(struct uev_output *to)
{
	char host[HOST_NAME_SIZE] = "";

	gethostname(host, sizeof(host) - 1);
	otlp_put_text(to, "host.name", host);
}

/*
 * struct range - Some of the items of a batch
 * @first: number of those before
 */
struct range {
	uint64_t first;
	uint64_t count;
};

/* Returns the end of up to @count items, from which it subtracts them. */
static const char *skip_items(const char *at, const char *end, uint64_t *count)
{
	for (; *count && at < end; --*count) {
		at = memchr(at, EXPORT_SEPARATOR[1], (size_t)(end - at));
		at = at ? at + 1 : end;
	}

	return at;
}

/* Returns those of @range, from which it subtracts what the list has. */
static struct query_text take_range(const struct uev_output *items,
				    struct range *range)
{
	/* Without items there is no text. */
	const char *begin = items->size ? items->text : "";
	const char *end = begin + items->size;
	const char *from = skip_items(begin, end, &range->first);
	const char *to = skip_items(from, end, &range->count);
	struct query_text taken = { from, (size_t)(to - from) };

	if (taken.size && to < end)
		taken.size -= strlen(EXPORT_SEPARATOR);

	return taken;
}

static void put_group(struct uev_output *to, const struct signal *signal,
		      struct query_text items)
{
	out_json_comma(to);
	format_print(to, "{\"%s\":[{\"%s\":[", signal->scopes, signal->items);
	tool_append(to, items.text, items.size);
	tool_put(to, "]");
}

static void begin_body(struct uev_output *to, const struct signal *signal)
{
	to->size = 0;
	format_print(to, "{\"%s\":[", signal->resources);
}

/* Of what this program tells, not a program whose messages are forwarded */
static void put_own_group(struct uev_output *to, const struct signal *signal,
			  struct query_text items)
{
	put_group(to, signal, items);
	tool_put(to, ",\"scope\":{\"name\":\"user-events\",\"version\":"
		     "\"" TOOL_VERSION "\"}}],\"resource\":{\"attributes\":[");
	export_otlp_put_service(to);
	export_otlp_put_host(to);
	tool_put(to, "]}}");
}

static const struct uev_output *body_of(struct export_otlp *otlp,
					const struct export_batch *batch,
					struct range range)
{
	const struct signal *signal = signal_of(otlp, batch);
	struct uev_output *to = &otlp->body;
	const struct export_group *group;
	struct query_text items;
	size_t i;

	if (signal == &metrics)
		return &batch->items;
	begin_body(to, signal);
	items = take_range(&batch->items, &range);
	if (items.size)
		put_own_group(to, signal, items);
	for (i = 0; i < batch->group_count; i++) {
		group = &batch->groups[i];
		items = take_range(&group->items, &range);
		if (!items.size)
			continue;
		put_group(to, signal, items);
		tool_append(to, group->tail.text, group->tail.size);
		tool_put(to, "}");
	}
	tool_put(to, "]}");

	return to;
}

const struct uev_output *export_otlp_body(struct export_otlp *otlp,
					  const struct export_batch *batch)
{
	return body_of(otlp, batch, (struct range){ 0, batch->count });
}

static const struct uev_output *content_of(struct export_otlp *otlp,
					   const struct uev_output *body)
{
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

/* One faulty record, or too many of them */
static bool can_divide(int status)
{
	return status == 400 || status == 413;
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

/* Tests for the end of the wait, some time after that of the capture. */
static bool is_over(struct export_otlp *otlp)
{
	if (!capture_serve())
		return false;
	if (!otlp->give_up)
		otlp->give_up = tool_now() + STOP_MS;

	return capture_signals.stop_requests > 1 || tool_now() >= otlp->give_up;
}

/* Waits before the next attempt. Return: false to give up */
static bool wait_to_retry(struct export_otlp *otlp)
{
	uint64_t seconds = otlp->client.retry_after;
	uint64_t until = tool_now() + (seconds ? 1000 * seconds : RETRY_MS);

	while (tool_now() < until && !otlp->has_ended) {
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
static int post(struct export_otlp *otlp, const struct signal *signal,
		const struct uev_output *content, struct otlp_answer *answer)
{
	int status = -EINTR;

	if (otlp->has_ended || capture_signals.stop_requests > 1)
		return status;
	for (;;) {
		status = export_client_post(
			&otlp->client, signal->path, signal->type, content,
			capture_serve() ? STOP_MS : REQUEST_MS);
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

/*
 * Sends a message, and counts its items.
 * Return: 0; the status of the answer if the collector can accept parts of it
 */
static int send_message(struct export_otlp *otlp, struct export_batch *batch,
			const struct uev_output *body, uint64_t count,
			bool may_divide)
{
	struct otlp_answer answer = { 0 };
	int status = post(otlp, signal_of(otlp, batch), content_of(otlp, body),
			  &answer);

	if (status >= 200 && status < 300) {
		report_answer(otlp, &answer);
		if (answer.rejected > count)
			answer.rejected = count;
		batch->rejected += answer.rejected;
		batch->sent += count - answer.rejected;
		return 0;
	}
	if (status < 0 || is_redirection(status) || can_retry(status)) {
		batch->dropped += count;
		return 0;
	}
	/* Unlike a wait, a refusal can follow another at once. */
	otlp->has_ended = is_over(otlp);
	if (may_divide && can_divide(status))
		return status;
	batch->rejected += count;

	return 0;
}

/*
 * Sends the halves of what the collector refuses, so that a faulty record does
 * not affect others.
 */
static void send_divided(struct export_otlp *otlp, struct export_batch *batch)
{
	struct range waiting[BATCH_REQUESTS_MAX] = { { 0, batch->count } };
	unsigned int requests = 1, count = 1;
	struct range range, half;
	int status, refusal = 0;
	bool may_divide;

	while (count) {
		range = waiting[--count];
		may_divide = range.count > 1 &&
			     requests + 2 <= BATCH_REQUESTS_MAX;
		/* Printed once for a batch */
		if (refusal)
			otlp->failure = refusal;
		status = send_message(otlp, batch, body_of(otlp, batch, range),
				      range.count, may_divide);
		if (!status)
			continue;
		refusal = status;
		requests += 2;
		half = (struct range){ range.first, range.count / 2 };
		range.first += half.count;
		range.count -= half.count;
		waiting[count++] = range;
		waiting[count++] = half;
	}
}

/*
 * Sends the messages of a batch of metrics one by one, so that one of a faulty
 * program does not affect others.
 */
static void send_metrics(struct export_otlp *otlp, struct export_batch *batch)
{
	const char *at = batch->items.text, *end = at + batch->items.size;
	struct protobuf_field field;
	unsigned int requests = 1;
	struct query_text message;
	uint64_t points, counted = 0;

	while (at < end) {
		message.text = at;
		if (!protobuf_next(&at, end, &field))
			return;
		message.size = (size_t)(at - message.text);
		if (!otlp_metrics_count(message, &points) || !points)
			continue;
		if (requests++ == BATCH_REQUESTS_MAX) {
			batch->rejected += batch->count - counted;
			return;
		}
		counted += points;
		otlp->body.size = 0;
		tool_append(&otlp->body, message.text, message.size);
		send_message(otlp, batch, &otlp->body, points, false);
	}
}

static void empty(struct export_batch *batch)
{
	size_t i;

	for (i = 0; i < batch->group_count; i++) {
		uev_output_release(&batch->groups[i].items);
		uev_output_release(&batch->groups[i].tail);
	}
	free(batch->groups);
	batch->groups = NULL;
	batch->group_count = 0;
	batch->group_bytes = 0;
	batch->count = 0;
	batch->items.size = 0;
}

/* Tests for several messages that follow each other. */
static bool has_parts(const struct export_batch *batch)
{
	const char *at = batch->items.text, *end = at + batch->items.size;
	struct protobuf_field field;

	return protobuf_next(&at, end, &field) && at < end;
}

void export_otlp_send(struct export_otlp *otlp, struct export_batch *batch)
{
	if (batch != &otlp->metrics)
		send_divided(otlp, batch);
	else if (send_message(otlp, batch, export_otlp_body(otlp, batch),
			      batch->count, has_parts(batch)))
		send_metrics(otlp, batch);
	empty(batch);
}

void export_otlp_send_metrics(struct export_otlp *otlp,
			      const struct uev_output *items)
{
	struct otlp_answer answer = { 0 };
	struct uev_output *to = &otlp->body;
	int status;

	if (otlp->refuses_metrics)
		return;
	begin_body(to, &counts);
	put_own_group(to, &counts,
		      (struct query_text){ items->text, items->size });
	tool_put(to, "]}");
	status = post(otlp, &counts, content_of(otlp, to), &answer);
	if (status >= 200 && status < 300) {
		report_answer(otlp, &answer);
		return;
	}
	otlp->refuses_metrics = !can_retry(status);
	if (otlp->refuses_metrics)
		tool_error("%s: metrics are not sent", otlp->url);
}

void export_otlp_release_batch(struct export_batch *batch)
{
	empty(batch);
	uev_output_release(&batch->items);
}
