/* SPDX-License-Identifier: MIT */
/* A hash table from IDs of the kernel to pointers. */
#ifndef USEREVENTS_UTIL_ID_TABLE_H
#define USEREVENTS_UTIL_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct uev_id_slot;

/*
 * Zeros are an empty table.
 * @room: 0 or a power of two
 * @key: secret of the hash function, new whenever the table grows
 */
struct uev_id_table {
	struct uev_id_slot *slots;
	uint64_t key[2];
	size_t count;
	size_t room;
};

void uev_id_table_free(struct uev_id_table *table);

/*
 * Maps @id to @value, which is not NULL and belongs to the caller, instead of
 * its previous value.
 *
 * Return: 0 or -ENOMEM
 */
int uev_id_table_set(struct uev_id_table *table, uint64_t id, void *value);

/* Removes @id. */
void uev_id_table_remove(struct uev_id_table *table, uint64_t id);

/* Reserves room, so that @count calls of uev_id_table_set() cannot fail. */
int uev_id_table_reserve(struct uev_id_table *table, size_t count);

/* Maps all IDs of @value to @other. */
void uev_id_table_replace(struct uev_id_table *table, const void *value,
			  void *other);

/* Returns the value of @id, or NULL. */
void *uev_id_table_get(const struct uev_id_table *table, uint64_t id);

#endif
