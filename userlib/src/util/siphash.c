// SPDX-License-Identifier: MIT
#include "util/siphash.h"

#include <string.h>

#include "util/sys_perf.h"

#define FINAL_ROUNDS 3

static uint64_t rotated(uint64_t word, unsigned int bits)
{
	return word << bits | word >> (64 - bits);
}

static void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotated(v[1], 13) ^ v[0];
	v[3] = rotated(v[3], 16) ^ v[2];
	v[0] = rotated(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotated(v[1], 17) ^ v[2];
	v[3] = rotated(v[3], 21) ^ v[0];
	v[2] = rotated(v[2], 32);
}

static void add_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v);
	v[0] ^= word;
}

void uev_siphash_key(uint64_t key[2], const void *memory)
{
	key[0] = (uintptr_t)memory;
	key[1] = (uintptr_t)key;
	uev_sys_perf_random(key, 2 * sizeof(*key));
}

uint64_t uev_siphash(const uint64_t key[2], const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t word, last = (uint64_t)size << 56;
	uint64_t v[] = {
		key[0] ^ 0x736f6d6570736575ULL,
		key[1] ^ 0x646f72616e646f6dULL,
		key[0] ^ 0x6c7967656e657261ULL,
		key[1] ^ 0x7465646279746573ULL,
	};
	int i;

	for (; size >= sizeof(word); size -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		add_word(v, word);
		at += sizeof(word);
	}
	for (i = 0; size; i += 8, size--)
		last |= (uint64_t)*at++ << i;
	add_word(v, last);
	v[2] ^= 0xff;
	for (i = 0; i < FINAL_ROUNDS; i++)
		mix(v);

	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
