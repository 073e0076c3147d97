/* SPDX-License-Identifier: MIT */
/*
 * user-events: ring buffer pages of one processor in trace.dat, record by
 * record.
 */
#ifndef USER_EVENTS_FORMATS_TRACE_DAT_PAGES_H
#define USER_EVENTS_FORMATS_TRACE_DAT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of a page. */
#define DAT_PAGE_MIN 64
#define DAT_PAGE_MAX ((size_t)1 << 20)

/*
 * struct dat_problems - Problems and limits of all processors of a file
 * @report: called for each problem with its offset and a reason
 * @memory: bytes of the buffers of all processors
 */
struct dat_problems {
	void (*report)(void *data, uint64_t offset, const char *reason);
	void *data;
	uint64_t corrupt;
	size_t memory;
};

/*
 * struct dat_pages - The pages of a processor, and its next record
 * @fd: the file
 * @big: it is big-endian
 * @long_size: bytes of a long of its kernel
 * @page_size: bytes of a page
 * @cpu: the processor
 * @is_compressed: they are in chunks
 * @offset, @end: the remaining part in the file
 * @chunks: number of remaining chunks
 * @buffer: pages that were read
 * @room: bytes of @buffer
 * @filled: bytes of pages in it
 * @where: offset of @buffer in the file
 * @page: position of the page in @buffer
 * @at, @until: positions of its remaining records in @buffer
 * @lost: number of missing records before @record that its reader has not taken
 * @record, @size: the next record, valid if @has_record
 * @time: its time
 * @error: error of read(2); nothing is read after it
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

/* Starts with the members up to @end set. Problems are reported. */
void dat_pages_begin(struct dat_pages *pages, struct dat_problems *problems);
void dat_pages_end(struct dat_pages *pages);

/* Advances to the next record, if there is one. */
void dat_pages_next(struct dat_pages *pages, struct dat_problems *problems);

/* Returns the offset of the record in the file, or of its chunk. */
uint64_t dat_pages_where(const struct dat_pages *pages);

#endif
