/* SPDX-License-Identifier: MIT */
/* user-events export: a text that a thread serves at /metrics by HTTP. */
#ifndef USER_EVENTS_EXPORT_HTTP_SERVER_H
#define USER_EVENTS_EXPORT_HTTP_SERVER_H

#include <userevents/decode.h>

struct export_server;

/* Maximum number of clients at a time. One more takes the place of the oldest. */
#define EXPORT_SERVER_CLIENTS_MAX 64

/*
 * export_server_new() - Starts to serve
 * @target: "PORT" of 127.0.0.1, "HOST:PORT" of all addresses of a name, or
 *        "[ADDRESS]:PORT"
 * @timeout: maximum time of a client, in milliseconds
 * @opened: set to the server, for export_server_free(); NULL on error
 * Return: 0; -EINVAL for any other target; -ENOENT for an unknown name; or an
 * error of bind(2)
 */
int export_server_new(struct export_server **opened, const char *target,
		      unsigned int timeout);

/* export_server_port() - Returns the port, chosen by the kernel for 0 */
unsigned int export_server_port(const struct export_server *server);

/* export_server_set() - Replaces the text */
void export_server_set(struct export_server *server,
		       const struct uev_output *text);

/* export_server_free() - Stops to serve; NULL is allowed */
void export_server_free(struct export_server *server);

#endif
