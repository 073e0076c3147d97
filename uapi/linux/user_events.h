/* SPDX-License-Identifier: ((GPL-2.0-only WITH Linux-syscall-note) OR MIT) */
/*
 * user_events: the interface between a process and the kernel.
 *
 * A process opens ``user_events_data`` in tracefs and registers an event by
 * name with DIAG_IOCSREG, which returns a write index. The process then writes
 * records: the index (a native 32-bit integer) followed by the payload that the
 * fields of the event describe. One bit says whether the event is enabled. The
 * two generations of this interface differ in the place of that bit:
 *
 * - status page (Linux 6.1 to 6.3): the bit is in the read-only mapping of
 *   ``user_events_status``; its number comes back in @status_bit.
 * - enabler (Linux 6.4 and later): the kernel sets and clears a bit in the
 *   memory of the process, at an address that the process registers.
 *
 * The kernel distinguishes the generations by the member size alone.
 *
 * Both layouts always have a name: struct user_reg_status and struct
 * user_reg_enabler. struct user_reg is the status-page layout. If
 * USER_EVENTS_ABI_ENABLER is defined before this header is included, it is the
 * enabler layout. So a client of either generation compiles unmodified.
 */
#ifndef _UAPI_LINUX_USER_EVENTS_H
#define _UAPI_LINUX_USER_EVENTS_H

#include <linux/types.h>
#include <linux/ioctl.h>

/* Clients of the status-page generation expect struct iovec from here. */
#if !defined(__KERNEL__) && !defined(USER_EVENTS_ABI_ENABLER)
#include <sys/uio.h>
#endif

/* Directory below events/ that holds the events. */
#define USER_EVENTS_SYSTEM "user_events"

/* Directory below events/ for events registered with USER_EVENT_REG_MULTI_FORMAT. */
#define USER_EVENTS_MULTI_SYSTEM "user_events_multi"

/* Prefix of a line in dynamic_events that defines a user event. */
#define USER_EVENTS_PREFIX "u:"

/*
 * DYN_LOC - value of a __data_loc or __rel_loc word
 * @offset: offset of the data in bytes, below 65536. __data_loc: from the start
 *	    of the recorded entry, which is the offset in the payload plus the
 *	    offset of the first field in the format file, usually 8, see
 *	    DIAG_IOCQHEADER. __rel_loc: from the end of this word
 * @size: length of the data in bytes, with the terminating NUL for strings;
 *	  below 65536
 */
#define DYN_LOC(offset, size) \
	(((__u32)(size) << 16) | (0xffffU & (__u32)(offset)))

#define __USER_REG_STATUS_MEMBERS \
	__u32 size;               \
	__u64 name_args;          \
	__u32 status_bit;         \
	__u32 write_index

#define __USER_REG_ENABLER_MEMBERS \
	__u32 size;                \
	__u8 enable_bit;           \
	__u8 enable_size;          \
	__u16 flags;               \
	__u64 enable_addr;         \
	__u64 name_args;           \
	__u32 write_index

/*
 * struct user_reg_status - registration, status-page generation (20 bytes)
 * @size: in: sizeof this structure
 * @name_args: in: address of the NUL-terminated command, at most 511
 *	       characters: "name[:flags] [type field[;type field]...]"
 * @status_bit: out: number of the bit in the mapping of user_events_status:
 *		byte status_bit / 8, mask 1 << (status_bit % 8), on every
 *		machine; never 0
 * @write_index: out: first word of each write() to the same open file
 */
struct user_reg_status {
	__USER_REG_STATUS_MEMBERS;
} __attribute__((__packed__));

/*
 * struct user_reg_enabler - registration, enabler generation (28 bytes)
 * @size: in: sizeof this structure; a larger one, up to a page, is accepted if
 *	  the excess is zero
 * @enable_bit: in: number of the bit at @enable_addr that the kernel updates: 0
 *		to 31, or 0 to 63 if @enable_size is 8
 * @enable_size: in: bytes at @enable_addr: 4, or 8 on 64-bit kernels
 * @flags: in: bits of enum user_reg_flag, and USER_EVENT_REG_REPORT
 * @enable_addr: in: address of the word, aligned to @enable_size
 * @name_args: in: address of the NUL-terminated command, at most 511
 *	       characters: "name [type field[;type field]...]"
 * @write_index: out: first word of each write() to the same open file
 */
