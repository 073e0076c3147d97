// SPDX-License-Identifier: GPL-2.0-only
/* Functions shared by the user_events tests. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user_events.h"

#define EVENTS "events/" USER_EVENTS_SYSTEM "/"

/* Not in the headers of Debian 12 */
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif

size_t page_size;

static __attribute__((constructor)) void set_page_size(void)
{
	page_size = sysconf(_SC_PAGESIZE);
}

/* --- names --- */

const char *text(const char *format, ...)
{
	va_list args;
	char *out;

	va_start(args, format);
	if (vasprintf(&out, format, args) < 0)
		abort();
	va_end(args);

	return out;
}

const char *uniq(const char *tag)
{
	return text(PREFIX "%d_%s", getpid(), tag);
}

/* --- tracefs --- */

const char *tracefs(void)
{
	static char where[256];
	char type[64];
	FILE *mounts;

	if (where[0])
		return where;

	mounts = fopen("/proc/mounts", "re");
	while (mounts &&
	       fscanf(mounts, "%*s %255s %63s %*[^\n]", where, type) == 2) {
		if (!strcmp(type, "tracefs"))
			break;
		where[0] = '\0';
	}
	if (mounts)
		fclose(mounts);

	if (!where[0]) {
		strcpy(where, "/sys/kernel/tracing");
		mount("tracefs", where, "tracefs", 0, NULL);
	}

	return where;
}

static const char *path_of(const char *format, va_list args)
{
	static __thread char path[1024];
	int used = snprintf(path, sizeof(path), "%s/", tracefs());

	vsnprintf(path + used, sizeof(path) - used, format, args);

	return path;
}

#define PATH(path, format)                      \
	const char *path;                       \
	do {                                    \
		va_list __args;                 \
                                                \
		va_start(__args, format);       \
		path = path_of(format, __args); \
		va_end(__args);                 \
	} while (0)

int tfs_open(int flags, const char *format, ...)
{
	PATH(path, format);

	return open(path, flags | O_CLOEXEC);
}

int write_file(const char *what, const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t done;
	int error;

	if (fd < 0)
		return -1;

	done = write(fd, what, strlen(what));
	error = errno;
	close(fd);
	errno = error;

	return done < 0 ? -1 : 0;
}

int tfs_write(const char *what, const char *format, ...)
{
	PATH(path, format);

	return write_file(what, path);
}

char *read_fd(int fd)
{
	size_t size = 0, room = 65536;
	char *out = malloc(room);

	while (true) {
		ssize_t got;

		if (room - size < 4096) {
			room *= 2;
			out = realloc(out, room);
		}
		got = read(fd, out + size, room - size - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(out);
			return NULL;
		}
		if (!got)
			break;
		size += got;
	}
	out[size] = '\0';

	return out;
}

char *read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error;
	char *out;

	if (fd < 0)
		return NULL;

	out = read_fd(fd);
	error = errno;
	close(fd);
	errno = error;

	return out;
}

char *tfs_read(const char *format, ...)
{
	PATH(path, format);

	return read_file(path);
}

bool tfs_exists(const char *format, ...)
{
	PATH(path, format);

	return !access(path, F_OK);
}

/* Without a file, or the right to write it, the next test reads them anew. */
static void keep_symbols(const char *path, const char *symbols)
{
	ssize_t length = strlen(symbols);
	char temporary[PATH_MAX];
	bool whole;
	int fd;

	snprintf(temporary, sizeof(temporary), "%s.%d", path, getpid());
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;

	whole = write(fd, symbols, length) == length;
	close(fd);
	if (!whole || rename(temporary, path))
		unlink(temporary);
}

/*
 * Lines "ADDRESS TYPE NAME" of the kernel's own symbols. The script 'run' names a
 * file that keeps them for the next test. Those of modules can be missing or old
 * there.
 */
static const char *kernel_symbols(void)
{
	const char *path = getenv("USER_EVENTS_SYMBOLS");
	static char *symbols;

	if (!symbols && path)
		symbols = read_file(path);
	if (symbols)
		return symbols;

	symbols = read_file("/proc/kallsyms");
	ASSERT_TRUE(symbols);
	if (path)
		keep_symbols(path, symbols);

	return symbols;
}

/* The name of a symbol in its line, or NULL. */
static const char *find_symbol(const char *symbol)
{
	const char *at;
	size_t length = strlen(symbol);

	for (at = kernel_symbols(); (at = strstr(at, symbol)); at += length)
		if (at[-1] == ' ' && isspace((unsigned char)at[length]))
			return at;

	return NULL;
}

bool kernel_has(const char *symbol)
{
	return find_symbol(symbol);
}

unsigned long long kernel_address(const char *symbol)
{
	const char *at = find_symbol(symbol);

	ASSERT_TRUE(at);
	while (at > kernel_symbols() && at[-1] != '\n')
		at--;

	return strtoull(at, NULL, 16);
}

