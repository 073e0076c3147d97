// SPDX-License-Identifier: MIT
#include "formats/trace_dat_pages.h"

#include <stdlib.h>

#include "util/bytes.h"
#include "files.h"
#include "tool.h"
#include "formats/trace_dat_bytes.h"

/* Pages that are read at once, and maximum pages of a chunk. */
#define READ_SIZE ((size_t)64 * 1024)
#define CHUNK_MAX ((size_t)16 << 20)
/* Maximum memory of the pages of all processors. */
#define PAGES_MAX ((size_t)512 << 20)

/* Bits of the commit field of a page: size, and missing records. */
#define COMMIT_SIZE 0xfffff
#define COMMIT_MISSED (1U << 31)
#define COMMIT_COUNTED (1U << 30)

/* Kinds of entries: up to 28 it is the number of words of the record. */
#define WORDS_MAX 28
#define PADDING 29
#define TIME_EXTEND 30
#define TIME_STAMP 31

/* Fields of a word: the kind, and the time since the previous entry. */
#define KIND_BITS 5
#define DELTA_BITS 27
#define DELTA_MASK ((1U << DELTA_BITS) - 1)

/* Bits of an absolute time; the upper bits are kept. */
#define STAMP_BITS 59

static void report_problem(struct dat_problems *problems, uint64_t offset,
			   const char *reason)
{
	problems->corrupt++;
	problems->report(problems->data, offset, reason);
}

uint64_t dat_pages_where(const struct dat_pages *pages)
{
	return pages->is_compressed ? pages->where
				    : pages->where + (uint64_t)(pages->record -
								pages->buffer);
}

/* ---- Pages of the file ---- */

static const char too_many[] = "too many buffers";

/* Return: whether all buffers are within their limit. */
static bool make_room(struct dat_pages *pages, struct dat_problems *problems,
		      size_t size)
{
	if (size <= pages->room)
		return true;
	if (size - pages->room > PAGES_MAX - problems->memory)
		return false;
	problems->memory += size - pages->room;
	pages->buffer = tool_grow(pages->buffer, size);
	pages->room = size;

	return true;
}

static void free_room(struct dat_pages *pages, struct dat_problems *problems)
{
	problems->memory -= pages->room;
	pages->room = 0;
	dat_pages_end(pages);
}

static bool read_at(struct dat_pages *pages, void *to, size_t size,
		    uint64_t offset)
{
	int ret = files_read_at(pages->fd, to, size, offset);

	if (ret < 0)
		pages->error = ret;

	return ret > 0;
}

/* Return: NULL or the error. */
static const char *read_chunk(struct dat_pages *pages,
			      struct dat_problems *problems)
{
	_cleanup_free_ uint8_t *bytes = NULL;
	uint32_t packed, size;
	uint8_t head[8];

	if (pages->end - pages->offset < sizeof(head) ||
	    !read_at(pages, head, sizeof(head), pages->offset))
		return "truncated compressed data";
	packed = uev_get32(head, pages->big);
	size = uev_get32(head + 4, pages->big);
	if (!size || size > CHUNK_MAX || packed > CHUNK_MAX ||
	    size % pages->page_size)
		return "invalid size of compressed data";
	if (packed > pages->end - pages->offset - sizeof(head))
		return "truncated compressed data";

	if (!make_room(pages, problems, size))
		return too_many;
	bytes = tool_alloc(packed);
	if (!read_at(pages, bytes, packed, pages->offset + sizeof(head)) ||
	    !dat_inflate(pages->buffer, size, bytes, packed))
		return "cannot decompress data";
	pages->where = pages->offset;
	pages->offset += sizeof(head) + packed;
	pages->filled = size;
	pages->chunks--;

	return NULL;
}

static const char *read_pages(struct dat_pages *pages,
			      struct dat_problems *problems)
{
	uint64_t left = pages->end - pages->offset;
	size_t size = READ_SIZE / pages->page_size * pages->page_size;

	if (!size)
		size = pages->page_size;
	if (size > left)
		size = (size_t)left / pages->page_size * pages->page_size;
	if (!size)
		return "truncated page";
	if (!make_room(pages, problems, size))
		return too_many;
	if (!read_at(pages, pages->buffer, size, pages->offset))
		return "truncated data";
	pages->where = pages->offset;
	pages->offset += size;
	pages->filled = size;

	return NULL;
}

/* Return: whether there is another page. Otherwise, the memory is freed. */
static bool fill_page(struct dat_pages *pages, struct dat_problems *problems)
{
	const char *reason;

	pages->filled = 0;
	pages->page = 0;
	pages->at = 0;
	pages->until = 0;
	if (!pages->error && pages->offset < pages->end &&
	    (!pages->is_compressed || pages->chunks)) {
		reason = pages->is_compressed ? read_chunk(pages, problems)
					      : read_pages(pages, problems);
		if (!reason)
			return true;
		report_problem(problems, pages->offset, reason);
		pages->offset = pages->end;
	}
	free_room(pages, problems);

	return false;
}

static size_t head_size(const struct dat_pages *pages)
{
	return 8 + (size_t)pages->long_size;
}

