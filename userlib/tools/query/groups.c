// SPDX-License-Identifier: MIT
#include "query/groups.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "util/siphash.h"

#define SLOTS 2048

static struct query_group *add_group(struct query_groups *groups, size_t slot,
				     const char *name, size_t size)
{
	struct query_group *group = tool_alloc(sizeof(*group));

	group->name = tool_alloc(size + 1);
	if (size)
		memcpy(group->name, name, size);
	group->name_size = size;
	group->index = groups->count;
	group->next = groups->slots[slot];
	groups->slots[slot] = group;
	*tool_add(groups->groups, groups->count) = group;

	return group;
}

struct query_group *query_groups_get(struct query_groups *groups,
				     const char *name, size_t size)
{
	size_t limit = groups->limit ? groups->limit : QUERY_GROUPS_MAX;
	struct query_group *group;
	size_t slot;

	if (!groups->slots) {
		groups->slots =
			tool_alloc(SLOTS * sizeof(struct query_group *));
		uev_siphash_key(groups->key, groups->slots);
	}
	groups->other.index = limit;
	slot = uev_siphash(groups->key, name, size) % SLOTS;
	for (group = groups->slots[slot]; group; group = group->next)
		if (group->name_size == size &&
		    (!size || memcmp(group->name, name, size) == 0))
			return group;
	if (groups->count >= limit || size > QUERY_GROUP_NAME_MAX)
		return &groups->other;

	return add_group(groups, slot, name, size);
}

static int compare_groups(const void *one, const void *other)
{
	const struct query_group *a = *(struct query_group *const *)one;
	const struct query_group *b = *(struct query_group *const *)other;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;

	return strcmp(a->name, b->name);
}

void query_groups_sort(struct query_groups *groups)
{
	tool_sort(groups->groups, groups->count, compare_groups);
}

void query_groups_release(struct query_groups *groups)
{
	size_t i;

	for (i = 0; i < groups->count; i++) {
		query_histogram_release(&groups->groups[i]->values);
		free(groups->groups[i]->name);
		free(groups->groups[i]);
	}
	free(groups->groups);
	free(groups->slots);
	query_histogram_release(&groups->other.values);
	*groups = (struct query_groups){ 0 };
}
