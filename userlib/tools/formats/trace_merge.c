// SPDX-License-Identifier: MIT
#include "formats/trace_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/counts.h"
#include "tool.h"

/*
 * Two files have the same clock since the same boot if its distance from the
 * time of day differs by less, because that is adjusted.
 */
#define SAME_BOOT_NS UINT64_C(1000000000)

/*
 * struct file - A file
 * @path: as given by the user
 * @input: NULL if it is not open
 * @record: its next record, if @has_record
 * @time: of @record, which is compared
 * @sample: the sample of @record, with a date as its time
 * @loss: its next loss, if @has_loss
 */
struct file {
	struct trace_merge *merge;
	const char *path;
	const char *name;
	struct trace_input *input;
	struct format_record record;
	bool has_record;
	uint64_t time;
	struct uev_sample sample;
	struct format_loss loss;
	bool has_loss;
};

/*
 * @current: the file of the last record or error
 * @has_returned: the record of @current was returned
 * @has_begun: the clocks are known
 * @is_by_date: times are dates
 * @clock: of one of the files, converts times to dates; NULL if none does
 */
struct trace_merge {
	struct file *files;
	size_t count;
	struct file *current;
	bool has_returned;
	bool has_begun;
	bool is_by_date;
	const struct uev_clock *clock;
	void (*problem)(void *data, const char *name, uint64_t offset,
			const char *reason);
	void *data;
};

/* Clock of records whose times are dates. */
static const struct uev_clock dates = { .clockid = CLOCK_REALTIME };

static void report(void *data, uint64_t offset, const char *reason)
{
	const struct file *file = data;

	file->merge->problem(file->merge->data, file->name, offset, reason);
}

/* ---- Clocks ---- */

static uint64_t distance(const struct uev_clock *clock)
{
	return clock->wall - clock->clock;
}

/* Tests whether two files have times of the same clock since the same boot. */
static bool is_same_clock(const struct trace_clock *one,
			  const struct trace_clock *other)
{
	uint64_t difference;

	/* A trace.dat with dates names the clock that it has converted. */
	if (one->is_wall || other->is_wall)
		return one->is_wall && other->is_wall;
	if (!*one->name || strcmp(one->name, other->name) != 0 ||
	    (one->host && other->host && strcmp(one->host, other->host) != 0))
		return false;
	if (!one->wall || !other->wall)
		return true;
	difference = distance(one->wall) - distance(other->wall);

	return difference + SAME_BOOT_NS < 2 * SAME_BOOT_NS;
}

static bool has_dates(const struct trace_clock *clock)
{
	return clock->wall || clock->is_wall;
}

/* Return: 0; -EXDEV, and merge->current is a file with another clock */
static int compare_clocks(struct trace_merge *merge)
{
	struct trace_clock first, clock;
	size_t i;

	trace_input_clock(merge->files[0].input, &first);
	merge->clock = first.wall;
	for (i = 1; i < merge->count && !merge->is_by_date; i++) {
		trace_input_clock(merge->files[i].input, &clock);
		merge->current = &merge->files[i];
		if (!merge->clock)
			merge->clock = clock.wall;
		merge->is_by_date = !is_same_clock(&first, &clock);
	}
	for (i = 0; i < merge->count && merge->is_by_date; i++) {
		trace_input_clock(merge->files[i].input, &clock);
		if (!has_dates(&clock)) {
			if (i)
				merge->current = &merge->files[i];
			return -EXDEV;
		}
	}

	return 0;
}

/* ---- Records ---- */

static void set_time(const struct trace_merge *merge, struct file *file)
{
	struct format_record *record = &file->record;

	file->time = record->sample->time;
	if (!merge->is_by_date) {
		record->clock = merge->clock;
		return;
	}
	if (record->clock)
		file->time = uev_clock_wall(record->clock, file->time);
	file->sample = *record->sample;
	file->sample.time = file->time;
	record->sample = &file->sample;
	record->clock = &dates;
}

/* Return: 0 or an error of read(2) */
static int advance(struct trace_merge *merge, struct file *file)
{
	int ret;

	merge->current = file;
	ret = trace_input_next(file->input, &file->record);
	file->has_record = ret > 0;
	if (ret > 0 && merge->has_begun)
		set_time(merge, file);

	return ret < 0 ? ret : 0;
}

static struct file *oldest(const struct trace_merge *merge)
{
	struct file *found = NULL;
	size_t i;

	for (i = 0; i < merge->count; i++) {
		struct file *file = &merge->files[i];

		if (file->has_record && (!found || file->time < found->time))
			found = file;
	}

	return found;
}

int trace_merge_next(struct trace_merge *merge, struct format_record *record)
{
	struct file *file;
	int ret = 0;

	/* One file needs no record in advance. */
	if (merge->has_returned || merge->count == 1)
		ret = advance(merge, merge->current);
	merge->has_returned = false;
	if (ret)
		return ret;
	file = oldest(merge);
	if (!file)
		return 0;
	merge->current = file;
	merge->has_returned = true;
	*record = file->record;

	return 1;
}

