// SPDX-License-Identifier: MIT
#include "export/http_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/signals.h"
#include "tool.h"

#ifdef TOOL_HAS_CURL
#include <curl/curl.h>

/* Tests whether a URL has a part. @text: with this content; NULL: with any */
static bool has_part(CURLU *parts, CURLUPart part, const char *text)
{
	char *found;
	bool is_same;

	if (curl_url_get(parts, part, &found, 0))
		return false;
	is_same = !text || strcmp(found, text) == 0;
	curl_free(found);

	return is_same;
}

/* libcurl takes "http://a:". */
static bool has_empty_port(const char *url)
{
	const char *host = strstr(url, "://");
	size_t length;

	if (!host)
		return false;
	host += strlen("://");
	length = strcspn(host, "/");

	return length && host[length - 1] == ':';
}

static bool parts_valid(CURLU *parts, const char *url, const char *port)
{
	bool is_http;

	if (has_empty_port(url) || curl_url_set(parts, CURLUPART_URL, url, 0))
		return false;
	is_http = has_part(parts, CURLUPART_SCHEME, "http");
	if (!is_http && !has_part(parts, CURLUPART_SCHEME, "https"))
		return false;
	/* A name and a password would be in the list of processes. */
	if (has_part(parts, CURLUPART_QUERY, NULL) ||
	    has_part(parts, CURLUPART_FRAGMENT, NULL) ||
	    has_part(parts, CURLUPART_USER, NULL))
		return false;

	return !is_http || has_part(parts, CURLUPART_PORT, NULL) ||
	       !curl_url_set(parts, CURLUPART_PORT, port, 0);
}

int export_client_init(struct export_client *client, const char *url,
		       const char *port)
{
	CURLU *parts = curl_url();
	size_t length;
	char *full;
	bool is_valid;

	*client = (struct export_client){ 0 };
	is_valid = parts && parts_valid(parts, url, port) &&
		   !curl_url_get(parts, CURLUPART_URL, &full, 0);
	if (is_valid) {
		client->url = tool_copy(full);
		curl_free(full);
		length = strlen(client->url);
		while (client->url[length - 1] == '/')
			client->url[--length] = '\0';
	}
	curl_url_cleanup(parts);

	return is_valid ? 0 : -EINVAL;
}

/* ---- Requests ---- */

/* Fewer bytes than were given end the request. */
static size_t take_reply(char *bytes, size_t size, size_t count, void *data)
{
	struct export_client *client = data;

	size *= count;
	if (client->reply.size + size > EXPORT_REPLY_MAX)
		return 0;
	tool_append(&client->reply, bytes, size);

	return size;
}

/* Called at least once a second. Return: whether the request ends */
static int test_signals(void *data, curl_off_t download, curl_off_t downloaded,
			curl_off_t upload, curl_off_t uploaded)
{
	(void)data;
	(void)download;
	(void)downloaded;
	(void)upload;
	(void)uploaded;

	capture_serve();

	return capture_signals.stop_requests > 1;
}

static int error_of(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
		return -EHOSTUNREACH;
	case CURLE_COULDNT_CONNECT:
		return -ECONNREFUSED;
	case CURLE_OPERATION_TIMEDOUT:
		return -ETIMEDOUT;
	case CURLE_ABORTED_BY_CALLBACK:
		return -EINTR;
	case CURLE_WRITE_ERROR:
		return -EMSGSIZE;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_ISSUER_ERROR:
		return -EKEYREJECTED;
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	/* A certificate that is rejected has another number, see above. */
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return -ECONNRESET;
	default:
		return -EPROTO;
	}
}

static struct curl_slist *add(struct curl_slist *list, const char *text)
{
	struct curl_slist *longer = curl_slist_append(list, text);

	tool_need(longer ? 0 : -ENOMEM);

	return longer;
}

