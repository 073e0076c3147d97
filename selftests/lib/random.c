// SPDX-License-Identifier: GPL-2.0-only
/* Pseudo-random numbers that are the same on every machine. */
#include "random.h"

static uint64_t state;

void random_seed(uint64_t seed, uint64_t part)
{
	state = seed * 0x9e3779b97f4a7c15ULL ^ (part + 1) << 20;
	random_bits();
	random_bits();
}

/* splitmix64: a counter whose value is mixed. */
uint64_t random_bits(void)
{
	uint64_t mixed;

	state += 0x9e3779b97f4a7c15ULL;
	mixed = state;
	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ULL;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebULL;

	return mixed ^ mixed >> 31;
}

unsigned int random_below(unsigned int count)
{
	return (random_bits() >> 16) % count;
}

bool chance(unsigned int percent)
{
	return random_below(100) < percent;
}
