/* SPDX-License-Identifier: MIT */
/*
 * user-events: perf.data while it is recorded.
 *
 * However the program ends, unless it is killed outright, there is a whole file
 * or none.
 */
#ifndef USER_EVENTS_CAPTURE_FILE_H
#define USER_EVENTS_CAPTURE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <userevents/session.h>

#include "capture/names.h"

/*
 * struct capture_file - a file that is being written
 * @path: what it will be called; the caller's
 * @names: of threads of which the kernel told none
 * @records: that are in it; @skipped: that could not be
 */
struct capture_file {
	const char *path;
	struct uev_perf_writer *writer;
	struct capture_names names;
	uint64_t records;
	uint64_t skipped;
};

/*
 * capture_file_open() - begins a file
 * capture_file_write() - writes all records that are ready
 * capture_file_finish() - says what was lost, and makes the file whole
 * @lost: in all, as far as the file has not told it
 * Return: an exit status; after another than TOOL_OK, of which they have said
 * why, there is no file
 */
int capture_file_open(struct capture_file *file, const char *path,
		      const struct uev_session *session);
int capture_file_write(struct capture_file *file, struct uev_session *session);
int capture_file_finish(struct capture_file *file,
			const struct uev_session *session, uint64_t lost);

/* Leaves no file; nothing if there is none. */
void capture_file_discard(struct capture_file *file);

/*
 * capture_file_name() - what perf calls the files of a recording that is cut
 * into pieces: the path, a point, and the time as YYYYMMDDHHMMSSCC
 * @tries: so many hundredths of a second later
 * Return: the caller's to free()
 */
char *capture_file_name(const char *path, const struct timespec *time,
			unsigned int tries);

#endif
