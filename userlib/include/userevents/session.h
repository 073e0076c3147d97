/* SPDX-License-Identifier: MIT */
/*
 * libuserevents-trace: collection of records from the kernel, and reading and
 * writing of perf.data.
 *
 * A session, a reader or a writer must be used by one thread at a time;
 * different ones are independent. Functions that can fail return a negative
 * errno. The errors below have the meaning given here; other errors of the
 * kernel are passed on.
 */
#ifndef USEREVENTS_SESSION_H
#define USEREVENTS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <userevents/common.h>
#include <userevents/decode.h>

UEV_BEGIN_DECLS

/**
 * uev_trace_version() - Gets the version of the library
 *
 * UEV_VERSION is the version of the headers.
 *
 * Return: UEV_VERSION_OF(major, minor, patch).
 */
UEV_TRACE_API uint32_t uev_trace_version(void);

/**
 * struct uev_source - The event that a record belongs to, usually a tracepoint
 * @system: "user_events"; NULL if it is not a tracepoint
 * @name: never NULL; "" if a file does not have it
 * @format: content of the file "format"; NULL if unknown
 * @format_size: bytes of @format, without the NUL that follows it
 * @id: the "ID:" of the format; 0 if it is not a tracepoint
 * @index: 0, 1, 2, ... in the session or the reader, for arrays of the caller
 * @reserved: 0
 *
 * Belongs to the session or the reader, and is valid until that is closed. One
 * of the caller, for a writer, has zeros in all members that are not set.
 */
struct uev_source {
	const char *system;
	const char *name;
	const char *format;
	size_t format_size;
	uint32_t id;
	uint32_t index;
	uint64_t reserved[4];
};

/**
 * struct uev_sample - A record of an event
 * @source: the event; never NULL
 * @raw: its bytes, starting with the common fields; aligned to 8 bytes
 * @raw_size: bytes of @raw, including up to 7 bytes of padding by perf
 * @flags: UEV_HAS_*, UEV_IS_FOREIGN
 * @time: nanoseconds of the clock of the session or the file
 * @id: ID of the event on its processor in perf
 * @cpu: the processor
 * @pid: the process, in the PID namespace of the collector
 * @tid: the thread, in the PID namespace of the collector
 * @vpid: the process, in its own PID namespace below that of the collector, valid
 *        with UEV_HAS_VPID; see UEV_SESSION_VPIDS
 * @stack_size: number of entries of @stack
 * @stack: return addresses, the innermost call first; NULL without a stack.
 *        uev_stack_is_mark() tells them from PERF_CONTEXT_USER and other marks
 *        of <linux/perf_event.h>, which precede addresses of another kind.
 * @reserved: 0
 *
 * Belongs to the session or the reader, and is valid until the next call with
 * it. One of the caller, for a writer, has zeros in all members that are not
 * set.
 */
struct uev_sample {
	const struct uev_source *source;
	const void *raw;
	uint32_t raw_size;
	uint32_t flags;
	uint64_t time;
	uint64_t id;
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	uint32_t stack_size;
	const uint64_t *stack;
	uint32_t vpid;
	uint32_t reserved;
};

/**
 * uev_stack_is_mark() - Tests whether an entry of a stack is a mark
 * @entry: the entry
 *
 * Return: true for a mark, false for an address.
 */
UEV_INLINE bool uev_stack_is_mark(uint64_t entry)
{
	return entry >= UEV_CAST_(uint64_t, -4095);
}

/**
 * struct uev_mapping - A part of a file in the memory of a process
 * @start: first address
 * @end: first address behind it
 * @offset: offset of @start in the file
 * @path: path of the file in the mount namespace of the process; "//anon",
 *        "[vdso]" and others are not files
 * @inode: number of the file on its device; 0 if unknown
 * @generation: generation of the inode; 0 if unknown
 * @major: major number of the device; 0 if unknown
 * @minor: minor number of the device; 0 if unknown
 * @protection: PROT_* of <sys/mman.h>; 0 if unknown
 * @flags: MAP_* of <sys/mman.h>; 0 if unknown
 * @reserved: 0
 *
 * Belongs to the session or the reader, and is valid until the next call with
 * it. One of the caller, for a writer, has zeros in all members that are not
 * set.
 */
struct uev_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	const char *path;
	uint64_t inode;
	uint64_t generation;
	uint32_t major;
	uint32_t minor;
	uint32_t protection;
	uint32_t flags;
	uint64_t reserved[4];
};

