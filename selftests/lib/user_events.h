/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of user_events share: the files, registration and records,
 * tracefs, the ring buffers of ftrace and perf, and a clean machine around
 * every test.
 *
 * Everything a test creates carries the prefix "st_" in its name. After each
 * test the parent removes every such thing; one that cannot be removed, or is
 * still in use by nobody, fails the test.
 */
#ifndef SELFTESTS_USER_EVENTS_LIB_H
#define SELFTESTS_USER_EVENTS_LIB_H

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/user_events.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "harness.h"

#define PREFIX "st_"

/* Total of common fields and fields that an event may have. */
#define ENTRY_MAX 65535

/* Seconds to wait for what must happen soon. */
#define SOON 20

/* What main() of every program of tests that use a loaded module returns. */
int user_events_main(int argc, char **argv);

extern const struct harness_hooks user_events_hooks;

/* --- names --- */

/*
 * uniq - name for an event of this test
 *
 * Return: "st_<process>_<tag>", valid until the process ends.
 */
const char *uniq(const char *tag);

/*
 * Numbers as bytes of string literals, the least significant first, in the
 * order of this machine; WORD() is a location word of a small offset and size.
 */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NUM2(a, b) a b
#define NUM4(a, b, c, d) a b c d
#define NUM8(a, b, c, d, e, f, g, h) a b c d e f g h
#else
#define NUM2(a, b) b a
#define NUM4(a, b, c, d) d c b a
#define NUM8(a, b, c, d, e, f, g, h) h g f e d c b a
#endif
#define WORD(offset, size) NUM4(offset, "\0", size, "\0")

static inline bool little_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* The lowest bytes of a number, as a field of that size has them. */
static inline const void *low_bytes(const void *number, size_t number_size,
				    size_t size)
{
	size_t skip = little_endian() ? 0 : number_size - size;

	return (const char *)number + skip;
}

/* A formatted string; valid until the process ends. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- tracefs --- */

/* Where tracefs is mounted; mounts it if it is not. */
const char *tracefs(void);