bool module_has_code(unsigned long long address)
{
	char *symbols = read_file("/proc/kallsyms");
	unsigned long long at, nearest = 0;
	const char *line = symbols, *end;
	bool found = false;

	ASSERT_TRUE(symbols);
	for (; (end = strchr(line, '\n')); line = end + 1) {
		at = strtoull(line, NULL, 16);
		if (at < nearest || at > address)
			continue;
		nearest = at;
		found = memmem(line, end - line, "[user_events]",
			       strlen("[user_events]"));
	}
	free(symbols);

	return found;
}

/* Every test asks this, and reading all symbols takes long. */
bool kernel_has_dynamic_events(void)
{
	static bool asked, has;
	struct utsname name;

	if (!asked) {
		ASSERT_OK(uname(&name));
		has = (strtoul(name.release, NULL, 10) >= 5 &&
		       (tfs_exists("kprobe_events") ||
			tfs_exists("uprobe_events") ||
			tfs_exists("synthetic_events"))) ||
		      kernel_has("dyn_event_register");
		asked = true;
	}

	return has;
}

void need_dynamic_events(void)
{
	if (!kernel_has_dynamic_events())
		SKIP("this kernel has no dynamic_events");
}

bool has_hist(void)
{
	return tfs_exists("events/sched/sched_switch/hist");
}

bool has_synthetic_events(void)
{
	return tfs_exists("synthetic_events") && kernel_has_dynamic_events();
}

void need_hist(void)
{
	if (!has_hist())
		SKIP("this kernel has no hist triggers");
}

void need_synthetic_events(void)
{
	if (!has_synthetic_events())
		SKIP("this kernel has no synthetic events");
}

bool has_whole_lines(void)
{
	return !kernel_has("trace_run_command");
}

/*
 * Older kernels have one predicate function for each kind of string. Since
 * Linux 6.3, which was backported, the predicates are inlined into another
 * function.
 */
bool has_rel_loc_filters(void)
{
	return kernel_has("filter_pred_strrelloc") ||
	       !kernel_has("filter_pred_strloc");
}

void need_rel_loc_hist(void)
{
	if (!has_rel_loc_filters())
		SKIP("this kernel has no hist triggers for __rel_loc keys");
}

bool openers_keep_event(void)
{
	/* Linux 5.4.y has the reference count, but does not use it. */
	return kernel_has("tracing_release_file_tr") &&
	       (!kernel_has("event_file_get") ||
		kernel_has("tracefs_remove_recursive"));
}

struct open_hold open_hold_start(const char *path)
{
	struct open_hold hold = {
		.fd = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDONLY)
	};

	if (hold.fd >= 0 && !fanotify_mark(hold.fd, FAN_MARK_ADD, FAN_OPEN_PERM,
					   AT_FDCWD, path))
		return hold;
	close(hold.fd);
	hold.is_lease = true;
	hold.fd = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_OK(hold.fd);
	signal(SIGIO, SIG_IGN);
	if (fcntl(hold.fd, F_SETLEASE, F_RDLCK))
		SKIP("neither fanotify nor leases: %s", harness_errno(errno));

	return hold;
}

static bool holds_task(const struct open_hold *hold)
{
	struct pollfd ready = { .fd = hold->fd, .events = POLLIN };

	/* A lease that is being broken has the type that is waited for. */
	return hold->is_lease ? fcntl(hold->fd, F_GETLEASE) == F_UNLCK
			      : poll(&ready, 1, 0) == 1;
}

void open_hold_wait(const struct open_hold *hold)
{
	long long start = 0;

	while (!holds_task(hold))
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("no task is in open()");
			harness_stop();
		}
}

int errno_of_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	if (kernel_has("tracing_release_file_tr"))
		return 0;

	return write(fd, "0", 1) < 0 ? errno : 0;
}

void enable(const char *event, bool on)
{
	int done = tfs_write(on ? "1" : "0", EVENTS "%s/enable", event);

	if (done) {
		FAIL("cannot write %d to enable of %s: %s", on, event,
		     harness_errno(errno));
		harness_stop();
	}
}

/*
 * Writes a line that is not for user events to a file that has lines of other
 * types only, before Linux 5.0.
 */
static int write_probe(const char *line)
{
	if (*line != '-')
		return tfs_write(line, strstr(line, " /") ? "uprobe_events"
							  : "kprobe_events");

	if (!tfs_write(line, "kprobe_events"))
		return 0;

	return tfs_write(line, "uprobe_events");
}

int dynevent_write(const char *line)
{
	int ret;

	if (kernel_has_dynamic_events())
		return tfs_write(line, "dynamic_events");

	if (!strncmp(line, "p:", 2) || !strncmp(line, "r:", 2))
		return write_probe(line);

	ret = tfs_write(line, "dynamic_events");
	if (ret && errno == ENOENT && *line == '-' &&
	    tfs_exists("kprobe_events"))
		ret = write_probe(line);

	return ret;
}

bool dynevent_listed(const char *line)
{
	const char *list = tfs_read("dynamic_events");
	size_t length = strlen(line);
	const char *at;

	for (at = list; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, line, length) &&
		    (at[length] == '\n' || !at[length]))
			return true;
	}

	return false;
}

