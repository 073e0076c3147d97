// SPDX-License-Identifier: MIT
#include "perf/attr.h"

#include <linux/perf_event.h>

#include "util/bytes.h"

/* Bits of the word after read_format, in order of declaration. */
#define BITS_OFFSET 40
#define BIT_SAMPLE_ID_ALL 18
#define BIT_USE_CLOCKID 25

/* The byte order of the machine also determines the order of bit fields. */
static bool bit(const uint8_t *bytes, unsigned int number, bool big)
{
	unsigned int shift = big ? 7 - number % 8 : number % 8;

	return bytes[BITS_OFFSET + number / 8] >> shift & 1;
}

size_t uev_attr_size(const void *bytes, bool big)
{
	const uint8_t *at = bytes;
	uint32_t size =
		uev_get32(at + offsetof(struct perf_event_attr, size), big);

	return size ? size : UEV_ATTR_SIZE_MIN;
}

void uev_attr_read(struct uev_attr *attr, const void *bytes, size_t size,
		   bool big)
{
	const uint8_t *at = bytes;
	size_t clockid = offsetof(struct perf_event_attr, clockid);

	attr->type =
		uev_get32(at + offsetof(struct perf_event_attr, type), big);
	attr->config =
		uev_get64(at + offsetof(struct perf_event_attr, config), big);
	attr->sample_type = uev_get64(
		at + offsetof(struct perf_event_attr, sample_type), big);
	attr->read_format = uev_get64(
		at + offsetof(struct perf_event_attr, read_format), big);
	attr->sample_id_all = bit(at, BIT_SAMPLE_ID_ALL, big);
	attr->use_clockid = false;
	attr->clockid = 0;

	if (size >= clockid + sizeof(uint32_t)) {
		attr->use_clockid = bit(at, BIT_USE_CLOCKID, big);
		attr->clockid = (int32_t)uev_get32(at + clockid, big);
	}
}
