/* SPDX-License-Identifier: MIT */
/* user-events: distributions by a text, in bounded memory. */
#ifndef USER_EVENTS_QUERY_GROUPS_H
#define USER_EVENTS_QUERY_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "query/histogram.h"

/* Default for query_groups.limit, and the longest text */
#define QUERY_GROUPS_MAX 1024
#define QUERY_GROUP_NAME_MAX 1024

/*
 * struct query_group - Records with the same text
 * @name: the text, not NUL-terminated; NULL: all others
 * @index: order of its first record; of all others, the limit of groups
 * @count: number of records
 * @values: numbers of these records that have one
 */
struct query_group {
	char *name;
	size_t name_size;
	size_t index;
	uint64_t count;
	struct query_histogram values;
	struct query_group *next;
};

/*
 * struct query_groups - Groups by text; initialized to zeros, released with
 * query_groups_release()
 * @limit: maximum number of groups besides @other; 0: QUERY_GROUPS_MAX
 * @key: secret of the hash function
 * @slots: hash table
 * @groups: the groups, in the order of their first record
 * @other: records of texts after the maximum, or that are too long
 */
struct query_groups {
	size_t limit;
	uint64_t key[2];
	struct query_group **slots;
	struct query_group **groups;
	size_t count;
	struct query_group other;
};

/* query_groups_get() - Gets the group of a text, or @other */
struct query_group *query_groups_get(struct query_groups *groups,
				     const char *name, size_t size);

/*
 * query_groups_at() - Returns a group by its index in @groups, and @other after the
 * last one, unless it has no records; NULL after all of them
 */
static inline const struct query_group *
query_groups_at(const struct query_groups *groups, size_t index)
{
	if (index < groups->count)
		return groups->groups[index];

	return index == groups->count && groups->other.count ? &groups->other
							     : NULL;
}

/* query_groups_sort() - Sorts @groups by count and name */
void query_groups_sort(struct query_groups *groups);

void query_groups_release(struct query_groups *groups);

#endif