/* The process of the mappings of the kernel and its modules. */
#define UEV_KERNEL_PID UINT32_MAX

/* uev_clock.clockid: the clock of perf, which programs cannot read. */
#define UEV_CLOCK_PERF (-1)

/**
 * struct uev_clock - One moment on two clocks
 * @clockid: CLOCK_MONOTONIC_RAW, ...; or UEV_CLOCK_PERF
 * @reserved: 0
 * @wall: nanoseconds since 1970
 * @clock: nanoseconds of @clockid at that moment, in the initial time namespace
 * @reserved_times: 0
 */
struct uev_clock {
	int32_t clockid;
	uint32_t reserved;
	uint64_t wall;
	uint64_t clock;
	uint64_t reserved_times[2];
};

/**
 * uev_clock_wall() - Converts the time of a record to wall clock time
 * @clock: one moment on both clocks
 * @time: time of the record in ns
 *
 * Return: nanoseconds since 1970.
 */
UEV_INLINE uint64_t uev_clock_wall(const struct uev_clock *clock, uint64_t time)
{
	return clock->wall + (time - clock->clock);
}

#define UEV_LOSS_REASON_SIZE 32

/* The reason of losses that only a buffer of perf has counted. */
#define UEV_LOSS_PERF_BUFFER "perf_buffer"

/**
 * struct uev_loss - Records that were lost for one reason
 * @source: their event; NULL if unknown
 * @count: their number, at least 1
 * @from: time since which they were lost, in ns of the clock of the records; 0 if
 *        unknown
 * @to: time until which they were lost, valid with UEV_HAS_TIME
 * @flags: UEV_HAS_TIME, UEV_HAS_CPU
 * @cpu: the processor, valid with UEV_HAS_CPU
 * @reason: a word of lower-case letters, digits and underscores, with a NUL, such
 *        as UEV_LOSS_PERF_BUFFER or a reason of user_events_profile
 * @reserved: 0
 */
struct uev_loss {
	const struct uev_source *source;
	uint64_t count;
	uint64_t from;
	uint64_t to;
	uint32_t flags;
	uint32_t cpu;
	char reason[UEV_LOSS_REASON_SIZE];
	uint64_t reserved[2];
};

/**
 * struct uev_trace_stats - Counters of records
 * @records: records read
 * @bytes: bytes of @records in the buffers or the file
 * @lost: records that did not fit a buffer, as far as the kernel has reported
 *        them; it does so with the next record that fits the same buffer
 * @throttled: how often the kernel throttled an event
 * @corrupt: malformed records
 * @other: records of other kinds (mappings, exits, ...)
 * @unordered: records that were returned later than their time requires
 * @forks_lost: new threads, names and mappings that did not fit a buffer: events
 *        of new processes can be missing, see UEV_SESSION_INHERIT
 * @interrupted: how often a session was without events of a processor until
 *        uev_session_rescan(), because the processor was offline before, as all
 *        but one are while the machine is suspended; records can be missing
 * @unreadable_maps: processes whose mappings could not be read at the start, with
 *        UEV_SESSION_STACKS: those of others require CAP_SYS_PTRACE
 */
struct uev_trace_stats {
	uint64_t records;
	uint64_t bytes;
	uint64_t lost;
	uint64_t throttled;
	uint64_t corrupt;
	uint64_t other;
	uint64_t unordered;
	uint64_t forks_lost;
	uint64_t interrupted;
	uint64_t unreadable_maps;
};

/* ------------------------------------------------------------------- */

/* Sessions: live collection with one ring buffer per processor. */
struct uev_session;

/* Bits of uev_session_options.flags. */
/* Overwrite the oldest records. Reading takes a snapshot. */
#define UEV_SESSION_OVERWRITE (1U << 0)
/*
 * Also collect from children of @pids, and their children, whether they exist
 * already or are created later. An event that is found while the session runs is
 * collected from all processes, and records of other processes are skipped. This
 * needs the permission to see all threads; without it, such an event is collected
 * from @pids and children that are created after it was found. It takes another
 * buffer of 128 KiB per processor.
 */
