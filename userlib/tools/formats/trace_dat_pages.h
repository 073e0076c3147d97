/* SPDX-License-Identifier: MIT */
/*
 * user-events: pages of the ring buffer of ftrace, as trace.dat has them: those
 * of one processor, record by record.
 */
#ifndef USER_EVENTS_FORMATS_TRACE_DAT_PAGES_H
#define USER_EVENTS_FORMATS_TRACE_DAT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a page may have. */
#define DAT_PAGE_MIN 64
#define DAT_PAGE_MAX ((size_t)1 << 20)

/* Called for what is wrong, with where in the file and a sentence. */
struct dat_problems {
	void (*report)(void *data, uint64_t offset, const char *reason);
	void *data;
	uint64_t corrupt;
};

/*
 * struct dat_pages - the pages of a processor, and the record that is next
 * @fd: the file
 * @big: the order of its bytes
 * @long_size: bytes of a long of its kernel
 * @page_size: bytes of a page
 * @cpu: the processor
 * @is_compressed: they are in chunks
 * @offset, @end: what is left of them in the file
 * @chunks: that are left
 * @buffer: pages that were read
 * @room: bytes of @buffer
 * @filled: bytes of pages in it
 * @where: where in the file @buffer is from
 * @page: where in @buffer the page is
 * @at, @until: where in @buffer what is left of its records is
 * @lost: records that are missing in front of the pages so far
 * @record, @size: the record that is next, valid while @has_record
 * @time: its time
 * @error: what read(2) answered; then nothing more comes
 */
struct dat_pages {
	int fd;
	bool big;
	uint8_t long_size;
	size_t page_size;
	uint32_t cpu;
	bool is_compressed;
	uint64_t offset;
	uint64_t end;
	uint32_t chunks;
	uint8_t *buffer;
	size_t room;
	size_t filled;
	uint64_t where;
	size_t page;
	size_t at;
	size_t until;
	uint64_t lost;
	const uint8_t *record;
	uint32_t size;
	uint64_t time;
	bool has_record;
	int error;
};

/* Begins with what is set up to @end. What is wrong is told. */
void dat_pages_begin(struct dat_pages *pages, struct dat_problems *problems);
void dat_pages_end(struct dat_pages *pages);

/* Goes on to the next record, if there is one. */
void dat_pages_next(struct dat_pages *pages, struct dat_problems *problems);

/* Where in the file the record is, or the chunk that it is in. */
uint64_t dat_pages_where(const struct dat_pages *pages);

#endif