char *dynevent_list(void)
{
	static const char *const files[] = { "dynamic_events", "kprobe_events",
					     "uprobe_events" };
	char *all = strdup(""), *content;
	size_t count = kernel_has_dynamic_events() ? 1 : ARRAY_SIZE(files);
	size_t i;

	for (i = 0; i < count && all; i++) {
		content = tfs_read("%s", files[i]);
		if (content)
			all = realloc(all, strlen(all) + strlen(content) + 1);
		if (content && all)
			strcat(all, content);
		free(content);
	}

	return all;
}

const char *kprobe_target(void)
{
	/*
	 * 8 bytes after the entry, which ftrace patches: two 4-byte
	 * instructions.
	 */
	static const char *const targets[] = {
		KPROBE_FUNCTION,
		KPROBE_FUNCTION "+8",
	};
	const char *probe = uniq("target");
	size_t i;

	if (!tfs_exists("kprobe_events"))
		SKIP("this kernel has no kprobes");
	for (i = 0; i < ARRAY_SIZE(targets); i++)
		if (!dynevent_write(text("p:%s %s", probe, targets[i]))) {
			ASSERT_OK(dynevent_write(text("-:%s", probe)));
			return targets[i];
		}
	FAIL("cannot add a kprobe on " KPROBE_FUNCTION ": %s",
	     harness_errno(errno));

	return targets[0];
}

char *find_line(const char *content, const char *part)
{
	const char *at = content ? strstr(content, part) : NULL;

	if (!at)
		return NULL;
	while (at > content && at[-1] != '\n')
		at--;

	return strndup(at, strcspn(at, "\n"));
}

unsigned int count_lines(const char *content, const char *part)
{
	unsigned int count = 0;

	while (content && (content = strstr(content, part))) {
		count++;
		content = strchr(content, '\n');
	}

	return count;
}

unsigned int trace_count(const char *instance, const char *part)
{
	char *content = instance ? tfs_read("instances/%s/trace", instance)
				 : tfs_read("trace");
	unsigned int count;

	if (!content) {
		FAIL("cannot read the file trace: %s", harness_errno(errno));
		return 0;
	}
	count = count_lines(content, part);
	free(content);

	return count;
}

char *trace_text(const char *event)
{
	char *content = tfs_read("trace");
	char *line = find_line(content, text(": %s:", event));
	char *out;

	free(content);
	if (!line)
		return NULL;
	out = strdup(strstr(line, event));
	free(line);

	return out;
}

void trace_clear(void)
{
	int fd = tfs_open(O_WRONLY | O_TRUNC, "trace");

	ASSERT_OK(fd);
	close(fd);
}

unsigned long long number_after(const char *content, const char *label)
{
	const char *at = content ? strstr(content, label) : NULL;

	if (!at) {
		FAIL("no \"%s\" in \"%s\"", label, content ?: "(none)");
		return ~0ULL;
	}

	return strtoull(at + strlen(label), NULL, 10);
}

/*
 * Read from an event of the kernel itself: some kernels have additional fields.
 */
static const char *sched_format(void)
{
	static const char *format;

	if (!format)
		format = tfs_read("events/sched/sched_switch/format");
	ASSERT_TRUE(format && strstr(format, "\n\n"));

	return format;
}

const char *common_fields(void)
{
	const char *format = sched_format();
	const char *begin = strstr(format, "format:\n");

	ASSERT_TRUE(begin);
	begin += strlen("format:\n");

	return text("%.*s\n", (int)(strstr(begin, "\n\n") - begin), begin);
}

size_t common_fields_size(void)
{
	static size_t size;

	if (!size)
		size = number_after(strstr(sched_format(), "\n\n"), "offset:");

	return size;
}

/* --- user_events --- */

int data_open(void)
{
	int fd = tfs_open(O_RDWR, "user_events_data");

	ASSERT_OK(fd);

	return fd;
}

int status_open(void)
{
	int fd = tfs_open(O_RDONLY, "user_events_status");

	ASSERT_OK(fd);

	return fd;
}

int reg(int fd, const char *command, struct user_reg_status *out)
{
	struct user_reg_status mine = { 0 };

	if (!out)
		out = &mine;
	memset(out, 0, sizeof(*out));
	out->size = sizeof(*out);
	out->name_args = (uintptr_t)command;

	return ioctl(fd, DIAG_IOCSREG, out);
}

unsigned int must_reg(int fd, const char *command)
{
	struct user_reg_status out;

	if (reg(fd, command, &out)) {
		FAIL("cannot register \"%s\": %s", command,
		     harness_errno(errno));
		harness_stop();
	}

	return out.write_index;
}

int open_event(const char *event, const char *args)
{
	int fd = data_open();

	ASSERT_EQ(must_reg(fd, text("%s %s", event, args)), 0);

	return fd;
}

int reg_enabler(int fd, const char *command, const volatile void *at,
		unsigned int size, unsigned int bit, unsigned int flags)
{
	struct user_reg_enabler enabler = {
		.size = sizeof(enabler),
		.enable_bit = bit,
		.enable_size = size,
		.flags = flags,
		.enable_addr = (uintptr_t)at,
		.name_args = (uintptr_t)command,
		.write_index = ~0U,
	};

	if (ioctl(fd, DIAG_IOCSREG, &enabler))
		return -1;

	return enabler.write_index;
}