static struct curl_slist *headers_of(const struct export_client *client,
				     const char *type)
{
	_cleanup_free_ char *header = tool_print("Content-Type: %s", type);
	_cleanup_free_ char *lines = NULL;
	/* Without waiting for permission to send a large message. */
	struct curl_slist *list = add(add(NULL, header), "Expect:");
	char *rest, *line;

	if (client->is_compressed)
		list = add(list, "Content-Encoding: gzip");
	if (!client->headers.size)
		return list;
	lines = tool_copy(client->headers.text);
	rest = lines;
	while ((line = strsep(&rest, "\n"))) {
		line[strcspn(line, "\r")] = '\0';
		if (*line)
			list = add(list, line);
	}

	return list;
}

/* The handle keeps the connection from one request to the next. */
static CURL *handle_of(struct export_client *client)
{
	CURL *handle = client->handle;

	if (handle)
		return handle;
	handle = curl_easy_init();
	tool_need(handle ? 0 : -ENOMEM);
	client->handle = handle;
	curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(handle, CURLOPT_USERAGENT,
			 "user-events/" TOOL_VERSION);
	curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, client->problem);
	curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_reply);
	curl_easy_setopt(handle, CURLOPT_WRITEDATA, client);
	curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, test_signals);
	curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
	if (client->certificate)
		curl_easy_setopt(handle, CURLOPT_CAINFO, client->certificate);

	return handle;
}

static unsigned int retry_after(CURL *handle)
{
	curl_off_t seconds = 0;

	curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
	if (seconds < 0)
		return 0;

	return seconds < EXPORT_RETRY_AFTER_MAX ? (unsigned int)seconds
						: EXPORT_RETRY_AFTER_MAX;
}

/* Keeps the type of an answer, and returns its status. */
static int status_of(struct export_client *client)
{
	const char *type = NULL;
	long status = 0;

	curl_easy_getinfo(client->handle, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(client->handle, CURLINFO_CONTENT_TYPE, &type);
	if (type)
		snprintf(client->type, sizeof(client->type), "%s", type);

	return (int)status;
}

int export_client_post(struct export_client *client, const char *path,
		       const char *type, const struct uev_output *message,
		       uint64_t timeout)
{
	_cleanup_free_ char *url = NULL;
	CURL *handle = handle_of(client);
	struct curl_slist *headers = headers_of(client, type);
	CURLcode code;
	int status = 0;

	url = tool_print("%s%s", client->url, path);
	client->reply.size = 0;
	client->type[0] = '\0';
	client->problem[0] = '\0';
	curl_easy_setopt(handle, CURLOPT_URL, url);
	curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)timeout);
	curl_easy_setopt(handle, CURLOPT_POST, 1L);
	curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
			 (curl_off_t)message->size);
	curl_easy_setopt(handle, CURLOPT_POSTFIELDS, message->text);
	code = curl_easy_perform(handle);
	client->retry_after = retry_after(handle);
	if (!code)
		status = status_of(client);
	/* The caller knows why take_reply() failed. */
	if (code == CURLE_WRITE_ERROR)
		client->problem[0] = '\0';
	curl_easy_setopt(handle, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);

	return code ? error_of(code) : status;
}

void export_client_release(struct export_client *client)
{
	curl_easy_cleanup(client->handle);
	free(client->url);
	uev_output_release(&client->headers);
	uev_output_release(&client->reply);
}

#else

/* A tool without libcurl, as a static one, has no valid URL. */

int export_client_init(struct export_client *client, const char *url,
		       const char *port)
{
	(void)client;
	(void)url;
	(void)port;

	return -EPROTONOSUPPORT;
}

int export_client_post(struct export_client *client, const char *path,
		       const char *type, const struct uev_output *message,
		       uint64_t timeout)
{
	(void)client;
	(void)path;
	(void)type;
	(void)message;
	(void)timeout;

	return -EPROTONOSUPPORT;
}

void export_client_release(struct export_client *client)
{
	(void)client;
}
#endif
