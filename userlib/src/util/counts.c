// SPDX-License-Identifier: MIT
#include "util/counts.h"

#include <string.h>

void uev_counts_copy(struct uev_trace_stats *to, size_t size,
		     const struct uev_trace_stats *from)
{
	memset(to, 0, size);
	memcpy(to, from, size < sizeof(*from) ? size : sizeof(*from));
}

void uev_counts_add(struct uev_trace_stats *to,
		    const struct uev_trace_stats *from)
{
	to->records += from->records;
	to->bytes += from->bytes;
	to->lost += from->lost;
	to->throttled += from->throttled;
	to->corrupt += from->corrupt;
	to->other += from->other;
	to->unordered += from->unordered;
	to->forks_lost += from->forks_lost;
	to->interrupted += from->interrupted;
}