int reg_word(int fd, const char *command, const volatile uint32_t *word,
	     unsigned int bit)
{
	return reg_enabler(fd, command, word, sizeof(*word), bit, 0);
}

unsigned int must_reg_word(int fd, const char *command,
			   const volatile uint32_t *word, unsigned int bit)
{
	int index = reg_word(fd, command, word, bit);

	if (index < 0) {
		FAIL("cannot register \"%s\": %s", command,
		     harness_errno(errno));
		harness_stop();
	}

	return index;
}

int unreg(int fd, const volatile void *at, unsigned int bit)
{
	const struct user_unreg out = {
		.size = sizeof(out),
		.disable_bit = bit,
		.disable_addr = (uintptr_t)at,
	};

	return ioctl(fd, DIAG_IOCSUNREG, &out);
}

void wait_value(const volatile uint32_t *word, uint32_t expected)
{
	long long start = 0;

	while (*word != expected)
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("value is %#x, expected %#x", *word, expected);
			return;
		}
}

void wait_deleted(const char *name)
{
	long long start = 0;

	while (status_line(name))
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("%s was not deleted: %s", name, status_line(name));
			return;
		}
}

int del(int fd, const char *name)
{
	return ioctl(fd, DIAG_IOCSDEL, name);
}

int del_event(const char *name)
{
	int fd = tfs_open(O_RDWR, "user_events_data");
	int error, done;

	if (fd < 0)
		return -1;

	done = del(fd, name);
	error = errno;
	close(fd);
	errno = error;

	return done;
}

ssize_t emit(int fd, unsigned int index, const void *payload, size_t size)
{
	const struct iovec parts[] = {
		{ .iov_base = &index, .iov_len = sizeof(index) },
		{ .iov_base = (void *)payload, .iov_len = size },
	};

	return writev(fd, parts, ARRAY_SIZE(parts));
}

const unsigned char *status_map(void)
{
	int fd = status_open();
	void *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED) {
		FAIL("mmap of the status page: %s", harness_errno(errno));
		harness_stop();
	}
	close(fd);

	return page;
}

bool status_page_bit(const unsigned char *page, unsigned int bit)
{
	return ((const volatile unsigned char *)page)[bit / 8] &
	       (1 << (bit % 8));
}

char *status_line(const char *event)
{
	char *content = tfs_read("user_events_status");
	size_t length = strlen(event);
	char *at = content;

	while (at && *at) {
		char *end = strchr(at, '\n');
		char *colon = strchr(at, ':');

		if (end && colon && colon < end &&
		    !strncmp(colon + 1, event, length) &&
		    (colon[1 + length] == '\n' || colon[1 + length] == ' '))
			return strndup(at, end - at);
		at = end ? end + 1 : NULL;
	}

	return NULL;
}

unsigned int event_id(const char *event)
{
	char *content = tfs_read(EVENTS "%s/id", event);

	if (!content) {
		FAIL("cannot read the id of %s: %s", event,
		     harness_errno(errno));
		harness_stop();
	}

	return strtoul(content, NULL, 10);
}

bool read_profile(const char *event, unsigned long long *hits,
		  unsigned long long *lost)
{
	char *content = tfs_read("user_events_profile");
	char *at = content;

	while (at && *at) {
		char *end = strchr(at, '\n');
		char name[512];

		if (sscanf(at, " %511s %llu %llu", name, hits, lost) == 3 &&
		    !strcmp(name, event))
			return true;
		at = end ? end + 1 : NULL;
	}

	return false;
}

unsigned long long read_loss(const char *event, const char *reason)
{
	char *line = find_line(tfs_read("user_events_profile"),
			       text("  %s ", event));
	const char *label = text(" %s=", reason);

	return line && strstr(line, label) ? number_after(line, label) : 0;
}

/* --- the binary ring buffer of ftrace --- */

#define RB_TIME_EXTEND 30
#define RB_TIME_STAMP 31
#define RB_PADDING 29
#define RB_SMALL_MAX 112
#define RB_COMMIT_MASK 0xfffffULL

static unsigned char raw_page[PAGE_MAX];
static size_t raw_at, raw_limit;
static unsigned int raw_cpu;
static size_t raw_align = 4;

/*
 * The number that follows a label in a line such as "field: ... commit;
 * offset:8; size:8;".
 */
static size_t raw_layout(const char *field, const char *label)
{
	static const char *layout;
	const char *line;

	if (!layout)
		layout = tfs_read("events/header_page");
	line = layout ? strstr(layout, field) : NULL;
	line = line ? strstr(line, label) : NULL;
	ASSERT_TRUE(line);

	return strtoul(line + strlen(label), NULL, 10);
}

/*
 * The records follow a time stamp and a long whose size depends on the kernel.
 */
size_t raw_header(void)
{
	return raw_layout(" data;", "offset:");
}

size_t raw_stored(size_t size)
{
	size_t least = RB_SMALL_MAX / 28 * 3;

	if (size < least)
		size = least;
	if (raw_align == 8)
		return (size + 7) & ~7UL;

	return (size + 3) & ~3UL;
}

