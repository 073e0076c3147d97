// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "../lib/random.h"
#include "corpus.h"

#define CORPUS_MAX 4000

static struct program *kept[CORPUS_MAX];
static unsigned int count;

void corpus_add(const struct program *program)
{
	unsigned int at = count < CORPUS_MAX ? count : random_below(count);

	if (!kept[at])
		kept[at] = calloc(1, sizeof(*kept[at]));
	if (!kept[at])
		return;
	program_copy(kept[at], program);
	if (at == count)
		count++;
}

/* Prefers new programs, whose mutations have been tried least. */
const struct program *corpus_pick(void)
{
	unsigned int newest = count > 50 ? 50 : count;

	if (!count)
		return NULL;
	if (chance(40))
		return kept[count - 1 - random_below(newest)];

	return kept[random_below(count)];
}

unsigned int corpus_size(void)
{
	return count;
}
