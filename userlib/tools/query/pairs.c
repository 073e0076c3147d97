// SPDX-License-Identifier: MIT
#include "query/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "util/common.h"
#include "util/siphash.h"

#define SLOTS 65536

/*
 * struct query_start - A start that waits
 * @next: of the same slot, older
 * @link: the pointer to this start, in its slot or @next of another one
 * @age: in the list of all starts
 * @bytes: the key, and the name after it
 */
struct query_start {
	struct query_start *next;
	struct query_start **link;
	struct uev_age age;
	uint64_t time;
	size_t key_size;
	size_t name_size;
	char bytes[];
};

static struct query_start **slot_of(const struct query_pairs *pairs,
				    struct query_text key)
{
	return &pairs->slots[uev_siphash(pairs->key, key.text, key.size) %
			     SLOTS];
}

static void link_start(struct query_start **slot, struct query_start *start)
{
	start->next = *slot;
	start->link = slot;
	if (start->next)
		start->next->link = &start->next;
	*slot = start;
}

static void unlink_start(struct query_pairs *pairs, struct query_start *start)
{
	*start->link = start->next;
	if (start->next)
		start->next->link = start->link;
	uev_age_list_remove(&pairs->by_age, &start->age);
	pairs->waiting--;
	pairs->bytes -= start->key_size + start->name_size;
}

static void remove_oldest(struct query_pairs *pairs)
{
	struct query_start *start =
		container_of(pairs->by_age.oldest, struct query_start, age);

	unlink_start(pairs, start);
	free(start);
}

void query_pairs_start(struct query_pairs *pairs, struct query_text key,
		       struct query_text name, uint64_t time)
{
	size_t size = key.size + name.size;
	size_t limit = pairs->limit ? pairs->limit : QUERY_PAIRS_MAX;
	struct query_start *start = tool_alloc(sizeof(*start) + size);

	if (!pairs->slots) {
		pairs->slots = tool_alloc(SLOTS * sizeof(struct query_start *));
		uev_siphash_key(pairs->key, pairs->slots);
	}
	if (key.size)
		memcpy(start->bytes, key.text, key.size);
	if (name.size)
		memcpy(start->bytes + key.size, name.text, name.size);
	start->key_size = key.size;
	start->name_size = name.size;
	start->time = time;
	link_start(slot_of(pairs, key), start);
	uev_age_list_add_newest(&pairs->by_age, &start->age);
	pairs->waiting++;
	pairs->bytes += size;
	while (pairs->waiting > limit || pairs->bytes > QUERY_PAIRS_BYTES_MAX) {
		remove_oldest(pairs);
		pairs->evicted++;
	}
}

bool query_pairs_stop(struct query_pairs *pairs, struct query_text key,
		      uint64_t time, struct query_text *name,
		      uint64_t *duration)
{
	struct query_start *start = pairs->slots ? *slot_of(pairs, key) : NULL;

	while (start &&
	       (start->key_size != key.size || start->time > time ||
		(key.size && memcmp(start->bytes, key.text, key.size) != 0)))
		start = start->next;
	if (!start) {
		pairs->unmatched++;
		return false;
	}
	unlink_start(pairs, start);
	pairs->matched++;
	*duration = time - start->time;
	*name = (struct query_text){ start->bytes + start->key_size,
				     start->name_size };
	free(pairs->last);
	pairs->last = start;

	return true;
}

size_t query_pairs_clear(struct query_pairs *pairs)
{
	size_t waiting = pairs->waiting;

	while (pairs->by_age.oldest)
		remove_oldest(pairs);

	return waiting;
}

void query_pairs_release(struct query_pairs *pairs)
{
	query_pairs_clear(pairs);
	free(pairs->slots);
	free(pairs->last);
	*pairs = (struct query_pairs){ 0 };
}
