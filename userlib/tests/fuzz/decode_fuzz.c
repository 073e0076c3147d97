// SPDX-License-Identifier: MIT
#include "decode_fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/otlp.h"
#include "export/otlp_send.h"
#include "export/protobuf.h"
#include "pipe/pipe.h"
#include "sink/formats.h"
#include "formats/trace_input.h"
#include "lib/json_help.h"
#include "lib/work.h"

#define MUST(condition)                                              \
	do {                                                         \
		if (!(condition)) {                                  \
			fprintf(stderr, "not so: %s\n", #condition); \
			abort();                                     \
		}                                                    \
	} while (0)

/*
 * Limit of basic blocks of the library and the tool: a byte can have the names
 * of nine nested fields.
 */
#define WORK_PER_BYTE 60000

#define CTF_MAGIC 0xc1fc1fc1U

static const char *directory;

void decode_fuzz_directory(const char *path)
{
	directory = path;
}

static void count_problem(void *data, uint64_t offset, const char *reason)
{
	unsigned long *problems = data;

	(void)offset;
	MUST(*reason && !strchr(reason, '\n'));
	++*problems;
}

/* Lines that are no records */
static unsigned long losses;

static void losses_until(const struct sink_ops *format, void *writer,
			 struct trace_input *input, uint64_t until)
{
	struct format_loss loss;

	while (trace_input_next_loss(input, until, &loss)) {
		MUST(loss.loss.count);
		if (format->loss)
			format->loss(writer, &loss);
		losses++;
	}
}

static unsigned long decode(const struct sink_ops *format, void *writer,
			    struct trace_input *input)
{
	struct uev_trace_stats counts;
	struct uev_decoder *decoder;
	struct format_record record;
	uint64_t size;
	unsigned long records = 0;

	losses = 0;
	MUST(!uev_decoder_new(&decoder));
	if (format->begin_part)
		format->begin_part(writer, "a\n\"\xff");
	while (trace_input_next(input, &record) > 0) {
		losses_until(format, writer, input, record.sample->time);
		format->record(writer, decoder, &record);
		trace_input_offset(input, &size);
		records++;
	}
	losses_until(format, writer, input, UINT64_MAX);
	trace_input_counts(input, &counts);
	if (format->end_part)
		format->end_part(writer);
	MUST(counts.records == records);
	uev_decoder_free(decoder);

	return records;
}

/* Work is bounded by the size of the input, unless it is compressed. */
static bool is_bounded(const uint8_t *bytes, size_t size, uint64_t before)
{
	return memmem(bytes, size, "\x28\xb5\x2f\xfd", 4) ||
	       work_is_bounded(before, size, WORK_PER_BYTE);
}

unsigned long decode_fuzz_to(const struct sink_ops *format,
			     const uint8_t *bytes, size_t size,
			     const char *path, unsigned long *problems)
{
	struct sink_options options = { .path = path };
	struct trace_input *input;
	uint64_t before = work_count();
	unsigned long records;
	struct sink sink;
	int fd = memfd_create("input", 0);

	*problems = 0;
	MUST(fd >= 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
	MUST(!sink_open(&sink, format, &options));
	if (trace_input_open_fd(&input, fd, count_problem, problems)) {
		MUST(!pipe_end_sink(&sink, false));
		records = 0;
		MUST(access(path, F_OK) && errno == ENOENT);
	} else {
		records = decode(format, sink.data, input);
		trace_input_close(input);
		MUST(!pipe_end_sink(&sink, true));
		MUST(!access(path, F_OK));
	}
	close(fd);
	MUST(is_bounded(bytes, size, before));

	return records;
}

char *decode_fuzz_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	MUST(file);
	*size = 0;
	for (;;) {
		if (room - *size < 65536) {
			room = room * 2 + 65536;
			text = realloc(text, room + 1);
			MUST(text);
		}
		size_t got = fread(text + *size, 1, room - *size, file);

		if (!got)
			break;
		*size += got;
	}
	text[*size] = '\0';
	fclose(file);

	return text;
}

/* ---- JSON ---- */

static struct json_object *parse(const char *text, size_t size)
{
	struct json_object *object = json_parse(text, size);

	MUST(object);
	return object;
}

static void check_json(const char *path,
		       unsigned long records __attribute__((unused)))
{
	size_t size;
	char *text = decode_fuzz_read(path, &size);

	json_object_put(parse(text, size));
	free(text);
}

static struct json_object *member(struct json_object *object, const char *name)
{
	struct json_object *value;

	MUST(json_object_object_get_ex(object, name, &value));

	return value;
}

static bool is_time(struct json_object *value)
{
	return json_object_is_type(value, json_type_double) &&
	       json_object_get_double(value) >= 0;
}

static void check_event(struct json_object *event)
{
	const char *phase = json_object_get_string(member(event, "ph"));
	struct json_object *id;

	MUST(strlen(phase) == 1 && strchr("MiXbeC", *phase));
	MUST(is_time(member(event, "ts")));
	MUST(json_object_is_type(member(event, "pid"), json_type_int));
	MUST(json_object_is_type(member(event, "tid"), json_type_int));
	MUST(json_object_is_type(member(event, "name"), json_type_string));
	/* The ends of an activity are matched by these, too. */
	MUST(*phase == 'M' ||
	     json_object_is_type(member(event, "cat"), json_type_string));
	MUST(*phase == 'C' ||
	     (*phase == 'b' || *phase == 'e') ==
		     json_object_object_get_ex(event, "id", &id));
	if (*phase == 'M')
		MUST(json_object_is_type(member(member(event, "args"), "name"),
					 json_type_string));
	else if (*phase != 'e')
		MUST(json_object_is_type(member(event, "args"),
					 json_type_object));
	if (*phase == 'X')
		MUST(is_time(member(event, "dur")));
}

/* Counts the starts of each name, category and activity. */
static void count_ends(struct json_object *open, struct json_object *event)
{
	const char *phase = json_object_get_string(member(event, "ph"));
	struct json_object *count;
	char key[512];
	int number = 0;

	if (*phase != 'b' && *phase != 'e')
		return;
	snprintf(key, sizeof(key), "%s %.200s %.200s",
		 json_object_get_string(member(event, "id")),
		 json_object_get_string(member(event, "cat")),
		 json_object_get_string(member(event, "name")));
	if (json_object_object_get_ex(open, key, &count))
		number = json_object_get_int(count);
	number += *phase == 'b' ? 1 : -1;
	MUST(number >= 0);
	json_object_object_add(open, key, json_object_new_int(number));
}

static void check_chrome(const char *path,
			 unsigned long records __attribute__((unused)))
{
	struct json_object *open = json_object_new_object();
	struct json_object *all, *events;
	size_t size, i;
	char *text = decode_fuzz_read(path, &size);

	all = parse(text, size);
	events = member(all, "traceEvents");
	MUST(json_object_is_type(events, json_type_array));
	for (i = 0; i < json_object_array_length(events); i++) {
		check_event(json_object_array_get_idx(events, i));
		count_ends(open, json_object_array_get_idx(events, i));
	}
	json_object_object_foreach(open, key, count)
	{
		(void)key;
		MUST(!json_object_get_int(count));
	}
	json_object_put(open);
	json_object_put(all);
	free(text);
}

/* Reads a message, and the messages of some fields in it. */
/* NOLINTNEXTLINE(misc-no-recursion): two levels */
static size_t check_message(const char *bytes, size_t size, unsigned int depth)
{
	const char *at = bytes, *end = bytes + size;
	struct protobuf_field field;
	size_t count = 0;

	for (; at < end; count++) {
		MUST(protobuf_next(&at, end, &field));
		MUST(depth || field.id == 1);
		/* A packet, and what it has */
		if (depth < 2 && field.wire == PROTOBUF_BYTES)
			check_message(field.bytes, field.size, depth + 1);
	}

	return count;
}

/* Each record is a packet, besides those that describe. */
static void check_perfetto(const char *path, unsigned long records)
{
	size_t size;
	char *bytes = decode_fuzz_read(path, &size);

	MUST(check_message(bytes, size, 0) >= records);
	free(bytes);
}

/* ---- Text and CTF ---- */

/* The sum of all lines is the number of records. */
static void check_folded(const char *path, unsigned long records)
{
	size_t size;
	char *text = decode_fuzz_read(path, &size), *at, *end;
	unsigned long sum = 0;

	for (at = text; at < text + size; at = end + 1) {
		end = strchr(at, '\n');
		MUST(end);
		*end = '\0';
		at = strrchr(at, ' ');
		MUST(at);
		sum += strtoul(at, NULL, 10);
	}
	MUST(sum == records);
	free(text);
}

/* A line of a call starts with a tab, and a line of a record does not. */
static void check_text(const char *path, unsigned long records)
{
	unsigned long lines = 0, calls = 0;
	size_t size, i;
	char *text = decode_fuzz_read(path, &size);

	for (i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		lines += c == '\n';
		if (c == '\t' && i && text[i - 1] == '\n')
			calls++;
		else
			MUST(c == '\n' || (c >= ' ' && c != 0x7f));
	}
	MUST(lines - calls - losses == records);
	free(text);
}

static void check_packets(const char *path)
{
	uint64_t number, content, packet, begin, end, last = 0;
	size_t size, at, count = 0;
	uint32_t magic;
	char *bytes = decode_fuzz_read(path, &size);

	for (at = 0; at < size; at += packet / 8) {
		MUST(size - at >= 60);
		memcpy(&magic, bytes + at, 4);
		memcpy(&begin, bytes + at + 8, 8);
		memcpy(&end, bytes + at + 16, 8);
		memcpy(&content, bytes + at + 24, 8);
		memcpy(&packet, bytes + at + 32, 8);
		memcpy(&number, bytes + at + 40, 8);
		MUST(magic == CTF_MAGIC);
		MUST(content == packet && packet % 8 == 0);
		MUST(packet / 8 >= 60 && packet / 8 <= size - at);
		MUST(begin <= end && begin >= last);
		MUST(number == count++);
		last = end;
	}
	MUST(count);
	free(bytes);
}

/* Each opening bracket has its closing one, outside of names. */
static void check_metadata(const char *path)
{
	size_t size, i, depth = 0;
	bool in_quotes = false;
	char *text = decode_fuzz_read(path, &size);

	MUST(!strncmp(text, "/* CTF 1.8 */", 13));
	for (i = 0; i < size; i++) {
		if (in_quotes && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_quotes = !in_quotes;
		else if (!in_quotes && text[i] == '{')
			depth++;
		else if (!in_quotes && text[i] == '}')
			MUST(depth--);
		MUST((unsigned char)text[i] >= ' ' || text[i] == '\n' ||
		     text[i] == '\t');
	}
	MUST(!in_quotes && !depth);
	free(text);
}

static void check_ctf(const char *path,
		      unsigned long records __attribute__((unused)))
{
	DIR *files = opendir(path);
	struct dirent *entry;
	char name[512];

	MUST(files);
	while ((entry = readdir(files))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (!strcmp(entry->d_name, "metadata"))
			check_metadata(name);
		else
			check_packets(name);
		unlink(name);
	}
	closedir(files);
	rmdir(path);
}

/* ---- OTLP ---- */

static void check_batch(struct export_otlp *otlp,
			const struct export_batch *batch)
{
	const struct uev_output *body = export_otlp_body(otlp, batch);

	json_object_put(parse(body->text, body->size));
}

/* A record is one log, one span, or a message with data points. */
static void check_record(struct export_otlp *otlp, struct uev_decoder *decoder,
			 const struct format_record *record)
{
	uint64_t dropped = otlp->logs.dropped + otlp->spans.dropped;
	uint64_t points = otlp->metrics.dropped, invalid = otlp->invalid;

	export_otlp_take(otlp, decoder, record);
	/* A full batch is emptied. */
	if (otlp->logs.count)
		check_batch(otlp, &otlp->logs);
	if (otlp->spans.count)
		check_batch(otlp, &otlp->spans);
	export_otlp_flush(otlp);
	dropped = otlp->logs.dropped + otlp->spans.dropped - dropped;
	points = otlp->metrics.dropped - points;
	MUST(points ? !dropped : dropped == 1);
	MUST(otlp->invalid == invalid || otlp->invalid == invalid + 1);
}

static void check_otlp(const uint8_t *bytes, size_t size)
{
	struct export_otlp otlp = { 0 };
	uint64_t before = work_count();
	unsigned long problems = 0;
	struct uev_decoder *decoder;
	struct format_record record;
	struct trace_input *input;
	int fd = memfd_create("input", 0);

	MUST(fd >= 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
	if (!trace_input_open_fd(&input, fd, count_problem, &problems)) {
		/* Nothing is sent, so libcurl is not required. */
		otlp.url = "none";
		otlp.has_ended = true;
		MUST(!uev_decoder_new(&decoder));
		while (trace_input_next(input, &record) > 0)
			check_record(&otlp, decoder, &record);
		uev_decoder_free(decoder);
		trace_input_close(input);
		export_otlp_release(&otlp);
	}
	close(fd);
	MUST(is_bounded(bytes, size, before));
}

/* Decodes to one format other than text, and checks the output. */
static void check_as(unsigned int format, const uint8_t *input, size_t size,
		     const char *path, unsigned long records)
{
	static const struct {
		const struct sink_ops *ops;
		void (*check)(const char *path, unsigned long records);
	} formats[DECODE_FUZZ_FORMATS - 1] = {
		{ &sink_json, check_json },
		{ &sink_chrome, check_chrome },
		{ &sink_perfetto, check_perfetto },
		{ &sink_folded, check_folded },
		{ &sink_ctf, check_ctf },
	};
	unsigned long problems;

	if (format == DECODE_FUZZ_FORMATS - 1) {
		check_otlp(input, size);
		return;
	}
	/* CTF is a directory. */
	unlink(path);
	MUST(decode_fuzz_to(formats[format].ops, input, size, path,
			    &problems) == records);
	formats[format].check(path, records);
}

static unsigned long decode_fuzz(const uint8_t *input, size_t size,
				 unsigned int first, unsigned int count)
{
	unsigned long records, problems;
	char path[256];

	snprintf(path, sizeof(path), "%s/out", directory);
	records = decode_fuzz_to(&sink_text, input, size, path, &problems);
	if (access(path, F_OK))
		return 0;
	check_text(path, records);
	for (; count--; first++)
		check_as(first % DECODE_FUZZ_FORMATS, input, size, path,
			 records);
	unlink(path);

	return records;
}

unsigned long decode_fuzz_one(const uint8_t *input, size_t size)
{
	return decode_fuzz(input, size, 0, DECODE_FUZZ_FORMATS);
}

void decode_fuzz_turn(const uint8_t *input, size_t size, unsigned int turn)
{
	decode_fuzz(input, size, turn, 1);
}
