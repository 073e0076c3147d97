/* SPDX-License-Identifier: MIT */
/*
 * user-events: a flight recorder: an instance of ftrace that records without a
 * process.
 *
 * Its directory has a state file and, after the first dump, the pages that were
 * moved out of the kernel. An instance without this state was made by others:
 * nothing here changes it, except that flight_open_instance() is for reading its
 * records, which removes them.
 *
 * Functions that return an exit status print their errors.
 */
#ifndef USER_EVENTS_FLIGHT_FLIGHT_H
#define USER_EVENTS_FLIGHT_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

#include "tool.h"

/* Directories of flight recorders: until the next boot, and beyond it */
#define FLIGHT_VOLATILE "/run/user-events/flight"
#define FLIGHT_PERSISTENT "/var/lib/user-events/flight"

/*
 * enum flight_condition - What became of the instance
 * @FLIGHT_RECORDING: it records
 * @FLIGHT_STOPPED: it exists, and tracing_on is 0
 * @FLIGHT_EARLIER: it is in persistent memory, with records of an earlier boot
 * @FLIGHT_GONE: it was removed, and possibly made again, by others, or by a boot
 */
enum flight_condition {
	FLIGHT_RECORDING,
	FLIGHT_STOPPED,
	FLIGHT_EARLIER,
	FLIGHT_GONE,
};

/*
 * struct flight - A flight recorder
 * @name: its name, which is that of the instance
 * @tracefs: path of tracefs
 * @instance: path of the instance
 * @directory: path of its directory
 * @is_persistent: the instance is in memory that a boot does not clear, and was
 *        made by the kernel
 * @is_foreign: others made the instance; it has no directory
 * @inode: of the instance
 * @size: bytes of the buffers of all processors
 * @on: "EVENT" or "EVENT: FILTER", which takes a snapshot; NULL: none
 * @has_dates: @clock is valid
 * @clock: converts times of records to dates
 * @condition: of the instance, when it was read
 */
struct flight {
	char *name;
	char *tracefs;
	char *instance;
	char *directory;
	bool is_persistent;
	bool is_foreign;
	uint64_t inode;
	uint64_t size;
	char *on;
	bool has_dates;
	struct uev_clock clock;
	enum flight_condition condition;
};

/*
 * flight_name_check() - Tests whether a name can be that of a flight recorder
 * Return: NULL, or the reason
 */
const char *flight_name_check(const char *name);

/*
 * flight_name_require() - Reports a name that cannot be that of a flight recorder
 * Return: TOOL_OK or TOOL_USAGE
 */
int flight_name_require(const struct tool_command *command, const char *name);

/*
 * flight_init() - Sets the name and the paths
 * @tracefs: path of tracefs, copied
 */
void flight_init(struct flight *flight, const char *tracefs, const char *name);

/* flight_find() - The same, with the tracefs that is mounted. Return: an exit status */
int flight_find(struct flight *flight, const char *name);

/*
 * flight_read() - Reads the state
 *
 * Return: 0; -ENOENT if there is none, so that an instance of this name was made
 * by others; or another error. The paths are set.
 */
int flight_read(struct flight *flight);

/*
 * flight_clock_name() - Returns the clock of a recorder as trace_clock has it:
 * CLOCK_MONOTONIC, or the local clock, which is UEV_CLOCK_PERF here
 */
const char *flight_clock_name(const struct flight *flight);

/* flight_clock_now() - Returns nanoseconds of its clock; 0 if it cannot be read */
uint64_t flight_clock_now(const struct flight *flight);

/* flight_write() - Writes the state into @directory. Return: 0 or -errno */
int flight_write(const struct flight *flight);

/*
 * flight_open() - Reads the state of an existing flight recorder
 * Return: an exit status
 */
int flight_open(struct flight *flight, const char *name);

/*
 * flight_open_instance() - Opens an instance that others made
 *
 * Formats of records of an earlier boot are not known, so an instance that can
 * have some is rejected.
 *
 * Return: an exit status
 */
int flight_open_instance(struct flight *flight, const char *name);

void flight_release(struct flight *flight);

/* flight_save() - Copies a file of @from to @directory. Return: 0 or -errno */
int flight_save(const struct flight *flight, const char *from,
		const char *file);

/* flight_is_tracing() - Tests whether tracing_on of the instance is 1 */
bool flight_is_tracing(const struct flight *flight);

/* Returns the number of an inode; 0 if there is none. */
uint64_t flight_inode(const char *path);

/* Returns the path, as for printf(), of a file of the instance; for free(). */
#define flight_path(flight, format, ...) \
	tool_print("%s/" format, (flight)->instance, ##__VA_ARGS__)

/*
 * flight_lock() - Waits for other processes that move pages of the recorder
 * Return: a descriptor, whose close(2) unlocks; or -errno
 */
int flight_lock(const struct flight *flight);

/* Deletes the state and the pages in @directory. Return: 0 or -errno */
int flight_forget(const struct flight *flight);

#endif
