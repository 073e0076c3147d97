// SPDX-License-Identifier: MIT
/*
 * One thread serves all clients, each with a deadline, so that a slow one delays
 * no other. libmicrohttpd has no such deadline, see Documentation/design.rst.
 */
#include "export/http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "formats/format.h"
#include "tool.h"

#define DEFAULT_HOST "127.0.0.1"
#define REQUEST_MAX 8192
#define BACKLOG 64
#define LISTENERS_MAX 8
#define CLIENTS_MAX EXPORT_SERVER_CLIENTS_MAX

/* Maximum time in milliseconds until a client ends an answered connection */
#define CLOSE_MS 1000

/* Wait for a free descriptor */
#define ACCEPT_RETRY_MS 100

/* Steps of an exchange */
enum step {
	STEP_READ,
	STEP_WRITE,
	STEP_CLOSE,
};

/*
 * struct client - A connection
 * @deadline: as of tool_now()
 * @request: @request_size bytes so far
 * @reply: of which @sent bytes were sent
 */
struct client {
	int fd;
	enum step step;
	uint64_t deadline;
	char request[REQUEST_MAX];
	size_t request_size;
	struct uev_output reply;
	size_t sent;
};

/*
 * struct export_server - A server and its thread
 * @stop: an eventfd that ends the thread
 * @timeout: of a client, in milliseconds
 * @listeners: sockets, one for each address of the name
 * @clients: in any order
 * @lock: protects @text
 */
struct export_server {
	int stop;
	unsigned int timeout;
	int listeners[LISTENERS_MAX];
	size_t listener_count;
	struct client *clients[CLIENTS_MAX];
	size_t client_count;
	pthread_t thread;
	pthread_mutex_t lock;
	struct uev_output text;
};

/* ---- Answers ---- */

/* Skips the scheme and the host of a URL, which a request to a proxy has. */
static const char *skip_origin(const char *target)
{
	static const char *const schemes[] = { "http://", "https://" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strncasecmp(target, schemes[i], strlen(schemes[i])) == 0) {
			target += strlen(schemes[i]);
			return target + strcspn(target, "/? \r");
		}

	return target;
}

/* Returns the status of the answer to a line "METHOD TARGET VERSION\r\n". */
static const char *status_of(const char *line, bool *is_head)
{
	size_t method = strcspn(line, " \r");
	const char *target = skip_origin(line + method + (line[method] == ' '));
	size_t path = strcspn(target, " ?\r");
	const char *version = target + strcspn(target, " \r");

	*is_head = tool_is(line, method, "HEAD");
	if (!method || strncmp(version, " HTTP/1.", strlen(" HTTP/1.")) != 0)
		return "400 Bad Request";
	if (!tool_is(target, path, "/metrics"))
		return "404 Not Found";
	if (!*is_head && !tool_is(line, method, "GET"))
		return "405 Method Not Allowed\r\nAllow: GET, HEAD";

	return "200 OK";
}

static void set_reply(struct client *client, const char *status, bool is_head,
		      const struct uev_output *text)
{
	struct uev_output *reply = &client->reply;

	format_print(
		reply,
		"HTTP/1.1 %s\r\n"
		"Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
		"Content-Length: %zu\r\n"
		"Connection: close\r\n\r\n",
		status, text->size);
	if (text->size && !is_head)
		tool_append(reply, text->text, text->size);
	client->step = STEP_WRITE;
}

static void answer_client(struct export_server *server, struct client *client)
{
	static const struct uev_output none = UEV_OUTPUT_INIT;
	bool is_head;
	const char *status = status_of(client->request, &is_head);

	if (*status != '2') {
		set_reply(client, status, is_head, &none);
		return;
	}
	pthread_mutex_lock(&server->lock);
	set_reply(client, status, is_head, &server->text);
	pthread_mutex_unlock(&server->lock);
}

/* ---- Clients ---- */

static bool must_wait(void)
{
	return errno == EAGAIN || errno == EINTR;
}

/* These functions return false at the end of the connection. */

static bool read_request(struct export_server *server, struct client *client)
{
	static const struct uev_output none = UEV_OUTPUT_INIT;
	size_t room = sizeof(client->request) - 1 - client->request_size;
	ssize_t got = recv(client->fd, client->request + client->request_size,
			   room, 0);

	if (got <= 0)
		return got < 0 && must_wait();
	client->request_size += (size_t)got;
	client->request[client->request_size] = '\0';
	if (memmem(client->request, client->request_size, "\r\n\r\n", 4))
		answer_client(server, client);
	else if ((size_t)got == room)
		set_reply(client, "431 Request Header Fields Too Large", false,
			  &none);

	return true;
}

