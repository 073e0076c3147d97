/* SPDX-License-Identifier: MIT */
/*
 * A kernel for the tests of the library: src/core/sys.h without any system call.
 * Everything begins anew with fake_reset().
 */
#ifndef FAKE_SYS_H
#define FAKE_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What can be made to fail. */
enum fake_call {
	FAKE_OPEN,
	FAKE_READ,
	FAKE_WRITEV,
	FAKE_IOCTL,
	FAKE_DUPLICATE,
	FAKE_MAP,
	FAKE_CALLS
};

enum fake_abi {
	FAKE_ENABLER, /* Linux 6.4 */
	FAKE_STATUS, /* Linux 6.1 */
	FAKE_BOTH, /* the module */
};

/* Begins with a kernel that has tracefs and user_events in the usual place. */
void fake_reset(enum fake_abi abi);

/*
 * fake_mount() - where a tracefs with user_events is, instead of anywhere else
 * @directory: NULL: nowhere
 */
void fake_mount(const char *directory);

/* fake_load() - whether tracefs has the files of user_events */
void fake_load(bool is_loaded);

/* fake_mounts() - what /proc/mounts says; NULL: it cannot be opened */
void fake_mounts(const char *text);

/* fake_deny() - what opening a path fails with; one path at a time */
void fake_deny(const char *path, int error);

/*
 * fake_fail() - has a call fail
 * @call: which
 * @after: how many of them succeed before
 * @times: how many fail then
 * @error: a negative errno; FAKE_SUCCESS: it does nothing and says 0
 */
#define FAKE_SUCCESS 1
void fake_fail(enum fake_call call, unsigned int after, unsigned int times,
	       int error);

/* fake_calls() - how many there were since fake_reset() */
unsigned int fake_calls(enum fake_call call);

/* fake_pass() - time goes by, without anybody waiting */
void fake_pass(uint64_t milliseconds);

/* fake_enable() - somebody begins or ends listening to the event of a name */
void fake_enable(const char *name, bool is_listening);

/* fake_command() - what an event was registered with, or NULL */
const char *fake_command(const char *name);

/* fake_flags() - the flags it was registered with last */
unsigned int fake_flags(const char *name);

/* fake_enablers() - words that the kernel would write to */
unsigned int fake_enablers(void);

/* fake_drop_enablers() - the kernel does not write to any word any more */
void fake_drop_enablers(void);

/* fake_open_files() - how many there are */
unsigned int fake_open_files(void);

/* fake_open_data() - user_events_data, opened by somebody else */
int fake_open_data(int flags);
int fake_open_status(void);

/* fake_close_all() - what a program does that becomes a daemon */
void fake_close_all(void);

/* fake_last_open() - the path that was opened last with success */
const char *fake_last_open(void);

/* fake_last_flags() - and the flags */
int fake_last_flags(void);

/* fake_mapped() - whether the status page is */
bool fake_mapped(void);

/*
 * struct fake_record - what was written
 * @name: of the event
 * @size: bytes of payload
 * @pieces: how many elements of a vector it came in
 * @fd: and through which descriptor
 */
struct fake_record {
	char name[256];
	size_t size;
	int pieces;
	int fd;
	uint8_t payload[16384];
};

/* fake_records() - how many there were; fake_record() - the last one */
unsigned int fake_records(void);
const struct fake_record *fake_record(void);

#endif
