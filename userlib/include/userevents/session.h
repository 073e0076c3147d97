/* SPDX-License-Identifier: MIT */
/*
 * libuserevents-trace: collecting what programs write, live or out of perf.data,
 * and writing perf.data.
 *
 * A session, a reader or a writer belongs to one thread at a time; different
 * ones do not know of each other. Functions that can fail return a negative
 * errno, and what is said of an error here is what it means in this library:
 * the kernel's own come through as they are.
 */
#ifndef USEREVENTS_SESSION_H
#define USEREVENTS_SESSION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <userevents/common.h>

UEV_BEGIN_DECLS

/*
 * struct uev_source - what a record is one of: usually a tracepoint
 * @system: "user_events"; NULL for what is not a tracepoint
 * @name: never NULL; "" where a file does not tell
 * @format: the text of the file "format"; NULL where it is not known
 * @format_size: bytes of @format, without the NUL that follows it
 * @id: the "ID:" of the format; 0 for what is not a tracepoint
 * @index: 0, 1, 2, ... in the session or the reader, for arrays of the caller
 *
 * Belongs to the session or the reader, and stays until that is closed.
 */
struct uev_source {
	const char *system;
	const char *name;
	const char *format;
	size_t format_size;
	uint32_t id;
	uint32_t index;
};

/* Bits of uev_sample.flags: which members are known, and whose. */
#define UEV_HAS_TIME (1U << 0)
#define UEV_HAS_CPU (1U << 1)
#define UEV_HAS_TID (1U << 2) /* pid and tid */
/* @raw was written by a machine of the other byte order. */
#define UEV_IS_FOREIGN (1U << 3)

/*
 * struct uev_sample - one event that happened
 * @source: what it is one of; never NULL
 * @raw: its bytes, beginning with the common fields; aligned to 8 bytes
 * @raw_size: bytes of @raw; perf pads them, so up to 7 may not be the event's
 * @flags: UEV_HAS_, UEV_IS_FOREIGN
 * @time: nanoseconds of the clock of the session or the file
 * @id: perf's number of the event on its processor
 * @cpu: the processor
 * @pid: the process, as seen by who collected
 * @tid: the thread, likewise
 *
 * Belongs to the session or the reader. Stays until the next call that has to
 * do with the same one.
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
	uint32_t reserved;
};

/* uev_clock.clockid: the clock of perf, which programs cannot read. */
#define UEV_CLOCK_PERF (-1)

/*
 * struct uev_clock - one moment on two clocks
 * @clockid: CLOCK_MONOTONIC_RAW, ...; or UEV_CLOCK_PERF
 * @reserved: 0
 * @wall: nanoseconds since 1970
 * @clock: nanoseconds of @clockid at that moment
 */
struct uev_clock {
	int32_t clockid;
	uint32_t reserved;
	uint64_t wall;
	uint64_t clock;
};

/* The time of a record in nanoseconds since 1970. */
static inline uint64_t uev_clock_wall(const struct uev_clock *clock,
				      uint64_t time)
{
	return clock->wall + (time - clock->clock);
}

/*
 * struct uev_counts - what became of records
 * @size: the caller's sizeof(struct uev_counts); more is not filled in
 * @records: that were read
 * @bytes: of @records, as they were in the buffer or the file
 * @lost: that the kernel had no room for, as far as it said so: it does when it
 *	next writes to the same buffer and there is room again
 * @throttled: how often the kernel stopped an event for coming too often
 * @corrupt: that were not what they should be
 * @other: of kinds that are no events (mappings, exits, ...)
 * @unordered: that came later than they were due, and are given late
 */
struct uev_counts {
	size_t size;
	uint64_t records;
	uint64_t bytes;
	uint64_t lost;
	uint64_t throttled;
	uint64_t corrupt;
	uint64_t other;
	uint64_t unordered;
};

/* ------------------------------------------------------------------- */

/*
 * Sessions: what happens now, through one ring buffer per processor.
 */
struct uev_session;

