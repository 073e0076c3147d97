/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A FUSE filesystem with one file, served by a process of the test through
 * /dev/fuse. The server can invalidate the pages of the file all the time, and
 * can leave the reads of one process unanswered.
 */
#ifndef SELFTESTS_USER_EVENTS_FUSE_H
#define SELFTESTS_USER_EVENTS_FUSE_H

#include <stdbool.h>
#include <sys/types.h>

#define FUSE_PAGE 4096
#define FUSE_PAGES 32

/*
 * struct fuse_control - what the test and the server tell each other; in memory
 *			 that both share
 * @withheld: process whose reads get no answer, or 0
 * @reads_withheld: how many reads of that process the server has received
 * @reads: how many reads the server has answered
 * @invalidate: invalidate one page after another
 * @invalidations: how many pages were invalidated
 */
struct fuse_control {
	pid_t withheld;
	unsigned int reads_withheld;
	unsigned int reads;
	bool invalidate;
	unsigned int invalidations;
};

/*
 * fuse_start - mount the filesystem, and serve it from a process of its own
 *
 * Skips the test where the kernel has no FUSE. When the calling process ends,
 * however it does, the connection is aborted and the filesystem unmounted, so
 * that no process stays blocked by the server.
 */
struct fuse_control *fuse_start(void);

/*
 * fuse_abort - end every request, answered or not, and unmount the filesystem
 *
 * From here on reads of the file fail.
 */
void fuse_abort(void);

/* Opens the file, which has FUSE_PAGES pages of zero bytes. */
int fuse_file(void);

#endif /* SELFTESTS_USER_EVENTS_FUSE_H */
