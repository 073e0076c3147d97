// SPDX-License-Identifier: MIT
/* Headers and compression of messages to a collector. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef TOOL_HAS_ZLIB
#include <zlib.h>
#endif

#include "export/gzip.h"
#include "export/otlp_options.h"
#include "lib/runner.h"
#include "tool.h"

static struct export_client client;

static void set_up(void)
{
	unsetenv("OTEL_EXPORTER_OTLP_HEADERS");
	unsetenv("OTEL_EXPORTER_OTLP_CERTIFICATE");
	unsetenv("OTEL_EXPORTER_OTLP_COMPRESSION");
	/* Errors are expected. */
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	ck_assert(!export_client_init(&client, "http://a", "1"));
}

static void tear_down(void)
{
	export_client_release(&client);
}

TEST_FIXTURE(set_up, tear_down);

static const char *headers(void)
{
	return client.headers.text ? client.headers.text : "";
}

/* @wanted: NULL if it is invalid */
static const struct {
	const char *text, *wanted;
} options[] = {
	{ "A=b", "A: b\r\n" },
	{ "Authorization=Basic a=b==", "Authorization: Basic a=b==\r\n" },
	{ "a=", "a: \r\n" },
	{ "a=100%", "a: 100%\r\n" },
	{ "a", NULL },
	{ "=b", NULL },
	{ "a b=c", NULL },
	{ "a:b=c", NULL },
	{ "a=b\r\nc: d", NULL },
	{ "a=b\n", NULL },
	{ "a=\x7f", NULL },
	{ "content-LENGTH=1", NULL },
	{ "Host=a", NULL },
	{ "Transfer-Encoding=chunked", NULL },
	{ "", NULL },
};

TEST_LOOP(takes_options, ARRAY_SIZE(options))
{
	ck_assert(otlp_header_add(&client.headers, options[_i].text) ==
		  (options[_i].wanted != NULL));
	ck_assert_str_eq(headers(),
			 options[_i].wanted ? options[_i].wanted : "");
}

static const struct {
	const char *text, *wanted;
} variables[] = {
	{ "a=b", "a: b\r\n" },
	{ "a=b,c=d", "a: b\r\nc: d\r\n" },
	{ " a = b , c=d,", "a: b\r\nc: d\r\n" },
	{ "a=%2c%3D%20x", "a: ,= x\r\n" },
	{ "", "" },
	{ "a", NULL },
	{ "a=b,c", NULL },
	{ "a=%", NULL },
	{ "a=%4", NULL },
	{ "a=%zz", NULL },
	{ "a=%00", NULL },
	{ "a=%0d%0ab: c", NULL },
	{ "%61=b,a =%0a", NULL },
};

TEST_LOOP(takes_variables, ARRAY_SIZE(variables))
{
	int status;

	setenv("OTEL_EXPORTER_OTLP_HEADERS", variables[_i].text, 1);
	status = otlp_options_read(&client);
	ck_assert_int_eq(status, variables[_i].wanted ? TOOL_OK : TOOL_USAGE);
	if (variables[_i].wanted)
		ck_assert_str_eq(headers(), variables[_i].wanted);
	/* What precedes a mistake never ends a line twice. */
	ck_assert_ptr_null(strstr(headers(), "\n\r"));
}

TEST(takes_certificate_and_compression)
{
	setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", "/a.pem", 1);
	setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none", 1);
	ck_assert_int_eq(otlp_options_read(&client), TOOL_OK);
	ck_assert_str_eq(client.certificate, "/a.pem");
	ck_assert(!client.is_compressed);
	setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", 1);
	ck_assert_int_eq(otlp_options_read(&client),
			 export_has_gzip() ? TOOL_OK : TOOL_USAGE);
	ck_assert(client.is_compressed == export_has_gzip());
	setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "zip", 1);
	ck_assert_int_eq(otlp_options_read(&client), TOOL_USAGE);
}

#ifdef TOOL_HAS_ZLIB
/* Larger than the parts in which it is compressed */
TEST_LOOP(compresses_any_size, 4)
{
	static const size_t sizes[] = { 0, 1, 1000, 3000000 };
	struct uev_output from = UEV_OUTPUT_INIT, to = UEV_OUTPUT_INIT;
	size_t size = sizes[_i], i;
	char *text = malloc(size + 1);
	unsigned int state = 1;
	z_stream stream = { 0 };

	for (i = 0; i < size; i++) {
		state = state * 1103515245U + 12345U;
		text[i] = (char)('a' + (state >> 16) % 26);
	}
	text[size] = '\0';
	tool_need(uev_output_append(&from, text, size));
	export_gzip(&to, &from);
	memset(text, 0, size);
	stream.next_in = (Bytef *)to.text;
	stream.avail_in = (uInt)to.size;
	stream.next_out = (Bytef *)text;
	stream.avail_out = (uInt)size + 1;
	ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(stream.avail_out, 1);
	ck_assert_mem_eq(text, from.text, size);
	inflateEnd(&stream);
	free(text);
	uev_output_release(&from);
	uev_output_release(&to);
}
#endif