/* Bits of uev_session_options.flags. */
/* Keep the newest instead of losing it; a read is a snapshot. */
#define UEV_SESSION_OVERWRITE (1U << 0)
/* Threads and processes that those of @pids begin are collected too. */
#define UEV_SESSION_INHERIT (1U << 1)
/* What threads are called is collected, too, for uev_session_comm(). */
#define UEV_SESSION_COMMS (1U << 2)

/*
 * struct uev_session_options - how to collect
 * @size: sizeof(struct uev_session_options), as compiled
 * @flags: UEV_SESSION_
 * @buffer_size: bytes for each processor, rounded up to 2^n pages; 0: 128 KiB
 * @watermark: bytes in a buffer that make uev_session_fd() readable; 0: an
 *	eighth of the buffer
 * @clockid: of the times; or UEV_CLOCK_PERF
 * @cgroup_fd: a directory of cgroupfs: only its tasks; -1: not asked for
 * @cpus: only these processors; NULL: all that are online
 * @cpu_count: of @cpus
 * @pids: only these processes, with the threads they have; NULL: all
 * @pid_count: of @pids
 * @tracefs: where tracefs is; NULL: where it usually is
 *
 * Begin with UEV_SESSION_OPTIONS_INIT: zero is not the absence of everything.
 * @pids and @cgroup_fd exclude each other. Nothing is kept after the call.
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
};

#define UEV_SESSION_OPTIONS_INIT                                          \
	{                                                                 \
		sizeof(struct uev_session_options), 0, 0, 0,              \
			4 /* MONOTONIC_RAW */, -1, NULL, 0, NULL, 0, NULL \
	}

/*
 * uev_session_open() - make the buffers
 * @session: set to the session, which the caller closes
 * @options: NULL for the defaults
 *
 * Nothing is collected before there are events, uev_session_add(), and
 * uev_session_start(). Processors of @cpus that are not online are left out
 * until uev_session_rescan() finds them.
 *
 * Return: 0, or -EINVAL for options that contradict each other, make no sense or
 * are of a newer library, -ENOENT without tracefs, -ENODEV when no processor is left,
 * -ESRCH when no process is, -EACCES or -EPERM without the right to
 * perf_event_open() or for too much memory, -EMFILE, -ENOMEM, ...
 */
UEV_API int uev_session_open(struct uev_session **session,
			     const struct uev_session_options *options);

/* uev_session_close() - give everything back; NULL is allowed. */
UEV_API void uev_session_close(struct uev_session *session);

/*
 * uev_session_add() - collect events
 * @pattern: "[SYSTEM:]NAME" as fnmatch(3) takes it; without SYSTEM it is
 *	user_events
 * @filter: as in the "filter" file of an event, applied by the kernel; or NULL
 *
 * Patterns stay for uev_session_rescan(). An event is collected once, with the
 * filter of the first pattern that found it.
 *
 * Return: how many events there are for it now, maybe 0; or -EINVAL for an
 * empty pattern or what the kernel does not accept as a filter of them, -EACCES
 * without the right, -ENOENT for a @cgroup_fd of a hierarchy without perf,
 * -EMFILE, ... After an error the pattern is forgotten, and events that were
 * added before it happened stay.
 */
UEV_API int uev_session_add(struct uev_session *session, const char *pattern,
			    const char *filter);

/*
 * uev_session_rescan() - look for events and processors that are new
 *
 * To be called once in a while: what appears is not announced. A processor that
 * went offline and came back is noticed when a call falls in between. What was
 * deleted and defined anew under the same name is a new source. With
 * UEV_SESSION_COMMS it also takes names out of their buffers: between snapshots
 * nothing else does.
 *
 * Return: how many events were added, or what uev_session_add() returns; then
 * the rest is tried again by the next call.
 */
UEV_API int uev_session_rescan(struct uev_session *session);

/*
 * uev_session_start() - begin to collect; uev_session_stop() - pause
 *
 * What is in the buffers stays there. Events that are added to a session that
 * runs are collected from then on.
 *
 * Return: 0 or what the kernel answers.
 */
UEV_API int uev_session_start(struct uev_session *session);
UEV_API int uev_session_stop(struct uev_session *session);

