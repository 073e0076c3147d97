/* SPDX-License-Identifier: MIT */
/* A list of items by age, for tables that forget the oldest one first. */
#ifndef USEREVENTS_UTIL_AGE_LIST_H
#define USEREVENTS_UTIL_AGE_LIST_H

#include <stddef.h>

/* A member of each item. */
struct uev_age {
	struct uev_age *older;
	struct uev_age *newer;
};

/* Zeros are an empty list. */
struct uev_age_list {
	struct uev_age *oldest;
	struct uev_age *newest;
};

static inline void uev_age_list_remove(struct uev_age_list *list,
				       const struct uev_age *item)
{
	if (item->older)
		item->older->newer = item->newer;
	else
		list->oldest = item->newer;
	if (item->newer)
		item->newer->older = item->older;
	else
		list->newest = item->older;
}

static inline void uev_age_list_add_newest(struct uev_age_list *list,
					   struct uev_age *item)
{
	item->older = list->newest;
	item->newer = NULL;
	if (list->newest)
		list->newest->newer = item;
	else
		list->oldest = item;
	list->newest = item;
}

static inline void uev_age_list_add_oldest(struct uev_age_list *list,
					   struct uev_age *item)
{
	item->newer = list->oldest;
	item->older = NULL;
	if (list->oldest)
		list->oldest->older = item;
	else
		list->newest = item;
	list->oldest = item;
}

/* Makes an item of the list the newest one. */
static inline void uev_age_list_touch(struct uev_age_list *list,
				      struct uev_age *item)
{
	if (item == list->newest)
		return;
	uev_age_list_remove(list, item);
	uev_age_list_add_newest(list, item);
}

#endif