/* Returns the number of missing records before a page: 1 if it is not given. */
static uint64_t missed(const struct dat_pages *pages, uint64_t commit)
{
	const uint8_t *at = pages->buffer + pages->until;
	size_t left = pages->page + pages->page_size - pages->until;

	if (!(commit & COMMIT_MISSED))
		return 0;
	if (!(commit & COMMIT_COUNTED) || left < pages->long_size)
		return 1;

	return pages->long_size == 8 ? uev_get64(at, pages->big)
				     : uev_get32(at, pages->big);
}

static void begin_page(struct dat_pages *pages, struct dat_problems *problems)
{
	const uint8_t *page = pages->buffer + pages->page;
	size_t room = pages->page_size - head_size(pages);
	uint64_t commit;

	pages->time = uev_get64(page, pages->big);
	commit = pages->long_size == 8 ? uev_get64(page + 8, pages->big)
				       : uev_get32(page + 8, pages->big);
	pages->at = pages->page + head_size(pages);
	if ((commit & COMMIT_SIZE) > room) {
		report_problem(problems, pages->where + pages->page,
			       "page content exceeds its size");
		pages->until = pages->at;
		return;
	}
	pages->until = pages->at + (size_t)(commit & COMMIT_SIZE);
	pages->lost += missed(pages, commit);
}

/* Return: whether there is a page. */
static bool next_page(struct dat_pages *pages, struct dat_problems *problems)
{
	if (pages->filled - pages->page > pages->page_size)
		pages->page += pages->page_size;
	else if (!fill_page(pages, problems))
		return false;
	begin_page(pages, problems);

	return true;
}

/* ---- Entries of a page ---- */

static uint32_t word_at(const struct dat_pages *pages, size_t at)
{
	return uev_get32(pages->buffer + at, pages->big);
}

static void set_record(struct dat_pages *pages, size_t at, size_t size)
{
	pages->record = pages->buffer + at;
	pages->size = (uint32_t)size;
	pages->has_record = true;
}

static uint64_t stamp(const struct dat_pages *pages, uint64_t low)
{
	const uint64_t mask = (UINT64_C(1) << STAMP_BITS) - 1;

	return (pages->time & ~mask) | (low & mask);
}

/* Return: whether there is a valid entry. */
static bool next_entry(struct dat_pages *pages)
{
	size_t left = pages->until - pages->at;
	uint32_t word, kind, delta, more;
	size_t size;

	if (left < 4)
		return false;
	word = word_at(pages, pages->at);
	kind = pages->big ? word >> DELTA_BITS : word & ((1U << KIND_BITS) - 1);
	delta = pages->big ? word & DELTA_MASK : word >> KIND_BITS;
	if (kind && kind <= WORDS_MAX) {
		size = (size_t)kind * 4;
		if (size > left - 4)
			return false;
		pages->time += delta;
		set_record(pages, pages->at + 4, size);
		pages->at += 4 + size;
		return true;
	}

	if (left < 8)
		return false;
	more = word_at(pages, pages->at + 4);
	switch (kind) {
	case TIME_EXTEND:
		pages->time += ((uint64_t)more << DELTA_BITS) + delta;
		pages->at += 8;
		return true;
	case TIME_STAMP:
		pages->time =
			stamp(pages, ((uint64_t)more << DELTA_BITS) + delta);
		pages->at += 8;
		return true;
	default:
		/* The size includes its own word. */
		size = ((size_t)more + 3) & ~(size_t)3;
		if (size < 4 || size > left - 4)
			return false;
		pages->time += delta;
		if (kind != PADDING && more > 4)
			set_record(pages, pages->at + 8, more - 4);
		pages->at += 4 + size;
		return true;
	}
}

/* Padding without a time is the rest of the page. */
static bool is_rest(const struct dat_pages *pages)
{
	uint32_t word;

	if (pages->until - pages->at < 4)
		return pages->until == pages->at;
	word = word_at(pages, pages->at);

	return word == (pages->big ? (uint32_t)PADDING << DELTA_BITS : PADDING);
}

void dat_pages_next(struct dat_pages *pages, struct dat_problems *problems)
{
	pages->has_record = false;
	while (!pages->has_record) {
		if (is_rest(pages)) {
			if (!next_page(pages, problems))
				return;
		} else if (!next_entry(pages)) {
			report_problem(problems, pages->where + pages->at,
				       "entry exceeds its page");
			pages->at = pages->until;
		}
	}
}

void dat_pages_begin(struct dat_pages *pages, struct dat_problems *problems)
{
	uint8_t count[4];

	if (pages->is_compressed && pages->end > pages->offset) {
		/* They are shorter only if the file ends. */
		if (!read_at(pages, count, sizeof(count), pages->offset)) {
			report_problem(problems, pages->offset,
				       "truncated data");
			pages->offset = pages->end;
			return;
		}
		pages->chunks = uev_get32(count, pages->big);
		pages->offset += sizeof(count);
	}
	dat_pages_next(pages, problems);
}

void dat_pages_end(struct dat_pages *pages)
{
	free(pages->buffer);
	pages->buffer = NULL;
}
