// SPDX-License-Identifier: MIT
#include "perf/sample.h"

#include <linux/perf_event.h>

#include "util/bytes.h"

/* Remaining bytes of a record. */
struct cursor {
	const uint8_t *at;
	size_t left;
	bool big;
	bool failed;
};

static struct cursor cursor_in(const void *sample, size_t size, bool big)
{
	return (struct cursor){
		.at = (const uint8_t *)sample + UEV_PERF_HEADER_SIZE,
		.left = size - UEV_PERF_HEADER_SIZE,
		.big = big,
	};
}

static const uint8_t *take(struct cursor *cursor, uint64_t size)
{
	const uint8_t *at = cursor->at;

	if (size > cursor->left) {
		cursor->failed = true;
		return NULL;
	}
	cursor->at += size;
	cursor->left -= size;

	return at;
}

static uint64_t take64(struct cursor *cursor)
{
	const uint8_t *at = take(cursor, sizeof(uint64_t));

	return at ? uev_get64(at, cursor->big) : 0;
}

static uint32_t take32(struct cursor *cursor)
{
	const uint8_t *at = take(cursor, sizeof(uint32_t));

	return at ? uev_get32(at, cursor->big) : 0;
}

/* Skips a counted number of words. */
static void skip_words(struct cursor *cursor, uint64_t count)
{
	if (count > cursor->left / sizeof(uint64_t))
		cursor->failed = true;
	else
		take(cursor, count * sizeof(uint64_t));
}

static void skip_read(struct cursor *cursor, uint64_t format)
{
	bool group = format & PERF_FORMAT_GROUP;
	uint64_t count = group ? take64(cursor) : 1;
	uint64_t words = 1;

	words += !!(format & PERF_FORMAT_ID);
	words += !!(format & PERF_FORMAT_LOST);
	skip_words(cursor, !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED));
	skip_words(cursor, !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING));
	if (count > cursor->left)
		cursor->failed = true;
	else
		skip_words(cursor, count * words);
}

bool uev_sample_id(const struct uev_attr *attr, const void *sample, size_t size,
		   bool big, uint64_t *id)
{
	struct cursor cursor = cursor_in(sample, size, big);
	uint64_t type = attr->sample_type;

	if (!(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)))
		return false;
	if (!(type & PERF_SAMPLE_IDENTIFIER)) {
		skip_words(&cursor, !!(type & PERF_SAMPLE_IP));
		skip_words(&cursor, !!(type & PERF_SAMPLE_TID));
		skip_words(&cursor, !!(type & PERF_SAMPLE_TIME));
		skip_words(&cursor, !!(type & PERF_SAMPLE_ADDR));
	}
	*id = take64(&cursor);

	return !cursor.failed;
}

size_t uev_sample_id_size(const struct uev_attr *attr)
{
	static const uint64_t members = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
					PERF_SAMPLE_CPU |
					PERF_SAMPLE_IDENTIFIER;

	if (!attr->sample_id_all)
		return 0;

	return (size_t)__builtin_popcountll(attr->sample_type & members) *
	       sizeof(uint64_t);
}

bool uev_sample_id_time(const struct uev_attr *attr, const void *trailer,
			bool big, uint64_t *time)
{
	const uint8_t *at = trailer;

	if (!attr->sample_id_all || !(attr->sample_type & PERF_SAMPLE_TIME))
		return false;
	if (attr->sample_type & PERF_SAMPLE_TID)
		at += sizeof(uint64_t);
	*time = uev_get64(at, big);

	return true;
}

bool uev_sample_id_cpu(const struct uev_attr *attr, const void *trailer,
		       bool big, uint32_t *cpu)
{
	static const uint64_t before = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
	const uint8_t *at = trailer;

	if (!attr->sample_id_all || !(attr->sample_type & PERF_SAMPLE_CPU))
		return false;
	at += (size_t)__builtin_popcountll(attr->sample_type & before) *
	      sizeof(uint64_t);
	*cpu = uev_get32(at, big);

	return true;
}

/* A sample has at most UINT16_MAX bytes. */
static void take_stack(struct cursor *cursor, struct uev_sample *record)
{
	uint64_t count = take64(cursor);

	record->stack = (const void *)cursor->at;
	skip_words(cursor, count);
	if (cursor->failed || !count)
		record->stack = NULL;
	else
		record->stack_size = (uint32_t)count;
}

const char *uev_sample_read(struct uev_sample *record,
			    const struct uev_attr *attr, const void *sample,
			    size_t size, bool big)
{
	struct cursor cursor = cursor_in(sample, size, big);
	uint64_t type = attr->sample_type;

	*record = (struct uev_sample){
		.flags = big == uev_host_is_big() ? 0 : UEV_IS_FOREIGN,
	};

	if (type & PERF_SAMPLE_IDENTIFIER)
		record->id = take64(&cursor);
	skip_words(&cursor, !!(type & PERF_SAMPLE_IP));
	if (type & PERF_SAMPLE_TID) {
		record->pid = take32(&cursor);
		record->tid = take32(&cursor);
		record->flags |= UEV_HAS_TID;
	}
	if (type & PERF_SAMPLE_TIME) {
		record->time = take64(&cursor);
		record->flags |= UEV_HAS_TIME;
	}
	skip_words(&cursor, !!(type & PERF_SAMPLE_ADDR));
	if (type & PERF_SAMPLE_ID)
		record->id = take64(&cursor);
	skip_words(&cursor, !!(type & PERF_SAMPLE_STREAM_ID));
	if (type & PERF_SAMPLE_CPU) {
		record->cpu = take32(&cursor);
		take32(&cursor);
		record->flags |= UEV_HAS_CPU;
	}
	skip_words(&cursor, !!(type & PERF_SAMPLE_PERIOD));
	if (type & PERF_SAMPLE_READ)
		skip_read(&cursor, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_stack(&cursor, record);
	if (type & PERF_SAMPLE_RAW) {
		record->raw_size = take32(&cursor);
		record->raw = take(&cursor, record->raw_size);
	}

	if (cursor.failed)
		return "truncated sample";

	return NULL;
}