/* Unread bytes of the request would make close() discard the answer. */
static bool write_reply(struct client *client)
{
	ssize_t sent = send(client->fd, client->reply.text + client->sent,
			    client->reply.size - client->sent, MSG_NOSIGNAL);

	if (sent < 0)
		return must_wait();
	client->sent += (size_t)sent;
	if (client->sent < client->reply.size)
		return true;
	shutdown(client->fd, SHUT_WR);
	client->step = STEP_CLOSE;
	client->deadline = tool_now() + CLOSE_MS;

	return true;
}

static bool skip_rest(struct client *client)
{
	ssize_t got =
		recv(client->fd, client->request, sizeof(client->request), 0);

	return got < 0 ? must_wait() : got > 0;
}

static bool advance_client(struct export_server *server, struct client *client)
{
	switch (client->step) {
	case STEP_READ:
		return read_request(server, client);
	case STEP_WRITE:
		return write_reply(client);
	default:
		return skip_rest(client);
	}
}

static void drop_client(struct export_server *server, size_t index)
{
	struct client *client = server->clients[index];

	close(client->fd);
	uev_output_release(&client->reply);
	free(client);
	server->clients[index] = server->clients[--server->client_count];
}

static void drop_oldest(struct export_server *server)
{
	size_t i, oldest = 0;

	for (i = 1; i < server->client_count; i++)
		if (server->clients[i]->deadline <
		    server->clients[oldest]->deadline)
			oldest = i;
	drop_client(server, oldest);
}

/* ---- The thread ---- */

/* A new client is more likely to be a good one than the oldest. */
static void accept_client(struct export_server *server, int listener)
{
	struct pollfd stop = { .fd = server->stop, .events = POLLIN };
	struct client *client;
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0) {
		if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS &&
		    errno != ENOMEM)
			return;
		if (server->client_count)
			drop_oldest(server);
		else
			poll(&stop, 1, ACCEPT_RETRY_MS);
		return;
	}
	if (server->client_count == CLIENTS_MAX)
		drop_oldest(server);
	client = tool_alloc(sizeof(*client));
	client->fd = fd;
	client->deadline = tool_now() + server->timeout;
	server->clients[server->client_count++] = client;
}

/* Returns the time until the next deadline in milliseconds, or -1. */
static int timeout_of(const struct export_server *server)
{
	uint64_t next = UINT64_MAX, now = tool_now();
	size_t i;

	for (i = 0; i < server->client_count; i++)
		if (server->clients[i]->deadline < next)
			next = server->clients[i]->deadline;
	if (next == UINT64_MAX)
		return -1;

	return next > now ? (int)(next - now) : 0;
}

static void advance_clients(struct export_server *server,
			    const struct pollfd *fds)
{
	uint64_t now = tool_now();
	size_t i = server->client_count;

	/* The last one takes the place of a dropped one. */
	while (i--)
		if ((fds[i].revents &&
		     !advance_client(server, server->clients[i])) ||
		    server->clients[i]->deadline <= now)
			drop_client(server, i);
}

static void *serve_clients(void *data)
{
	struct export_server *server = data;
	struct pollfd fds[1 + LISTENERS_MAX + CLIENTS_MAX];
	struct pollfd *clients = fds + 1 + server->listener_count;
	size_t i;

	for (;;) {
		fds[0] =
			(struct pollfd){ .fd = server->stop, .events = POLLIN };
		for (i = 0; i < server->listener_count; i++)
			fds[1 + i] =
				(struct pollfd){ .fd = server->listeners[i],
						 .events = POLLIN };
		for (i = 0; i < server->client_count; i++)
			clients[i] = (struct pollfd){
				.fd = server->clients[i]->fd,
				.events = server->clients[i]->step == STEP_WRITE
						  ? POLLOUT
						  : POLLIN,
			};
		poll(fds, 1 + server->listener_count + server->client_count,
		     timeout_of(server));
		if (fds[0].revents)
			return NULL;
		advance_clients(server, clients);
		for (i = 0; i < server->listener_count; i++)
			if (fds[1 + i].revents)
				accept_client(server, server->listeners[i]);
	}
}

/* The main thread handles signals. */
static int start_thread(struct export_server *server)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&server->thread, NULL, serve_clients, server);
	pthread_sigmask(SIG_SETMASK, &before, NULL);

	return -error;
}

/* ---- Addresses ---- */

/* Returns the host of "PORT", "HOST:PORT" or "[HOST]:PORT", for free(), or NULL */
static char *parse_target(const char *target, const char **port)
{
	const char *colon = strrchr(target, ':');
	size_t size = colon ? (size_t)(colon - target) : 0;
	bool has_brackets = size > 2 && target[0] == '[' &&
			    target[size - 1] == ']';
	uint64_t number;

	*port = colon ? colon + 1 : target;
	if (!tool_number(*port, 0, UINT16_MAX, &number) || (colon && !size))
		return NULL;
	if (!colon)
		return tool_copy(DEFAULT_HOST);

	return tool_print("%.*s", (int)size - 2 * has_brackets,
			  target + has_brackets);
}

