/* SPDX-License-Identifier: MIT */
/*
 * user-events: reads trace.dat of trace-cmd, versions 6 and 7.
 *
 * It is read here, and not with libtracecmd, because a file can be anything: of
 * what is wrong with it the caller is told, it is left out and counted, and
 * memory does not grow with it. See trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5).
 */
#ifndef USER_EVENTS_FORMATS_TRACE_DAT_H
#define USER_EVENTS_FORMATS_TRACE_DAT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

struct trace_dat;

/*
 * struct trace_dat_info - what a file says of itself
 * @version: 6 or 7
 * @is_foreign: the machine had the other byte order
 * @long_size: bytes of a long of its kernel; 0 where it does not tell
 */
struct trace_dat_info {
	unsigned int version;
	bool is_foreign;
	uint8_t long_size;
};

/* Whether a file that begins with @size bytes, at least 10, may be one. */
bool trace_dat_is(const void *bytes, size_t size);

/*
 * trace_dat_open() - reads all but the records
 * @fd: a file that can be read at any offset; it stays the caller's
 * @problem: called for what is wrong, with where in the file it is and a
 *	sentence without an end of line
 * @data: its first parameter
 * Return: 0, -EBADMSG for what is no such file, or has nothing that can be read,
 * having said why; what read(2) answers. Without memory the program ends.
 */
int trace_dat_open(struct trace_dat **opened, int fd,
		   void (*problem)(void *data, uint64_t offset,
				   const char *reason),
		   void *data);
void trace_dat_close(struct trace_dat *dat);

/*
 * trace_dat_next() - the next record of all processors, in order of time
 *
 * A record knows its thread only, not its process: its pid is that, too.
 *
 * Return: 1, 0 at the end, or what read(2) answers
 */
int trace_dat_next(struct trace_dat *dat, const struct uev_sample **record);

const struct trace_dat_info *trace_dat_info(const struct trace_dat *dat);

/* The name of a thread, or NULL. */
const char *trace_dat_comm(const struct trace_dat *dat, uint32_t tid);

/* As uev_perf_reader_counts() and uev_perf_reader_offset() have them. */
void trace_dat_counts(const struct trace_dat *dat, struct uev_counts *counts);
uint64_t trace_dat_offset(const struct trace_dat *dat, uint64_t *size);

/* Where in the file the record is, or the compressed part that it is in. */
uint64_t trace_dat_record_offset(const struct trace_dat *dat);

#endif
