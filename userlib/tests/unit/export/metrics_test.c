// SPDX-License-Identifier: MIT
/* Numbers for Prometheus, and the server. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "export/http_server.h"
#include "export/metrics.h"
#include "lib/decode_help.h"
#include "lib/runner.h"

static struct export_metrics metrics;
static struct uev_decoder *decoder;
static struct uev_output text;

static void set_up(void)
{
	metrics = (struct export_metrics){ 0 };
	export_metrics_begin(&metrics);
	decoder = new_decoder();
}

static void tear_down(void)
{
	export_metrics_release(&metrics);
	uev_decoder_free(decoder);
	uev_output_release(&text);
}

static void take(const char *system, const char *name, uint64_t time)
{
	static const char raw[16];
	const struct uev_source source = { .system = system, .name = name };
	const struct uev_sample sample = {
		.source = &source,
		.raw = raw,
		.raw_size = sizeof(raw),
		.flags = UEV_HAS_TIME | UEV_HAS_TID,
		.time = time,
		.tid = 7,
	};
	const struct format_record record = { .sample = &sample };

	export_metrics_take(&metrics, decoder, &record);
}

static void check_line(const char *line, bool is_wanted)
{
	char *whole = NULL;

	ck_assert_int_gt(asprintf(&whole, "\n%s\n", line), 0);
	ck_assert_msg((strstr(text.text, whole) != NULL) == is_wanted,
		      "%s in:\n%s", line, text.text);
	free(whole);
}

static size_t lines_with(const char *start)
{
	const char *at = text.text;
	size_t count = 0;

	while ((at = strstr(at, start))) {
		at++;
		count++;
	}

	return count;
}

static void append(uint64_t lost)
{
	text.size = 0;
	export_metrics_append(&metrics, lost, &text);
}

START_TEST(counts_records_by_event)
{
	take("user_events", "a", 1);
	take("user_events", "a", 2);
	take("other", "a", 3);
	append(5);
	check_line("user_events_records_total{event=\"user_events:a\"} 2",
		   true);
	check_line("user_events_records_total{event=\"other:a\"} 1", true);
	check_line("user_events_lost_records_total 5", true);
}
END_TEST

/* Limits are inclusive: one nanosecond more is in the next bucket. */
START_TEST(buckets_are_cumulative)
{
	metrics.spans.start = "begin";
	metrics.spans.stop = "end";
	take("user_events", "begin", 0);
	take("user_events", "end", 1023);
	take("user_events", "begin", 2000);
	take("user_events", "end", 3024);
	take("user_events", "begin", 4000);
	take("user_events", "end", 4000 + (UINT64_C(1) << 40));
	take("user_events", "end", 9000);
	append(0);
#define LATENCY "user_events_latency_seconds"
#define LABEL "start=\"user_events:begin\""
	check_line(LATENCY "_bucket{" LABEL ",le=\"0.000001023\"} 1", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"0.000004095\"} 2", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"68.719476735\"} 2", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"+Inf\"} 3", true);
	check_line(LATENCY "_count{" LABEL "} 3", true);
	check_line(LATENCY "_sum{" LABEL "} 1099.511629823", true);
	check_line("user_events_unmatched_stops_total 1", true);
	ck_assert_uint_eq(lines_with(LATENCY "_bucket{"), 15);
}
END_TEST

/* A second series with the same labels would be refused. */
START_TEST(labels_are_unique_and_escaped)
{
	take(NULL, "a\\b\"c", 1);
	take(NULL, "\x1b[1m\n", 2);
	take(NULL, "\\x1b[1m\\n", 3);
	take(NULL, "(other)", 4);
	take(NULL, "", 5);
	take(NULL, "\xff", 6);
	take(NULL, "\xc3\xbf", 7);
	append(0);
	check_line("user_events_records_total{event=\"a\\\\b\\\"c\"} 1", true);
	check_line("user_events_records_total"
		   "{event=\"\\\\x1b[1m\\\\n\"} 2",
		   true);
	check_line("user_events_records_total{event=\"(other)\"} 2", true);
	check_line("user_events_records_total{event=\"\xc3\xbf\"} 2", true);
	ck_assert_uint_eq(lines_with("user_events_records_total{"), 4);
}
END_TEST