/*
 * uev_session_fd() - a descriptor for poll(2)
 *
 * It is readable when the watermark of a buffer was crossed, until the next
 * poll(2) or epoll_wait(2). Poll with a timeout: less than a watermark does not
 * wake anybody. The descriptor is the session's.
 *
 * Return: the descriptor
 */
UEV_API int uev_session_fd(const struct uev_session *session);

/* Bits for uev_session_read(). */
/* Also what may still be overtaken by something older. */
#define UEV_READ_DRAIN (1U << 0)

/*
 * uev_session_read() - take what is in the buffers
 * @flags: UEV_READ_
 *
 * Buffers are read in passes. When a pass is over, nothing can come any more
 * that is older than the newest record that the pass before it had seen; so
 * much is given, in order of time, by uev_session_next(). A call makes two
 * passes: what was in the buffers when it began is ready when it returns. What
 * came in meanwhile waits for the next call, or is given at once with
 * UEV_READ_DRAIN, for the last call after uev_session_stop().
 *
 * While more than twice the size of all buffers is waiting to be fetched, the
 * buffers are left alone, and the kernel counts what it loses.
 *
 * In a session with UEV_SESSION_OVERWRITE all buffers are paused, read and
 * resumed, and everything since the last call is ready, as far as it was not
 * overwritten. What is written in the pause is lost.
 *
 * Return: how many records are ready, or -ENOMEM, or what the kernel answers
 * to a pause; then what could be read is kept for the next call.
 */
UEV_API ssize_t uev_session_read(struct uev_session *session,
				 unsigned int flags);

/*
 * uev_session_next() - the next of the records that are ready
 * @record: set to the record, which is the session's
 *
 * Return: 1, or 0 when none is ready.
 */
UEV_API int uev_session_next(struct uev_session *session,
			     const struct uev_sample **record);

/*
 * uev_session_comm() - what a thread is called
 * @tid: usually that of the record that was given last
 *
 * As of the time of that record, whether or not the thread is still there: as the
 * kernel tells of new threads and new names while the session runs, and as /proc
 * has it for those that are there when it starts. That takes a buffer of its own
 * of 128 KiB for each processor, and the right to see all of them; without
 * that, and without UEV_SESSION_COMMS, no name is known. What this buffer has
 * no room for is missed, and no loss of a record. The names of the 65536
 * threads are kept that were named or had a record last.
 *
 * Return: a name, the session's until its next call; NULL when it is not known.
 */
UEV_API const char *uev_session_comm(const struct uev_session *session,
				     uint32_t tid);

/*
 * uev_session_clock() - how the clock of the records and the wall clock relate
 *
 * Return: 0, or -ENODATA for UEV_CLOCK_PERF.
 */
UEV_API int uev_session_clock(const struct uev_session *session,
			      struct uev_clock *clock);

/* uev_session_source() - source number @index, or NULL after the last. */
UEV_API const struct uev_source *
uev_session_source(const struct uev_session *session, uint32_t index);

/* uev_session_counts() - of all buffers together, since the session began. */
UEV_API void uev_session_counts(const struct uev_session *session,
				struct uev_counts *counts);

/*
 * uev_session_buffer_counts() - of one buffer
 * @index: 0, 1, 2, ...: buffers are numbered as they were made
 * @cpu: set to its processor
 *
 * Return: 0, or -ENOENT after the last.
 */
UEV_API int uev_session_buffer_counts(const struct uev_session *session,
				      uint32_t index, unsigned int *cpu,
				      struct uev_counts *counts);

/*
 * uev_session_source_counts() - what the kernel knows of one event
 * @hits: set to how often it happened for this session, filter passed
 * @lost: set to how many of these had no room; UINT64_MAX before Linux 6.0
 *
 * That is exact at any time, other than uev_counts.lost.
 *
 * Return: 0, -ENOENT after the last, or what read(2) answers.
 */
UEV_API int uev_session_source_counts(const struct uev_session *session,
				      uint32_t index, uint64_t *hits,
				      uint64_t *lost);

/* ------------------------------------------------------------------- */

/*
 * Readers: perf.data, as a file and as what comes out of a pipe.
 */
struct uev_perf_reader;

