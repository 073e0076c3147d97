/* SPDX-License-Identifier: MIT */
/*
 * System calls of the library. All of them are here, so that tests can replace
 * them.
 *
 * On error they return a negative errno. They never change errno, because a
 * tracepoint can be between a call of the program and its test of errno.
 */
#ifndef USEREVENTS_CORE_SYS_H
#define USEREVENTS_CORE_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

struct user_batch;
struct user_write;

int uev_sys_open(const char *path, int flags);
int uev_sys_close(int fd);

/*
 * uev_sys_receive() - Receives an open file from a broker
 * @path: its Unix socket, on which it answers each connection with an
 *        int32_t: an errno, or 0 and the file
 *
 * Waits for at most a second, also when signals arrive. Async-signal-safe.
 *
 * Return: the file, with close-on-exec; -ETIMEDOUT; -ECONNREFUSED if no process
 * answers; the error of the answer; or another error.
 */
int uev_sys_receive(const char *path);
ssize_t uev_sys_read(int fd, void *buffer, size_t size);

/*
 * uev_sys_mark() - Marks an open file as the library's user_events_data
 *
 * Duplicates are the same open file.
 */
int uev_sys_mark(int fd);

/*
 * uev_sys_writev() - Writes a record to a marked file
 *
 * Tests the mark before each record, and writes at a position that other files
 * do not have, in case another thread replaces the file in between. It takes no
 * lock of the file, and is neither a cancellation point nor unsafe in signal
 * handlers.
 *
 * Return: -ESTALE if @fd is closed or another file; -EBADF if the event is
 * disabled.
 */
ssize_t uev_sys_writev(int fd, const struct iovec *vector, int count);

/*
 * uev_sys_record() - Writes a record, or a batch of them, to the file with its
 * cookie, which no other file has
 *
 * One system call, and others after an error. None is a cancellation point, and all
 * are safe in signal handlers. Kernels without cookies have uev_sys_writev() and uev_sys_batch().
 *
 * Return: 0, or number of records of a batch; -ESTALE if @fd is closed or
 * another file; -EAGAIN if the event is disabled; -EPERM if the process cannot
 * make this system call. With USER_EVENT_INDEX_REPORT -E2BIG or -ENOSPC if no
 * tracer takes the record.
 */
int uev_sys_record(int fd, const struct user_write *record);

/*
 * uev_sys_batch() - Writes records of a batch to a marked file
 *
 * Return: number of records; the error of the first one; -ENOTTY if the kernel
 * has no batches; -ESTALE as above.
 */
int uev_sys_batch(int fd, const struct user_batch *batch);

int uev_sys_ioctl(int fd, unsigned long request, void *argument);

/* Duplicates to a number of at least @lowest, with close-on-exec. */
int uev_sys_duplicate(int fd, int lowest);

/*
 * Returns O_RDONLY, O_WRONLY or O_RDWR; -EBADF if the descriptor is not open.
 */
int uev_sys_access(int fd);

/*
 * struct uev_file_id - Identity of an open file
 * @must_close: the administrator asks programs to close the file, by its sticky
 *        bit, which has no other meaning for it
 * @is_marked: by uev_sys_mark()
 */
struct uev_file_id {
	uint64_t device;
	uint64_t inode;
	bool must_close;
	bool is_marked;
};

/* Sets *@id; -EBADF if the descriptor is not open. */
int uev_sys_identify(int fd, struct uev_file_id *id);

/* Tests whether a tracefs is mounted at or above a path. */
bool uev_sys_is_tracefs(const char *path);

/* Maps the first page of a file for reading; sets *@page if it returns 0. */
int uev_sys_map(int fd, const void **page);
void uev_sys_unmap(const void *page);

/* Tests whether the kernel has CONFIG_PREEMPT_RT. */
bool uev_sys_is_rt(void);

/* Returns milliseconds of a monotonic clock. */
uint64_t uev_sys_now(void);

#endif
