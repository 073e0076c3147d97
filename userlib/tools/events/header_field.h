/* SPDX-License-Identifier: MIT */
/* user-events write: fields of EventHeader events from texts. */
#ifndef USER_EVENTS_EVENTS_HEADER_FIELD_H
#define USER_EVENTS_EVENTS_HEADER_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include <userevents/eventheader-dynamic.h>

/*
 * header_field_add() - Adds a field
 * @word: "NAME", which is text, "NAME:TYPE", or "NAME:TYPE[]", an array of
 *        values with commas; of @word_size bytes
 * @value: its value, of @size bytes without a NUL
 * @reason: set to what is wrong, on error
 *
 * Return: 0; -EINVAL, -ERANGE for the type or the value; an error of uev_add()
 */
int header_field_add(struct uev_builder *builder, const char *word,
		     size_t word_size, const char *value, size_t size,
		     const char **reason);

/*
 * header_field_uuid() - Parses a UUID
 * @bytes: receives UEV_ACTIVITY_SIZE bytes
 * Return: 0; -EINVAL
 */
int header_field_uuid(uint8_t *bytes, const char *text);

#endif