#define UEV_SESSION_INHERIT (1U << 1)
/* Also collect the names of threads, for uev_session_comm(). */
#define UEV_SESSION_COMMS (1U << 2)
/*
 * Also collect the stack of the process in user space, and the executable
 * mappings of processes, for uev_session_mapping(). The kernel follows frame
 * pointers: without them (gcc -fno-omit-frame-pointer) calls are missing. It
 * takes another buffer of 512 KiB per processor.
 */
#define UEV_SESSION_STACKS (1U << 3)
/*
 * Also collect the stack of the kernel, which precedes that of the process, or is
 * alone without UEV_SESSION_STACKS. The session has no mappings of the kernel.
 */
#define UEV_SESSION_KERNEL_STACKS (1U << 4)
/*
 * Also set uev_sample.vpid, the PID that a process in a container has there. It is
 * read from /proc with the first record of a process, and about once a second
 * with later ones. A process that has exited before has none.
 */
#define UEV_SESSION_VPIDS (1U << 5)

/**
 * struct uev_session_options - Options of a session
 * @size: sizeof(struct uev_session_options), as compiled
 * @flags: UEV_SESSION_*
 * @buffer_size: bytes per processor, rounded up to 2^n pages; 0: 128 KiB
 * @watermark: bytes in a buffer that make uev_session_fd() readable; 0: an
 *        eighth of the buffer
 * @clockid: clock of the records, or UEV_CLOCK_PERF
 * @cgroup_fd: a directory of cgroupfs, to collect only from its tasks; -1: all
 * @cpus: the processors to collect from; NULL: all online ones
 * @cpu_count: number of @cpus
 * @pids: the processes to collect from, with their current threads; NULL: all
 * @pid_count: number of @pids
 * @tracefs: directory of tracefs; NULL: the usual path
 * @stack_max: maximum addresses of a stack; 0: kernel.perf_event_max_stack. The
 *        kernel rejects more than that with -EOVERFLOW.
 * @reserved: 0
 *
 * Initialize it with UEV_SESSION_OPTIONS_INIT, because zero is not the default
 * of all members. @pids and @cgroup_fd exclude each other. Nothing is used
 * after the call.
 */
struct uev_session_options {
	size_t size;
	unsigned int flags;
	uint32_t buffer_size;
	uint32_t watermark;
	int32_t clockid;
	int32_t cgroup_fd;
	const unsigned int *cpus;
	size_t cpu_count;
	const pid_t *pids;
	size_t pid_count;
	const char *tracefs;
	uint16_t stack_max;
	uint16_t reserved[3];
};

#define UEV_SESSION_OPTIONS_INIT                                              \
	{                                                                     \
		sizeof(struct uev_session_options), 0, 0, 0,                  \
			4 /* MONOTONIC_RAW */, -1, NULL, 0, NULL, 0, NULL, 0, \
		{                                                             \
			0                                                     \
		}                                                             \
	}

/**
 * uev_session_open() - Opens a session and allocates its buffers
 * @session: set to the session, which the caller closes; NULL on error
 * @options: NULL for the defaults
 *
 * The session collects nothing before uev_session_add() and
 * uev_session_start(). Offline processors of @cpus are skipped until
 * uev_session_rescan() finds them online.
 *
 * Return: 0; -EINVAL for options that contradict each other, are invalid or of
 * a newer version of the library; -ENOENT without tracefs; -ENODEV if no
 * processor is online; -ESRCH if no process exists; -EACCES or -EPERM without
 * permission for perf_event_open() or for that much locked memory; -EMFILE;
 * -ENOMEM; ...
 */
UEV_TRACE_API int uev_session_open(struct uev_session **session,
				   const struct uev_session_options *options);

/**
 * uev_session_close() - Frees a session
 * @session: the session, or NULL
 */
UEV_TRACE_API void uev_session_close(struct uev_session *session);

/**
 * uev_session_add() - Adds events to a session
 * @session: the session
 * @pattern: "[SYSTEM:]NAME" with wildcards of fnmatch(3). Without SYSTEM, it
 *        matches events of user_events, and formats of user_events_multi,
 *        NAME.N, by NAME
 * @filter: syntax of the "filter" file of an event, applied by the kernel; or
 *        NULL
 *
 * uev_session_rescan() uses the pattern again. An event is collected once, with
 * the filter of the first pattern that matches it.
 *
 * Return: the number of added events, which can be 0; -EINVAL if the pattern is
 * empty or the kernel rejects the filter; -EACCES without permission; -ENOENT
 * if the cgroup is in a hierarchy without the perf controller; -EMFILE; ... On
 * error the pattern is forgotten, and events that were added before stay.
 */
