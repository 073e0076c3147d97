/* SPDX-License-Identifier: MIT */
/*
 * A fake kernel for tests of the library: src/core/sys.h without system calls.
 * Its open(), close() and read() are cancellation points.
 * fake_reset() resets everything.
 */
#ifndef FAKE_SYS_H
#define FAKE_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls that can be made to fail. */
enum fake_call {
	FAKE_OPEN,
	FAKE_READ,
	FAKE_WRITE,
	FAKE_IOCTL,
	FAKE_BATCH,
	FAKE_DUPLICATE,
	FAKE_MAP,
	FAKE_MARK,
	FAKE_CALLS
};

enum fake_abi {
	FAKE_ENABLER, /* Linux 6.4 */
	FAKE_STATUS, /* Linux 6.1 */
	FAKE_BOTH, /* the module; only it has batches and UEV_MULTI_FORMAT */
	FAKE_OLD_MODULE, /* the same without cookies of files */
};

/* Resets to a kernel that has tracefs and user_events at the usual path. */
void fake_reset(enum fake_abi abi);

/*
 * fake_mount() - where a tracefs with user_events is, instead of anywhere else
 * @directory: NULL: nowhere
 */
void fake_mount(const char *directory);

/*
 * fake_header() - Sets the size of the header that the module tells; 0: the module
 * from before DIAG_IOCQHEADER; 8 by default
 */
void fake_header(unsigned int size);

/*
 * fake_broker() - A broker has its socket at FAKE_BROKER
 * @error: the negative errno of its answer, or 0 if it passes user_events_data
 */
#define FAKE_BROKER "/run/fake-broker"
void fake_broker(int error);

/* fake_rt() - Sets whether the kernel has CONFIG_PREEMPT_RT */
void fake_rt(bool is_rt);

/* fake_load() - whether tracefs has the files of user_events */
void fake_load(bool is_loaded);

/*
 * fake_ask() - whether the administrator asks programs to close
 * user_events_data
 */
void fake_ask(bool is_asking);

/*
 * fake_mounts() - Sets the content of /proc/mounts; NULL: it cannot be opened
 */
void fake_mounts(const char *text);

/* fake_deny() - Sets the error of opening a path; one path at a time */
void fake_deny(const char *path, int error);

/*
 * fake_fail() - Makes a call fail
 * @call: the call
 * @after: number of successful calls before
 * @times: number of failures
 * @error: a negative errno; FAKE_SUCCESS: does nothing and returns 0
 */
#define FAKE_SUCCESS 1
void fake_fail(enum fake_call call, unsigned int after, unsigned int times,
	       int error);

/* fake_calls() - how many there were since fake_reset() */
unsigned int fake_calls(enum fake_call call);

/* fake_pass() - Advances the clock without a wait */
void fake_pass(uint64_t milliseconds);

/* fake_enable() - Enables or disables the event of a name */
void fake_enable(const char *name, bool is_listening);

/* fake_enable_new() - Enables events as soon as they are registered */
void fake_enable_new(void);

/*
 * fake_command() - Returns the command of an event, or NULL
 * @name: with UEV_MULTI_FORMAT "NAME.N", N in the order of creation from 0
 */
const char *fake_command(const char *name);

/* fake_flags() - the flags it was registered with last */
unsigned int fake_flags(const char *name);

/* fake_delete() - Deletes an event, as when its last process exits */
void fake_delete(const char *name);

/* fake_enablers() - words that the kernel would write to */
unsigned int fake_enablers(void);

/*
 * fake_unmap() - The program unmaps memory with words, which are then not
 * accessible; NULL: it maps it again
 */
void fake_unmap(const void *memory, size_t size);

/* fake_drop_enablers() - the kernel does not write to any word any more */
void fake_drop_enablers(void);

/* fake_open_files() - Returns the number of open files */
unsigned int fake_open_files(void);

/* fake_open_data() - Opens user_events_data as another part of the program */
int fake_open_data(int flags);
int fake_open_status(void);

/* fake_open_other() - The program opens another file with a number */
void fake_open_other(int fd);

/* fake_close_all() - Closes all files, as a daemon does */
void fake_close_all(void);

/* fake_last_open() - the path that was opened last with success */
const char *fake_last_open(void);

/* fake_last_flags() - and the flags */
int fake_last_flags(void);

/* fake_mapped() - whether the status page is */
bool fake_mapped(void);

/*
 * struct fake_record - A written record
 * @name: name of the event
 * @size: bytes of payload
 * @pieces: number of vector elements; 2 for a payload in one piece
 * @fd: descriptor that it was written to
 */
struct fake_record {
	char name[300];
	size_t size;
	int pieces;
	int fd;
	uint8_t payload[16384];
};

/* fake_records() - how many there were; fake_record() - the last one */
unsigned int fake_records(void);
const struct fake_record *fake_record(void);

#endif
