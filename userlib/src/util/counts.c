// SPDX-License-Identifier: MIT
#include "util/counts.h"

#include <string.h>

void uev_counts_copy(struct uev_counts *to, const struct uev_counts *from)
{
	size_t begin = sizeof(to->size);
	size_t given = to->size;
	size_t known = given < sizeof(*to) ? given : sizeof(*to);

	if (given < begin)
		return;
	memset((char *)to + begin, 0, given - begin);
	memcpy((char *)to + begin, (const char *)from + begin, known - begin);
}

void uev_counts_add(struct uev_counts *to, const struct uev_counts *from)
{
	to->records += from->records;
	to->bytes += from->bytes;
	to->lost += from->lost;
	to->throttled += from->throttled;
	to->corrupt += from->corrupt;
	to->other += from->other;
	to->unordered += from->unordered;
}