/* ---- Losses ---- */

/* Converts the time of a loss to that of records. */
static uint64_t convert(const struct trace_merge *merge, uint64_t distance,
			uint64_t time)
{
	return merge->is_by_date && time ? time + distance : time;
}

/* Gets the next loss of a file, with the time of records. */
static void find_loss(const struct trace_merge *merge, struct file *file,
		      uint64_t until)
{
	struct format_loss *loss = &file->loss;
	struct trace_clock clock;
	uint64_t added = 0;

	if (file->has_loss)
		return;
	if (merge->is_by_date) {
		trace_input_clock(file->input, &clock);
		added = clock.wall ? distance(clock.wall) : 0;
		if (until != UINT64_MAX)
			until -= added;
	}
	file->has_loss = trace_input_next_loss(file->input, until, loss);
	if (!file->has_loss)
		return;
	loss->loss.from = convert(merge, added, loss->loss.from);
	loss->loss.to = convert(merge, added, loss->loss.to);
	if (merge->count > 1)
		loss->clock = merge->is_by_date ? &dates : merge->clock;
}

bool trace_merge_next_loss(struct trace_merge *merge, uint64_t until,
			   struct format_loss *loss)
{
	struct file *file, *first = NULL;

	for (file = merge->files; file < merge->files + merge->count; file++) {
		find_loss(merge, file, until);
		if (file->has_loss && file->loss.loss.to <= until &&
		    (!first || file->loss.loss.to < first->loss.loss.to))
			first = file;
	}
	if (!first)
		return false;
	*loss = first->loss;
	first->has_loss = false;

	return true;
}

/* ---- Files ---- */

static int open_all(struct trace_merge *merge)
{
	struct file *file;
	int ret;

	for (file = merge->files; file < merge->files + merge->count; file++) {
		merge->current = file;
		ret = trace_input_open(&file->input, file->path, report, file);
		if (ret)
			return ret;
	}
	if (merge->count == 1)
		return 0;
	for (file = merge->files; file < merge->files + merge->count; file++) {
		ret = advance(merge, file);
		if (ret)
			return ret;
	}
	ret = compare_clocks(merge);
	if (ret)
		return ret;
	merge->has_begun = true;
	for (file = merge->files; file < merge->files + merge->count; file++)
		if (file->has_record)
			set_time(merge, file);

	return 0;
}

int trace_merge_open(struct trace_merge **opened, const char *const *names,
		     size_t count,
		     void (*problem)(void *data, const char *name,
				     uint64_t offset, const char *reason),
		     void *data, const char **failed)
{
	struct trace_merge *merge = tool_alloc(sizeof(*merge));
	size_t i;
	int ret;

	merge->problem = problem;
	merge->data = data;
	merge->count = count;
	merge->files = tool_alloc(count * sizeof(*merge->files));
	for (i = 0; i < count; i++) {
		merge->files[i].merge = merge;
		merge->files[i].path = names[i];
		merge->files[i].name = strcmp(names[i], "-") == 0
					       ? "standard input"
					       : names[i];
	}
	ret = open_all(merge);
	if (ret) {
		*failed = trace_merge_name(merge);
		trace_merge_close(merge);
		return ret;
	}
	*opened = merge;

	return 0;
}

void trace_merge_close(struct trace_merge *merge)
{
	size_t i;

	for (i = 0; i < merge->count; i++)
		if (merge->files[i].input)
			trace_input_close(merge->files[i].input);
	free(merge->files);
	free(merge);
}

const char *trace_merge_counter(const struct trace_merge *merge, size_t file,
				const char **name)
{
	struct trace_clock clock;

	trace_input_clock(merge->files[file].input, &clock);
	*name = merge->files[file].name;

	return clock.counter;
}

const char *trace_merge_name(const struct trace_merge *merge)
{
	return merge->current->name;
}

uint64_t trace_merge_record_offset(const struct trace_merge *merge)
{
	return trace_input_record_offset(merge->current->input);
}

void trace_merge_counts(const struct trace_merge *merge,
			struct uev_trace_stats *counts)
{
	struct uev_trace_stats one;
	size_t i;

	*counts = (struct uev_trace_stats){ 0 };
	for (i = 0; i < merge->count; i++) {
		trace_input_counts(merge->files[i].input, &one);
		uev_counts_add(counts, &one);
	}
}

uint64_t trace_merge_offset(const struct trace_merge *merge, uint64_t *size)
{
	uint64_t offset = 0, one;
	size_t i;

	*size = 0;
	for (i = 0; i < merge->count; i++) {
		offset += trace_input_offset(merge->files[i].input, &one);
		*size += one;
	}

	return offset;
}
