/* SPDX-License-Identifier: MIT */
/*
 * The members of a PERF_RECORD_SAMPLE up to its raw bytes.
 */
#ifndef USEREVENTS_PERF_SAMPLE_H
#define USEREVENTS_PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

#include "perf/attr.h"

/* All records start with type, misc and size. */
#define UEV_PERF_HEADER_SIZE 8

/*
 * Finds the ID in a sample of an unknown event. All attributes of a file have
 * it at the same place; @attr is any of them.
 *
 * Return: whether there is one
 */
bool uev_sample_id(const struct uev_attr *attr, const void *sample, size_t size,
		   bool big, uint64_t *id);

/*
 * Finds the time and the processor in the sample_id_all trailer of records that
 * are not samples, and the size of the trailer.
 *
 * Return: 0 without a trailer; whether it has a time, or a processor
 */
size_t uev_sample_id_size(const struct uev_attr *attr);
bool uev_sample_id_time(const struct uev_attr *attr, const void *trailer,
			bool big, uint64_t *time);
bool uev_sample_id_cpu(const struct uev_attr *attr, const void *trailer,
		       bool big, uint32_t *cpu);

/*
 * Reads a sample that @attr describes. Sets everything but the source;
 * @record->raw and @record->stack point into @sample, which is the whole record
 * with its header. The stack is in the byte order of the sample, and can be at
 * any address.
 *
 * Return: NULL, or the error
 */
const char *uev_sample_read(struct uev_sample *record,
			    const struct uev_attr *attr, const void *sample,
			    size_t size, bool big);

#endif