/*
 * struct uev_perf_reader_options - how to read
 * @size: sizeof(struct uev_perf_reader_options), as compiled
 * @queue_size: bytes that may wait to be put in order; 0: 64 MiB
 * @problem: called for what is wrong with the file, with where it is in it and
 *	a sentence without an end of line; or NULL
 * @data: the first parameter of @problem
 *
 * A file that says too seldom how far it is in order makes more wait than
 * @queue_size: then the oldest is given, and what comes out of order after that
 * is counted in uev_counts.unordered.
 */
struct uev_perf_reader_options {
	size_t size;
	size_t queue_size;
	void (*problem)(void *data, uint64_t offset, const char *reason);
	void *data;
};

/*
 * struct uev_perf_info - what a file says of itself
 * @hostname, @osrelease, @arch: of the machine; NULL where it does not tell
 * @cpus_online, @cpus_present: 0 where it does not tell
 * @first_time, @last_time: of the records; 0 where it does not tell
 * @clock: valid when @has_clock
 * @has_clock: whether times can be told as wall clock time
 * @is_pipe: what came out of a pipe: the rest is only known as it comes
 * @is_foreign: the machine had the other byte order
 * @long_size: bytes of a long of its kernel; 0 where it does not tell
 *
 * Belongs to the reader.
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
};

/*
 * uev_perf_reader_open() - open a file
 * uev_perf_reader_open_fd() - read from a descriptor, which stays the caller's
 * @reader: set to the reader, which the caller closes
 * @options: NULL for the defaults
 *
 * What is in a file can be anything: nothing in it is trusted, and what is
 * wrong is reported, left out and counted.
 *
 * Return: 0, or what open(2) or read(2) answers, -ENOMEM, -EINVAL for options
 * that a newer library knows, -EBADMSG for what is not perf.data at all,
 * -ESPIPE for a perf.data file that comes through a pipe, where its end cannot
 * be read first.
 */
UEV_API int uev_perf_reader_open(struct uev_perf_reader **reader,
				 const char *path,
				 const struct uev_perf_reader_options *options);
UEV_API int
uev_perf_reader_open_fd(struct uev_perf_reader **reader, int fd,
			const struct uev_perf_reader_options *options);

/* uev_perf_reader_close() - give everything back; NULL is allowed. */
UEV_API void uev_perf_reader_close(struct uev_perf_reader *reader);

/*
 * uev_perf_reader_next() - the next record, in order of time
 * @record: set to the record, which is the reader's
 *
 * Order is what the file promises: whatever came before one FINISHED_ROUND is
 * not newer than what comes after the next.
 *
 * Return: 1, 0 at the end, or what read(2) answers, or -ENOMEM.
 */
UEV_API int uev_perf_reader_next(struct uev_perf_reader *reader,
				 const struct uev_sample **record);

/* uev_perf_reader_info() - what the file says of itself so far. */
UEV_API const struct uev_perf_info *
uev_perf_reader_info(const struct uev_perf_reader *reader);

/* uev_perf_reader_source() - source number @index, or NULL after the last. */
UEV_API const struct uev_source *
uev_perf_reader_source(const struct uev_perf_reader *reader, uint32_t index);

/*
 * uev_perf_reader_comm() - what a thread is called, as the kernel has it
 *
 * As of the time of the record that was given last.
 *
 * Return: a name, the reader's until its next call; NULL where the file does not
 * tell.
 */
UEV_API const char *uev_perf_reader_comm(const struct uev_perf_reader *reader,
					 uint32_t tid);

/*
 * uev_perf_reader_record_offset() - where the record that was given last begins
 *
 * Return: bytes from the beginning of what is read, for whoever tells what is
 * wrong with the record
 */
UEV_API uint64_t
uev_perf_reader_record_offset(const struct uev_perf_reader *reader);

/* uev_perf_reader_counts() - of what was read so far. */
UEV_API void uev_perf_reader_counts(const struct uev_perf_reader *reader,
				    struct uev_counts *counts);

/*
 * uev_perf_reader_offset() - how far in the file it is, in bytes
 * @size: set to the size of what is read, 0 where that is not known
 */