UEV_TRACE_API int uev_session_add(struct uev_session *session,
				  const char *pattern, const char *filter);

/**
 * uev_session_rescan() - Adds new events and processors
 * @session: the session
 *
 * Call it from time to time, because the kernel does not notify of new events.
 * Events on a processor end when it goes offline, and are opened again once it is
 * online; what is written in between is missed, see
 * uev_trace_stats.interrupted. An event that was deleted and created again is a new source. With
 * UEV_SESSION_COMMS it also reads the buffers of names, which nothing else does
 * between snapshots.
 *
 * Return: the number of added events, or an error of uev_session_add(); the
 * next call then tries the rest again.
 */
UEV_TRACE_API int uev_session_rescan(struct uev_session *session);

/**
 * uev_session_start() - Starts the collection
 * uev_session_stop() - Stops it
 * @session: the session
 *
 * Records in the buffers stay there. Events that are added while the session
 * runs are collected from then on.
 *
 * Return: 0, or an error of the kernel.
 */
UEV_TRACE_API int uev_session_start(struct uev_session *session);
UEV_TRACE_API int uev_session_stop(struct uev_session *session);

/**
 * uev_session_fd() - Gets a file descriptor for poll(2)
 * @session: the session
 *
 * It is readable after a buffer has crossed its watermark, until the next
 * poll(2) or epoll_wait(2). Poll with a timeout, because records below the
 * watermark do not wake it up. The descriptor belongs to the session.
 *
 * Return: the descriptor.
 */
UEV_TRACE_API int uev_session_fd(const struct uev_session *session);

/* Bits for uev_session_read(). */
/* Also returns records that older ones could still precede. */
#define UEV_READ_DRAIN (1U << 0)

/**
 * uev_session_read() - Reads the buffers
 * @session: the session
 * @flags: UEV_READ_*
 *
 * Buffers are read in passes. After a pass, no record can appear that is older
 * than the newest record of the previous pass; uev_session_next() returns the
 * records up to that one, ordered by time. A call makes two passes, so records
 * that were in the buffers at its start are ready when it returns. Records
 * written during the call are ready after the next call, or at once with
 * UEV_READ_DRAIN, which is for the last call after uev_session_stop().
 *
 * While more than twice the size of all buffers is queued, the buffers are not
 * read, and the kernel counts the records that it loses.
 *
 * In a session with UEV_SESSION_OVERWRITE all buffers are paused, read and
 * resumed. All records since the last call that were not overwritten are ready.
 * Records written during the pause are lost.
 *
 * Return: the number of ready records; -ENOMEM, or an error of the kernel while
 * pausing; records that could be read are then kept for the next call.
 */
UEV_TRACE_API ssize_t uev_session_read(struct uev_session *session,
				       unsigned int flags);

/**
 * uev_session_next() - Gets the next ready record
 * @session: the session
 * @record: set to the record, which belongs to the session; NULL without one
 *
 * Return: 1, or 0 if no record is ready.
 */
UEV_TRACE_API int uev_session_next(struct uev_session *session,
				   const struct uev_sample **record);

/**
 * uev_session_comm() - Gets the name of a thread
 * @session: the session
 * @tid: usually that of the last record
 *
 * The name is that at the time of the last record, even if the thread has
 * exited since. The kernel reports new threads and new names while the session
 * runs, and /proc has the names of threads that exist at its start. This needs
 * UEV_SESSION_COMMS, which takes another buffer of 128 KiB per processor and
 * the permission to see all threads. A name that does not fit these buffers is
 * missed and counted in uev_trace_stats.forks_lost. Names are kept for the 65536
 * threads that were named or had a record most recently.
 *
 * Return: the name, valid until the next call with the session; NULL if
 * unknown.
 */
UEV_TRACE_API const char *uev_session_comm(const struct uev_session *session,
					   uint32_t tid);

/**
 * uev_session_mapping() - Gets the mapping at an address of a process
 * @session: the session
 * @pid: usually that of the last record
 * @address: usually of its stack
 *
 * The mapping is that at the time of the last record. The kernel reports new
 * mappings while the session runs, and /proc has those that exist at its start.
 * This needs UEV_SESSION_STACKS and the permission to see all processes. A
 * mapping that does not fit the buffers is missed and counted in
 * uev_trace_stats.forks_lost. If the mappings take more than 64 MiB, those of
 * processes that have had no record for longest are forgotten.
 *
 * Return: the mapping, valid until the next call with the session; NULL if
 * unknown.
 */
