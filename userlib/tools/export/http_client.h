/* SPDX-License-Identifier: MIT */
/* user-events export: requests to a server, by HTTP. */
#ifndef USER_EVENTS_EXPORT_HTTP_CLIENT_H
#define USER_EVENTS_EXPORT_HTTP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

/*
 * struct export_client - A server and a connection to it; released with
 * export_client_release()
 * @host, @port, @path: of its URL; @path without a slash at the end
 * @fd: the connection, or -1
 * @deadline: of the current request, as of capture_now()
 * @request: memory
 * @reply: the whole last answer
 */
struct export_client {
	char *host;
	char *port;
	char *path;
	int fd;
	uint64_t deadline;
	struct uev_output request;
	struct uev_output reply;
};

/*
 * export_client_init() - Sets the server
 * @url: http://HOST[:PORT][/PATH]; an IPv6 address is in brackets
 * @port: the default
 * Return: whether the URL is valid; if not, there is nothing to release
 */
bool export_client_init(struct export_client *client, const char *url,
			const char *port);

/*
 * export_client_post() - Sends JSON, and waits for the answer
 * @path: appended to that of the URL
 * @timeout: maximum time in milliseconds; a second stop signal ends it, too
 * Return: the status of the answer, such as 200; or -errno
 */
int export_client_post(struct export_client *client, const char *path,
		       const struct uev_output *json, uint64_t timeout);

/* Returns the seconds of the header Retry-After of the last answer, or 0. */
unsigned int export_client_retry_after(const struct export_client *client);

void export_client_release(struct export_client *client);

#endif
