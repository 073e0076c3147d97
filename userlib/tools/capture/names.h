/* SPDX-License-Identifier: MIT */
/*
 * user-events: what threads are called.
 *
 * Records tell numbers. Where the kernel does not tell the names, too, they are
 * looked up when a record is seen, which is a moment after it was written: of a
 * thread that has ended by then, and was never seen before, nobody knows the
 * name.
 */
#ifndef USER_EVENTS_CAPTURE_NAMES_H
#define USER_EVENTS_CAPTURE_NAMES_H

#include <stdint.h>
#include <sys/types.h>

#include <userevents/session.h>

/* Threads that are remembered; a power of two. */
#define CAPTURE_NAMES_MAX 1024

/* As the kernel has it, with the NUL. */
#define CAPTURE_NAME_SIZE 16

struct capture_name {
	uint32_t tid;
	uint64_t updated;
	char name[CAPTURE_NAME_SIZE];
};

/*
 * struct capture_names - names that were looked up; all zero at first
 * @proc: where they are; NULL: /proc
 */
struct capture_names {
	const char *proc;
	struct capture_name names[CAPTURE_NAMES_MAX];
};

/*
 * capture_name() - what a thread is called
 * @now: milliseconds: a thread may call itself otherwise, so that what is older
 *	than a second is looked up again
 * Return: the name, which stays until the next call, or NULL
 */
const char *capture_name(struct capture_names *names, uint32_t tid,
			 uint64_t now);

/*
 * capture_comm() - what the thread of the record that was given last was called
 * @names: for those of whom the kernel has told @session nothing
 * Return: the name, which stays until the next call, or NULL
 */
const char *capture_comm(struct capture_names *names,
			 const struct uev_session *session,
			 const struct uev_sample *record);

#endif
