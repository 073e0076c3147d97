// SPDX-License-Identifier: MIT
/* Numbers for Prometheus, and the server. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
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

TEST_FIXTURE(set_up, tear_down);

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

TEST(counts_records_by_event)
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

TEST(counts_losses_by_event_and_reason)
{
	static const struct uev_source source = { .system = "user_events",
						  .name = "a\"b" };
	struct format_loss loss = { .loss.source = &source,
				    .loss.count = 2,
				    .loss.reason = "perf_buffer" };

	export_metrics_loss(&metrics, &loss);
	export_metrics_loss(&metrics, &loss);
	loss.loss.source = NULL;
	export_metrics_loss(&metrics, &loss);
	append(6);
	check_line("user_events_losses_total{event=\"user_events:a\\\"b\","
		   "reason=\"perf_buffer\"} 4",
		   true);
	check_line(
		"user_events_losses_total{event=\"\",reason=\"perf_buffer\"} "
		"2",
		true);
}

#define LATENCY "user_events_latency_seconds"
#define LABEL "start=\"user_events:begin\""

/* A start at @time, and its stop @duration nanoseconds later */
static void take_pair(uint64_t time, uint64_t duration)
{
	metrics.spans.start = "begin";
	metrics.spans.stop = "end";
	take("user_events", "begin", time);
	take("user_events", "end", time + duration);
}

/* Limits are inclusive: one nanosecond more is in the next bucket. */
TEST(buckets_are_cumulative)
{
	take_pair(0, 1000);
	take_pair(2000, 1001);
	take_pair(4000, UINT64_C(100000000000));
	take_pair(5000, UINT64_C(100000000001));
	take("user_events", "end", UINT64_C(200000000000));
	append(0);
	check_line(LATENCY "_bucket{" LABEL ",le=\"1e-06\"} 1", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"2e-06\"} 2", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"0.0005\"} 2", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"50\"} 2", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"100\"} 3", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"+Inf\"} 4", true);
	check_line(LATENCY "_count{" LABEL "} 4", true);
	check_line(LATENCY "_sum{" LABEL "} 200.000002002", true);
	check_line("user_events_unmatched_stops_total 1", true);
	ck_assert_uint_eq(lines_with(LATENCY "_bucket{"), 26);
}

TEST(buckets_can_be_set)
{
	tear_down();
	metrics = (struct export_metrics){ 0 };
	ck_assert(export_metrics_set_buckets(&metrics, "1.5us,0.001,3"));
	export_metrics_begin(&metrics);
	decoder = new_decoder();
	text = (struct uev_output)UEV_OUTPUT_INIT;
	take_pair(0, 1500);
	take_pair(10000, 1501);
	append(0);
	check_line(LATENCY "_bucket{" LABEL ",le=\"1.5e-06\"} 1", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"0.001\"} 2", true);
	check_line(LATENCY "_bucket{" LABEL ",le=\"3\"} 2", true);
	ck_assert_uint_eq(lines_with(LATENCY "_bucket{"), 4);
}

static const struct {
	const char *list;
	uint64_t last;
} lists[] = {
	{ "1", 1000000000 },
	{ "1ns", 1 },
	{ "0.5ms,1s", 1000000000 },
	{ "1000000", UINT64_C(1000000000000000) },
	{ "0.000000001", 1 },
	{ "", 0 },
	{ "0", 0 },
	{ "0.1ns", 0 },
	{ "1,", 0 },
	{ ",1", 0 },
	{ "1,1", 0 },
	{ "2,1", 0 },
	{ "-1", 0 },
	{ "1m", 0 },
	{ "1e3", 0 },
	{ "1 2", 0 },
	{ "1000001", 0 },
	{ "inf", 0 },
};

TEST_LOOP(parses_buckets, COUNT(lists))
{
	bool is_valid = export_metrics_set_buckets(&metrics, lists[_i].list);

	ck_assert(is_valid == (lists[_i].last != 0));
	if (is_valid)
		ck_assert_uint_eq(metrics.limits[metrics.limit_count - 1],
				  lists[_i].last);
}

TEST(bounds_the_number_of_buckets)
{
	char list[1024], *at = list;
	int i;

	for (i = 1; i <= EXPORT_BUCKETS_MAX; i++)
		at += sprintf(at, "%s%d", i > 1 ? "," : "", i);
	ck_assert(export_metrics_set_buckets(&metrics, list));
	sprintf(at, ",%d", i);
	ck_assert(!export_metrics_set_buckets(&metrics, list));
}

