/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the user_events tests share: files of tracefs, registration,
 * records, the ring buffers of ftrace and perf, processes, and the clean-up
 * around each test.
 *
 * Every object that a test creates has a name with the prefix "st_". After each
 * test the parent removes all of these objects. An object that cannot be
 * removed, although its users have exited, fails the test.
 */
#ifndef SELFTESTS_LIB_USER_EVENTS_H
#define SELFTESTS_LIB_USER_EVENTS_H

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/user_events.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "harness.h"

#define PREFIX "st_"

/* Limit of the size of the common fields and the fields of an event. */
#define ENTRY_MAX 65535

/* Size of a page in bytes, and the largest one of all architectures. */
#define PAGE page_size
#define PAGE_MAX 65536
extern size_t page_size;

/* Timeout for events that normally follow within milliseconds. */
#define WAIT_TIMEOUT_S 20

/* main() of every test program that needs the module to be loaded. */
int user_events_main(int argc, char **argv);

extern const struct harness_hooks user_events_hooks;

/* --- names --- */

/*
 * uniq - make an event name that is unique to this test
 *
 * Return: "st_<process>_<tag>", valid until the process exits.
 */
const char *uniq(const char *tag);

/*
 * Numbers as bytes of string literals, given least significant byte first and
 * stored in the byte order of this machine. WORD() is a location word with a
 * small offset and a small size.
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

/* The low-order bytes of a number, as a field of @size bytes stores them. */
static inline const void *low_bytes(const void *number, size_t number_size,
				    size_t size)
{
	size_t skip = little_endian() ? 0 : number_size - size;

	return (const char *)number + skip;
}

/* Formats a string, which stays valid until the process exits. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- tracefs --- */

/* Mount point of tracefs, which is mounted first if necessary. */
const char *tracefs(void);