struct user_reg_enabler {
	__USER_REG_ENABLER_MEMBERS;
} __attribute__((__packed__));

/* The layout of the generation that the client was written for. */
struct user_reg {
#ifdef USER_EVENTS_ABI_ENABLER
	__USER_REG_ENABLER_MEMBERS;
#else
	__USER_REG_STATUS_MEMBERS;
#endif
} __attribute__((__packed__));

/*
 * enum user_reg_flag - flags of an enabler registration
 * @USER_EVENT_REG_PERSIST: the event remains without users; needs
 *			    CAP_PERFMON or CAP_SYS_ADMIN
 * @USER_EVENT_REG_MULTI_FORMAT: several formats may share the name; each gets a
 *				 name of its own below user_events_multi
 * @USER_EVENT_REG_MAX: first value that is not a flag
 */
enum user_reg_flag {
	USER_EVENT_REG_PERSIST = 1U << 0,
	USER_EVENT_REG_MULTI_FORMAT = 1U << 1,
	USER_EVENT_REG_MAX = 1U << 2
};

/*
 * Only the module has this flag of an enabler registration; the in-kernel
 * user_events fail with EINVAL. The write index then has
 * USER_EVENT_INDEX_REPORT.
 */
#define USER_EVENT_REG_REPORT (1U << 15)

/*
 * A write with this bit in the index fails if no tracer takes the record:
 * E2BIG: it is too large for all tracers;
 * ENOSPC: the buffers of trace instances have no room, or are off;
 * EAGAIN: the event is disabled.
 * A tracer that does not want it, such as because of a filter, is no error.
 * Without the bit, the write succeeds in the first two cases.
 */
#define USER_EVENT_INDEX_REPORT (1U << 30)

/*
 * struct user_unreg - enabler to unregister (16 bytes)
 * @size: in: sizeof this structure, extensible like a registration
 * @disable_bit: in: the bit given at registration
 * @__reserved: must be 0
 * @__reserved2: must be 0
 * @disable_addr: in: the address given at registration
 */
struct user_unreg {
	__u32 size;
	__u8 disable_bit;
	__u8 __reserved;
	__u16 __reserved2;
	__u64 disable_addr;
} __attribute__((__packed__));

/*
 * struct user_reg_entry - an enabler of a list (24 bytes)
 * @enable_addr: in: as in a registration
 * @name_args: in: as in a registration; 0 to unregister
 * @flags: in: as in a registration; 0 to unregister
 * @enable_bit: in: as in a registration
 * @enable_size: in: as in a registration; 0 to unregister
 * @result: out: the write index, or 0 if it was unregistered; or an error, as a
 *	    negative number. The call can end before it sets that of the last
 *	    entries, so set an error before the call
 */
struct user_reg_entry {
	__u64 enable_addr;
	__u64 name_args;
	__u16 flags;
	__u8 enable_bit;
	__u8 enable_size;
	__s32 result;
};

/*
 * struct user_reg_list - enablers to register or to unregister (24 bytes)
 * @size: in: sizeof this structure, extensible like a registration
 * @count: in: number of entries, at most USER_REG_LIST_MAX
 * @entries: in: address of an array of struct user_reg_entry
 * @flags: in: bits of enum user_reg_list_flag
 * @__reserved: must be 0
 */
struct user_reg_list {
	__u32 size;
	__u32 count;
	__u64 entries;
	__u32 flags;
	__u32 __reserved;
};

/* A list has at most this many entries. */
#define USER_REG_LIST_MAX 1024

/*
 * enum user_reg_list_flag - flags of a list of enablers
 * @USER_REG_LIST_REMOVE: unregister
 * @USER_REG_LIST_FLAG_MAX: first value that is not a flag
 */
