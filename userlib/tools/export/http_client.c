// SPDX-License-Identifier: MIT
/* Without libcurl, as in static programs: HTTP without encryption. */
#ifndef TOOL_HAS_CURL
#include "export/http_client.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/signals.h"
#include "formats/format.h"
#include "tool.h"

#define SCHEME "http://"

/* Interval of tests for signals and programs, in milliseconds */
#define SLICE_MS 100

bool export_client_has_tls(void)
{
	return false;
}

bool export_client_init(struct export_client *client, const char *url,
			const char *port)
{
	const char *host = url + strlen(SCHEME), *end, *colon;
	size_t length;

	if (strncmp(url, SCHEME, strlen(SCHEME)) != 0)
		return false;
	length = strcspn(host, "/?#@");
	end = host + length;
	if (!length || (*end && *end != '/') || strpbrk(url, " \r\n"))
		return false;
	colon = memrchr(host, ':', length);
	if (colon && memchr(colon, ']', (size_t)(end - colon)))
		colon = NULL;
	if (colon == host || (colon && colon + 1 == end))
		return false;
	*client = (struct export_client){ .fd = -1 };
	client->port =
		colon ? tool_print("%.*s", (int)(end - colon - 1), colon + 1)
		      : tool_copy(port);
	client->host =
		tool_print("%.*s", (int)((colon ? colon : end) - host), host);
	length = strlen(end);
	while (length && end[length - 1] == '/')
		length--;
	client->path = tool_print("%.*s", (int)length, end);

	return true;
}

static void disconnect(struct export_client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
}

/* ---- The connection ---- */

/* Waits until a socket is ready. Return: 0 or -errno */
static int wait_for(const struct export_client *client, short events)
{
	struct pollfd poll_fd = { .fd = client->fd, .events = events };

	while (poll(&poll_fd, 1, SLICE_MS) <= 0) {
		capture_serve();
		if (capture_signals.stop_requests > 1)
			return -EINTR;
		if (capture_now() >= client->deadline)
			return -ETIMEDOUT;
	}

	return 0;
}

