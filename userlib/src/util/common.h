/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_UTIL_COMMON_H
#define USEREVENTS_UTIL_COMMON_H

#include <stddef.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the structure of @type whose @member is at @pointer. */
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer)-offsetof(type, member)))

#endif
