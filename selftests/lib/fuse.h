/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A FUSE filesystem with one file, served through /dev/fuse by a process of the
 * test. On request, the server invalidates the pages of the file continuously,
 * or leaves the reads of one process unanswered.
 */
#ifndef SELFTESTS_LIB_FUSE_H
#define SELFTESTS_LIB_FUSE_H

#include <stdbool.h>
#include <sys/types.h>

#define FUSE_PAGES 32

/*
 * struct fuse_control - memory shared by the test and the server
 * @withheld: process whose reads get no answer, or 0
 * @reads_withheld: number of unanswered reads of that process
 * @reads: number of answered reads
 * @invalidate: set to have the pages invalidated one after another
 * @invalidations: number of invalidated pages
 */
struct fuse_control {
	pid_t withheld;
	unsigned int reads_withheld;
	unsigned int reads;
	bool invalidate;
	unsigned int invalidations;
};

/*
 * fuse_start - mount the filesystem and start its server process
 *
 * Skips the test if the kernel has no FUSE. When the calling process exits or
 * is killed, the connection is aborted and the filesystem unmounted, so that no
 * process stays blocked by the server.
 */
struct fuse_control *fuse_start(void);

/*
 * fuse_abort - abort all requests and unmount the filesystem
 *
 * Later reads of the file fail.
 */
void fuse_abort(void);

/* Opens the file, which has FUSE_PAGES pages of zero bytes. */
int fuse_file(void);

#endif /* SELFTESTS_LIB_FUSE_H */
