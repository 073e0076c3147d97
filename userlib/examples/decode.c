// SPDX-License-Identifier: MIT
/*
 * Reads a record and prints it as JSON.
 *
 *	decode [SYSTEM FORMAT RECORD]
 *
 * SYSTEM is the system of the event, such as user_events. FORMAT is its format
 * file, such as /sys/kernel/tracing/events/user_events/hello/format. RECORD is
 * a file with the bytes of a record, from its common fields on. Without
 * arguments it reads a built-in event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/decode.h>

#define FILE_ROOM (1 << 20)

/*
 * "Request" as written by a big-endian machine: the address of a peer, and an
 * array of structs of a name and an error.
 */
static const char tracepoint[] = "Server_L4K2Gteam";
static const char event[] =
	/* flags, version, ID, tag, opcode, level */
	"\5\1\0\7\0\0\0\4"
	/* a block of 38 bytes, which is metadata and the last one */
	"\0\46\0\1"
	"Request\0"
	"peer\0\206\21" /* 16 bytes, an IP address */
	"tries\0\301\2" /* an array of structs of two members */
	"name\0\12" /* a counted string */
	"result\0\204\4" /* 32 bits, an error */
	/* the payload */
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"
	"\0\2"
	"\0\3one\0\0\0\15"
	"\0\3two\0\0\0\0";

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "decode: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

/* Return: content of the file, for free(). */
static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *bytes = malloc(FILE_ROOM);

	if (!file || !bytes)
		fail(path, "cannot read");
	*size = fread(bytes, 1, FILE_ROOM, file);
	fclose(file);

	return bytes;
}

static struct uev_schema *read_schema(const char *system, const char *path)
{
	struct uev_schema *schema;
	size_t size, offset = 0;
	char *text = read_file(path, &size);

	if (uev_schema_parse(&schema, system, text, size, 0, &offset))
		fail(path, "not a format file");
	free(text);

	return schema;
}

/*
 * Prints the readable part of a malformed record, too.
 * Return: whether it is valid.
 */
static int print(struct uev_decoder *decoder)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_output json = UEV_OUTPUT_INIT;
	int err;

	options.flags = UEV_JSON_PARTIAL;
	options.meta |= UEV_META_OPTIONS;
	err = uev_decoder_append_json(decoder, &options, NULL, &json);
	if (json.size)
		puts(json.text);
	if (err)
		fprintf(stderr, "decode: %s\n", strerror(-err));
	uev_output_release(&json);

	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct uev_decoder *decoder;
	struct uev_schema *schema = NULL;
	char *record = NULL;
	size_t size;
	int status;

	if (uev_decoder_new(&decoder))
		fail("decoder", "out of memory");

	if (argc == 4) {
		schema = read_schema(argv[1], argv[2]);
		record = read_file(argv[3], &size);
		uev_decoder_start(decoder, schema, record, size);
	} else {
		/* sizeof() includes the terminating NUL. */
		uev_decoder_start_eventheader(decoder, tracepoint, event,
					      sizeof(event) - 1);
	}

	/* Returns an error of the start again. */
	status = print(decoder);
	free(record);
	uev_schema_free(schema);
	uev_decoder_free(decoder);

	return status;
}
