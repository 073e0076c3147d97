// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fake_alloc.h"
#include "lib/runner.h"
#include "core/hash.h"

#define ENTRIES 5000

/* Of entries with regular keys; random ones have 7 or 8. */
#define LONGEST_CHAIN 12

static struct uev_hash hash;
static struct uev_hash_entry entries[ENTRIES];

static uint64_t address_key(unsigned int i)
{
	/* As structures in an array. */
	return uev_hash_address((void *)(uintptr_t)(0x1000 + i * 48U));
}

static uint64_t text_key(unsigned int i)
{
	char text[32];

	return uev_hash_bytes(text, (size_t)sprintf(text, "event_%u u32 a", i));
}

static uint64_t (*const keys[])(unsigned int i) = { address_key, text_key };

static size_t longest_chain(void)
{
	struct uev_hash_entry *entry;
	size_t longest = 0, length, i;

	for (i = 0; i < hash.bucket_count; i++) {
		length = 0;
		for (entry = hash.buckets[i]; entry; entry = entry->next)
			length++;
		if (length > longest)
			longest = length;
	}

	return longest;
}

TEST_LOOP(finds_entries, 2)
{
	unsigned int i;

	ck_assert_ptr_null(uev_hash_first(&hash, 1));
	for (i = 0; i < ENTRIES; i++)
		uev_hash_add(&hash, &entries[i], keys[_i](i));
	ck_assert_uint_le(longest_chain(), LONGEST_CHAIN);
	for (i = 0; i < ENTRIES; i++)
		ck_assert_ptr_eq(uev_hash_first(&hash, keys[_i](i)),
				 &entries[i]);
	for (i = 0; i < ENTRIES; i++) {
		uev_hash_remove(&hash, &entries[i]);
		ck_assert_ptr_null(uev_hash_first(&hash, keys[_i](i)));
	}
	uev_hash_release(&hash);
	ck_assert_ptr_null(uev_hash_first(&hash, 1));
}

TEST(keeps_entries_of_equal_keys)
{
	struct uev_hash_entry *entry;

	uev_hash_add(&hash, &entries[0], 1);
	uev_hash_add(&hash, &entries[1], 1);
	entry = uev_hash_first(&hash, 1);
	ck_assert_ptr_eq(entry, &entries[1]);
	entry = uev_hash_next(entry);
	ck_assert_ptr_eq(entry, &entries[0]);
	ck_assert_ptr_null(uev_hash_next(entry));
	uev_hash_remove(&hash, &entries[0]);
	ck_assert_ptr_null(uev_hash_next(uev_hash_first(&hash, 1)));
	uev_hash_remove(&hash, &entries[1]);
	uev_hash_release(&hash);
}

TEST(works_without_memory)
{
	unsigned int i;
	bool has_failed;

	fake_alloc_fail(0);
	for (i = 0; i <= UEV_HASH_FEW; i++)
		uev_hash_add(&hash, &entries[i], i);
	has_failed = fake_alloc_end();
	ck_assert(has_failed);
	for (i = 0; i <= UEV_HASH_FEW; i++) {
		ck_assert_ptr_eq(uev_hash_first(&hash, i), &entries[i]);
		uev_hash_remove(&hash, &entries[i]);
	}
	uev_hash_release(&hash);
}
