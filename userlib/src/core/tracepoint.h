/* SPDX-License-Identifier: MIT */
/* Sizes of the values of UEV_TRACE() in a record. */
#ifndef USEREVENTS_CORE_TRACEPOINT_H
#define USEREVENTS_CORE_TRACEPOINT_H

#include <stddef.h>
#include <stdint.h>

/* Text of a UUID, with its NUL. */
#define UEV_UUID_TEXT_SIZE 37

/*
 * Returns the bytes of a type in the part of a record that precedes the data: a
 * number, or a location of the data; 0 if the type is unknown.
 */
size_t uev_type_size(uint32_t type);

#endif
