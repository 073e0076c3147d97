/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every limit of user_events.
 */
#ifndef USER_EVENTS_LIMITS_H
#define USER_EVENTS_LIMITS_H

/* Bytes of a command in an ioctl, the terminating NUL included. */
#define USER_EVENT_COMMAND_SIZE 512

/* Characters of an event's name, which becomes the name of a directory. */
#define USER_EVENT_NAME_MAX 255

/* Elements of a char[N] or unsigned char[N] field. */
#define USER_EVENT_ARRAY_MAX 1024

/*
 * Bytes of the common fields in front of the payload of a recorded entry. Some
 * kernels have more, see compat/features.mk.
 */
#ifndef USER_EVENT_HEADER_SIZE
#define USER_EVENT_HEADER_SIZE 8
#endif

/*
 * Largest end offset of the fixed fields of a record, header included. A
 * __data_loc word cannot point further, and no tracer accepts more.
 */
#define USER_EVENT_FIXED_MAX 65535

/*
 * Largest record that is offered to tracers, header included. The largest
 * ftrace sub-buffer that a kernel can have is 64 KiB.
 */
#define USER_EVENT_RECORD_MAX 65536

/*
 * Records of up to this many bytes are assembled in memory of the CPU, if their
 * payload can be read without sleeping. With a few more bytes, a page of 4 KiB.
 */
#define USER_EVENT_RECORD_PERCPU 4080

/*
 * Parts of a vector, such as an index, a header and 16 fields, that are copied
 * there. Each costs about as much as a few hundred bytes.
 */
#define USER_EVENT_PARTS_MAX 20

/*
 * Largest record of another module, header included. It is assembled in memory of
 * the CPU, which with a few more bytes is 2 KiB for each of four records.
 */
#define USER_EVENT_RECORD_KERNEL 2032

/* Others of up to this many bytes are assembled on the kernel stack. */
#define USER_EVENT_RECORD_ONSTACK 512

/*
 * Bytes that are looked at to validate a record while preemption is disabled:
 * for each of its words at most the whole record.
 */
#define USER_EVENT_VALIDATE_MAX 16384

/*
 * Enablers per process. The process is charged for them.
 */
#define USER_EVENT_ENABLERS_MAX 65536

/* Names of removed events that are remembered; all are counted. */
#define USER_EVENT_REMOVED_NAMES 64

/* Pages of status bits: default and maximum. */
#define USER_EVENT_STATUS_PAGES 1
#define USER_EVENT_STATUS_PAGES_MAX 16

/* Numbers that the kernel has for types of events, also those of others. */
#define USER_EVENT_TYPES_MAX 65535

/*
 * Default limit of events for each of these pages: the bits of 4 KiB. A page of
 * 64 KiB has more bits than the kernel has numbers for types of events.
 */
#define USER_EVENT_PAGE_EVENTS 32768

#endif /* USER_EVENTS_LIMITS_H */
