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

/* Any record begins with type, misc and size. */
#define UEV_PERF_HEADER_SIZE 8

/*
 * Finds the id in a sample without knowing what it is one of, as all attributes
 * of a file have it at the same place; @attr is any of them.
 *
 * Return: whether there is one
 */
bool uev_sample_id(const struct uev_attr *attr, const void *sample, size_t size,
		   bool big, uint64_t *id);

/*
 * What ends every record but samples where the attribute has sample_id_all:
 * how long it is, and the time in it.
 *
 * Return: 0 without it; whether there is a time
 */
size_t uev_sample_id_size(const struct uev_attr *attr);
bool uev_sample_id_time(const struct uev_attr *attr, const void *trailer,
			bool big, uint64_t *time);

/*
 * Reads a sample that @attr describes. Everything but the source is set;
 * @record->raw points into @sample, which is the whole record with its header.
 *
 * Return: NULL, or what is wrong in a sentence
 */
const char *uev_sample_read(struct uev_sample *record,
			    const struct uev_attr *attr, const void *sample,
			    size_t size, bool big);

#endif
