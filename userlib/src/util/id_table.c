// SPDX-License-Identifier: MIT
#include "util/id_table.h"

#include <errno.h>
#include <stdlib.h>

#include "util/siphash.h"

#define FIRST_ROOM 64

struct uev_id_slot {
	uint64_t id;
	void *value;
};

/* The writer of a file must not be able to choose IDs with one position. */
static size_t hash(const struct uev_id_table *table, uint64_t id)
{
	return (size_t)uev_siphash(table->key, &id, sizeof(id));
}

/* Returns the slot of @id, or the empty slot for it. */
static struct uev_id_slot *find(const struct uev_id_table *table, uint64_t id)
{
	size_t mask = table->room - 1;
	size_t at = hash(table, id) & mask;

	while (table->slots[at].value && table->slots[at].id != id)
		at = (at + 1) & mask;

	return &table->slots[at];
}

static int grow(struct uev_id_table *table)
{
	struct uev_id_table grown = {
		.count = table->count,
		.room = table->room ? table->room * 2 : FIRST_ROOM,
	};
	size_t i;

	uev_siphash_key(grown.key, table);
	grown.slots = calloc(grown.room, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (i = 0; i < table->room; i++)
		if (table->slots[i].value)
			*find(&grown, table->slots[i].id) = table->slots[i];
	free(table->slots);
	*table = grown;

	return 0;
}

/* At most half full. */
int uev_id_table_reserve(struct uev_id_table *table, size_t count)
{
	while ((table->count + count) * 2 > table->room)
		if (grow(table))
			return -ENOMEM;

	return 0;
}

int uev_id_table_set(struct uev_id_table *table, uint64_t id, void *value)
{
	struct uev_id_slot *slot;

	if (uev_id_table_reserve(table, 1))
		return -ENOMEM;

	slot = find(table, id);
	if (!slot->value)
		table->count++;
	*slot = (struct uev_id_slot){ .id = id, .value = value };

	return 0;
}

/* Moves up entries that were displaced by the removed one. */
void uev_id_table_remove(struct uev_id_table *table, uint64_t id)
{
	size_t mask = table->room - 1;
	size_t hole, at, wanted;

	if (!uev_id_table_get(table, id))
		return;
	hole = (size_t)(find(table, id) - table->slots);
	for (at = (hole + 1) & mask; table->slots[at].value;
	     at = (at + 1) & mask) {
		wanted = hash(table, table->slots[at].id) & mask;
		if (((at - wanted) & mask) < ((at - hole) & mask))
			continue;
		table->slots[hole] = table->slots[at];
		hole = at;
	}
	table->slots[hole].value = NULL;
	table->count--;
}

void uev_id_table_replace(struct uev_id_table *table, const void *value,
			  void *other)
{
	size_t i;

	for (i = 0; i < table->room; i++)
		if (table->slots[i].value == value)
			table->slots[i].value = other;
}

void *uev_id_table_get(const struct uev_id_table *table, uint64_t id)
{
	return table->room ? find(table, id)->value : NULL;
}

void uev_id_table_free(struct uev_id_table *table)
{
	free(table->slots);
	*table = (struct uev_id_table){ 0 };
}