int tfs_open(int flags, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * put - write a text into a file of tracefs with a single write()
 *
 * Return: 0, or -1 with errno.
 */
int put(const char *what, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * get - whole content of a file of tracefs
 *
 * Return: a string that is never freed, or NULL with errno.
 */
char *get(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whole content of an open file from its position on, or NULL with errno. */
char *get_fd(int fd);

/* put() and get() for a file anywhere. */
int put_file(const char *what, const char *path);
char *get_file(const char *path);

bool tfs_exists(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Does the kernel tell that it has this symbol? */
bool kernel_has(const char *symbol);

/* Not every kernel is built with these. */
bool has_hist(void);
bool has_synthetic_events(void);

/* They skip the test without them. */
void need_hist(void);
void need_synthetic_events(void);

/*
 * Are user events handed a line of dynamic_events as it was written? Before
 * Linux 5.12 it is cut into words, and the space between them is lost.
 */
bool has_whole_lines(void);

/* Do filters know strings behind __rel_loc, as since Linux 5.17? */
bool has_rel_loc_filters(void);

/* Writes "0" or "1" to events/user_events/NAME/enable; fails the test if not
 * possible.
 */
void enable(const char *event, bool on);

/* Switches an event off and removes its triggers; @dir is its directory. */
void switch_off(const char *dir);

/* One line into dynamic_events. Return: 0, or -1 with errno. */
int dynamic(const char *line);

/* Whether dynamic_events has exactly this line. */
bool dynamic_has(const char *line);

#define KPROBE_FUNCTION "vfs_read"

/*
 * kprobe_target - where a probe meets whoever reads a file
 *
 * Return: KPROBE_FUNCTION, or a place in it where the kernel allows none at the
 * beginning of functions that it traces.
 */
const char *kprobe_target(void);

/*
 * line_of - the line of a text that contains something
 *
 * Return: a copy without the newline, or NULL.
 */
char *line_of(const char *content, const char *part);

unsigned int count_lines(const char *content, const char *part);

/* Lines of the file trace, of the top level or of an instance, with @part. */
unsigned int trace_count(const char *instance, const char *part);

/* Text of the first line in trace that @event wrote, from its name on. */
char *trace_text(const char *event);

void trace_clear(void);

unsigned long long number_after(const char *content, const char *label);

/* The lines of format about the common fields, which all events share. */
const char *common_fields(void);

/* Bytes of common fields before the payload of every record. */
size_t entry_header(void);

/* --- user_events --- */

int data_open(void);
int status_open(void);

/* ioctl(DIAG_IOCSREG) with the status-page structure. */
int reg(int fd, const char *command, struct user_reg_status *out);

/* Registers or stops the test. Return: the write index. */
unsigned int must_reg(int fd, const char *command);

/*
 * reg_enabler - ioctl(DIAG_IOCSREG) with the enabler structure
 * @at: where the value is
 * @size: of the value in bytes
 * @bit: which bit of it
 * @flags: USER_EVENT_REG_*
 *
 * Return: the write index, or -1 with errno.
 */
int reg_enabler(int fd, const char *command, const volatile void *at,
		unsigned int size, unsigned int bit, unsigned int flags);

/* The same for a bit of 4 bytes. */
int reg_word(int fd, const char *command, const volatile uint32_t *word,
	     unsigned int bit);

/* Registers or stops the test. Return: the write index. */
unsigned int must_reg_word(int fd, const char *command,
			   const volatile uint32_t *word, unsigned int bit);

/* ioctl(DIAG_IOCSUNREG). Return: 0, or -1 with errno. */
int unreg(int fd, const volatile void *at, unsigned int bit);

/* Waits until a value is @expected; fails the test if that does not happen. */
void wait_word(const volatile uint32_t *word, uint32_t expected);

/* Waits until there is no event of this name; fails the test if one stays. */
void wait_gone(const char *name);

int del(int fd, const char *name);

/* del() on a file of its own. */
int del_event(const char *name);

/* Index and payload with writev(). */
ssize_t emit(int fd, unsigned int index, const void *payload, size_t size);

/* The status page, read-only. */
const unsigned char *status_map(void);

bool bit_of(const unsigned char *page, unsigned int bit);

/* Line of the event in user_events_status, or NULL. */
char *status_line(const char *event);

/* id of events/user_events/NAME. */
unsigned int event_id(const char *event);

/* How many references to the module there are. */
unsigned int module_references(void);

/* The counters of user_events_profile. Return: false if there is no line. */
bool profile(const char *event, unsigned long long *hits,
	     unsigned long long *lost);

/* --- the binary ring buffer of ftrace --- */

/*
 * struct record - one record as the kernel stored it
 * @cpu: whose buffer
 * @type: common_type
 * @size: bytes in @bytes, with what the buffer padded the record to
 * @bytes: begins with the common fields
 */
struct record {
	unsigned int cpu;
	unsigned int type;
	size_t size;
	unsigned char bytes[8192];
};

/*
 * raw_next - take the next record of an event out of the binary buffers
 * @type: its id
 *
 * Return: false if there is none.
 */
bool raw_next(unsigned int type, struct record *record);

/* Throws away what was read ahead by raw_next(). */
void raw_reset(void);

/* Bytes of a page of the buffers before its first record. */
size_t raw_header(void);

/*
 * raw_stored - what a record's size becomes in the buffers
 *
 * Only known after raw_next() has seen a small record.
 */
size_t raw_stored(size_t size);

unsigned int cpus(void);

/* Runs the calling thread on one processor alone. */
void pin(unsigned int cpu);

/* --- perf --- */

/*
 * struct perf - a perf event on a user event
 * @fd: of perf_event_open()
 * @map: the control page and the ring behind it, or NULL
 * @size: of the ring in bytes
 * @may_lose: it fails no test when there is no room for a record
 * @lost: how many there was no room for, as far as perf_next() has read
 */
struct perf {
	int fd;
	struct perf_event_mmap_page *map;
	size_t size;
	bool may_lose;
	unsigned long long lost;
};

/*
 * struct sample - one raw sample
 * @size: what the kernel says the raw data's size is
 * @bytes: begins with the common fields
 */
struct sample {
	unsigned int size;
	unsigned char bytes[16384];
};

#define PERF_COUNT 0x1 /* no samples */
#define PERF_INHERIT 0x2
#define PERF_DISABLED 0x4

/* perf_event_open(). Return: the file, or -1 with errno. */
int perf_open(unsigned int id, pid_t pid, int cpu, unsigned int flags);

/* perf_open() and a ring of 2^order pages; stops the test on failure. */
void perf_map(struct perf *perf, unsigned int id, pid_t pid, int cpu,
	      unsigned int order);

void perf_close(struct perf *perf);

/* Next sample of the ring; false if there is none. */
bool perf_next(struct perf *perf, struct sample *sample);

unsigned long long perf_count(int fd);

/* --- BPF, of which the programs are put down by hand --- */

#define BPF_INSN(c, d, s, o, i)             \
	((struct bpf_insn){ .code = (c),    \
			    .dst_reg = (d), \
			    .src_reg = (s), \
			    .off = (o),     \
			    .imm = (i) })

/* bpf(2). Return: a file or 0, or -1 with errno. */
int bpf(int command, union bpf_attr *attr);

/* --- processes, threads and memory --- */

/* waitpid(); fails the test unless the child ended with status 0. */
void join_child(pid_t child);

/* Hands an open file to whoever has the other end of a unix socket. */
void send_file(int socket, int fd);
int receive_file(int socket);

/* The same, and what goes wrong is for the caller: sendmsg() and recvmsg(). */
ssize_t try_send_file(int socket, int fd);
ssize_t try_receive_file(int socket, int *fd);

/* Two pages of which only the first can be touched; address of the second. */
unsigned char *edge(void);

/* A mapped page with this protection. */
void *page_of(int protection);

#endif /* SELFTESTS_USER_EVENTS_LIB_H */