void expect_record(unsigned int id, const void *payload, size_t size)
{
	size_t end = common_fields_size() + size, i;
	struct record record;

	if (!raw_next(id, &record)) {
		FAIL("no record");
		return;
	}
	EXPECT_EQ(record.size, raw_stored(end));
	EXPECT_EQ(memcmp(record.bytes + common_fields_size(), payload, size),
		  0);
	for (i = end; i < record.size; i++)
		EXPECT_EQ(record.bytes[i], 0);
}

void expect_no_record(unsigned int id)
{
	struct record record;

	EXPECT_FALSE(raw_next(id, &record));
}

unsigned int cpu_count(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

void pin_to_cpu(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ASSERT_OK(sched_setaffinity(0, sizeof(set), &set));
}

void make_realtime(pid_t pid)
{
	const struct sched_param param = { .sched_priority = 1 };

	ASSERT_OK(sched_setscheduler(pid, SCHED_FIFO, &param));
}

void raw_reset(void)
{
	raw_at = 0;
	raw_limit = 0;
}

/* Reads the next page of any CPU's buffer into raw_page. */
static bool raw_fill(void)
{
	unsigned int tried;

	for (tried = 0; tried < cpu_count(); tried++) {
		size_t header = raw_header();
		uint64_t commit = 0;
		uint32_t half;
		ssize_t got;
		int fd = tfs_open(O_RDONLY | O_NONBLOCK,
				  "per_cpu/cpu%u/trace_pipe_raw", raw_cpu);

		ASSERT_OK(fd);
		got = read(fd, raw_page, sizeof(raw_page));
		close(fd);
		if (got >= (ssize_t)header) {
			if (raw_layout(" commit;", "size:") == sizeof(half)) {
				memcpy(&half, raw_page + 8, sizeof(half));
				commit = half;
			} else {
				memcpy(&commit, raw_page + 8, sizeof(commit));
			}
			raw_at = header;
			raw_limit = header + (commit & RB_COMMIT_MASK);
			ASSERT_LE(raw_limit, sizeof(raw_page));
			return true;
		}
		raw_cpu = (raw_cpu + 1) % cpu_count();
	}

	return false;
}

bool raw_next(unsigned int type, struct record *record)
{
	while (true) {
		uint32_t head, length, delta, size;
		uint16_t id;
		size_t data;

		if (raw_at >= raw_limit && !raw_fill())
			return false;
		if (raw_at >= raw_limit)
			continue;

		memcpy(&head, raw_page + raw_at, sizeof(head));
		/*
		 * Big-endian compilers allocate bit fields from the most
		 * significant bit.
		 */
		length = little_endian() ? head & 0x1f : head >> 27;
		delta = little_endian() ? head >> 5 : head & 0x7ffffff;
		data = raw_at + sizeof(head);
		if (length == RB_TIME_EXTEND || length == RB_TIME_STAMP) {
			raw_at = data + 4;
			continue;
		}
		if (length == RB_PADDING && !delta) {
			raw_at = raw_limit;
			continue;
		}
		if (length == RB_PADDING) {
			memcpy(&size, raw_page + data, sizeof(size));
			ASSERT_LE(data + size, raw_limit);
			raw_at = data + size;
			record->size = size - sizeof(size);
			memcpy(record->bytes, raw_page + data + sizeof(size),
			       record->size);
			if (type == RAW_DISCARDED)
				return true;
			continue;
		}
		if (length) {
			size = length * 4;
		} else {
			memcpy(&size, raw_page + data, sizeof(size));
			data += sizeof(size);
			size -= sizeof(size);
			/*
			 * Kernels that align records to 8 bytes store the
			 * length separately.
			 */
			if (size <= RB_SMALL_MAX)
				raw_align = 8;
		}
		ASSERT_LE(data + size, raw_limit);
		raw_at = data + size;

		record->cpu = raw_cpu;
		memcpy(&id, raw_page + data, sizeof(id));
		record->type = id;
		record->size = size;
		memcpy(record->bytes, raw_page + data, size);
		if (record->type == type)
			return true;
	}
}

/* --- perf --- */

int perf_open(unsigned int id, pid_t pid, int cpu, unsigned int flags)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.inherit = !!(flags & PERF_INHERIT),
		.disabled = !!(flags & PERF_DISABLED),
	};

	if (!(flags & PERF_COUNT)) {
		attr.sample_type = PERF_SAMPLE_RAW;
		attr.sample_period = 1;
		attr.wakeup_events = 1;
	}

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

void perf_map(struct perf *perf, unsigned int id, pid_t pid, int cpu,
	      unsigned int order)
{
	perf->fd = perf_open(id, pid, cpu, 0);
	ASSERT_OK(perf->fd);
	perf->size = (size_t)PAGE << order;
	perf->map = mmap(NULL, PAGE + perf->size, PROT_READ | PROT_WRITE,
			 MAP_SHARED, perf->fd, 0);
	if (perf->map == MAP_FAILED) {
		FAIL("mmap of a perf buffer: %s", harness_errno(errno));
		harness_stop();
	}
}

