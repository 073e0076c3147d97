// SPDX-License-Identifier: MIT
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* FNV-1a */
#define BYTES_START 0xcbf29ce484222325U
#define BYTES_FACTOR 0x100000001b3U

/* 2^64 divided by the golden ratio; its upper bits depend on all bits below. */
#define SPREAD_FACTOR 0x9e3779b97f4a7c15U

static struct uev_hash_entry **bucket_of(struct uev_hash_entry **buckets,
					 size_t count, uint64_t key)
{
	return &buckets[(size_t)(key * SPREAD_FACTOR >> 32) & (count - 1)];
}

static void insert(struct uev_hash_entry **buckets, size_t count,
		   struct uev_hash_entry *entry)
{
	struct uev_hash_entry **bucket = bucket_of(buckets, count, entry->key);

	entry->next = *bucket;
	*bucket = entry;
}

static void use_buckets(struct uev_hash *hash, struct uev_hash_entry **buckets,
			size_t count)
{
	if (hash->buckets != hash->few)
		free(hash->buckets);
	hash->buckets = buckets;
	hash->bucket_count = count;
}

static void grow(struct uev_hash *hash)
{
	size_t count = hash->bucket_count * 2, i;
	struct uev_hash_entry **buckets =
		uev_calloc(count, sizeof(struct uev_hash_entry *));
	struct uev_hash_entry *entry, *next;

	if (!buckets)
		return;
	for (i = 0; i < hash->bucket_count; i++) {
		for (entry = hash->buckets[i]; entry; entry = next) {
			next = entry->next;
			insert(buckets, count, entry);
		}
	}
	use_buckets(hash, buckets, count);
}

void uev_hash_add(struct uev_hash *hash, struct uev_hash_entry *entry,
		  uint64_t key)
{
	if (!hash->buckets)
		use_buckets(hash, hash->few, UEV_HASH_FEW);
	if (hash->entry_count == hash->bucket_count)
		grow(hash);
	entry->key = key;
	insert(hash->buckets, hash->bucket_count, entry);
	hash->entry_count++;
}

void uev_hash_remove(struct uev_hash *hash, struct uev_hash_entry *entry)
{
	struct uev_hash_entry **at =
		bucket_of(hash->buckets, hash->bucket_count, entry->key);

	while (*at != entry)
		at = &(*at)->next;
	*at = entry->next;
	hash->entry_count--;
}

/* Returns the first entry of a key from @entry on. */
static struct uev_hash_entry *skip_to(struct uev_hash_entry *entry,
				      uint64_t key)
{
	while (entry && entry->key != key)
		entry = entry->next;

	return entry;
}

struct uev_hash_entry *uev_hash_first(const struct uev_hash *hash, uint64_t key)
{
	if (!hash->buckets)
		return NULL;

	return skip_to(*bucket_of(hash->buckets, hash->bucket_count, key), key);
}

struct uev_hash_entry *uev_hash_next(const struct uev_hash_entry *entry)
{
	return skip_to(entry->next, entry->key);
}

void uev_hash_release(struct uev_hash *hash)
{
	use_buckets(hash, NULL, 0);
}

uint64_t uev_hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t key = BYTES_START;

	while (size--)
		key = (key ^ *at++) * BYTES_FACTOR;

	return key;
}

uint64_t uev_hash_address(const void *address)
{
	return (uintptr_t)address;
}