START_TEST(series_are_bounded)
{
	char name[16];
	int i;

	metrics.spans.start = "*s";
	metrics.spans.stop = "end";
	for (i = 0; i < 2 * EXPORT_EVENTS_MAX; i++) {
		snprintf(name, sizeof(name), "%ds", i);
		take("user_events", name, 10);
		take("user_events", "end", 11);
	}
	append(0);
	ck_assert_uint_eq(lines_with("user_events_records_total{"),
			  EXPORT_EVENTS_MAX + 1);
	ck_assert_uint_eq(lines_with(LATENCY "_count{"),
			  EXPORT_LATENCIES_MAX + 1);
}
END_TEST

/* ---- The server ---- */

/* Returns what a server answers, for free(). */
static char *ask(unsigned int port, const char *request)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char *reply = calloc(1, 65536);
	size_t size = 0;
	ssize_t got;

	ck_assert_ptr_nonnull(reply);
	ck_assert_int_eq(
		connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(send(fd, request, strlen(request), 0),
			 (ssize_t)strlen(request));
	shutdown(fd, SHUT_WR);
	while ((got = recv(fd, reply + size, 65535 - size, 0)) > 0)
		size += (size_t)got;
	close(fd);

	return reply;
}

static const struct {
	const char *request;
	const char *reply;
} requests[] = {
	{ "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK\r\n" },
	{ "GET /metrics?a=b HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK\r\n" },
	{ "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 404 " },
	{ "GET /metricsx HTTP/1.1\r\n\r\n", "HTTP/1.1 404 " },
	{ "POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 " },
	{ "GET /metrics HTTP/1.1\r\n", "" },
};

START_TEST(serves_the_text)
{
	struct export_server *server;
	char *reply;
	size_t i;

	ck_assert_int_eq(export_server_new(&server, "0"), 0);
	uev_output_append(&text, "one 1\n", 6);
	export_server_set(server, &text);
	for (i = 0; i < COUNT(requests); i++) {
		reply = ask(export_server_port(server), requests[i].request);
		ck_assert_msg(strncmp(reply, requests[i].reply,
				      strlen(requests[i].reply)) == 0,
			      "%s: %s", requests[i].request, reply);
		if (strstr(reply, " 200 "))
			ck_assert_ptr_nonnull(strstr(reply, "\r\n\r\none 1\n"));
		else
			ck_assert_ptr_null(strstr(reply, "one 1"));
		free(reply);
	}
	export_server_free(server);
}
END_TEST

START_TEST(serves_at_an_address)
{
	static const char *const invalid[] = {
		"",	      "x",     "65536",	    "-1",   "a:1",
		"127.0.0.1:", "[::1]", "127.0.0.1", "[]:1", "localhost:9464"
	};
	struct export_server *server, *other;
	char target[32];
	size_t i;

	for (i = 0; i < COUNT(invalid); i++) {
		ck_assert_int_eq(export_server_new(&server, invalid[i]),
				 -EINVAL);
		ck_assert_ptr_null(server);
	}
	ck_assert_int_eq(export_server_new(&server, "127.0.0.1:0"), 0);
	snprintf(target, sizeof(target), "%u", export_server_port(server));
	ck_assert_int_eq(export_server_new(&other, target), -EADDRINUSE);
	export_server_free(server);
	export_server_free(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("export");
	TCase *tests = tcase_create("metrics");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, counts_records_by_event);
	tcase_add_test(tests, buckets_are_cumulative);
	tcase_add_test(tests, labels_are_unique_and_escaped);
	tcase_add_test(tests, series_are_bounded);
	tcase_add_test(tests, serves_the_text);
	tcase_add_test(tests, serves_at_an_address);
	suite_add_tcase(suite, tests);

	return run_suite(suite);
}
