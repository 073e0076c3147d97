// SPDX-License-Identifier: MIT
#include "decode_fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/decode.h"
#include "../../tools/decode_input.h"

#define MUST(condition)                                              \
	do {                                                         \
		if (!(condition)) {                                  \
			fprintf(stderr, "not so: %s\n", #condition); \
			abort();                                     \
		}                                                    \
	} while (0)

/* Threads of a trace whose starts and stops are counted. */
#define THREADS_MAX 256

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

static unsigned long decode(const struct decode_format *format, void *writer,
			    struct decode_input *input)
{
	struct uev_counts counts = { .size = sizeof(counts) };
	struct uev_decoder *decoder = uev_decoder_new();
	struct decode_record record;
	unsigned long records = 0;
	uint64_t size;

	MUST(decoder);
	format->begin_file(writer, "a\n\"\xff");
	while (decode_input_next(input, &record) > 0) {
		format->record(writer, decoder, &record);
		decode_input_offset(input, &size);
		records++;
	}
	decode_input_counts(input, &counts);
	format->end_file(writer, counts.lost);
	MUST(counts.records == records);
	uev_decoder_free(decoder);

	return records;
}

unsigned long decode_fuzz_to(const struct decode_format *format,
			     const uint8_t *bytes, size_t size,
			     const char *path, unsigned long *problems)
{
	struct decode_options options = { .path = path };
	struct decode_input *input;
	unsigned long records;
	void *writer;
	int fd = memfd_create("input", 0);

	*problems = 0;
	MUST(fd >= 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
	MUST(!format->begin(&writer, &options));
	if (decode_input_open_fd(&input, fd, count_problem, problems)) {
		format->discard(writer);
		records = 0;
		MUST(access(path, F_OK) && errno == ENOENT);
	} else {
		records = decode(format, writer, input);
		decode_input_close(input);
		MUST(!format->error(writer));
		MUST(!format->finish(writer));
		MUST(!access(path, F_OK));
	}
	close(fd);

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
	struct json_tokener *tokener = json_tokener_new_ex(64);
	struct json_object *object;

	MUST(tokener);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT |
						JSON_TOKENER_VALIDATE_UTF8);
	object = json_tokener_parse_ex(tokener, text, (int)size + 1);
	if (!object)
		fprintf(stderr, "%s\n",
			json_tokener_error_desc(
				json_tokener_get_error(tokener)));
	MUST(json_object_is_type(object, json_type_object));
	json_tokener_free(tokener);

	return object;
}

static void check_json(const char *path)
{
	size_t size;
	char *text = decode_fuzz_read(path, &size);

	json_object_put(parse(text, size));
	free(text);
}

/*
 * struct depth - how many of the starts of a thread wait for their stops
 * @names: theirs, the innermost last
 */
struct depth {
	int64_t pid;
	int64_t tid;
	size_t open;
	char *names[64];
};

static struct depth *depth_of(struct depth *threads, size_t *count, int64_t pid,
			      int64_t tid)
{
	size_t i;

	for (i = 0; i < *count; i++)
		if (threads[i].pid == pid && threads[i].tid == tid)
			return &threads[i];
	if (*count == THREADS_MAX)
		return NULL;
	threads[*count] = (struct depth){ .pid = pid, .tid = tid };

	return &threads[(*count)++];
}

static struct json_object *member(struct json_object *object, const char *name)
{
	struct json_object *value;

	MUST(json_object_object_get_ex(object, name, &value));

	return value;
}

static void check_event(struct json_object *event, struct depth *threads,
			size_t *count)
{
	const char *phase = json_object_get_string(member(event, "ph"));
	const char *name = json_object_get_string(member(event, "name"));
	struct json_object *ts = member(event, "ts");
	struct depth *depth;

	MUST(strlen(phase) == 1 && strchr("MiBEbe", *phase));
	MUST(json_object_is_type(ts, json_type_double));
	MUST(json_object_is_type(member(event, "pid"), json_type_int));
	MUST(json_object_is_type(member(event, "tid"), json_type_int));
	/* What has no category is not seen to end. */
	MUST(*phase == 'M' ||
	     json_object_is_type(member(event, "cat"), json_type_string));
	depth = depth_of(threads, count,
			 json_object_get_int64(member(event, "pid")),
			 json_object_get_int64(member(event, "tid")));
	switch (*phase) {
	case 'M':
		MUST(json_object_is_type(member(member(event, "args"), "name"),
					 json_type_string));
		break;
	case 'b':
	case 'e':
		member(event, "id");
		break;
	case 'B':
		MUST(!depth || depth->open < 64);
		if (depth)
			depth->names[depth->open++] = strdup(name);
		break;
	case 'E':
		if (!depth)
			break;
		MUST(depth->open &&
		     !strcmp(depth->names[depth->open - 1], name));
		free(depth->names[--depth->open]);
		break;
	default:
		MUST(json_object_is_type(member(event, "args"),
					 json_type_object));
	}
}

static void check_chrome(const char *path)
{
	struct depth *threads = calloc(THREADS_MAX, sizeof(*threads));
	struct json_object *all, *events;
	size_t size, count = 0, i;
	char *text = decode_fuzz_read(path, &size);

	MUST(threads);
	all = parse(text, size);
	events = member(all, "traceEvents");
	MUST(json_object_is_type(events, json_type_array));
	for (i = 0; i < json_object_array_length(events); i++)
		check_event(json_object_array_get_idx(events, i), threads,
			    &count);
	for (i = 0; i < count; i++)
		MUST(!threads[i].open);
	json_object_put(all);
	free(threads);
	free(text);
}

/* ---- Text and CTF ---- */

static void check_text(const char *path, unsigned long records)
{
	unsigned long lines = 0;
	size_t size, i;
	char *text = decode_fuzz_read(path, &size);

	for (i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		lines += c == '\n';
		MUST(c == '\n' || (c >= ' ' && c != 0x7f));
	}
	MUST(lines == records);
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

static void check_ctf(const char *path)
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

unsigned long decode_fuzz_one(const uint8_t *input, size_t size)
{
	unsigned long records, problems;
	char path[256];

	snprintf(path, sizeof(path), "%s/out", directory);
	records = decode_fuzz_to(&decode_text, input, size, path, &problems);
	if (access(path, F_OK))
		return 0;
	check_text(path, records);
	MUST(decode_fuzz_to(&decode_json, input, size, path, &problems) ==
	     records);
	check_json(path);
	MUST(decode_fuzz_to(&decode_chrome, input, size, path, &problems) ==
	     records);
	check_chrome(path);
	unlink(path);
	MUST(decode_fuzz_to(&decode_ctf, input, size, path, &problems) ==
	     records);
	check_ctf(path);

	return records;
}
