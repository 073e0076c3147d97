// SPDX-License-Identifier: MIT
#include "export/otlp_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "export/gzip.h"
#include "tool.h"

#define HEADERS "OTEL_EXPORTER_OTLP_HEADERS"
#define CERTIFICATE "OTEL_EXPORTER_OTLP_CERTIFICATE"
#define COMPRESSION "OTEL_EXPORTER_OTLP_COMPRESSION"

/* Characters of a name */
#define NAME_CHARACTERS                                                  \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"!#$%&'*+-.^_`|~"

/* A line end would start another header. */
static bool is_value(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;

	return true;
}

/* The client sets these. */
static bool is_own(const char *name, size_t size)
{
	static const char *const names[] = {
		"host",		"content-length",
		"content-type", "content-encoding",
		"connection",	"transfer-encoding",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == size &&
		    strncasecmp(names[i], name, size) == 0)
			return true;

	return false;
}

/* A character that is not of a name follows the name. */
static bool add(struct uev_output *headers, const char *name, size_t size,
		const char *value)
{
	if (!size || strspn(name, NAME_CHARACTERS) != size ||
	    is_own(name, size) || !is_value(value))
		return false;
	tool_append(headers, name, size);
	tool_put(headers, ": ");
	tool_put(headers, value);
	tool_put(headers, "\r\n");

	return true;
}

bool otlp_header_add(struct uev_output *headers, const char *text)
{
	const char *equals = strchr(text, '=');

	return equals &&
	       add(headers, text, (size_t)(equals - text), equals + 1);
}

/* Replaces %HH. Return: whether all of them are valid */
static bool unescape(char *text)
{
	uint8_t byte;
	char *to = text;

	for (; *text; text++) {
		*to++ = *text;
		if (*text != '%')
			continue;
		if (!tool_hex(text + 1, &byte) || !byte)
			return false;
		to[-1] = (char)byte;
		text += 2;
	}
	*to = '\0';

	return true;
}

/* Removes spaces at both ends. */
static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';

	return text + strspn(text, " \t");
}

/* Values are encoded as in URLs, after the list was split. */
static bool add_listed(struct uev_output *headers, char *one)
{
	char *value = strchr(one, '=');
	char *name;

	if (!value)
		return false;
	*value++ = '\0';
	name = trim(one);
	value = trim(value);
	if (!unescape(value))
		return false;

	return add(headers, name, strlen(name), value);
}

/* Its content can be secret and is not printed. */
static int read_headers(struct export_client *client, const char *text)
{
	_cleanup_free_ char *list = tool_copy(text);
	char *rest = list, *one;
	bool is_valid = true;

	while (is_valid && (one = strsep(&rest, ",")))
		if (*trim(one))
			is_valid = add_listed(&client->headers, one);
	if (is_valid)
		return TOOL_OK;
	tool_error(HEADERS ": not a list of NAME=VALUE, separated by commas");

	return TOOL_USAGE;
}

static int read_compression(struct export_client *client, const char *text)
{
	if (strcmp(text, "none") == 0)
		return TOOL_OK;
	if (strcmp(text, "gzip") != 0) {
		tool_error(COMPRESSION ": \"%s\" is not gzip or none", text);
		return TOOL_USAGE;
	}
	if (!export_has_gzip()) {
		tool_error(COMPRESSION ": gzip: not supported by this program");
		tool_hint("build it with zlib");
		return TOOL_USAGE;
	}
	client->is_compressed = true;

	return TOOL_OK;
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

int otlp_options_read(struct export_client *client)
{
	const char *headers = variable(HEADERS);
	const char *compression = variable(COMPRESSION);
	int status = TOOL_OK;

	client->certificate = variable(CERTIFICATE);
	if (headers)
		status = read_headers(client, headers);
	if (!status && compression)
		status = read_compression(client, compression);

	return status;
}