int tfs_open(int flags, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * tfs_write - write a text into a file of tracefs with a single write()
 *
 * Return: 0, or -1 with errno.
 */
int tfs_write(const char *what, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * tfs_read - read a whole file of tracefs
 *
 * Return: a string that is never freed, or NULL with errno.
 */
char *tfs_read(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Reads an open file from its current position to its end. Return: a string, or
 * NULL with errno.
 */
char *read_fd(int fd);

/* tfs_write() and tfs_read() for a file outside tracefs. */
int write_file(const char *what, const char *path);
char *read_file(const char *path);

bool tfs_exists(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether /proc/kallsyms has this symbol. */
bool kernel_has(const char *symbol);

/*
 * Before Linux 5.0 the file dynamic_events is the module's, and has no probes and
 * synthetic events.
 */
bool kernel_has_dynamic_events(void);
void need_dynamic_events(void);

/* Address of a symbol in /proc/kallsyms; needs a privileged process. */
unsigned long long kernel_address(const char *symbol);

/* Whether the address is in a function of the module. */
bool module_has_code(unsigned long long address);

/* Features that depend on the kernel's configuration. */
bool has_hist(void);
bool has_synthetic_events(void);

/* Skip the test if the kernel lacks the feature. */
void need_hist(void);
void need_synthetic_events(void);
/* __rel_loc fields as keys of histograms, as since Linux 5.17 */
void need_rel_loc_hist(void);

/*
 * Whether user events receive a line of dynamic_events unchanged. Before Linux
 * 5.12 the kernel splits the line into words, and the spacing is lost.
 */
bool has_whole_lines(void);

/* Whether filters support __rel_loc strings, as they do since Linux 5.17. */
bool has_rel_loc_filters(void);

/*
 * Whether an event stays while a task is opening or closing its enable or
 * filter: the kernel has a function to release these files, but no reference
 * count for them.
 */
bool openers_keep_event(void);

/**
 * struct open_hold - holds tasks in open() of a file
 * @fd: to be closed to let them go on
 * @is_lease: whether it is a file with a lease, or a group of fanotify
 *
 * Both hold a task after it has read the operations of the file, and before it
 * calls open() of these.
 */
struct open_hold {
	int fd;
	bool is_lease;
};

/* Holds tasks that open a file for writing; skips the test if impossible. */
struct open_hold open_hold_start(const char *path);

/* Waits until a task is held; fails the test after a timeout. */
void open_hold_wait(const struct open_hold *hold);

/**
 * errno_of_write - writes to "enable", "filter" or "trigger" of a deleted event
 * @path: path of the file
 *
 * Kernels whose open() of "enable" and "filter" does not use the event open them,
 * such as RHEL 9.4. Then the write must fail.
 *
 * Return: the error of open(), or on such kernels of write(), or 0.
 */
int errno_of_write(const char *path);

/* Writes "0" or "1" to events/user_events/NAME/enable, or fails the test. */
void enable(const char *event, bool on);

/* Disables the event with the directory @dir and removes its triggers. */
void disable_dir(const char *dir);

/*
 * Writes one line into dynamic_events, or into the file of probes if they have no
 * lines there. Return: 0, or -1 with errno.
 */
int dynevent_write(const char *line);

/* Whether dynamic_events contains exactly this line. */
bool dynevent_listed(const char *line);

/* All lines of dynamic_events, and of the files of probes if they are there. */
char *dynevent_list(void);

#define KPROBE_FUNCTION "vfs_read"

/*
 * kprobe_target - find a place for a kprobe that is hit by every read()
 *
 * Return: KPROBE_FUNCTION, or an offset in it on kernels that allow no kprobe
 * at the entry of a traced function.
 */
const char *kprobe_target(void);

/*
 * find_line - find the first line of a text that contains @part
 *
 * Return: a copy without the newline, or NULL.
 */
char *find_line(const char *content, const char *part);

unsigned int count_lines(const char *content, const char *part);

/*
 * Number of lines with @part in the file trace of an instance, or of the top
 * level if @instance is NULL.
 */
unsigned int trace_count(const char *instance, const char *part);

/* Text of the first line in trace for @event, starting at the event's name. */
char *trace_text(const char *event);

void trace_clear(void);

unsigned long long number_after(const char *content, const char *label);

/* The lines of a format file that describe the fields common to all events. */
const char *common_fields(void);

/* The offset of common_flags in a record, and the flag of one from an NMI */
#define COMMON_FLAGS_OFFSET 2
#define COMMON_FLAGS_NMI 0x40

/* Size in bytes of the common fields, which precede the payload of a record. */
size_t common_fields_size(void);

/* --- user_events --- */

int data_open(void);
int status_open(void);

/* ioctl(DIAG_IOCSREG) with the structure of the status-page generation. */
int reg(int fd, const char *command, struct user_reg_status *out);

/* Registers, or fails and stops the test. Return: the write index. */
unsigned int must_reg(int fd, const char *command);

/*
 * open_event - open user_events_data and register an event
 *
 * Fails and stops the test unless the write index is 0. Return: the file.
 */
int open_event(const char *event, const char *args);

/*
 * reg_enabler - ioctl(DIAG_IOCSREG) with the structure of the enabler
 *		 generation
 * @at: address of the value that contains the enable bit
 * @size: size of the value in bytes
 * @bit: number of the bit
 * @flags: USER_EVENT_REG_*
 *
 * Return: the write index, or -1 with errno.
 */
int reg_enabler(int fd, const char *command, const volatile void *at,
		unsigned int size, unsigned int bit, unsigned int flags);

/* reg_enabler() for a bit of a 4-byte value. */
int reg_word(int fd, const char *command, const volatile uint32_t *word,
	     unsigned int bit);

/* Registers, or fails and stops the test. Return: the write index. */
unsigned int must_reg_word(int fd, const char *command,
			   const volatile uint32_t *word, unsigned int bit);

/* ioctl(DIAG_IOCSUNREG). Return: 0, or -1 with errno. */
int unreg(int fd, const volatile void *at, unsigned int bit);

/* Waits until a value is @expected; fails the test after a timeout. */
void wait_value(const volatile uint32_t *word, uint32_t expected);

/* Waits until no event has this name; fails the test after a timeout. */
void wait_deleted(const char *name);

int del(int fd, const char *name);

/* del() through a file that is opened for this call. */
int del_event(const char *name);

/* Writes a record: index and payload with one writev(). */
ssize_t emit(int fd, unsigned int index, const void *payload, size_t size);

/* Maps the status page read-only. */
const unsigned char *status_map(void);

bool status_page_bit(const unsigned char *page, unsigned int bit);

/* Line of the event in user_events_status, or NULL. */
char *status_line(const char *event);

/* ID from events/user_events/NAME/id. */
unsigned int event_id(const char *event);

/* Reference count of the module. */
unsigned int module_references(void);

/*
 * Reads the counters of an event from user_events_profile. Return: false if the
 * file has no line for the event.
 */
bool read_profile(const char *event, unsigned long long *hits,
		  unsigned long long *lost);

/*
 * Number of records that tracers did not get for a reason, such as "fault", from
 * user_events_profile.
 */
unsigned long long read_loss(const char *event, const char *reason);

/* --- the binary ring buffer of ftrace --- */

/*
 * struct record - one record as stored by the kernel
 * @cpu: CPU whose buffer held the record
 * @type: common_type
 * @size: number of bytes in @bytes, including the padding of the ring buffer
 * @bytes: starts with the common fields
 */
struct record {
	unsigned int cpu;
	unsigned int type;
	size_t size;
	unsigned char bytes[PAGE_MAX];
};

/* Not an ID: entries that were reserved, but not recorded. */
#define RAW_DISCARDED 0x10000

/*
 * raw_next - consume the next record of an event from the binary buffers
 * @type: ID of the event, or RAW_DISCARDED for entries without their first word
 *
 * Return: false if there are no more records.
 */
bool raw_next(unsigned int type, struct record *record);

/* Drops the page that raw_next() has read ahead. */
void raw_reset(void);

/* Bytes of a ring-buffer page before its first record. */
size_t raw_header(void);

/*
 * raw_stored - size of a record in the ring buffer, including padding
 *
 * The result is correct only after raw_next() has returned a small record.
 */
size_t raw_stored(size_t size);

/*
 * Expects a record of an event with this payload, or with it and padding of zero
 * bytes, as the next.
 */
void expect_record(unsigned int id, const void *payload, size_t size);
void expect_no_record(unsigned int id);

unsigned int cpu_count(void);

/* Restricts the calling thread to one CPU. */
void pin_to_cpu(unsigned int cpu);

/* Gives a thread the lowest real-time priority; 0: the calling thread. */
void make_realtime(pid_t pid);

/* --- perf --- */

/*
 * struct perf - a perf event attached to a user event
 * @fd: from perf_event_open()
 * @map: control page, followed by the ring buffer, or NULL
 * @size: size of the ring buffer in bytes
 * @ignore_lost: do not fail the test if the kernel reports lost records
 * @lost: number of lost records reported so far to perf_next()
 */
struct perf {
	int fd;
	struct perf_event_mmap_page *map;
	size_t size;
	bool ignore_lost;
	unsigned long long lost;
};

/*
 * struct sample - one raw sample
 * @size: size of the raw data according to the kernel
 * @bytes: starts with the common fields
 */
struct sample {
	unsigned int size;
	unsigned char bytes[16384];
};

#define PERF_COUNT 0x1 /* no samples */
#define PERF_INHERIT 0x2
#define PERF_DISABLED 0x4

/* perf_event_open(). Return: a file, or -1 with errno. */
int perf_open(unsigned int id, pid_t pid, int cpu, unsigned int flags);

/*
 * perf_open() with a ring buffer of 2^order pages; stops the test on failure.
 */
void perf_map(struct perf *perf, unsigned int id, pid_t pid, int cpu,
	      unsigned int order);

void perf_close(struct perf *perf);

/* Reads the next sample of the ring buffer; false if there is none. */
bool perf_next(struct perf *perf, struct sample *sample);

unsigned long long perf_count(int fd);

/*
 * Largest payload that perf accepts: its limit is 8192 bytes, and 2048 on some
 * kernels before Linux 5.16. A record in between tells which.
 */
size_t perf_max(void);

/* --- BPF programs, written as instructions --- */

#define BPF_INSN(c, d, s, o, i)             \
	((struct bpf_insn){ .code = (c),    \
			    .dst_reg = (d), \
			    .src_reg = (s), \
			    .off = (o),     \
			    .imm = (i) })

/* bpf(2). Return: a file or 0, or -1 with errno. */
int bpf(int command, union bpf_attr *attr);

/*
 * Loads a program for tracepoints. Its errors are in @log, of @size bytes, if
 * that is not NULL. Return: as bpf().
 */
int bpf_load(const struct bpf_insn *program, size_t count, char *log,
	     size_t size);

/* --- processes, threads and memory --- */

/* waitpid(); fails the test unless the child's exit status is 0. */
void wait_child(pid_t child);

/* Kills a child and waits for it. */
void kill_child(pid_t child);

/*
 * in_child - run the statements that follow in a child
 *
 * The child continues with true and calls end_child() last. The caller waits
 * for it, and continues with false. The test fails if the child does.
 *
 * Return: whether this is the child.
 */
bool in_child(void);
void end_child(void) __attribute__((noreturn));

/* Changes all user and group IDs of the process. */
void become_user(uid_t uid);

/* Pass an open file over a unix socket. They fail the test on error. */
void send_fd(int socket, int fd);
int receive_fd(int socket);

/* The same without checks: they return the result of sendmsg() or recvmsg(). */
ssize_t try_send_fd(int socket, int fd);
ssize_t try_receive_fd(int socket, int *fd);

/*
 * Maps one accessible page in front of an inaccessible one. Return: the address
 * of the inaccessible page.
 */
unsigned char *guarded_page_end(void);

/* Maps a page with this protection. */
void *map_page(int protection);

/*
 * userfault_open - open a userfaultfd
 * @features: UFFD_FEATURE_*
 *
 * Skips the test if the kernel has no userfaultfd. Return: the userfaultfd, or -1
 * if it lacks the features.
 */
int userfault_open(uint64_t features);

/*
 * userfault_register - have a userfaultfd receive the faults of a mapping
 * @start: start of the mapping
 * @mode: UFFDIO_REGISTER_MODE_*
 *
 * Return: 0, or -1 with errno.
 */
int userfault_register(int uffd, const volatile void *start, size_t size,
		       uint64_t mode);

/*
 * userfault_start - let page faults in a mapping wait for resolve_page_faults()
 * @start: start of the mapping, whose pages are absent
 * @features: UFFD_FEATURE_*
 *
 * Skips the test if the kernel has no userfaultfd. Return: the userfaultfd.
 */
int userfault_start(const volatile void *start, size_t size, uint64_t features);

/*
 * userfault_watch - let the kernel note which pages of a mapping are written
 * @start: start of the mapping
 *
 * The userfaultfd needs no server. Skips the test on kernels before Linux 6.7,
 * which cannot do this. Return: the userfaultfd.
 */
int userfault_watch(const volatile void *start, size_t size);

/* Waits until @count threads wait for pages of a userfaultfd. */
void wait_for_page_faults(int uffd, unsigned int count);

/* Maps zeroed pages, which wakes up the threads that wait for them. */
void resolve_page_faults(int uffd, const volatile void *start, size_t size);

#endif /* SELFTESTS_LIB_USER_EVENTS_H */
