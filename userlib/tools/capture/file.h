/* SPDX-License-Identifier: MIT */
/*
 * user-events: recording to perf.data.
 *
 * The file has a temporary name until it is complete. It keeps that name, and
 * its records, if the program is killed or the disk is full.
 */
#ifndef USER_EVENTS_CAPTURE_FILE_H
#define USER_EVENTS_CAPTURE_FILE_H

#include <stdint.h>
#include <time.h>

#include <userevents/session.h>

#include "formats/format.h"

/*
 * struct capture_file - A file that is being written
 * @path: path of the complete file; owned by the caller
 * @stacks: UEV_SESSION_STACKS, UEV_SESSION_KERNEL_STACKS, or both, if it has
 *        stacks of records
 * @records: number of written records; @skipped: number of rejected records
 */
struct capture_file {
	const char *path;
	struct uev_perf_writer *writer;
	unsigned int stacks;
	uint64_t records;
	uint64_t skipped;
};

/*
 * capture_file_open() - Creates a file
 * capture_file_add() - Writes a record, with the name of its thread and mappings
 * capture_file_loss() - Writes why records were lost
 * capture_file_end_round() - Ends the records that were ready together, by which
 * readers sort them
 * capture_file_finish() - Completes the file
 * @stacks: as in struct capture_file
 * Return: an exit status; on error it is printed
 */
int capture_file_open(struct capture_file *file, const char *path,
		      const struct uev_session *session, unsigned int stacks);
int capture_file_add(struct capture_file *file,
		     const struct format_record *record);
int capture_file_loss(struct capture_file *file, const struct uev_loss *loss);
int capture_file_end_round(struct capture_file *file);
int capture_file_finish(struct capture_file *file,
			const struct uev_session *session);

/* Returns the bytes that are written so far. */
uint64_t capture_file_size(const struct capture_file *file);

/* Removes the file, if there is one. */
void capture_file_discard(struct capture_file *file);

/*
 * capture_file_name() - Makes a file name as perf record --switch-output does:
 * the path, a dot, and the time as YYYYMMDDHHMMSSCC
 * @tries: hundredths of a second to add
 * Return: the name, for free()
 */
char *capture_file_name(const char *path, const struct timespec *time,
			unsigned int tries);

#endif