void perf_close(struct perf *perf)
{
	if (perf->map)
		munmap(perf->map, PAGE + perf->size);
	close(perf->fd);
	perf->map = NULL;
	perf->fd = -1;
}

static void perf_copy(struct perf *perf, void *to, uint64_t at, size_t size)
{
	const unsigned char *ring = (unsigned char *)perf->map + PAGE;
	unsigned char *out = to;

	while (size--)
		*out++ = ring[at++ % perf->size];
}

bool perf_next(struct perf *perf, struct sample *sample)
{
	struct perf_event_mmap_page *map = perf->map;

	while (true) {
		uint64_t head =
			__atomic_load_n(&map->data_head, __ATOMIC_ACQUIRE);
		uint64_t tail = map->data_tail;
		struct perf_event_header header;
		uint64_t lost;

		if (head == tail)
			return false;

		perf_copy(perf, &header, tail, sizeof(header));
		if (header.type == PERF_RECORD_LOST) {
			/*
			 * The header is followed by an ID and the number of
			 * lost records.
			 */
			perf_copy(perf, &lost, tail + sizeof(header) + 8,
				  sizeof(lost));
			perf->lost += lost;
			if (!perf->ignore_lost)
				FAIL("the perf buffer lost records");
		}
		if (header.type == PERF_RECORD_SAMPLE) {
			perf_copy(perf, &sample->size, tail + sizeof(header),
				  sizeof(sample->size));
			ASSERT_LE(sample->size, sizeof(sample->bytes));
			perf_copy(perf, sample->bytes,
				  tail + sizeof(header) + sizeof(sample->size),
				  sample->size);
		}
		__atomic_store_n(&map->data_tail, tail + header.size,
				 __ATOMIC_RELEASE);
		if (header.type == PERF_RECORD_SAMPLE)
			return true;
	}
}

unsigned long long perf_count(int fd)
{
	unsigned long long count = 0;

	EXPECT_EQ(read(fd, &count, sizeof(count)), (int)sizeof(count));

	return count;
}

size_t perf_max(void)
{
	const char *event = uniq("limit");
	int fd = open_event(event, "u8 a");
	int perf = perf_open(event_id(event), 0, -1, PERF_COUNT);
	char payload[4000] = { 0 };
	bool accepted;

	ASSERT_OK(perf);
	EXPECT_EQ(emit(fd, 0, payload, sizeof(payload)), sizeof(payload) + 4);
	accepted = perf_count(perf);
	close(perf);
	close(fd);
	return (accepted ? 8192 : 2048) - common_fields_size();
}

/* --- processes, threads and memory --- */

void wait_child(pid_t child)
{
	int status = 0;

	ASSERT_EQ(waitpid(child, &status, 0), child);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), 0);
}

void kill_child(pid_t child)
{
	kill(child, SIGKILL);
	ASSERT_EQ(waitpid(child, NULL, 0), child);
}

bool in_child(void)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (child)
		wait_child(child);

	return !child;
}

void end_child(void)
{
	_exit(harness_failed());
}

unsigned char *guarded_page_end(void)
{
	unsigned char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(pages != MAP_FAILED);
	memset(pages, 0, PAGE);
	ASSERT_OK(mprotect(pages + PAGE, PAGE, PROT_NONE));

	return pages + PAGE;
}

void *map_page(int protection)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(page != MAP_FAILED);
	memset(page, 0, PAGE);
	ASSERT_OK(mprotect(page, PAGE, protection));

	return page;
}

void become_user(uid_t uid)
{
	ASSERT_OK(setresgid(uid, uid, uid));
	ASSERT_OK(setresuid(uid, uid, uid));
}

int userfault_open(uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (uffd < 0)
		SKIP("no userfaultfd: %s", harness_errno(errno));
	if (!ioctl(uffd, UFFDIO_API, &api))
		return uffd;
	close(uffd);

	return -1;
}

int userfault_register(int uffd, const volatile void *start, size_t size,
		       uint64_t mode)
{
	struct uffdio_register range = {
		.range.start = (uintptr_t)start,
		.range.len = size,
		.mode = mode,
	};

	return ioctl(uffd, UFFDIO_REGISTER, &range);
}

int userfault_start(const volatile void *start, size_t size, uint64_t features)
{
	int uffd = userfault_open(features);

	ASSERT_OK(uffd);
	ASSERT_OK(userfault_register(uffd, start, size,
				     UFFDIO_REGISTER_MODE_MISSING));

	return uffd;
}

int userfault_watch(const volatile void *start, size_t size)
{
	int uffd = userfault_open(UFFD_FEATURE_WP_ASYNC);

	if (uffd < 0)
		SKIP("a userfaultfd must be served");
	ASSERT_OK(
		userfault_register(uffd, start, size, UFFDIO_REGISTER_MODE_WP));

	return uffd;
}