UEV_TRACE_API const struct uev_mapping *
uev_session_mapping(const struct uev_session *session, uint32_t pid,
		    uint64_t address);

/**
 * uev_session_clock() - Relates the clock of the records to the wall clock
 * @session: the session
 * @clock: set to one moment on both clocks
 *
 * Return: 0; -ENODATA for UEV_CLOCK_PERF.
 */
UEV_TRACE_API int uev_session_clock(const struct uev_session *session,
				    struct uev_clock *clock);

/**
 * uev_session_source() - Gets a source of a session
 * @session: the session
 * @index: 0, 1, 2, ...
 *
 * Return: the source, which belongs to the session; NULL after the last.
 */
UEV_TRACE_API const struct uev_source *
uev_session_source(const struct uev_session *session, uint32_t index);

/**
 * uev_session_stats() - Gets the sums over all buffers since the session was
 * opened
 * @session: the session
 * @counts: receives the counters
 * @size: sizeof(struct uev_trace_stats) when the program was compiled
 *
 * Sets counters that this version of the library does not have to 0.
 */
UEV_TRACE_API void uev_session_stats(const struct uev_session *session,
				     struct uev_trace_stats *counts,
				     size_t size);

/**
 * uev_session_buffer_stats() - Gets the counters of one buffer
 * @session: the session
 * @index: 0, 1, 2, ..., in the order of creation
 * @cpu: set to the processor of the buffer
 * @counts: receives the counters
 * @size: sizeof(struct uev_trace_stats)
 *
 * Return: 0; -ENOENT after the last buffer.
 */
UEV_TRACE_API int uev_session_buffer_stats(const struct uev_session *session,
					   uint32_t index, unsigned int *cpu,
					   struct uev_trace_stats *counts,
					   size_t size);

/**
 * uev_session_source_stats() - Gets the kernel's counters of one event
 * @session: the session
 * @index: index of the source
 * @hits: set to the number of events that passed the filter; with
 *        UEV_SESSION_INHERIT and an event that was found while the session ran,
 *        to the number of its records that uev_session_next() has returned;
 *        before Linux 6.0 and after uev_session_stop(), also of those that it
 *        has not returned, unless UEV_SESSION_OVERWRITE is set
 * @lost: set to the number of these that did not fit the buffers; UINT64_MAX
 *        before Linux 6.0
 *
 * Unlike uev_trace_stats.lost, these counters are exact at any time.
 *
 * Return: 0; -ENOENT after the last source; or an error of read(2).
 */
UEV_TRACE_API int uev_session_source_stats(const struct uev_session *session,
					   uint32_t index, uint64_t *hits,
					   uint64_t *lost);

/**
 * uev_session_source_lost() - Gets the kernel's counter of the lost records of one
 * event on one processor
 * @session: the session
 * @index: index of the source
 * @buffer: index of the buffer, as for uev_session_buffer_stats()
 * @lost: set to the number of records that did not fit the buffer
 *
 * Return: 0; -ENOENT after the last source or buffer; -ENODATA before Linux 6.0;
 * or an error of read(2).
 */
UEV_TRACE_API int uev_session_source_lost(const struct uev_session *session,
					  uint32_t index, uint32_t buffer,
					  uint64_t *lost);

/**
 * uev_session_source_is_late() - Tests whether an event was found after the
 * session had started
 * @session: the session
 * @index: index of the source
 *
 * Records that were written between its registration and the call of
 * uev_session_rescan() that found it are missing and not counted.
 *
 * Return: whether it was; false after the last source.
 */
UEV_TRACE_API bool uev_session_source_is_late(const struct uev_session *session,
					      uint32_t index);

/* ------------------------------------------------------------------- */

/* Readers: perf.data files and pipes. */
struct uev_perf_reader;

/**
 * struct uev_perf_reader_options - Options of a reader
 * @size: sizeof(struct uev_perf_reader_options), as compiled
 * @queue_size: maximum bytes of queued records; 0: 64 MiB
 * @problem: called for each problem of the file with its offset and a reason,
 *        without a newline; or NULL
 * @data: first argument of @problem
 *
 * If the file's FINISHED_ROUND marks are so rare that more than @queue_size is
 * queued, the oldest record is returned, and later records that are older count
 * as uev_trace_stats.unordered.
 */
