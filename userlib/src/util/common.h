/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_SRC_COMMON_H
#define USEREVENTS_SRC_COMMON_H

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