void wait_for_page_faults(int uffd, unsigned int count)
{
	struct pollfd poller = { .fd = uffd, .events = POLLIN };
	struct uffd_msg message;

	while (count--) {
		ASSERT_EQ(poll(&poller, 1, WAIT_TIMEOUT_S * 1000), 1);
		ASSERT_EQ(read(uffd, &message, sizeof(message)),
			  (ssize_t)sizeof(message));
		EXPECT_EQ(message.event, UFFD_EVENT_PAGEFAULT);
	}
}

void resolve_page_faults(int uffd, const volatile void *start, size_t size)
{
	struct uffdio_zeropage zero = {
		.range.start = (uintptr_t)start,
		.range.len = size,
	};

	EXPECT_OK(ioctl(uffd, UFFDIO_ZEROPAGE, &zero));
}

unsigned int module_references(void)
{
	char *modules = read_file("/proc/modules");
	char *line = find_line(modules, "user_events ");
	unsigned int count = 0;

	if (line)
		sscanf(line, "%*s %*u %u", &count);
	free(modules);
	free(line);

	return count;
}

/* --- clean-up around each test --- */

static const char *skip_reason(void)
{
	if (geteuid())
		return "needs root";
	if (!tfs_exists("events"))
		return "no tracefs";
	if (!tfs_exists("user_events_data"))
		return "no user_events_data: module not loaded";

	return NULL;
}

/*
 * Removes all triggers of an event. A trigger whose hist variables are used by
 * another trigger is busy until a later round.
 */
static void remove_triggers(const char *dir)
{
	char path[1100];
	int round;

	snprintf(path, sizeof(path), "%s/trigger", dir);
	for (round = 0; round < 8; round++) {
		char *content = read_file(path);
		char *line, *next = content;
		unsigned int left = 0;

		while ((line = strsep(&next, "\n"))) {
			char command[4096];
			char *cut;

			if (!line[0] || line[0] == '#')
				continue;
			left++;
			if (!strncmp(line, "hist:", 5)) {
				cut = strstr(line, " [");
			} else {
				cut = strstr(line, ":unlimited");
				if (!cut)
					cut = strstr(line, ":count=");
			}
			if (cut)
				*cut = '\0';
			snprintf(command, sizeof(command), "!%s", line);
			write_file(command, path);
		}
		free(content);
		if (!left)
			break;
	}
}

void disable_dir(const char *dir)
{
	char path[1100];

	snprintf(path, sizeof(path), "%s/enable", dir);
	write_file("0", path);
	remove_triggers(dir);
	snprintf(path, sizeof(path), "%s/enable", dir);
	write_file("0", path);
}

/* Disables every event of a system whose name has our prefix. */
static void disable_system(const char *events, const char *system)
{
	char *content = strdup(events);
	char *line, *next = content;
	size_t length = strlen(system);
	char path[1024];

	while ((line = strsep(&next, "\n"))) {
		if (strncmp(line, system, length) || line[length] != ':' ||
		    strncmp(line + length + 1, PREFIX, strlen(PREFIX)))
			continue;
		line[length] = '/';
		snprintf(path, sizeof(path), "%s/events/%s", tracefs(), line);
		disable_dir(path);
	}
	free(content);
}

/*
 * The events are not listed from the directories of their systems, which are
 * removed with the last event, possibly during the readdir(): Linux 6.12 up to
 * at least 6.12.107 has a use-after-free there. The list is read once, since the
 * kernel starts again at its first event for each page.
 */
static void disable_own_events(void)
{
	char *events = tfs_read("available_events");

	if (events && strstr(events, ":" PREFIX)) {
		disable_system(events, "synthetic");
		disable_system(events, USER_EVENTS_SYSTEM);
		disable_system(events, USER_EVENTS_MULTI_SYSTEM);
		disable_system(events, "synthetic");
	}
	free(events);
}

/*
 * Calls @callback, unless it is NULL, for each directory below @parent whose
 * name has our prefix. Return: the number of these directories.
 */
static unsigned int visit_own_dirs(const char *parent,
				   void (*callback)(const char *))
{
	char path[512];
	unsigned int count = 0;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", tracefs(), parent);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		char child[1024];

		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)))
			continue;
		count++;
		snprintf(child, sizeof(child), "%s/%s", path, entry->d_name);
		if (callback)
			callback(child);
	}
	if (dir)
		closedir(dir);

	return count;
}

static void remove_instance_dir(const char *dir)
{
	rmdir(dir);
}

/*
 * Deletes the object of a line of dynamic_events if its name has our prefix.
 * Return: whether the name has the prefix.
 */
static bool delete_line(const char *line)
{
	char command[1024];
	const char *name = strchr(line, ':');
	size_t length;

	if (!name || !strstr(line, PREFIX))
		return false;
	name++;
	length = strcspn(name, ": \t\n");

	if (line[0] == 'u') {
		if (strncmp(name, PREFIX, strlen(PREFIX)))
			return false;
		snprintf(command, sizeof(command), "%.*s", (int)length, name);
		del_event(command);
	} else {
		snprintf(command, sizeof(command), "-:%.*s", (int)length, name);
		dynevent_write(command);
	}

	return true;
}