/* A second series with the same labels would be refused. */
TEST(labels_are_unique_and_escaped)
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

TEST(series_are_bounded)
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

/* ---- The server ---- */

#define TIMEOUT_MS 60000

static struct export_server *server;

static void start_server(unsigned int timeout)
{
	ck_assert_int_eq(export_server_new(&server, "0", timeout), 0);
	uev_output_append(&text, "one 1\n", 6);
	export_server_set(server, &text);
}

static int connect_to_server(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)export_server_port(server)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(
		connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);

	return fd;
}

static void send_text(int fd, const char *bytes)
{
	ck_assert_int_eq(send(fd, bytes, strlen(bytes), MSG_NOSIGNAL),
			 (ssize_t)strlen(bytes));
}

/* Returns what the server sends until the end of the connection, for free(). */
static char *receive(int fd)
{
	char *reply = calloc(1, 65536);
	size_t size = 0;
	ssize_t got;

	ck_assert_ptr_nonnull(reply);
	while ((got = recv(fd, reply + size, 65535 - size, 0)) > 0)
		size += (size_t)got;
	close(fd);

	return reply;
}

/* The end of the request is also that of the connection. */
static char *ask(const char *request)
{
	int fd = connect_to_server();

	send_text(fd, request);
	shutdown(fd, SHUT_WR);

	return receive(fd);
}

#define GET "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
#define END "\r\n\r\n"

static const struct {
	const char *request;
	const char *reply;
	const char *end;
} requests[] = {
	{ GET, "HTTP/1.1 200 OK\r\n", END "one 1\n" },
	{ "GET /metrics?a=b HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK\r\n",
	  END "one 1\n" },
	/* As a proxy gets it, which a server must accept. */
	{ "GET http://x:9464/metrics HTTP/1.1\r\nHost: x\r\n\r\n",
	  "HTTP/1.1 200 OK\r\n", END "one 1\n" },
	{ "GET HTTPS://[::1]/metrics?a=/b HTTP/1.1\r\n\r\n",
	  "HTTP/1.1 200 OK\r\n", END "one 1\n" },
	{ "GET http://x HTTP/1.1\r\nA: /metrics\r\n\r\n",
	  "HTTP/1.1 404 Not Found\r\n", END },
	{ "GET http://x/metrics/ HTTP/1.1\r\n\r\n",
	  "HTTP/1.1 404 Not Found\r\n", END },
	{ "GET http://x?/metrics HTTP/1.1\r\n\r\n",
	  "HTTP/1.1 404 Not Found\r\n", END },
	{ "GET ftp://x/metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found\r\n",
	  END },
	{ "POST http://x/metrics HTTP/1.1\r\n\r\n",
	  "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\n", END },
	/* The headers are those of GET. */
	{ "HEAD /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n",
	  "\r\nContent-Length: 6\r\nConnection: close" END },
	{ "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found\r\n", END },
	{ "HEAD / HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found\r\n", END },
	{ "POST / HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found\r\n", END },
	{ "GET /metricsx HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found\r\n", END },
	{ "POST /metrics HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody",
	  "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\n", END },
	{ "GETS /metrics HTTP/1.1\r\n\r\n",
	  "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\n", END },
	{ "GET /metrics\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", END },
	{ "GET /metrics FTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", END },
	{ "\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", END },
	{ "GET /metrics HTTP/1.1\r\n", "", "" },
};

TEST_LOOP(answers_requests, COUNT(requests))
{
	const char *wanted = requests[_i].reply, *end = requests[_i].end;
	char *reply;

	start_server(TIMEOUT_MS);
	reply = ask(requests[_i].request);
	ck_assert_msg(strncmp(reply, wanted, strlen(wanted)) == 0, "%s", reply);
	ck_assert_str_eq(reply + strlen(reply) - strlen(end), end);
	ck_assert(!*end == !*reply);
	free(reply);
	export_server_free(server);
}

TEST(refuses_long_requests)
{
	static char request[65536] = "GET /metrics HTTP/1.1\r\nA: ";
	char *reply;

	start_server(TIMEOUT_MS);
	memset(request + strlen(request), 'a',
	       sizeof(request) - strlen(request) - 1);
	reply = ask(request);
	ck_assert_msg(strncmp(reply, "HTTP/1.1 431 ", 13) == 0, "%s", reply);
	free(reply);
	export_server_free(server);
}

