/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every limit of user_events, in one place.
 */
#ifndef USER_EVENTS_LIMITS_H
#define USER_EVENTS_LIMITS_H

/* Bytes of a command given through an ioctl, with the terminating NUL. */
#define USER_EVENT_COMMAND_SIZE 512

/* Characters of an event's name: it becomes the name of a directory. */
#define USER_EVENT_NAME_MAX 255

/* Elements of a char[N] or unsigned char[N] field. */
#define USER_EVENT_ARRAY_MAX 1024

/*
 * Common fields that stand before the payload in every recorded entry: some
 * kernels have more of them, see compat/features.mk.
 */
#ifndef USER_EVENT_HEADER_SIZE
#define USER_EVENT_HEADER_SIZE 8
#endif

/*
 * Where the fixed fields of a record must end, the header included. A
 * __data_loc word cannot point further, and no reader takes more.
 */
#define USER_EVENT_FIXED_MAX 65535

/*
 * Largest record that is offered to readers, the header included. The largest
 * ftrace sub-buffer a kernel can be configured to have is 64 KiB.
 */
#define USER_EVENT_RECORD_MAX 65536

/* Records up to this size are put together on the kernel stack. */
#define USER_EVENT_RECORD_ONSTACK 512

/*
 * Enablers of a process. The process is charged for them; the limit bounds what
 * the background does for one process at a time.
 */
#define USER_EVENT_ENABLERS_MAX 65536

/* Pages of the status bits: default, and the most that makes sense. */
#define USER_EVENT_STATUS_PAGES 1
#define USER_EVENT_STATUS_PAGES_MAX 16

#endif /* USER_EVENTS_LIMITS_H */
