// SPDX-License-Identifier: MIT
#include "corpus.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* Limit of a file, larger than any useful one. */
#define FILE_MAX (1 << 20)

#define PATH_ROOM 4096

static int fail(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	return -1;
}

/*
 * corpus_add - adds an input
 * @bytes: copied into a block of exactly their size, for the sanitizer
 */
void corpus_add(struct corpus *corpus, const void *bytes, size_t size)
{
	struct fuzz_input *inputs;
	uint8_t *copy = fuzz_alloc(size);

	inputs = realloc(corpus->inputs,
			 (corpus->count + 1) * sizeof(*corpus->inputs));
	EXPECT(inputs);
	if (size)
		memcpy(copy, bytes, size);
	corpus->inputs = inputs;
	corpus->inputs[corpus->count++] = (struct fuzz_input){ copy, size };
}

/* Reads one byte of a line and advances; -1 for an invalid escape. */
static int next_byte(const char **at)
{
	unsigned int byte;

	if (**at != '\\')
		return (unsigned char)*(*at)++;

	++*at;
	switch (*(*at)++) {
	case '\\':
		return '\\';
	case 'n':
		return '\n';
	case 'x':
		if (!isxdigit((unsigned char)**at) ||
		    sscanf(*at, "%2x", &byte) != 1)
			return -1;
		*at += 2;
		return (int)byte;
	default:
		return -1;
	}
}

static int add_line(struct corpus *corpus, const char *line)
{
	char *bytes = fuzz_alloc(strlen(line) + 1);
	size_t size = 0;
	int byte = 0;

	while (*line && *line != '\n' && byte >= 0) {
		byte = next_byte(&line);
		bytes[size++] = (char)byte;
	}
	if (byte >= 0)
		corpus_add(corpus, bytes, size);
	free(bytes);

	return byte < 0 ? -1 : 0;
}

/* Adds the lines of a file. Return: 0, or -1 with a message. */
int corpus_read_lines(struct corpus *corpus, const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned int number = 0;
	char *line = NULL;
	size_t room = 0;
	int ret = 0;

	if (!file)
		return fail(path);

	while (!ret && getline(&line, &room, file) >= 0) {
		number++;
		if (*line != '#' && *line != '\n')
			ret = add_line(corpus, line);
	}
	if (ret)
		fprintf(stderr, "%s:%u: not an input\n", path, number);
	free(line);
	fclose(file);

	return ret;
}

static int add_file(struct corpus *corpus, const char *path)
{
	FILE *file = fopen(path, "r");
	char *bytes;
	size_t size;

	if (!file)
		return fail(path);

	bytes = fuzz_alloc(FILE_MAX);
	size = fread(bytes, 1, FILE_MAX, file);
	fclose(file);
	corpus_add(corpus, bytes, size);
	free(bytes);

	return 0;
}

/* Adds the files of a directory. Return: 0, or -1 with a message. */
int corpus_read_files(struct corpus *corpus, const char *directory)
{
	DIR *files = opendir(directory);
	const struct dirent *entry;
	char path[PATH_ROOM];
	int ret = 0;

	if (!files)
		return fail(directory);

	while (!ret && (entry = readdir(files))) {
		if (*entry->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		ret = add_file(corpus, path);
	}
	closedir(files);

	return ret;
}

/* Makes a file of each input. Return: 0, or -1 with a message. */
int corpus_write_files(const struct corpus *corpus, const char *directory)
{
	char path[PATH_ROOM];
	size_t i, written;
	FILE *file;

	for (i = 0; i < corpus->count; i++) {
		snprintf(path, sizeof(path), "%s/%05zu", directory, i);
		file = fopen(path, "w");
		if (!file)
			return fail(path);
		written = fwrite(corpus->inputs[i].bytes, 1,
				 corpus->inputs[i].size, file);
		if (fclose(file) || written < corpus->inputs[i].size)
			return fail(path);
	}

	return 0;
}

void corpus_write_line(const struct fuzz_input *input, FILE *to)
{
	size_t i;

	for (i = 0; i < input->size; i++) {
		uint8_t c = input->bytes[i];
		/*
		 * The start of a comment, and characters that editors remove.
		 */
		bool is_special = (!i && c == '#') ||
				  (i + 1 == input->size && c == ' ');

		if (c == '\\')
			fputs("\\\\", to);
		else if (c == '\n')
			fputs("\\n", to);
		else if (c < ' ' || c > '~' || is_special)
			fprintf(to, "\\x%02x", c);
		else
			fputc(c, to);
	}
	fputc('\n', to);
}

static int compare(const void *one, const void *other)
{
	const struct fuzz_input *a = one, *b = other;
	int ret = memcmp(a->bytes, b->bytes,
			 a->size < b->size ? a->size : b->size);

	return ret ? ret : (a->size > b->size) - (a->size < b->size);
}

/* Writes every input that has bytes once; two corpora of the same are the same. */
void corpus_write_lines(struct corpus *corpus, FILE *to)
{
	const struct fuzz_input *inputs = corpus->inputs;
	size_t i;

	if (corpus->count)
		qsort(corpus->inputs, corpus->count, sizeof(*inputs), compare);
	for (i = 0; i < corpus->count; i++)
		if (inputs[i].size &&
		    (!i || compare(&inputs[i - 1], &inputs[i])))
			corpus_write_line(&inputs[i], to);
}

void corpus_release(struct corpus *corpus)
{
	while (corpus->count)
		free(corpus->inputs[--corpus->count].bytes);
	free(corpus->inputs);
	corpus->inputs = NULL;
}