static unsigned int delete_own_events(void)
{
	char *content = dynevent_list();
	char *line, *next = content;
	unsigned int ours = 0;
	int pass;

	for (pass = 0; pass < 2 && content; pass++) {
		char *copy = strdup(content);

		/*
		 * Probes that can be attached to a user event are deleted
		 * first.
		 */
		next = copy;
		ours = 0;
		while ((line = strsep(&next, "\n")))
			if ((line[0] == 'u') == pass)
				ours += delete_line(line);
		free(copy);
	}
	free(content);

	return ours;
}

static void remove_own_objects(void)
{
	disable_own_events();
	visit_own_dirs("instances", remove_instance_dir);
	delete_own_events();
}

/*
 * Saved setting of options/record-cmd.
 *
 * Recording the names of tasks patches the scheduler's code each time the first
 * event is enabled and the last event disabled. No test needs the names.
 * Emulated CPUs were seen to hang in code that is patched this often: they keep
 * trapping on the breakpoint after it was removed.
 *
 * NULL with lockdep on Linux 4.18. There the kernel takes its own locks in a wrong
 * order to change the option, also at boot, and lockdep checks none after its report.
 */
static char *record_cmd;

static void set_record_cmd(const char *value)
{
	if (record_cmd && *record_cmd == '1')
		tfs_write(value, "options/record-cmd");
}

/* The previous test of this program left nothing behind. */
static bool is_clean;

static void prepare_test(void)
{
	int fd;

	if (!is_clean)
		remove_own_objects();
	if (!record_cmd &&
	    (kernel_has_dynamic_events() || access("/proc/lockdep", F_OK)))
		record_cmd = tfs_read("options/record-cmd");
	set_record_cmd("0");
	tfs_write("1", "tracing_on");
	tfs_write("nop", "current_tracer");
	tfs_write("0", "events/enable");
	fd = tfs_open(O_WRONLY | O_TRUNC, "set_event_pid");
	if (fd >= 0)
		close(fd);
	fd = tfs_open(O_WRONLY | O_TRUNC, "trace");
	if (fd >= 0)
		close(fd);
}

static bool has_own_dirs(void)
{
	return visit_own_dirs("events/" USER_EVENTS_SYSTEM, NULL) +
	       visit_own_dirs("events/" USER_EVENTS_MULTI_SYSTEM, NULL);
}

/*
 * Fails the test for each object that it left behind. The processes that held
 * references to events have exited, so an event that cannot be deleted has a
 * leaked reference.
 */
static unsigned int check_leftovers(void)
{
	long long start = 0;
	char *content, *line, *next;
	unsigned int left = 0;

	is_clean = false;
	if (!tfs_exists("user_events_data"))
		return 0;

	remove_own_objects();
	while (delete_own_events() && harness_deadline(&start, WAIT_TIMEOUT_S))
		remove_own_objects();
	set_record_cmd("1");

	content = tfs_read("user_events_status");
	next = content;
	while (next && (line = strsep(&next, "\n"))) {
		const char *name = strchr(line, ':');

		if (name && !strncmp(name + 1, PREFIX, strlen(PREFIX))) {
			harness_note("left behind: %s", line);
			left++;
		}
	}
	free(content);
	/* Reading this waits for the removal of directories. */
	if (has_own_dirs())
		free(tfs_read("available_events"));
	if (has_own_dirs()) {
		harness_note("left behind: event directories");
		left++;
	}
	is_clean = !left;

	return left;
}

const struct harness_hooks user_events_hooks = {
	.skip_reason = skip_reason,
	.before = prepare_test,
	.after = check_leftovers,
};

int user_events_main(int argc, char **argv)
{
	return harness_main(argc, argv, &user_events_hooks);
}

/* A message of one byte, with a file descriptor if @size is not 0. */
static struct msghdr fd_message(char *control, size_t size)
{
	static char byte;
	static struct iovec part = { .iov_base = &byte, .iov_len = 1 };

	return (struct msghdr){
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = size,
	};
}

ssize_t try_send_fd(int socket, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct msghdr message = fd_message(control, sizeof(control));
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));

	return sendmsg(socket, &message, 0);
}

ssize_t try_receive_fd(int socket, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct msghdr message = fd_message(control, sizeof(control));
	ssize_t received = recvmsg(socket, &message, 0);
	const struct cmsghdr *head;

	*fd = -1;
	if (received < 0)
		return received;
	head = CMSG_FIRSTHDR(&message);
	if (head)
		memcpy(fd, CMSG_DATA(head), sizeof(*fd));

	return received;
}

void send_fd(int socket, int fd)
{
	ASSERT_EQ(try_send_fd(socket, fd), 1);
}

int receive_fd(int socket)
{
	int fd;

	ASSERT_EQ(try_receive_fd(socket, &fd), 1);
	ASSERT_TRUE(fd >= 0);

	return fd;
}

int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

int bpf_load(const struct bpf_insn *program, size_t count, char *log,
	     size_t size)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACEPOINT,
		.insns = (uintptr_t)program,
		.insn_cnt = count,
		.license = (uintptr_t) "GPL",
		.log_buf = (uintptr_t)log,
		.log_size = size,
		.log_level = log != NULL,
	};

	return bpf(BPF_PROG_LOAD, &attr);
}
