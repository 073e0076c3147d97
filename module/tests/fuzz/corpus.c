// SPDX-License-Identifier: GPL-2.0-only
#include "corpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* Larger files are not useful. */
#define MAX_FILE (1 << 20)

/**
 * corpus_add - Adds an input
 * @corpus: the list
 * @from: origin of the input
 * @bytes: its bytes
 * @size: number of bytes
 */
void corpus_add(struct corpus *corpus, const char *from, const void *bytes,
		size_t size)
{
	size_t room = (corpus->count + 1) * sizeof(*corpus->inputs);
	struct fuzz_input *input;

	corpus->inputs = realloc(corpus->inputs, room);
	EXPECT(corpus->inputs);
	input = &corpus->inputs[corpus->count++];
	input->from = strdup(from);
	/* A block of exactly that size, for the sanitizer. */
	input->bytes = fuzz_alloc(size);
	input->size = size;
	if (size)
		memcpy(input->bytes, bytes, size);
}

/*
 * Decodes a line of corpus_write_line() in place; returns -1 if it is invalid.
 */
static long unescape(char *line)
{
	unsigned int byte;
	char *to = line;
	const char *at;

	for (at = line; *at && *at != '\n'; at++) {
		if (*at != '\\') {
			*to++ = *at;
		} else if (at[1] == '\\' || at[1] == 'n') {
			*to++ = *++at == 'n' ? '\n' : '\\';
		} else {
			if (sscanf(at, "\\x%2x", &byte) != 1)
				return -1;
			*to++ = byte;
			at += 3;
		}
	}

	return to - line;
}

/**
 * corpus_read_lines - Adds the inputs of a file of lines
 * @corpus: the list
 * @path: the file
 *
 * Return: 0, or -1 with a message.
 */
int corpus_read_lines(struct corpus *corpus, const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned int number = 0;
	char *line = NULL;
	char from[4096];
	size_t room = 0;
	long size = 0;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}

	while (size >= 0 && getline(&line, &room, file) >= 0) {
		number++;
		if (*line == '#' || *line == '\n')
			continue;

		snprintf(from, sizeof(from), "%s:%u", path, number);
		size = unescape(line);
		if (size < 0)
			fprintf(stderr, "%s: invalid input\n", from);
		else
			corpus_add(corpus, from, line, size);
	}

	free(line);
	fclose(file);
	return size < 0 ? -1 : 0;
}

static int read_file(struct corpus *corpus, const char *path)
{
	static u8 bytes[MAX_FILE];
	FILE *file = fopen(path, "r");
	size_t size;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}

	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	corpus_add(corpus, path, bytes, size);
	return 0;
}

/**
 * corpus_read_files - Adds each file of a directory as an input
 * @corpus: the list
 * @directory: the directory, without subdirectories
 *
 * Return: 0, or -1 with a message.
 */
int corpus_read_files(struct corpus *corpus, const char *directory)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	char path[4096];
	int ret = 0;

	if (!dir) {
		fprintf(stderr, "%s: %s\n", directory, strerror(errno));
		return -1;
	}

	while (!ret && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;

		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		ret = read_file(corpus, path);
	}

	closedir(dir);
	return ret;
}

/**
 * corpus_write_files - Writes each input to a file
 * @corpus: the list
 * @directory: the directory, which exists
 *
 * Return: 0, or -1 with a message.
 */
int corpus_write_files(const struct corpus *corpus, const char *directory)
{
	const struct fuzz_input *input;
	char path[4096];
	FILE *file;
	size_t i;

	for (i = 0; i < corpus->count; i++) {
		input = &corpus->inputs[i];
		snprintf(path, sizeof(path), "%s/%05zu", directory, i);
		file = fopen(path, "w");
		if (!file ||
		    fwrite(input->bytes, 1, input->size, file) != input->size ||
		    fclose(file)) {
			fprintf(stderr, "%s: %s\n", path, strerror(errno));
			return -1;
		}
	}

	return 0;
}

/**
 * corpus_write_line - Writes an input as a line
 * @input: the input
 * @to: output
 */
void corpus_write_line(const struct fuzz_input *input, FILE *to)
{
	size_t i;
	u8 c;

	for (i = 0; i < input->size; i++) {
		c = input->bytes[i];
		if (c == '\n')
			fputs("\\n", to);
		else if (c == '\\')
			fputs("\\\\", to);
		else if (c < ' ' || c > '~' || (!i && c == '#') ||
			 (i + 1 == input->size && c == ' '))
			fprintf(to, "\\x%02x", c);
		else
			fputc(c, to);
	}
	fputc('\n', to);
}

static int compare(const void *a, const void *b)
{
	const struct fuzz_input *first = a, *second = b;
	size_t size = first->size < second->size ? first->size : second->size;
	int ret = memcmp(first->bytes, second->bytes, size);

	return ret ?: (first->size > second->size) - (first->size < size);
}

/**
 * corpus_write_lines - Writes inputs as lines, without duplicates
 * @corpus: the list, which is sorted
 * @to: output
 */
void corpus_write_lines(struct corpus *corpus, FILE *to)
{
	const struct fuzz_input *input = corpus->inputs;
	size_t i;

	if (corpus->count)
		qsort(corpus->inputs, corpus->count, sizeof(*input), compare);

	for (i = 0; i < corpus->count; i++, input++)
		/* The empty input is always run. */
		if (input->size && (!i || compare(input - 1, input)))
			corpus_write_line(input, to);
}

void corpus_destroy(struct corpus *corpus)
{
	while (corpus->count--) {
		free(corpus->inputs[corpus->count].from);
		free(corpus->inputs[corpus->count].bytes);
	}

	free(corpus->inputs);
}