UEV_API uint64_t uev_perf_reader_offset(const struct uev_perf_reader *reader,
					uint64_t *size);

/* ------------------------------------------------------------------- */

/*
 * Writers: perf.data that perf, and the reader, read.
 */
struct uev_perf_writer;

/*
 * struct uev_perf_writer_options - what to write beside the records
 * @size: sizeof(struct uev_perf_writer_options), as compiled
 * @clock: the clock of the records; NULL: perf's own
 * @machine: where the records are from: texts and processors are taken of it;
 *	NULL: from here
 * @tracefs: where tracefs is; NULL: where it usually is. It need not be there
 *
 * Nothing is kept after the call.
 */
struct uev_perf_writer_options {
	size_t size;
	const struct uev_clock *clock;
	const struct uev_perf_info *machine;
	const char *tracefs;
};

/*
 * uev_perf_writer_open() - begin a file
 * @writer: set to the writer, which the caller finishes or discards
 * @path: what it will be called once it is whole; until then it has another
 *	name in the same directory
 * @options: NULL for the defaults
 *
 * Return: 0, or what open(2) answers, -EINVAL for options that a newer library
 * knows or a path of something else than a file, -ENOMEM.
 */
UEV_API int uev_perf_writer_open(struct uev_perf_writer **writer,
				 const char *path,
				 const struct uev_perf_writer_options *options);

/*
 * uev_perf_writer_add() - name an event in the file
 *
 * Need not be called for events that have records. perf refuses a file with an
 * event whose format is not known: without @source->format the file gets one
 * with nothing but the fields that all events have.
 *
 * Return: 0, -EINVAL for what is not a tracepoint, -EEXIST when the file has
 * another event with its id, -ENOMEM.
 */
UEV_API int uev_perf_writer_add(struct uev_perf_writer *writer,
				const struct uev_source *source);

/*
 * uev_perf_writer_record() - write a record
 *
 * Records are to be written in the order in which a session or a reader gives
 * them; a disorder of a few is put right by uev_perf_writer_finished_round().
 *
 * Return: 0, what uev_perf_writer_add() returns, -EINVAL also for a record
 * without a time, -EOPNOTSUPP for one of the other byte order, -E2BIG for more
 * than fits into a record of perf, or what write(2) answers; once that failed,
 * it is the answer to everything and only uev_perf_writer_discard() is left.
 */
UEV_API int uev_perf_writer_record(struct uev_perf_writer *writer,
				   const struct uev_sample *record);

/*
 * uev_perf_writer_comm() - say in the file what a thread is called
 * @time: from when on, such as that of the record that is written next
 * @name: up to 15 bytes of it are written
 *
 * To be called in front of records of the thread: what the file says already is
 * not said again. Return: 0, or what write(2) answers.
 */
UEV_API int uev_perf_writer_comm(struct uev_perf_writer *writer, uint32_t pid,
				 uint32_t tid, uint64_t time, const char *name);

/*
 * uev_perf_writer_lost() - say in the file that records were lost
 * @count: how many, since the last time it was said
 * @cpu: on which processor
 *
 * The time is that of the newest record. Return: as uev_perf_writer_record().
 */
UEV_API int uev_perf_writer_lost(struct uev_perf_writer *writer, uint64_t count,
				 unsigned int cpu);

/*
 * uev_perf_writer_finished_round() - say how far the file is in order
 *
 * Promises that nothing that is still to come is older than what was written
 * before the last round. Lets readers do with little memory: call it after
 * each uev_session_read(). Return: as uev_perf_writer_record().
 */
UEV_API int uev_perf_writer_finished_round(struct uev_perf_writer *writer);

/*
 * uev_perf_writer_finish() - make the file whole, give it its name
 * uev_perf_writer_discard() - leave no file; NULL is allowed
 *
 * Both give the writer back, also in an error, which leaves no file either.
 *
 * Return: 0, or what write(2), fsync(2) or rename(2) answers.
 */
UEV_API int uev_perf_writer_finish(struct uev_perf_writer *writer);
UEV_API void uev_perf_writer_discard(struct uev_perf_writer *writer);

UEV_END_DECLS

#endif
