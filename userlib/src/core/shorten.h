/* SPDX-License-Identifier: MIT */
/* The length to which the texts of a record are shortened. */
#ifndef USEREVENTS_CORE_SHORTEN_H
#define USEREVENTS_CORE_SHORTEN_H

#include <stddef.h>

/*
 * uev_shorten_limit() - Finds the length to which the longest texts are shortened
 * @texts: the texts
 * @size_of: returns the bytes of all texts if none is longer than @limit
 * @room: bytes that the texts can have, less than they have
 *
 * Return: the largest length with which they fit
 */
size_t uev_shorten_limit(const void *texts,
			 size_t (*size_of)(const void *texts, size_t limit),
			 size_t room);

/*
 * uev_shorten_copy() - Copies the start of a text, and UEV_SHORTENED
 * @to: @limit bytes, which can overlap @text
 * @length: more than @limit
 *
 * Return: the copied bytes; 0 if there is no room for UEV_SHORTENED
 */
size_t uev_shorten_copy(char *to, const char *text, size_t length,
			size_t limit);

#endif
