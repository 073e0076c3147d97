/* SPDX-License-Identifier: MIT */
/*
 * user-events: perf.data while it is recorded.
 *
 * However the program ends, unless it is killed outright, there is a whole file
 * or none.
 */
#ifndef USER_EVENTS_LIVE_FILE_H
#define USER_EVENTS_LIVE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <userevents/session.h>

#include "capture/names.h"

/*
 * struct live_file - a file that is being written
 * @path: what it will be called; the caller's
 * @names: of threads of which the kernel told none
 * @records: that are in it; @skipped: that could not be
 */
struct live_file {
	const char *path;
	struct uev_perf_writer *writer;
	struct live_names names;
	uint64_t records;
	uint64_t skipped;
};

/*
 * live_file_open() - begins a file
 * live_file_take() - writes all records that are ready
 * live_file_finish() - says what was lost up to now, and makes the file whole
 * @lost: in all, as far as the file has not told it
 * Return: an exit status; after another than TOOL_OK, of which they have said
 * why, there is no file
 */
int live_file_open(struct live_file *file, const char *path,
		   const struct uev_session *session);
int live_file_take(struct live_file *file, struct uev_session *session);
int live_file_finish(struct live_file *file, const struct uev_session *session,
		     uint64_t lost);

/* Leaves no file; nothing if there is none. */
void live_file_discard(struct live_file *file);

/*
 * live_file_name() - what perf calls the files of a recording that is cut into
 * pieces: the path, a point, and the time as YYYYMMDDHHMMSSCC
 * @tries: so many hundredths of a second later
 * Return: the caller's to free()
 */
char *live_file_name(const char *path, const struct timespec *time,
		     unsigned int tries);

#endif
