// SPDX-License-Identifier: MIT
#include "report/sample.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

bool report_sample_wants(struct report_sample *sample)
{
	if (!sample->stride)
		sample->stride = 1;

	return sample->offered++ % sample->stride == 0;
}

static size_t begin_of(const struct report_sample *sample, size_t row)
{
	return row ? sample->ends[row - 1] : 0;
}

/* Keeps rows 0, 2, 4, ..., which are those of twice the stride. */
static void halve(struct report_sample *sample)
{
	size_t from, to, kept = 0, end = 0, size, begin;

	for (from = 0, to = 0; from < sample->count; from += 2, to++) {
		begin = begin_of(sample, from);
		size = sample->ends[from] - begin;
		memmove(sample->text.text + end, sample->text.text + begin,
			size);
		end += size;
		sample->ends[to] = end;
		kept++;
	}
	sample->count = kept;
	sample->text.size = end;
	sample->stride *= 2;
}

void report_sample_add(struct report_sample *sample)
{
	sample->ends =
		tool_room(sample->ends, sample->count, sizeof(*sample->ends));
	sample->ends[sample->count++] = sample->text.size;
	while (sample->count > 1 && (sample->count > sample->row_limit ||
				     sample->text.size > sample->limit))
		halve(sample);
}

void report_sample_append(const struct report_sample *sample,
			  struct uev_output *to)
{
	size_t i, begin;

	tool_need(uev_output_append(to, "[", 1));
	for (i = 0; i < sample->count; i++) {
		begin = begin_of(sample, i);
		tool_need(uev_output_append(to, i ? ",\n" : "\n", i ? 2 : 1));
		tool_need(uev_output_append(to, sample->text.text + begin,
					    sample->ends[i] - begin));
	}
	tool_need(uev_output_append(to, "]", 1));
}

void report_sample_release(struct report_sample *sample)
{
	uev_output_release(&sample->text);
	free(sample->ends);
	*sample = (struct report_sample){ 0 };
}
