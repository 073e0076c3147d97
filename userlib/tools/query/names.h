/* SPDX-License-Identifier: MIT */
/* user-events: names that must be unique in their output. */
#ifndef USER_EVENTS_QUERY_NAMES_H
#define USER_EVENTS_QUERY_NAMES_H

#include <stddef.h>

/* struct query_names - Names; initialized to zeros */
struct query_names {
	void *tree;
};

/*
 * query_names_add() - Adds a name, with "#2" and so on if there is such a name
 * Return: the name with its number, valid until query_names_clear()
 */
const char *query_names_add(struct query_names *names, const char *name,
			    size_t size);

/* query_names_reserve() - Adds a name that others must not have */
void query_names_reserve(struct query_names *names, const char *name);

/* query_names_clear() - Removes all names, and frees the memory */
void query_names_clear(struct query_names *names);

#endif
