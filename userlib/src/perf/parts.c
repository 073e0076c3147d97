// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "perf/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/reader_state.h"
#include "util/common.h"
#include "util/sys_perf.h"

/* More than one per processor of any machine, and a limit of memory. */
#define PARTS_MAX 4096

/* perf before 5.4 used the second name. */
static const char *const first_names[] = { "data", "header" };

static int open_in(const char *directory, const char *name)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -ENOMEM;
	fd = uev_sys_perf_open(path, O_RDONLY);
	free(path);

	return fd;
}

int uev_perf_parts_open_first(const char *directory)
{
	int fd = -ENOENT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(first_names) && fd == -ENOENT; i++)
		fd = open_in(directory, first_names[i]);

	return fd == -ENOENT ? -EISDIR : fd;
}

/* Saves the state of the reader's current file, and loads that of @next. */
static void switch_to(struct uev_perf_reader *reader,
		      struct uev_perf_part *next)
{
	struct uev_perf_part *current = reader->part;

	current->input = reader->input;
	current->decompressor = reader->decompressor;
	current->decompressed = reader->decompressed;
	current->record_offset = reader->record_offset;
	current->compressed_offset = reader->compressed_offset;
	current->reported_compressed = reader->reported_compressed;
	current->newest = reader->newest;

	reader->input = next->input;
	reader->decompressor = next->decompressor;
	reader->decompressed = next->decompressed;
	reader->record_offset = next->record_offset;
	reader->compressed_offset = next->compressed_offset;
	reader->reported_compressed = next->reported_compressed;
	reader->newest = next->newest;
	reader->part = next;
}

/*
 * Returns the file whose records so far are the oldest, without @except and
 * those at their end.
 */
static struct uev_perf_part *oldest(const struct uev_perf_reader *reader,
				    const struct uev_perf_part *except)
{
	struct uev_perf_part *found = NULL, *part;

	for (part = reader->parts; part < reader->parts + reader->part_count;
	     part++)
		if (part != except && !part->at_end &&
		    (!found || part->newest < found->newest))
			found = part;

	return found;
}

static void set_limit(struct uev_perf_reader *reader)
{
	const struct uev_perf_part *next = oldest(reader, reader->part);

	reader->part_limit = next ? next->newest : UINT64_MAX;
}

void uev_perf_parts_select(struct uev_perf_reader *reader)
{
	if (!reader->part_count || reader->newest <= reader->part_limit)
		return;
	switch_to(reader, oldest(reader, reader->part));
	set_limit(reader);
}

/* A decompressor can have 128 MiB. */
static void free_current(struct uev_perf_reader *reader)
{
	uint64_t offset = reader->input.offset;

	uev_input_free(&reader->input);
	reader->input.offset = offset;
	uev_input_free(&reader->decompressed);
	uev_decompressor_free(&reader->decompressor);
}

bool uev_perf_parts_end(struct uev_perf_reader *reader)
{
	struct uev_perf_part *next;

	if (!reader->part_count || reader->input.error)
		return false;
	reader->part->at_end = true;
	next = oldest(reader, reader->part);
	if (!next)
		return false;
	free_current(reader);
	switch_to(reader, next);
	set_limit(reader);

	return true;
}

uint64_t uev_perf_parts_newest(const struct uev_perf_reader *reader)
{
	return reader->newest < reader->part_limit ? reader->newest
						   : reader->part_limit;
}

uint64_t uev_perf_parts_offset(const struct uev_perf_reader *reader)
{
	uint64_t offset = reader->input.offset;
	size_t i;

	for (i = 0; i < reader->part_count; i++)
		if (&reader->parts[i] != reader->part)
			offset += reader->parts[i].input.offset;

	return offset;
}

void uev_perf_parts_free(struct uev_perf_reader *reader)
{
	struct uev_perf_part *part;
	size_t i;

	for (i = 0; i < reader->part_count; i++) {
		part = &reader->parts[i];
		if (part->fd >= 0)
			uev_sys_perf_close(part->fd);
		if (part == reader->part)
			continue;
		uev_input_free(&part->input);
		uev_input_free(&part->decompressed);
		uev_decompressor_free(&part->decompressor);
	}
	free(reader->parts);
}

/* ---- The directory ---- */

/*
 * struct found - Files of a directory
 * @numbers: of their names
 */
struct found {
	uint32_t *numbers;
	size_t count;
	bool is_full;
};

static int add_number(struct found *found, uint32_t number)
{
	uint32_t *numbers;

	if (found->count == PARTS_MAX) {
		found->is_full = true;
		return 0;
	}
	numbers = realloc(found->numbers,
			  (found->count + 1) * sizeof(*found->numbers));
	if (!numbers)
		return -ENOMEM;
	found->numbers = numbers;
	numbers[found->count++] = number;

	return 0;
}

static int take_name(void *data, const char *name)
{
	uint32_t number;
	char rest;

	if (sscanf(name, "data.%9u%c", &number, &rest) != 1)
		return 0;

	return add_number(data, number);
}

static int compare(const void *one, const void *other)
{
	uint32_t a = *(const uint32_t *)one;
	uint32_t b = *(const uint32_t *)other;

	return a < b ? -1 : a > b;
}

static int add_part(struct uev_perf_reader *reader, const char *directory,
		    uint32_t number)
{
	struct uev_perf_part *part = &reader->parts[reader->part_count];
	int64_t size;
	int ret;

	*part = (struct uev_perf_part){ 0 };
	snprintf(part->name, sizeof(part->name), "data.%u", number);
	part->fd = open_in(directory, part->name);
	if (part->fd < 0)
		return part->fd;
	reader->part_count++;
	size = uev_sys_perf_size(part->fd);
	if (size < 0)
		return (int)size;
	ret = uev_input_init(&part->input, part->fd, true);
	part->input.limit = (uint64_t)size;
	part->input.big = reader->input.big;
	reader->file_size += (uint64_t)size;

	return ret;
}

static int add_parts(struct uev_perf_reader *reader, const char *directory,
		     const struct found *found)
{
	int ret = 0;
	size_t i;

	if (!found->count)
		return 0;
	reader->parts = calloc(found->count + 1, sizeof(*reader->parts));
	if (!reader->parts)
		return -ENOMEM;
	/* The first file, whose descriptor the reader has. */
	reader->part = reader->parts;
	reader->part->fd = -1;
	strcpy(reader->part->name, "data");
	reader->part_count = 1;
	for (i = 0; i < found->count && !ret; i++)
		ret = add_part(reader, directory, found->numbers[i]);
	set_limit(reader);

	return ret;
}

int uev_perf_parts_add(struct uev_perf_reader *reader, const char *directory)
{
	struct found found = { 0 };
	int ret = uev_sys_perf_list(directory, take_name, &found);

	if (found.is_full)
		uev_perf_reader_problem(reader, 0,
					"more than %d files in the directory",
					PARTS_MAX);
	if (found.count)
		qsort(found.numbers, found.count, sizeof(*found.numbers),
		      compare);
	if (!ret)
		ret = add_parts(reader, directory, &found);
	free(found.numbers);

	return ret;
}
