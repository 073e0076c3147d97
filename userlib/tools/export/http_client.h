/* SPDX-License-Identifier: MIT */
/*
 * user-events export: requests to a server, by HTTP or HTTPS, with libcurl.
 */
#ifndef USER_EVENTS_EXPORT_HTTP_CLIENT_H
#define USER_EVENTS_EXPORT_HTTP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

#define EXPORT_PROBLEM_SIZE 256
#define EXPORT_TYPE_SIZE 64

/* An answer with more bytes is an error. */
#define EXPORT_REPLY_MAX 65536

/* Limit of the seconds of Retry-After */
#define EXPORT_RETRY_AFTER_MAX 60

/*
 * struct export_client - A server and a connection to it; released with
 * export_client_release()
 * @headers: of each request, "NAME: VALUE\r\n"
 * @certificate: file of the certificates of authorities in PEM instead of those
 *        of the system, or NULL; owned by the caller
 * @is_compressed: the messages are, with gzip
 * @reply: the body of the last answer
 * @type: its header Content-Type, shortened, or ""
 * @retry_after: seconds of its header Retry-After, at most
 *        EXPORT_RETRY_AFTER_MAX, or 0
 * @problem: more about the last error, or ""
 * @url: without a slash at the end
 * @handle: of libcurl, with the connection, or NULL
 */
struct export_client {
	struct uev_output headers;
	const char *certificate;
	bool is_compressed;
	struct uev_output reply;
	char type[EXPORT_TYPE_SIZE];
	unsigned int retry_after;
	char problem[EXPORT_PROBLEM_SIZE];
	char *url;
	void *handle;
};

/*
 * export_client_init() - Sets the server
 * @url: http://HOST[:PORT][/PATH], or with https; an IPv6 address is in brackets
 * @port: the default of http
 * Return: 0, -EINVAL if the URL is not valid, or -EPROTONOSUPPORT if the tool was
 * built without libcurl; after an error there is nothing to release
 */
int export_client_init(struct export_client *client, const char *url,
		       const char *port);

/*
 * export_client_post() - Sends a message, and waits for the answer
 * @path: appended to that of the URL
 * @type: of the message, for the header Content-Type
 * @timeout: maximum time in milliseconds; a second stop signal ends it, too
 * Return: the status of the answer, such as 200; redirections are not followed;
 * or -errno: -EKEYREJECTED if the server cannot be trusted
 */
int export_client_post(struct export_client *client, const char *path,
		       const char *type, const struct uev_output *message,
		       uint64_t timeout);

void export_client_release(struct export_client *client);

#endif
