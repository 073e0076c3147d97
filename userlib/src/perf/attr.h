/* SPDX-License-Identifier: MIT */
/*
 * The members of perf_event_attr that determine the layout of records, read
 * from bytes of any byte order.
 */
#ifndef USEREVENTS_PERF_ATTR_H
#define USEREVENTS_PERF_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smallest size in any version of perf, and a limit. */
#define UEV_ATTR_SIZE_MIN 64
#define UEV_ATTR_SIZE_MAX 4096

struct uev_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_type;
	uint64_t read_format;
	int32_t clockid;
	bool use_clockid;
	bool sample_id_all;
};

/* Returns the size in the bytes; 0 is that of the first version. */
size_t uev_attr_size(const void *bytes, bool big);

/* @bytes: @size of them, UEV_ATTR_SIZE_MIN or more */
void uev_attr_read(struct uev_attr *attr, const void *bytes, size_t size,
		   bool big);

#endif