enum user_reg_list_flag {
	USER_REG_LIST_REMOVE = 1U << 0,
	USER_REG_LIST_FLAG_MAX = 1U << 1
};

/*
 * struct user_record - a record of a batch (16 bytes)
 * @write_index: in: as the first word of a write()
 * @size: in: bytes of the payload
 * @payload: in: address of the payload
 */
struct user_record {
	__u32 write_index;
	__u32 size;
	__u64 payload;
};

/*
 * struct user_batch - records to write with one call (16 bytes)
 * @size: in: sizeof this structure, extensible like a registration
 * @count: in: number of records
 * @records: in: address of an array of struct user_record
 */
struct user_batch {
	__u32 size;
	__u32 count;
	__u64 records;
};

/* A call writes at most this many records of a batch. */
#define USER_BATCH_MAX 1024

/*
 * struct user_piece - a part of a payload (16 bytes)
 * @address: in: its address
 * @size: in: its bytes
 */
struct user_piece {
	__u64 address;
	__u64 size;
};

/*
 * struct user_write - a record for one open file only (32 bytes)
 * @size: in: sizeof this structure, extensible like a registration
 * @write_index: in: as the first word of a write(); 0 with USER_WRITE_BATCH
 * @cookie: in: that of the open file that the index is from, see
 *	    DIAG_IOCGCOOKIE
 * @payload: in: address of the payload, or of an array of struct user_piece or
 *	     struct user_record
 * @payload_size: in: bytes of the payload, or number of records
 * @pieces: in: number of pieces, at most USER_PIECES_MAX, which have
 *	    @payload_size bytes together; 0 if @payload is no array of them
 * @flags: in: bits of enum user_write_flag
 */
struct user_write {
	__u32 size;
	__u32 write_index;
	__u64 cookie;
	__u64 payload;
	__u32 payload_size;
	__u16 pieces;
	__u16 flags;
};

/* A payload has at most this many pieces. */
#define USER_PIECES_MAX 1024

/*
 * enum user_write_flag - flags of a record for one open file
 * @USER_WRITE_BATCH: @payload is an array of @payload_size records, which are
 *		      written as by DIAG_IOCSBATCH
 * @USER_WRITE_MAX: first value that is not a flag
 */
enum user_write_flag {
	USER_WRITE_BATCH = 1U << 0,
	USER_WRITE_MAX = 1U << 1
};

/*
 * struct user_prefix - start of the names of an open file (16 bytes)
 * @size: in: sizeof this structure, extensible like a registration
 * @__reserved: must be 0
 * @prefix: in: address of the NUL-terminated start of names, which is itself a
 *	    valid name of an event
 */
struct user_prefix {
	__u32 size;
	__u32 __reserved;
	__u64 prefix;
};

#define DIAG_IOC_MAGIC '*'

/*
 * The size encoded in these numbers is that of a pointer: it was fixed that
 * way by the first release and differs between 32-bit and 64-bit programs.
 */

/* Register an event: struct user_reg_status or struct user_reg_enabler. */
#define DIAG_IOCSREG _IOWR(DIAG_IOC_MAGIC, 0, struct user_reg *)

/* Delete an event: NUL-terminated name. */
#define DIAG_IOCSDEL _IOW(DIAG_IOC_MAGIC, 1, char *)

/* Unregister an enabler: struct user_unreg. */
#define DIAG_IOCSUNREG _IOW(DIAG_IOC_MAGIC, 2, struct user_unreg *)

/*
 * Only the module has the following; the in-kernel user_events fail with ENOTTY.
 */

/*
 * Write records in order, each as write() does. Returns the number of records
 * up to the first that failed, or its error if it was the first: a call that
 * starts with a record tells its error.
 */
#define DIAG_IOCSBATCH _IOW(DIAG_IOC_MAGIC, 0x80, struct user_batch)

/*
 * A program can close user_events_data, and another file can get its number. The
 * following have no effect on other files: they do not know the ioctl, and
 * another user_events_data has another cookie. The kernel lists no other user of
 * this magic. DRM drivers of old kernels do not look at the magic, and have
 * numbers up to 0xd2: 0x80 and 0x81 are commands of nouveau.
 */

