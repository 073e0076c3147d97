// SPDX-License-Identifier: MIT
#include "report/sample.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "util/siphash.h"

/* Strata of fewer rows keep all, until these are half of the sample. */
#define RARE_ROWS 1024

#define LEVEL_MAX 63

/*
 * struct report_row - A row of the sample
 * @end: where it ends
 * @number: number of rows of its stratum before it
 */
struct report_row {
	size_t end;
	uint64_t number;
	const struct query_group *stratum;
};

static struct query_group *stratum_of(struct report_sample *sample,
				      size_t thread, size_t kind)
{
	const uint64_t name[] = { thread, kind };
	struct query_group *stratum;

	sample->strata.limit = REPORT_STRATA_MAX;
	stratum = query_groups_get(&sample->strata, (const char *)name,
				   sizeof(name));
	if (stratum->name)
		return stratum;

	return query_groups_get(&sample->late, (const char *)&name[1],
				sizeof(name[1]));
}

/* Strata of the same thread have the same seed. */
static uint64_t seed_of(const struct query_group *stratum)
{
	uint64_t seed = 0;

	if (stratum->name)
		memcpy(&seed, stratum->name, sizeof(seed));

	return seed;
}

/* The choice is the same in each run. */
static unsigned int coin(uint64_t seed, unsigned int level, uint64_t pair)
{
	static const uint64_t key[2];
	const uint64_t bytes[] = { seed, level, pair };

	return uev_siphash(key, bytes, sizeof(bytes)) & 1;
}

/* Each level keeps one of two successive rows of the level before. */
static bool survives(const struct query_group *stratum, uint64_t number,
		     unsigned int level)
{
	uint64_t seed = seed_of(stratum);
	unsigned int i;

	for (i = 0; i < level; i++)
		if ((number >> i & 1) != coin(seed, i, number >> (i + 1)))
			return false;

	return true;
}

/* The highest level that keeps @rare rows */
static unsigned int level_of(const struct report_sample *sample,
			     const struct query_group *stratum)
{
	unsigned int level = 0;

	while (level < sample->level &&
	       stratum->count >> (level + 1) >= sample->rare)
		level++;

	return level;
}

bool report_sample_wants(struct report_sample *sample, size_t thread,
			 size_t kind)
{
	struct query_group *stratum = stratum_of(sample, thread, kind);
	uint64_t number = stratum->count++;

	sample->offered++;
	if (!survives(stratum, number, level_of(sample, stratum)))
		return false;
	sample->rows =
		tool_room(sample->rows, sample->count, sizeof(*sample->rows));
	sample->rows[sample->count].number = number;
	sample->rows[sample->count].stratum = stratum;

	return true;
}

void report_sample_end(struct report_sample *sample)
{
	size_t from, begin, size, end = 0, kept = 0;
	const struct report_row *row = sample->rows;

	for (from = 0, begin = 0; from < sample->count;
	     from++, row++, begin += size) {
		size = row->end - begin;
		if (!survives(row->stratum, row->number,
			      level_of(sample, row->stratum)))
			continue;
		memmove(sample->text.text + end, sample->text.text + begin,
			size);
		end += size;
		sample->rows[kept] = *row;
		sample->rows[kept++].end = end;
	}
	sample->count = kept;
	sample->text.size = end;
}

/* Counts the rows of strata that are too small for the maximum level. */
static size_t count_rare(const struct report_sample *sample)
{
	size_t i, count = 0;

	for (i = 0; i < sample->count; i++)
		count += level_of(sample, sample->rows[i].stratum) <
			 sample->level;

	return count;
}

/* Large strata give way first. */
static void thin(struct report_sample *sample)
{
	if (!sample->level)
		sample->rare = RARE_ROWS;
	if (count_rare(sample) > sample->count / 2)
		sample->rare /= 2;
	else
		sample->level++;
	report_sample_end(sample);
}

static bool is_full(const struct report_sample *sample)
{
	return sample->count > 1 && (sample->count > sample->row_limit ||
				     sample->text.size > sample->limit);
}

void report_sample_add(struct report_sample *sample)
{
	sample->rows[sample->count++].end = sample->text.size;
	while (is_full(sample) && sample->level < LEVEL_MAX)
		thin(sample);
}

void report_sample_append(const struct report_sample *sample,
			  struct uev_output *to)
{
	size_t i, begin = 0;

	tool_append(to, "[", 1);
	for (i = 0; i < sample->count; i++) {
		tool_append(to, i ? ",\n" : "\n", i ? 2 : 1);
		tool_append(to, sample->text.text + begin,
			    sample->rows[i].end - begin);
		begin = sample->rows[i].end;
	}
	tool_append(to, "]", 1);
}

void report_sample_release(struct report_sample *sample)
{
	query_groups_release(&sample->strata);
	query_groups_release(&sample->late);
	uev_output_release(&sample->text);
	free(sample->rows);
	*sample = (struct report_sample){ 0 };
}
