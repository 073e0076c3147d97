/* SPDX-License-Identifier: MIT */
/*
 * user-events: reader of trace.dat of trace-cmd, versions 6 and 7.
 *
 * It does not use libtracecmd, because files are untrusted: malformed data is
 * reported, skipped and counted, and memory is independent of the size of the
 * file. See trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5).
 */
#ifndef USER_EVENTS_FORMATS_TRACE_DAT_H
#define USER_EVENTS_FORMATS_TRACE_DAT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

struct trace_dat;

/* Called for each problem: its offset, and a reason without a newline */
typedef void (*trace_problem)(void *data, uint64_t offset, const char *reason);

/*
 * struct trace_dat_info - Description of a file
 * @version: 6 or 7
 * @is_foreign: the machine has the other byte order
 * @long_size: bytes of a long of its kernel; 0 if unknown
 * @host: name of the machine; "" if unknown
 * @clock: name of the clock in tracefs, such as "local"
 * @is_shifted: times were shifted to those of another clock
 * @is_wall: times are nanoseconds since 1970 (trace-cmd record --date)
 */
struct trace_dat_info {
	unsigned int version;
	bool is_foreign;
	uint8_t long_size;
	char host[65];
	char clock[16];
	bool is_shifted;
	bool is_wall;
};

/*
 * Tests whether a file that starts with @size bytes, at least 10, can be one.
 */
bool trace_dat_is(const void *bytes, size_t size);

/*
 * trace_dat_open() - Reads everything but the records
 * @fd: a file that can be read at any offset; owned by the caller
 * @problem: called for each problem, with @data
 * Return: 0; -EBADMSG if it is another kind of file or not readable, with the
 * reason printed; or an error of read(2). Exits without memory.
 */
int trace_dat_open(struct trace_dat **opened, int fd, trace_problem problem,
		   void *data);
void trace_dat_close(struct trace_dat *dat);

/*
 * trace_dat_set_pages() - Adds pages of a processor, or continues with others
 * @cpu: the processor; all records of its previous pages were returned
 * @fd: the file with the pages, owned by the caller
 * @offset, @end: where they are
 * @page_size: bytes of a page
 */
void trace_dat_set_pages(struct trace_dat *dat, uint32_t cpu, int fd,
			 uint64_t offset, uint64_t end, uint32_t page_size);

/*
 * trace_dat_next() - Gets the next record of all processors, ordered by time
 *
 * A record has the ID of its thread only, which is also used as its pid.
 *
 * Return: 1; 0 at the end; or an error of read(2)
 */
int trace_dat_next(struct trace_dat *dat, const struct uev_sample **record);

/*
 * trace_dat_next_loss() - Gets lost records that a record until a time follows on
 * their processor, or that no record has followed so far
 */
bool trace_dat_next_loss(struct trace_dat *dat, uint64_t until,
			 struct uev_loss *loss);

const struct trace_dat_info *trace_dat_info(const struct trace_dat *dat);

/* Calls @each for the events of the file, in any order. */
void trace_dat_sources(const struct trace_dat *dat,
		       void (*each)(void *data,
				    const struct uev_source *source),
		       void *data);

/*
 * trace_dat_set_comms() - Replaces the names of threads
 * @text: the content of saved_cmdlines; the reader changes and frees it
 */
void trace_dat_set_comms(struct trace_dat *dat, char *text);

/* Returns the name of a thread, or NULL. */
const char *trace_dat_comm(const struct trace_dat *dat, uint32_t tid);

/* As uev_perf_reader_stats() and uev_perf_reader_offset(). */
void trace_dat_counts(const struct trace_dat *dat,
		      struct uev_trace_stats *counts);
uint64_t trace_dat_offset(const struct trace_dat *dat, uint64_t *size);

/*
 * Returns the offset of the record in the file, or of its compressed section.
 */
uint64_t trace_dat_record_offset(const struct trace_dat *dat);

#endif
