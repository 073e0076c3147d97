/* SPDX-License-Identifier: MIT */
/* user-events: names that must be unique in their output. */
#ifndef USER_EVENTS_QUERY_NAMES_H
#define USER_EVENTS_QUERY_NAMES_H

#include <stddef.h>

/*
 * struct query_names - Names; initialized to zeros
 * @reserved: names that are not added, up to NULL; or NULL. They stay the same
 *        after query_names_clear().
 */
struct query_names {
	const char *const *reserved;
	void *tree;
};

/*
 * query_names_add() - Adds a name, with "#2" and so on if there is such a name
 * @name: @size bytes; if it is empty, "_" is added
 * Return: the name in UTF-8, with its number; valid until query_names_clear()
 */
const char *query_names_add(struct query_names *names, const char *name,
			    size_t size);

/* query_names_clear() - Removes all names that were added, and frees the memory */
void query_names_clear(struct query_names *names);

#endif
