/* SPDX-License-Identifier: MIT */
/*
 * user-events: names of threads.
 *
 * Records have IDs of threads. If the kernel does not report the names, they
 * are read from /proc when a record is seen, shortly after it was written. The
 * name of a thread that has exited before, and was not seen earlier, is
 * unknown.
 */
#ifndef USER_EVENTS_CAPTURE_NAMES_H
#define USER_EVENTS_CAPTURE_NAMES_H

#include <stdint.h>
#include <sys/types.h>

#include <userevents/session.h>

/* Number of remembered threads; a power of two. */
#define CAPTURE_NAMES_MAX 1024

/* Size of a name in the kernel, with the NUL. */
#define CAPTURE_NAME_SIZE 16

struct capture_name {
	uint32_t tid;
	uint64_t updated;
	char name[CAPTURE_NAME_SIZE];
};

/*
 * struct capture_names - Cache of names; initialized to zeros
 * @proc: path of procfs; NULL: /proc
 */
struct capture_names {
	const char *proc;
	struct capture_name names[CAPTURE_NAMES_MAX];
};

/*
 * capture_name() - Gets the name of a thread
 * @now: milliseconds; names older than a second are read again, because they
 *        can change
 * Return: the name, valid until the next call, or NULL
 */
const char *capture_name(struct capture_names *names, uint32_t tid,
			 uint64_t now);

/*
 * capture_comm() - Gets the name of the thread of the last record
 * @names: for threads that the kernel has not reported to @session
 * Return: the name, valid until the next call, or NULL
 */
const char *capture_comm(struct capture_names *names,
			 const struct uev_session *session,
			 const struct uev_sample *record);

#endif