/*
 * Write a record to the file with the cookie, as write() does. Returns 0, or the
 * number of records of a batch. Errors are those of write(), except
 * ESTALE: the file has another cookie;
 * EAGAIN: the event is disabled;
 * EBADF: the file is not open, or not for writing.
 */
#define DIAG_IOCSWRITE _IOW(DIAG_IOC_MAGIC, 0xe0, struct user_write)

/* Get the cookie of the open file, a random number that is not 0. */
#define DIAG_IOCGCOOKIE _IOR(DIAG_IOC_MAGIC, 0xe1, __u64)

/*
 * Returns the bytes of a recorded entry in front of the payload, for offsets of
 * __data_loc. They are the same for all events of a running kernel.
 */
#define DIAG_IOCQHEADER _IO(DIAG_IOC_MAGIC, 0xe2)

/*
 * Register or unregister each enabler of a list in order, as DIAG_IOCSREG and
 * DIAG_IOCSUNREG do. Entries after one that fails are still handled. Returns the
 * index of the first that has failed, or the number of entries if none has. The call
 * ends at an entry that cannot be read or written, or if the process is killed; if
 * the first cannot, it fails with EFAULT.
 */
#define DIAG_IOCSREGLIST _IOW(DIAG_IOC_MAGIC, 0xe3, struct user_reg_list)

/*
 * Restrict the open file, whichever process has it, to events whose names start
 * with a prefix, before it is passed to another process. DIAG_IOCSREG, entries of
 * DIAG_IOCSREGLIST and DIAG_IOCSDEL then fail with EPERM for other names. Nothing
 * removes or replaces the prefix: a second call fails with EBUSY. Events that the
 * file has registered before can still be written.
 */
#define DIAG_IOCSPREFIX _IOW(DIAG_IOC_MAGIC, 0xe8, struct user_prefix)