/* Return: 0 or -errno */
static int connect_to(struct export_client *client,
		      const struct addrinfo *address)
{
	socklen_t size = sizeof(int);
	int error = 0, ret;

	client->fd = socket(address->ai_family,
			    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (client->fd < 0)
		return -errno;
	if (connect(client->fd, address->ai_addr, address->ai_addrlen) == 0)
		return 0;
	error = errno;
	if (error == EINPROGRESS) {
		ret = wait_for(client, POLLOUT);
		if (ret)
			error = -ret;
		else
			getsockopt(client->fd, SOL_SOCKET, SO_ERROR, &error,
				   &size);
	}
	if (error)
		disconnect(client);

	return -error;
}

/* Return: 0 or -errno of the last address */
static int connect_to_host(struct export_client *client)
{
	_cleanup_free_ char *name = NULL;
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *addresses, *address;
	size_t length = strlen(client->host);
	bool has_brackets = client->host[0] == '[' &&
			    client->host[length - 1] == ']';
	int ret = -EHOSTUNREACH;

	name = tool_print("%.*s", (int)length - 2 * has_brackets,
			  client->host + has_brackets);
	if (getaddrinfo(name, client->port, &hints, &addresses) == 0) {
		for (address = addresses; address && ret;
		     address = address->ai_next)
			ret = connect_to(client, address);
		freeaddrinfo(addresses);
	}

	return ret;
}

static int send_all(const struct export_client *client, const char *bytes,
		    size_t size)
{
	ssize_t sent;
	int ret;

	while (size) {
		sent = send(client->fd, bytes, size, MSG_NOSIGNAL);
		if (sent >= 0) {
			bytes += sent;
			size -= (size_t)sent;
			continue;
		}
		if (errno != EAGAIN)
			return -errno;
		ret = wait_for(client, POLLOUT);
		if (ret)
			return ret;
	}

	return 0;
}

/* Appends to the answer. Return: number of bytes, 0 at the end, or -errno */
static ssize_t receive(struct export_client *client)
{
	char bytes[4096];
	ssize_t got;
	int ret;

	while ((got = recv(client->fd, bytes, sizeof(bytes), 0)) < 0) {
		if (errno != EAGAIN)
			return -errno;
		ret = wait_for(client, POLLIN);
		if (ret)
			return ret;
	}
	tool_append(&client->reply, bytes, (size_t)got);

	return got;
}

/* ---- Answers ---- */

/* Returns the end of the headers, or NULL. */
static const char *end_of_head(const struct export_client *client)
{
	const char *end = client->reply.size
				  ? strstr(client->reply.text, "\r\n\r\n")
				  : NULL;

	return end ? end + strlen("\r\n\r\n") : NULL;
}

/* Returns the value of a header, without space before it, or NULL. */
static const char *header(const struct export_client *client, const char *name)
{
	const char *end = end_of_head(client);
	const char *line = end ? client->reply.text : NULL;
	size_t length = strlen(name);

	while (line && (line = strstr(line, "\r\n")) && line < end) {
		line += strlen("\r\n");
		if (strncasecmp(line, name, length) == 0 && line[length] == ':')
			return line + length + 1 +
			       strspn(line + length + 1, " \t");
	}

	return NULL;
}

/* Tests for a value, which can have others behind it. */
static bool has_value(const struct export_client *client, const char *name,
		      const char *value)
{
	const char *found = header(client, name);

	return found && strncasecmp(found, value, strlen(value)) == 0;
}

/* Returns the status, or 0 if the answer does not start with one. */
static unsigned int parse_status(const struct export_client *client)
{
	unsigned int status;

	return sscanf(client->reply.text, "HTTP/1.%*1u %3u", &status) == 1
		       ? status
		       : 0;
}

/*
 * Appends the content of chunks to @to, which can be NULL.
 * Return: whether the last one is there
 */
static bool join_chunks(const char *at, const char *end, struct uev_output *to)
{
	const char *line;
	unsigned long size;

	while ((line = memmem(at, (size_t)(end - at), "\r\n", 2))) {
		size = strtoul(at, NULL, 16);
		line += strlen("\r\n");
		/* Other headers and an empty line follow the last one. */
		if (!size)
			return memmem(line - 2, (size_t)(end - line + 2),
				      "\r\n\r\n", 4);
		if ((size_t)(end - line) < 2 || size > (size_t)(end - line) - 2)
			return false;
		if (to)
			tool_append(to, line, size);
		at = line + size + strlen("\r\n");
	}

	return false;
}

static bool has_no_body(unsigned int status)
{
	return status == 204 || status == 304;
}

/* Tests for the end of an answer that does not end with the connection. */
static bool is_complete(const struct export_client *client)
{
	const struct uev_output *reply = &client->reply;
	const char *body = end_of_head(client), *length;
	const char *end = reply->text + reply->size;

	if (!body)
		return false;
	if (has_no_body(parse_status(client)))
		return true;
	if (has_value(client, "Transfer-Encoding", "chunked"))
		return join_chunks(body, end, NULL);
	length = header(client, "Content-Length");

	return length && (size_t)(end - body) >= strtoul(length, NULL, 10);
}

/* Only without a length, the end of the connection is that of the answer. */
static bool ends_with_connection(const struct export_client *client)
{
	return end_of_head(client) && !header(client, "Content-Length") &&
	       !header(client, "Transfer-Encoding");
}

/* Return: 0 or -errno */
static int read_answer(struct export_client *client)
{
	ssize_t got;

	client->reply.size = 0;
	while (!is_complete(client)) {
		got = receive(client);
		if (got < 0)
			return (int)got;
		if (!got)
			return ends_with_connection(client) ? 0 : -ECONNRESET;
		if (client->reply.size > EXPORT_REPLY_MAX)
			return -EMSGSIZE;
	}

	return 0;
}

unsigned int export_client_retry_after(const struct export_client *client)
{
	return client->retry_after < EXPORT_RETRY_AFTER_MAX
		       ? (unsigned int)client->retry_after
		       : EXPORT_RETRY_AFTER_MAX;
}

/* Leaves only the body in the answer. */
static void take_body(struct export_client *client)
{
	struct uev_output body = UEV_OUTPUT_INIT;
	const char *at = end_of_head(client);
	const char *end = client->reply.text + client->reply.size;

	if (has_value(client, "Transfer-Encoding", "chunked"))
		join_chunks(at, end, &body);
	else if (end > at)
		tool_append(&body, at, (size_t)(end - at));
	uev_output_release(&client->reply);
	client->reply = body;
}

/* Returns the status of an answer, or -errno. */
static int status_of(struct export_client *client)
{
	const char *type = header(client, "Content-Type");
	const char *after = header(client, "Retry-After");
	unsigned int status = parse_status(client);

	if (!status)
		return -EPROTO;
	if (type)
		snprintf(client->type, sizeof(client->type), "%.*s",
			 (int)strcspn(type, "\r\n"), type);
	client->retry_after = after ? strtoul(after, NULL, 10) : 0;
	/* The length of all others is known. */
	if (!is_complete(client) || has_value(client, "Connection", "close"))
		disconnect(client);
	take_body(client);

	return (int)status;
}

/* ---- Requests ---- */

static void set_head(struct export_client *client, const char *path,
		     const char *type, size_t size)
{
	_cleanup_free_ char *head = tool_print(
		"POST %s%s HTTP/1.1\r\n"
		"Host: %s:%s\r\n"
		"User-Agent: user-events/" TOOL_VERSION "\r\n"
		"Content-Type: %s\r\n"
		"%s%.*s"
		"Content-Length: %zu\r\n\r\n",
		client->path, path, client->host, client->port, type,
		client->is_compressed ? "Content-Encoding: gzip\r\n" : "",
		(int)client->headers.size,
		client->headers.size ? client->headers.text : "", size);

	client->request.size = 0;
	tool_put(&client->request, head);
}

/*
 * A server can refuse a request before its end, and close the connection. The
 * body of such an answer can be missing.
 *
 * Return: its status, or @error
 */
static int read_refusal(struct export_client *client, int error)
{
	int status;

	read_answer(client);
	if (!end_of_head(client))
		return error;
	status = status_of(client);
	disconnect(client);

	return status >= 300 ? status : error;
}

/* Return: 0 or -errno */
static int send_request(const struct export_client *client,
			const struct uev_output *message)
{
	int ret = send_all(client, client->request.text, client->request.size);

	return ret ? ret : send_all(client, message->text, message->size);
}

static bool is_closed(int error)
{
	return error == -ECONNRESET || error == -EPIPE;
}

/* Return: as export_client_post() */
static int exchange(struct export_client *client,
		    const struct uev_output *message)
{
	int ret = client->fd < 0 ? connect_to_host(client) : 0;

	if (!ret) {
		ret = send_request(client, message);
		if (is_closed(ret))
			ret = read_refusal(client, ret);
		else if (!ret)
			ret = read_answer(client) ?: status_of(client);
	}
	if (ret < 0)
		disconnect(client);

	return ret;
}

int export_client_post(struct export_client *client, const char *path,
		       const char *type, const struct uev_output *message,
		       uint64_t timeout)
{
	bool is_old = client->fd >= 0;
	int ret;

	client->deadline = capture_now() + timeout;
	client->reply.size = 0;
	client->type[0] = '\0';
	client->problem[0] = '\0';
	client->retry_after = 0;
	set_head(client, path, type, message->size);
	ret = exchange(client, message);
	/* The server can have closed a connection that was not used. */
	if (is_old && is_closed(ret))
		ret = exchange(client, message);

	return ret;
}

void export_client_release(struct export_client *client)
{
	disconnect(client);
	free(client->host);
	free(client->port);
	free(client->path);
	uev_output_release(&client->headers);
	uev_output_release(&client->request);
	uev_output_release(&client->reply);
}

#endif