struct uev_perf_reader_options {
	size_t size;
	size_t queue_size;
	void (*problem)(void *data, uint64_t offset, const char *reason);
	void *data;
};

/**
 * struct uev_perf_info - Description of a file
 * @hostname: name of the machine; NULL if unknown
 * @osrelease: release of its kernel; NULL if unknown
 * @arch: its architecture; NULL if unknown
 * @cpus_online: number of CPUs that were online; 0 if unknown
 * @cpus_present: number of CPUs; 0 if unknown
 * @first_time: time of the first record in ns; 0 if unknown
 * @last_time: time of the last record in ns; 0 if unknown
 * @clock: valid if @has_clock
 * @has_clock: times can be converted to wall clock time
 * @is_pipe: from a pipe: the description is incomplete until the end
 * @is_foreign: the machine has the other byte order
 * @long_size: bytes of a long of its kernel; 0 if unknown
 * @reserved: 0
 * @reserved_words: 0
 *
 * Belongs to the reader. One of the caller, for a writer, has zeros in all
 * members that are not set.
 */
struct uev_perf_info {
	const char *hostname;
	const char *osrelease;
	const char *arch;
	uint32_t cpus_online;
	uint32_t cpus_present;
	uint64_t first_time;
	uint64_t last_time;
	struct uev_clock clock;
	uint8_t has_clock;
	uint8_t is_pipe;
	uint8_t is_foreign;
	uint8_t long_size;
	uint8_t reserved[4];
	uint64_t reserved_words[8];
};

/**
 * uev_perf_reader_open() - Opens a file, or a directory of perf record --threads
 * uev_perf_reader_open_fd() - Reads from a descriptor, which the caller closes
 * @reader: set to the reader, which the caller closes; NULL on error
 * @path: path of the file
 * @options: NULL for the defaults
 *
 * The content of a file is not trusted. Malformed data is reported, skipped and
 * counted. Offsets in a directory are those in the file that a reason starts
 * with.
 *
 * Return: 0; an error of open(2) or read(2); -ENOMEM; -EINVAL for options of a
 * newer version of the library; -EBADMSG if it is not perf.data; -ESPIPE if a
 * pipe has a perf.data file whose end must be read first.
 */
UEV_TRACE_API int
uev_perf_reader_open(struct uev_perf_reader **reader, const char *path,
		     const struct uev_perf_reader_options *options);

/**
 * uev_perf_reader_open_fd() - Reads from a descriptor
 * @reader: set to the reader, which the caller closes; NULL on error
 * @fd: the descriptor, which the caller closes
 * @options: NULL for the defaults
 *
 * Return: as uev_perf_reader_open().
 */
UEV_TRACE_API int
uev_perf_reader_open_fd(struct uev_perf_reader **reader, int fd,
			const struct uev_perf_reader_options *options);

/**
 * uev_perf_reader_close() - Frees a reader
 * @reader: the reader, or NULL
 */
UEV_TRACE_API void uev_perf_reader_close(struct uev_perf_reader *reader);

/**
 * uev_perf_reader_next() - Gets the next record, ordered by time
 * @reader: the reader
 * @record: set to the record, which belongs to the reader; NULL without one
 *
 * The order relies on the marks of the file: a record before one FINISHED_ROUND
 * is not newer than the records after the next one. The files of a directory
 * have no marks, and are read side by side with a full queue.
 *
 * Return: 1; 0 at the end; an error of read(2); -ENOMEM.
 */
UEV_TRACE_API int uev_perf_reader_next(struct uev_perf_reader *reader,
				       const struct uev_sample **record);

/**
 * uev_perf_reader_next_loss() - Gets the next loss, ordered by the end of its time
 * @reader: the reader
 * @until: time, such as that of the last record; UINT64_MAX after the last one
 * @loss: set to a loss that ended until then, among those that were read so far
 *
 * Losses without a time have the place of the records before them. perf record
 * writes PERF_RECORD_LOST, whose event is not known. uev_trace_stats.lost can be
 * more than the sum of all losses: perf record also writes sums of each event.
 *
 * Return: 1; 0 if there is none.
 */
UEV_TRACE_API int uev_perf_reader_next_loss(struct uev_perf_reader *reader,
					    uint64_t until,
					    struct uev_loss *loss);

