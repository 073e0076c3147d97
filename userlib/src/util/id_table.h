/* SPDX-License-Identifier: MIT */
/*
 * Numbers that the kernel gave, and what they stand for.
 */
#ifndef USEREVENTS_UTIL_ID_TABLE_H
#define USEREVENTS_UTIL_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct uev_id_slot;

/* All zero is an empty table. @room is 0 or a power of two. */
struct uev_id_table {
	struct uev_id_slot *slots;
	size_t count;
	size_t room;
};

void uev_id_table_free(struct uev_id_table *table);

/*
 * Lets @id stand for @value, which is not NULL and stays the caller's, and no
 * longer for what it stood for.
 *
 * Return: 0 or -ENOMEM
 */
int uev_id_table_set(struct uev_id_table *table, uint64_t id, void *value);

/* @id stands for nothing from now on. */
void uev_id_table_remove(struct uev_id_table *table, uint64_t id);

/* Makes room, so that @count calls of uev_id_table_set() do not fail. */
int uev_id_table_reserve(struct uev_id_table *table, size_t count);

/* Everything that stands for @value stands for @other from now on. */
void uev_id_table_replace(struct uev_id_table *table, const void *value,
			  void *other);

/* What @id stands for, or NULL. */
void *uev_id_table_get(const struct uev_id_table *table, uint64_t id);

#endif
