/* SPDX-License-Identifier: MIT */
/*
 * A fake perf that replaces src/util/sys_perf.c.
 *
 * Processors have rings in memory, events are the arguments of
 * perf_event_open(), and files are real: /sys/ and /proc/ are below a directory
 * of the test.
 */
#ifndef FAKE_SYS_PERF_H
#define FAKE_SYS_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/perf_event.h>

/* Base of descriptors of events, higher than those of files. */
#define FAKE_FD 10000
#define FAKE_EVENTS 256
/* The only address of stacks. */
#define FAKE_ADDRESS 0x401234

/*
 * An event that is or was open.
 * @output: the event whose ring it writes to
 * @map: its ring, with the control page
 * @removed: when its processor went offline; 0: it did not
 */
struct fake_event {
	bool open;
	bool enabled;
	bool paused;
	struct perf_event_attr attr;
	pid_t pid;
	int cpu;
	unsigned long flags;
	struct fake_event *output;
	char filter[64];
	uint8_t *map;
	size_t map_size;
	bool writable;
	uint64_t hits;
	uint64_t lost;
	uint64_t unsaid;
	uint64_t removed;
};

/*
 * @root: directory of /sys and /proc
 * @events: @event_count events in the order of opening
 * @no_lost: as a kernel before 6.0
 * @offline: a processor that perf_event_open() rejects
 * @missing: ID of a tracepoint that does not exist
 * @denied: error of opening any tracepoint, or 0
 * @no_comms: names of threads are denied
 * @no_cgroup: the directory is not a cgroup of perf
 * @no_random: there are no random numbers
 * @pause: nanoseconds for which the process stops before it reads how long an event
 *        was enabled, once
 * @wait_us: microseconds for which each perf_event_open() and read() of an event
 *        sleeps
 * @bytes_read: sum of all reads
 * @at_most: maximum bytes of a read or write, 0: unlimited
 * @calls: number of calls so far that can fail
 * @fail_at: number of the call that fails, from 1; 0: none
 * @fail_with: its error
 * @open_fds, @maps: descriptors and mappings that were not released
 * @waits: number of descriptors that were added to an epoll
 */
extern struct fake_perf {
	char root[64];
	struct fake_event events[FAKE_EVENTS];
	int event_count;
	bool no_lost;
	uint64_t pause;
	unsigned int wait_us;
	int offline;
	uint32_t missing;
	int denied;
	bool no_comms;
	bool no_cgroup;
	bool no_random;
	uint64_t bytes_read;
	size_t at_most;
	unsigned int calls;
	unsigned int fail_at;
	int fail_with;
	int open_fds;
	int maps;
	int waits;
	uint64_t time;
} fake_perf;

/* A kernel without events, with an empty directory for a root. */
void fake_perf_begin(void);

/* Removes the directory. */
void fake_perf_end(void);

/* Makes a file below the root, and the directories that it needs. */
void fake_perf_file(const char *path, const char *text);
void fake_perf_remove(const char *path);

/*
 * fake_perf_time_namespace() - Sets the time namespace of new child processes
 * @offsets: content of /proc/self/timens_offsets
 * @is_own: this process is in it, too
 */
void fake_perf_time_namespace(const char *offsets, bool is_own);

/* Makes the files of an event. */
void fake_perf_tracepoint(const char *system, const char *name, uint32_t id);

/* How many events with an attribute like this are open. */
int fake_perf_open_events(uint32_t type, uint64_t config);

/* The open event of a tracepoint on a processor, or NULL. */
struct fake_event *fake_perf_find(uint64_t config, int cpu);

/* The open event that owns the ring of a processor, or NULL. */
struct fake_event *fake_perf_owner(int cpu);

/* Returns the open event for names on a processor, or NULL. */
struct fake_event *fake_perf_names(int cpu);

/*
 * Names a thread or creates another one, on a processor with an open event for
 * names.
 *
 * Return: whether a record was written
 */
bool fake_perf_comm(int cpu, uint64_t time, uint32_t tid, const char *name);
bool fake_perf_fork(int cpu, uint64_t time, uint32_t tid, uint32_t maker);

/*
 * Makes an event occur: all open events on @cpu get a record with @size raw
 * bytes.
 *
 * Return: whether a record was written
 */
bool fake_perf_emit(uint64_t config, int cpu, uint64_t time, const void *raw,
		    uint32_t size);

/*
 * A processor goes offline and online again, which ends its events of all
 * processes, and then @nanoseconds pass.
 */
void fake_perf_restart(int cpu, uint64_t nanoseconds);

/* Writes any bytes as the next record of a ring. Return: whether there was room */
bool fake_perf_write(struct fake_event *owner, const void *record, size_t size);

/* Returns the ID of an event. */
uint64_t fake_perf_id(const struct fake_event *event);

#endif
