/* SPDX-License-Identifier: MIT */
/*
 * user-events: owner, group and mode of an event in its definition,
 * "NAME:uid=USER,gid=GROUP,mode=0660 FIELDS". dynamic_events of the module takes
 * all of them, as numbers.
 */
#ifndef USER_EVENTS_EVENTS_RIGHTS_H
#define USER_EVENTS_EVENTS_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * rights_read() - Completes rights, and translates names of users and groups
 * @text: rights without the ':'
 * @length: bytes of @text
 * @offset: set to the offset of an error in @text
 * @reason: set to a description of the error
 *
 * Return: ":" and all rights with numbers, for free(); or NULL on error.
 */
char *rights_read(const char *text, size_t length, size_t *offset,
		  const char **reason);

/*
 * rights_id() - Reads a number of a user or a group, or its name
 * Return: NULL, or a description of the error
 */
const char *rights_id(const char *text, bool is_group, unsigned long *number);

#endif
