/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_UTIL_COMMON_H
#define USEREVENTS_UTIL_COMMON_H

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