/**
 * uev_perf_reader_info() - Gets the description of the file
 * @reader: the reader
 *
 * Return: what is known so far, which belongs to the reader.
 */
UEV_TRACE_API const struct uev_perf_info *
uev_perf_reader_info(const struct uev_perf_reader *reader);

/**
 * uev_perf_reader_source() - Gets a source of a file
 * @reader: the reader
 * @index: 0, 1, 2, ...
 *
 * Return: the source, which belongs to the reader; NULL after the last that is
 * known so far.
 */
UEV_TRACE_API const struct uev_source *
uev_perf_reader_source(const struct uev_perf_reader *reader, uint32_t index);

/**
 * uev_perf_reader_comm() - Gets the name of a thread at the time of the last
 * record
 * @reader: the reader
 * @tid: the thread
 *
 * Return: the name, valid until the next call with the reader; NULL if unknown.
 */
UEV_TRACE_API const char *
uev_perf_reader_comm(const struct uev_perf_reader *reader, uint32_t tid);

/**
 * uev_perf_reader_mapping() - Gets the mapping at an address of a process, at
 * the time of the last record
 * @reader: the reader
 * @pid: usually that of the last record
 * @address: usually of its stack
 *
 * Return: the mapping, valid until the next call with the reader; NULL if
 * unknown.
 */
UEV_TRACE_API const struct uev_mapping *
uev_perf_reader_mapping(const struct uev_perf_reader *reader, uint32_t pid,
			uint64_t address);

/**
 * uev_perf_reader_record_offset() - Gets the offset of the last record
 * @reader: the reader
 *
 * Return: offset in the input in bytes, for error messages.
 */
UEV_TRACE_API uint64_t
uev_perf_reader_record_offset(const struct uev_perf_reader *reader);

/**
 * uev_perf_reader_stats() - Gets the counters of what was read so far
 * @reader: the reader
 * @counts: receives the counters
 * @size: sizeof(struct uev_trace_stats)
 */
UEV_TRACE_API void uev_perf_reader_stats(const struct uev_perf_reader *reader,
					 struct uev_trace_stats *counts,
					 size_t size);

/**
 * uev_perf_reader_offset() - Gets the number of bytes read so far
 * @reader: the reader
 * @size: set to the size of the input in bytes, 0 if unknown
 *
 * Return: the offset in bytes.
 */
UEV_TRACE_API uint64_t
uev_perf_reader_offset(const struct uev_perf_reader *reader, uint64_t *size);

/* ------------------------------------------------------------------- */

/* Writers: perf.data files for perf and for the reader above. */
struct uev_perf_writer;

/* Bits of uev_perf_writer_options.flags. */
/* Write the stacks of records. */
#define UEV_PERF_WRITER_STACKS (1U << 0)

/**
 * struct uev_perf_writer_options - Options of a writer
 * @size: sizeof(struct uev_perf_writer_options), as compiled
 * @clock: the clock of the records; NULL: the clock of perf
 * @machine: description and processors of the machine of the records; NULL:
 *        this machine
 * @tracefs: directory of tracefs, which need not exist; NULL: the usual path
 * @flags: UEV_PERF_WRITER_*
 * @reserved: 0
 *
 * Nothing is used after the call.
 */
struct uev_perf_writer_options {
	size_t size;
	const struct uev_clock *clock;
	const struct uev_perf_info *machine;
	const char *tracefs;
	uint32_t flags;
	uint32_t reserved;
};

/**
 * uev_perf_writer_open() - Creates a file
 * @writer: set to the writer, which the caller finishes or discards; NULL on
 *        error
 * @path: path of the complete file; until then it has a temporary name in the
 *        same directory
 * @options: NULL for the defaults
 *
 * Return: 0; an error of open(2); -EINVAL for options that are invalid or of a
 * newer version of the library, or if @path is not a regular file; -ENOMEM.
 */
UEV_TRACE_API int
uev_perf_writer_open(struct uev_perf_writer **writer, const char *path,
		     const struct uev_perf_writer_options *options);

/**
 * uev_perf_writer_add() - Writes a source to the file
 * @writer: the writer
 * @source: the source
 *
 * Not required for sources with records. perf rejects a file with an event of
 * unknown format, so a source without @source->format gets one with the common
 * fields only.
 *
 * Return: 0; -EINVAL if it is not a tracepoint or a reserved member is not 0;
 * -EEXIST if the file has another event, or another format, with its ID; -ENOMEM.
 */