static in_port_t *port_of(struct sockaddr *address)
{
	return address->sa_family == AF_INET6
		       ? &((struct sockaddr_in6 *)address)->sin6_port
		       : &((struct sockaddr_in *)address)->sin_port;
}

static bool is_repeated(const struct addrinfo *first,
			const struct addrinfo *address)
{
	const struct addrinfo *other;

	for (other = first; other != address; other = other->ai_next)
		if (other->ai_addrlen == address->ai_addrlen &&
		    memcmp(other->ai_addr, address->ai_addr,
			   address->ai_addrlen) == 0)
			return true;

	return false;
}

/* Return: 0 or -errno */
static int listen_at(struct export_server *server, const struct addrinfo *info)
{
	struct sockaddr_storage storage = { 0 };
	struct sockaddr *address = (struct sockaddr *)&storage;
	const int one = 1;
	int ret = 0, fd = socket(info->ai_family,
				 SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	memcpy(address, info->ai_addr, info->ai_addrlen);
	/* The first address has chosen the port. */
	if (server->listener_count)
		*port_of(address) = htons((uint16_t)export_server_port(server));
	if (bind(fd, address, info->ai_addrlen) || listen(fd, BACKLOG)) {
		ret = -errno;
		close(fd);
		return ret;
	}
	server->listeners[server->listener_count++] = fd;

	return 0;
}

/* A name can have addresses of a protocol that the machine does not use. */
static bool is_unsupported(int error)
{
	return error == -EADDRNOTAVAIL || error == -EAFNOSUPPORT;
}

/* Return: 0 or -errno */
static int listen_at_all(struct export_server *server,
			 const struct addrinfo *first)
{
	const struct addrinfo *address;
	int ret = -EADDRNOTAVAIL;

	for (address = first; address; address = address->ai_next) {
		if (server->listener_count == LISTENERS_MAX ||
		    is_repeated(first, address))
			continue;
		ret = listen_at(server, address);
		if (ret && !is_unsupported(ret))
			return ret;
	}

	return server->listener_count ? 0 : ret;
}

/* Return: as export_server_new() */
static int listen_to(struct export_server *server, const char *host,
		     const char *port)
{
	const bool is_number = strchr(host, ':') != NULL;
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV | (is_number ? AI_NUMERICHOST : 0),
	};
	struct addrinfo *addresses;
	int ret = getaddrinfo(host, port, &hints, &addresses);

	if (ret == EAI_SYSTEM)
		return -errno;
	if (ret)
		return is_number ? -EINVAL : -ENOENT;
	ret = listen_at_all(server, addresses);
	freeaddrinfo(addresses);

	return ret;
}

/* ---- The server ---- */

static void release_server(struct export_server *server)
{
	while (server->client_count)
		drop_client(server, 0);
	while (server->listener_count)
		close(server->listeners[--server->listener_count]);
	if (server->stop >= 0)
		close(server->stop);
	pthread_mutex_destroy(&server->lock);
	uev_output_release(&server->text);
	free(server);
}

int export_server_new(struct export_server **opened, const char *target,
		      unsigned int timeout)
{
	_cleanup_free_ char *host = NULL;
	struct export_server *server;
	const char *port;
	int ret;

	*opened = NULL;
	host = parse_target(target, &port);
	if (!host)
		return -EINVAL;
	server = tool_alloc(sizeof(*server));
	pthread_mutex_init(&server->lock, NULL);
	server->timeout = timeout;
	server->stop = eventfd(0, EFD_CLOEXEC);
	ret = server->stop < 0 ? -errno : listen_to(server, host, port);
	if (!ret)
		ret = start_thread(server);
	if (ret) {
		release_server(server);
		return ret;
	}
	*opened = server;

	return 0;
}

unsigned int export_server_port(const struct export_server *server)
{
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);

	if (getsockname(server->listeners[0], (struct sockaddr *)&address,
			&size))
		return 0;

	return ntohs(*port_of((struct sockaddr *)&address));
}

void export_server_set(struct export_server *server,
		       const struct uev_output *text)
{
	pthread_mutex_lock(&server->lock);
	server->text.size = 0;
	tool_append(&server->text, text->text, text->size);
	pthread_mutex_unlock(&server->lock);
}

void export_server_free(struct export_server *server)
{
	if (!server)
		return;
	eventfd_write(server->stop, 1);
	pthread_join(server->thread, NULL);
	release_server(server);
}
