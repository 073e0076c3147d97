/* SPDX-License-Identifier: MIT */
/*
 * Counts of records, for callers that were compiled with other ones.
 */
#ifndef USEREVENTS_UTIL_COUNTS_H
#define USEREVENTS_UTIL_COUNTS_H

#include <userevents/session.h>

/* Fills in as much as the caller's size allows; more than is known is 0. */
void uev_counts_copy(struct uev_counts *to, const struct uev_counts *from);

/* Adds every count of @from. */
void uev_counts_add(struct uev_counts *to, const struct uev_counts *from);

#endif
