// SPDX-License-Identifier: MIT
#include "export/http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "formats/format.h"
#include "tool.h"

#define REQUEST_MAX 8192
#define BACKLOG 8

/* A client that sends or reads slowly delays only other clients. */
#define CLIENT_TIMEOUT_S 2

/*
 * struct export_server - A server and its thread
 * @lock: protects @text
 */
struct export_server {
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	struct uev_output text;
};

/* ---- Addresses ---- */

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in ipv4;
		struct sockaddr_in6 ipv6;
	};
	socklen_t size;
};

static bool set_host(struct address *to, const char *host, uint16_t port)
{
	memset(to, 0, sizeof(*to));
	if (inet_pton(AF_INET, host, &to->ipv4.sin_addr) == 1) {
		to->ipv4.sin_family = AF_INET;
		to->ipv4.sin_port = htons(port);
		to->size = sizeof(to->ipv4);
		return true;
	}
	memset(to, 0, sizeof(*to));
	to->ipv6.sin6_family = AF_INET6;
	to->ipv6.sin6_port = htons(port);
	to->size = sizeof(to->ipv6);

	return inet_pton(AF_INET6, host, &to->ipv6.sin6_addr) == 1;
}

static bool parse(struct address *to, const char *target)
{
	const char *colon = strrchr(target, ':');
	const char *port_text = colon ? colon + 1 : target;
	size_t size = colon ? (size_t)(colon - target) : 0;
	uint64_t port;
	char *host;
	bool is_valid;

	if (!tool_number(port_text, 0, UINT16_MAX, &port))
		return false;
	if (size > 2 && target[0] == '[' && target[size - 1] == ']')
		host = tool_print("%.*s", (int)size - 2, target + 1);
	else if (colon)
		host = tool_print("%.*s", (int)size, target);
	else
		host = tool_copy("127.0.0.1");
	is_valid = set_host(to, host, (uint16_t)port);
	free(host);

	return is_valid;
}

/* ---- Requests ---- */

/* Return: whether a complete request was read */
static bool read_request(int fd, char *request)
{
	size_t size = 0;
	ssize_t got;

	while (size < REQUEST_MAX - 1) {
		got = recv(fd, request + size, REQUEST_MAX - 1 - size, 0);
		if (got <= 0)
			return false;
		size += (size_t)got;
		request[size] = '\0';
		if (strstr(request, "\r\n\r\n"))
			return true;
	}

	return false;
}

static void send_all(int fd, const char *bytes, size_t size)
{
	ssize_t sent;

	while (size) {
		sent = send(fd, bytes, size, MSG_NOSIGNAL);
		if (sent <= 0)
			return;
		bytes += sent;
		size -= (size_t)sent;
	}
}

static void answer(int fd, const char *status, const struct uev_output *text)
{
	struct uev_output reply = UEV_OUTPUT_INIT;

	format_print(
		&reply,
		"HTTP/1.1 %s\r\n"
		"Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
		"Content-Length: %zu\r\n"
		"Connection: close\r\n\r\n",
		status, text->size);
	if (text->size)
		tool_need(uev_output_append(&reply, text->text, text->size));
	send_all(fd, reply.text, reply.size);
	uev_output_release(&reply);
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static void answer_metrics(struct export_server *server, int fd)
{
	struct uev_output copy = UEV_OUTPUT_INIT;

	pthread_mutex_lock(&server->lock);
	if (server->text.size)
		tool_need(uev_output_append(&copy, server->text.text,
					    server->text.size));
	pthread_mutex_unlock(&server->lock);
	answer(fd, "200 OK", &copy);
	uev_output_release(&copy);
}

static void serve_client(struct export_server *server, int fd)
{
	static const struct uev_output none = UEV_OUTPUT_INIT;
	const struct timeval timeout = { .tv_sec = CLIENT_TIMEOUT_S };
	char request[REQUEST_MAX];

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
	if (!read_request(fd, request))
		return;
	if (!starts_with(request, "GET "))
		answer(fd, "405 Method Not Allowed", &none);
	else if (starts_with(request, "GET /metrics ") ||
		 starts_with(request, "GET /metrics?"))
		answer_metrics(server, fd);
	else
		answer(fd, "404 Not Found", &none);
}

/* The end of the server makes accept() fail. */
static void *serve(void *data)
{
	struct export_server *server = data;
	int fd;

	for (;;) {
		fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0 && (errno == EINVAL || errno == EBADF))
			return NULL;
		if (fd < 0)
			continue;
		serve_client(server, fd);
		close(fd);
	}
}

/* ---- The server ---- */

static int start(struct export_server *server, const struct address *address)
{
	const int one = 1;

	server->fd =
		socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server->fd < 0)
		return -errno;
	setsockopt(server->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(server->fd, &address->any, address->size) ||
	    listen(server->fd, BACKLOG))
		return -errno;

	return 0;
}

/* The main thread handles signals. */
static int start_thread(struct export_server *server)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&server->thread, NULL, serve, server);
	pthread_sigmask(SIG_SETMASK, &before, NULL);

	return -error;
}

int export_server_new(struct export_server **opened, const char *target)
{
	struct export_server *server;
	struct address address;
	int ret;

	*opened = NULL;
	if (!parse(&address, target))
		return -EINVAL;
	server = tool_alloc(sizeof(*server));
	pthread_mutex_init(&server->lock, NULL);
	ret = start(server, &address);
	if (!ret)
		ret = start_thread(server);
	if (ret) {
		if (server->fd >= 0)
			close(server->fd);
		pthread_mutex_destroy(&server->lock);
		free(server);
		return ret;
	}
	*opened = server;

	return 0;
}

unsigned int export_server_port(const struct export_server *server)
{
	struct address address = { .size = sizeof(address.ipv6) };

	if (getsockname(server->fd, &address.any, &address.size))
		return 0;

	return ntohs(address.any.sa_family == AF_INET6 ? address.ipv6.sin6_port
						       : address.ipv4.sin_port);
}

void export_server_set(struct export_server *server,
		       const struct uev_output *text)
{
	pthread_mutex_lock(&server->lock);
	server->text.size = 0;
	tool_need(uev_output_append(&server->text, text->text, text->size));
	pthread_mutex_unlock(&server->lock);
}

void export_server_free(struct export_server *server)
{
	if (!server)
		return;
	shutdown(server->fd, SHUT_RDWR);
	pthread_join(server->thread, NULL);
	close(server->fd);
	pthread_mutex_destroy(&server->lock);
	uev_output_release(&server->text);
	free(server);
}