/*
 * Sizes and offsets are part of the interface. They are checked where the
 * language has static assertions.
 */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define __USER_EVENTS_ASSERT(condition) static_assert(condition, #condition)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define __USER_EVENTS_ASSERT(condition) _Static_assert(condition, #condition)
#endif

#ifdef __USER_EVENTS_ASSERT
#define __USER_EVENTS_ASSERT_OFFSET(type, member, offset)               \
	__USER_EVENTS_ASSERT(__builtin_offsetof(struct type, member) == \
			     (offset))

__USER_EVENTS_ASSERT(sizeof(struct user_reg_status) == 20);
__USER_EVENTS_ASSERT_OFFSET(user_reg_status, name_args, 4);
__USER_EVENTS_ASSERT_OFFSET(user_reg_status, status_bit, 12);
__USER_EVENTS_ASSERT_OFFSET(user_reg_status, write_index, 16);

__USER_EVENTS_ASSERT(sizeof(struct user_reg_enabler) == 28);
__USER_EVENTS_ASSERT_OFFSET(user_reg_enabler, enable_bit, 4);
__USER_EVENTS_ASSERT_OFFSET(user_reg_enabler, enable_size, 5);
__USER_EVENTS_ASSERT_OFFSET(user_reg_enabler, flags, 6);
__USER_EVENTS_ASSERT_OFFSET(user_reg_enabler, enable_addr, 8);
__USER_EVENTS_ASSERT_OFFSET(user_reg_enabler, name_args, 16);
__USER_EVENTS_ASSERT_OFFSET(user_reg_enabler, write_index, 24);

#ifdef USER_EVENTS_ABI_ENABLER
__USER_EVENTS_ASSERT(sizeof(struct user_reg) == 28);
#else
__USER_EVENTS_ASSERT(sizeof(struct user_reg) == 20);
#endif

__USER_EVENTS_ASSERT(sizeof(struct user_unreg) == 16);
__USER_EVENTS_ASSERT_OFFSET(user_unreg, disable_bit, 4);
__USER_EVENTS_ASSERT_OFFSET(user_unreg, __reserved, 5);
__USER_EVENTS_ASSERT_OFFSET(user_unreg, __reserved2, 6);
__USER_EVENTS_ASSERT_OFFSET(user_unreg, disable_addr, 8);

__USER_EVENTS_ASSERT(sizeof(struct user_reg_entry) == 24);
__USER_EVENTS_ASSERT_OFFSET(user_reg_entry, name_args, 8);
__USER_EVENTS_ASSERT_OFFSET(user_reg_entry, flags, 16);
__USER_EVENTS_ASSERT_OFFSET(user_reg_entry, enable_bit, 18);
__USER_EVENTS_ASSERT_OFFSET(user_reg_entry, enable_size, 19);
__USER_EVENTS_ASSERT_OFFSET(user_reg_entry, result, 20);

__USER_EVENTS_ASSERT(sizeof(struct user_reg_list) == 24);
__USER_EVENTS_ASSERT_OFFSET(user_reg_list, count, 4);
__USER_EVENTS_ASSERT_OFFSET(user_reg_list, entries, 8);
__USER_EVENTS_ASSERT_OFFSET(user_reg_list, flags, 16);
__USER_EVENTS_ASSERT_OFFSET(user_reg_list, __reserved, 20);

__USER_EVENTS_ASSERT(sizeof(struct user_record) == 16);
__USER_EVENTS_ASSERT_OFFSET(user_record, size, 4);
__USER_EVENTS_ASSERT_OFFSET(user_record, payload, 8);

__USER_EVENTS_ASSERT(sizeof(struct user_batch) == 16);
__USER_EVENTS_ASSERT_OFFSET(user_batch, count, 4);
__USER_EVENTS_ASSERT_OFFSET(user_batch, records, 8);

__USER_EVENTS_ASSERT(sizeof(struct user_piece) == 16);
__USER_EVENTS_ASSERT_OFFSET(user_piece, size, 8);

__USER_EVENTS_ASSERT(sizeof(struct user_write) == 32);
__USER_EVENTS_ASSERT_OFFSET(user_write, cookie, 8);
__USER_EVENTS_ASSERT_OFFSET(user_write, payload, 16);
__USER_EVENTS_ASSERT_OFFSET(user_write, payload_size, 24);
__USER_EVENTS_ASSERT_OFFSET(user_write, pieces, 28);
__USER_EVENTS_ASSERT_OFFSET(user_write, flags, 30);

__USER_EVENTS_ASSERT(sizeof(struct user_prefix) == 16);
__USER_EVENTS_ASSERT_OFFSET(user_prefix, prefix, 8);

/* In the kernel, the numbers of ioctls are not constant expressions for clang. */
#ifndef __KERNEL__
__USER_EVENTS_ASSERT(DIAG_IOCSREG ==
		     _IOC(_IOC_READ | _IOC_WRITE, '*', 0, sizeof(void *)));
__USER_EVENTS_ASSERT(DIAG_IOCSDEL == _IOC(_IOC_WRITE, '*', 1, sizeof(void *)));
__USER_EVENTS_ASSERT(DIAG_IOCSUNREG ==
		     _IOC(_IOC_WRITE, '*', 2, sizeof(void *)));
#if defined(__x86_64__) && defined(__LP64__)
__USER_EVENTS_ASSERT(DIAG_IOCSREG == 0xC0082A00U);
__USER_EVENTS_ASSERT(DIAG_IOCSDEL == 0x40082A01U);
__USER_EVENTS_ASSERT(DIAG_IOCSUNREG == 0x40082A02U);
#endif
#endif

__USER_EVENTS_ASSERT(0x0005000cU == DYN_LOC(12, 5));
__USER_EVENTS_ASSERT(0xffffffffU == DYN_LOC(0xffff, 0xffff));

#undef __USER_EVENTS_ASSERT_OFFSET
#undef __USER_EVENTS_ASSERT
#endif

#undef __USER_REG_STATUS_MEMBERS
#undef __USER_REG_ENABLER_MEMBERS

#endif /* _UAPI_LINUX_USER_EVENTS_H */
