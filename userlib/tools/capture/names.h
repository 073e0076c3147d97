/* SPDX-License-Identifier: MIT */
/*
 * user-events: what threads are called.
 *
 * Records tell numbers. Where the kernel does not tell the names, too, they are
 * looked up when a record is seen, which is a moment after it was written: of a
 * thread that has ended by then, and was never seen before, nobody knows the
 * name.
 */
#ifndef USER_EVENTS_LIVE_NAMES_H
#define USER_EVENTS_LIVE_NAMES_H

#include <stdint.h>
#include <sys/types.h>

#include <userevents/session.h>

/* Threads that are remembered; a power of two. */
#define LIVE_NAMES 1024

/* As the kernel has it, with the NUL. */
#define LIVE_NAME_MAX 16

struct live_name {
	uint32_t tid;
	uint64_t looked;
	char name[LIVE_NAME_MAX];
};

/*
 * struct live_names - names that were looked up; all zero at first
 * @proc: where they are; NULL: /proc
 */
struct live_names {
	const char *proc;
	struct live_name names[LIVE_NAMES];
};

/*
 * live_name() - what a thread is called
 * @now: milliseconds: a thread may call itself otherwise, so that what is older
 *	than a second is looked up again
 * Return: the name, which stays until the next call, or NULL
 */
const char *live_name(struct live_names *names, uint32_t tid, uint64_t now);

/*
 * live_comm() - what the thread of the record that was given last was called
 * @names: for those of whom the kernel has told @session nothing
 * Return: the name, which stays until the next call, or NULL
 */
const char *live_comm(struct live_names *names,
		      const struct uev_session *session,
		      const struct uev_sample *record);

#endif
