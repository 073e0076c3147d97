/* SPDX-License-Identifier: MIT */
/*
 * A hash table whose entries are members of the caller's structures. Adding an
 * entry cannot fail: without memory for more buckets, lookups only take longer.
 */
#ifndef USEREVENTS_CORE_HASH_H
#define USEREVENTS_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Number of buckets that need no allocation. */
#define UEV_HASH_FEW 32

/*
 * struct uev_hash_entry - A member of the caller's structure
 * @next: next entry of the bucket
 * @key: hash value of the caller's key; different keys can have the same
 */
struct uev_hash_entry {
	struct uev_hash_entry *next;
	uint64_t key;
};

/* struct uev_hash - A table, initially all zeros */
struct uev_hash {
	struct uev_hash_entry **buckets;
	size_t bucket_count;
	size_t entry_count;
	struct uev_hash_entry *few[UEV_HASH_FEW];
};

void uev_hash_add(struct uev_hash *hash, struct uev_hash_entry *entry,
		  uint64_t key);
void uev_hash_remove(struct uev_hash *hash, struct uev_hash_entry *entry);

/* Returns the first entry of a key, or the one after an entry; or NULL. */
struct uev_hash_entry *uev_hash_first(const struct uev_hash *hash,
				      uint64_t key);
struct uev_hash_entry *uev_hash_next(const struct uev_hash_entry *entry);

/* uev_hash_release() - Frees the buckets of an empty table */
void uev_hash_release(struct uev_hash *hash);

/* Keys of bytes and of an address */
uint64_t uev_hash_bytes(const void *bytes, size_t size);
uint64_t uev_hash_address(const void *address);

#endif