UEV_TRACE_API int uev_perf_writer_add(struct uev_perf_writer *writer,
				      const struct uev_source *source);

/**
 * uev_perf_writer_record() - Writes a record
 * @writer: the writer
 * @record: the record
 *
 * Write records in the order in which a session or a reader returns them.
 * uev_perf_writer_finished_round() tolerates a few that are out of order.
 *
 * Return: 0; an error of uev_perf_writer_add(); -EINVAL also for a record
 * without a time; -EOPNOTSUPP for the other byte order; -E2BIG if it exceeds
 * the size of a perf record; or an error of write(2), which all later calls
 * return, too.
 */
UEV_TRACE_API int uev_perf_writer_record(struct uev_perf_writer *writer,
					 const struct uev_sample *record);

/**
 * uev_perf_writer_comm() - Writes the name of a thread
 * @writer: the writer
 * @pid: the process
 * @tid: the thread
 * @time: start of validity, such as the time of the next record
 * @name: the name, of which up to 15 bytes are written
 *
 * Call it before records of the thread. A name that the file already has is not
 * written again.
 *
 * Return: 0, or an error of write(2).
 */
UEV_TRACE_API int uev_perf_writer_comm(struct uev_perf_writer *writer,
				       uint32_t pid, uint32_t tid,
				       uint64_t time, const char *name);

/**
 * uev_perf_writer_mapping() - Writes a mapping of a process
 * @writer: the writer
 * @pid: the process
 * @time: start of validity, such as the time of the next record
 * @mapping: the mapping
 *
 * perf requires the mappings of all addresses of a stack to name their
 * functions. Call it before the record with the stack. A mapping that the file
 * already has is not written again.
 *
 * Return: 0; -EINVAL if its path is too long or a reserved member is not 0; or
 * an error of write(2).
 */
UEV_TRACE_API int uev_perf_writer_mapping(struct uev_perf_writer *writer,
					  uint32_t pid, uint64_t time,
					  const struct uev_mapping *mapping);

/**
 * uev_perf_writer_lost() - Writes that records were lost
 * @writer: the writer
 * @count: number of lost records since the last call
 * @cpu: the processor
 *
 * The time is that of the newest record.
 *
 * Return: as uev_perf_writer_record().
 */
UEV_TRACE_API int uev_perf_writer_lost(struct uev_perf_writer *writer,
				       uint64_t count, unsigned int cpu);

/**
 * uev_perf_writer_loss() - Writes why records were lost
 * @writer: the writer
 * @loss: the loss; its @source must have the members that
 *        uev_perf_writer_add() requires
 *
 * perf reads the number, the processor and the time as those of
 * PERF_RECORD_LOST; uev_perf_reader_next_loss() reads everything.
 *
 * Return: as uev_perf_writer_record(); -EINVAL also for a reason that is no word.
 */
UEV_TRACE_API int uev_perf_writer_loss(struct uev_perf_writer *writer,
				       const struct uev_loss *loss);

/**
 * uev_perf_writer_finished_round() - Marks the end of a round
 * @writer: the writer
 *
 * No later record is older than the records before the previous mark. Marks
 * limit the memory of readers, and the records so far are written, so that they
 * are in the file if the process is killed. Call it after each
 * uev_session_read().
 *
 * Return: as uev_perf_writer_record().
 */
UEV_TRACE_API int
uev_perf_writer_finished_round(struct uev_perf_writer *writer);

/**
 * uev_perf_writer_path() - Returns the temporary path of the file
 * @writer: the writer
 *
 * Return: the path, which is valid until the writer is freed.
 */
UEV_TRACE_API const char *
uev_perf_writer_path(const struct uev_perf_writer *writer);

/**
 * uev_perf_writer_finish() - Completes the file and renames it
 * uev_perf_writer_discard() - Removes the file
 * @writer: the writer; uev_perf_writer_discard() accepts NULL
 *
 * Both free the writer, even on error. On error the file keeps its temporary
 * name and the records that were written, for uev_perf_reader_open(). Without
 * records it is removed.
 *
 * Return: 0, or an error of write(2), fsync(2) or rename(2).
 */
UEV_TRACE_API int uev_perf_writer_finish(struct uev_perf_writer *writer);
UEV_TRACE_API void uev_perf_writer_discard(struct uev_perf_writer *writer);

UEV_END_DECLS

#endif