/* More than the server takes, so that the first ones are dropped. */
TEST(slow_clients_delay_no_other)
{
	int slow[EXPORT_SERVER_CLIENTS_MAX + 8];
	char *reply;
	size_t i;

	start_server(TIMEOUT_MS);
	for (i = 0; i < COUNT(slow); i++) {
		slow[i] = connect_to_server();
		send_text(slow[i], "G");
	}
	reply = ask(GET);
	ck_assert_ptr_nonnull(strstr(reply, END "one 1\n"));
	free(reply);
	/* The last one continues. */
	send_text(slow[--i], &GET[1]);
	reply = receive(slow[i]);
	ck_assert_ptr_nonnull(strstr(reply, END "one 1\n"));
	free(reply);
	reply = receive(slow[0]);
	ck_assert_str_eq(reply, "");
	free(reply);
	while (--i)
		close(slow[i]);
	export_server_free(server);
}

/* It sends nothing. */
TEST(drops_slow_clients)
{
	char *reply;
	int fd;

	start_server(1);
	fd = connect_to_server();
	reply = receive(fd);
	ck_assert_str_eq(reply, "");
	free(reply);
	export_server_free(server);
}

/* A client that does not read */
TEST(large_texts_delay_no_other)
{
	char *reply;
	int fd;

	start_server(TIMEOUT_MS);
	while (text.size < (1 << 24))
		uev_output_append(&text, "one 1\n", 6);
	export_server_set(server, &text);
	fd = connect_to_server();
	send_text(fd, GET);
	text.size = 6;
	export_server_set(server, &text);
	reply = ask(GET);
	ck_assert_ptr_nonnull(strstr(reply, END "one 1\n"));
	free(reply);
	close(fd);
	export_server_free(server);
}

static const struct {
	const char *target;
	int error;
} targets[] = {
	{ "127.0.0.1:0", 0 },	   { "localhost:0", 0 },
	{ "", -EINVAL },	   { "x", -EINVAL },
	{ "65536", -EINVAL },	   { "-1", -EINVAL },
	{ "127.0.0.1:", -EINVAL }, { "127.0.0.1", -EINVAL },
	{ ":9464", -EINVAL },	   { "[::1]", -EINVAL },
	{ "[::x]:1", -EINVAL },	   { "localhost:x", -EINVAL },
};

TEST_LOOP(serves_at_an_address, COUNT(targets))
{
	ck_assert_int_eq(export_server_new(&server, targets[_i].target,
					   TIMEOUT_MS),
			 targets[_i].error);
	ck_assert((server != NULL) == !targets[_i].error);
	export_server_free(server);
}

/* A machine without IPv6 does not have the address. */
TEST(serves_at_an_ipv6_address)
{
	int ret = export_server_new(&server, "[::1]:0", TIMEOUT_MS);

	if (!ret)
		ck_assert_uint_gt(export_server_port(server), 0);
	else
		ck_assert(ret == -EADDRNOTAVAIL || ret == -EAFNOSUPPORT);
	export_server_free(server);
}

/* "twice" has its second address twice, as a host in two lines of a file. */
int getaddrinfo(const char *name, const char *service,
		const struct addrinfo *req, struct addrinfo **pai)
{
	static const char *const twice[] = { "127.0.0.1", "127.0.0.2",
					     "127.0.0.2" };
	static __typeof__(getaddrinfo) *next;
	void *found = dlsym(RTLD_NEXT, "getaddrinfo");
	int ret = 0;
	size_t i;

	memcpy(&next, &found, sizeof(next));
	if (strcmp(name, "twice"))
		return next(name, service, req, pai);
	for (i = 0; i < COUNT(twice) && !ret; i++) {
		ret = next(twice[i], service, req, pai);
		pai = &(*pai)->ai_next;
	}

	return ret;
}

TEST(takes_each_address_once)
{
	ck_assert_int_eq(export_server_new(&server, "twice:0", TIMEOUT_MS), 0);
	export_server_free(server);
}

TEST(reports_a_used_port)
{
	struct export_server *other;
	char target[32];

	start_server(TIMEOUT_MS);
	snprintf(target, sizeof(target), "localhost:%u",
		 export_server_port(server));
	ck_assert_int_eq(export_server_new(&other, target, TIMEOUT_MS),
			 -EADDRINUSE);
	ck_assert_ptr_null(other);
	export_server_free(server);
}
