// SPDX-License-Identifier: GPL-2.0-only
/* Execution of operations. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "differential.h"

#define PAGE_4K 4096
#define EVENT "events/" USER_EVENTS_SYSTEM "/%s/"
#define UNPRIVILEGED_UID 65534

/* Characters that the kernel treats as white space. */
#define WHITE_SPACE " \t\n\v\f\r\xa0"
#define TRIED_MAX 256

/* An index that no file assigns. */
#define NO_INDEX 1000

/* Polls, 1 ms apart, for deletions that the in-kernel user_events defers. */
#define POLL_TRIES 1000

struct subject subjects[SUBJECTS];
enum generation generation;

static int files[FILES];

/*
 * struct state - known state of a subject; only waiting depends on results
 * @index: for each file, the index from the last registration
 * @bit: bit of the status page, if a registration returned one
 * @files: mask of files that it was registered through
 * @ftrace: it might be enabled
 * @persists: it might be persistent and was not deleted
 * @perf: a perf event, whose ring exists even if it could not be opened
 */
static struct state {
	long index[FILES];
	unsigned int bit;
	unsigned int files;
	bool ftrace;
	bool persists;
	struct perf perf;
} states[SUBJECTS];

/* A mask of subjects for each enable bit: those that have asked for it. */
static unsigned char enablers[WORDS][64];

static uint64_t words[WORDS] __attribute__((aligned(64)));
static unsigned char *read_only;
static bool was_enabled;

/* Names that might have become events; the parent deletes them. */
struct names {
	unsigned int count;
	char names[TRIED_MAX][COMMAND_MAX];
};

static struct names *tried;

/* --- waiting --- */

static void sleep_1ms(void)
{
	const struct timespec time = { .tv_nsec = 1000000 };

	nanosleep(&time, NULL);
}

/*
 * Whether the event has no reference, assuming that all operations succeeded.
 */
static bool has_no_references(unsigned int subject)
{
	const struct state *state = &states[subject];
	unsigned int word, bit;

	for (word = 0; word < WORDS; word++)
		for (bit = 0; bit < 64; bit++)
			if (enablers[word][bit] & 1 << subject)
				return false;

	return !state->files && !state->ftrace &&
	       !(state->perf.map && state->perf.fd >= 0);
}

static bool is_listed(const char *name)
{
	char *list = tfs_read("dynamic_events");
	size_t length = strlen(name);
	bool found = false;
	char *at;

	for (at = list; at && !found; at = strchr(at, '\n')) {
		at += *at == '\n';
		found = !strncmp(at, USER_EVENTS_PREFIX, 2) &&
			!strncmp(at + 2, name, length) &&
			strchr(" \n", at[2 + length]);
	}
	free(list);

	return found;
}

static bool is_another(unsigned int subject, const char *name)
{
	unsigned int i;

	for (i = 0; i < SUBJECTS; i++)
		if (i != subject && !strcmp(subjects[i].name, name))
			return true;

	return false;
}

/* Commands are occasionally damaged, including the names in them. */
static bool any_is_listed(unsigned int subject)
{
	unsigned int i;

	for (i = 0; i < tried->count; i++)
		if (!is_another(subject, tried->names[i]) &&
		    is_listed(tried->names[i]))
			return true;

	return false;
}

/* An event without references is deleted after a while. */
static void wait_until_deleted(void)
{
	unsigned int subject, tries;

	if (generation != GENERATION_ENABLER)
		return;
	for (subject = 0; subject < SUBJECTS; subject++) {
		if (!has_no_references(subject) || states[subject].persists)
			continue;
		for (tries = 0; tries < POLL_TRIES / 2; tries++) {
			if (!any_is_listed(subject))
				break;
			sleep_1ms();
		}
	}
}

/* --- state shared by all batches --- */

static int data_file(void)
{
	return tfs_open(O_RDWR, "user_events_data");
}

static const unsigned char *status_page(void)
{
	static const unsigned char *page;

	if (!page)
		page = status_map();

	return page;
}

/* Closes a file and its registrations, without a result. */
static void close_file(unsigned int file)
{
	unsigned int i;

	if (files[file] >= 0)
		close(files[file]);
	files[file] = -1;
	for (i = 0; i < SUBJECTS; i++) {
		states[i].files &= ~(1 << file);
		states[i].index[file] = NO_INDEX;
	}
}

void operations_start(unsigned long long number)
{
	unsigned int i;

	results_start(number);
	was_enabled = false;
	memset(states, 0, sizeof(states));
	memset(enablers, 0, sizeof(enablers));
	memset(words, 0, sizeof(words));
	for (i = 0; i < FILES; i++) {
		files[i] = -1;
		close_file(i);
	}
	if (!tried)
		tried = mmap(NULL, sizeof(*tried), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!read_only)
		read_only = map_page(PROT_READ);
	tried->count = 0;
	if (generation == GENERATION_STATUS)
		status_page();
}

static int file_of(unsigned int file)
{
	if (files[file] < 0)
		files[file] = data_file();

	return files[file];
}

static void remember_name(const char *command)
{
	char *name;

	if (tried->count >= TRIED_MAX)
		return;
	name = tried->names[tried->count++];
	strcpy(name, command);
	name[strcspn(name, " ")] = '\0';
	name[strcspn(name, ":")] = '\0';
}

/* --- registration --- */

void shape_plain(struct reg_shape *shape)
{
	memset(shape, 0, sizeof(*shape));
	shape->size = generation == GENERATION_STATUS
			      ? sizeof(struct user_reg_status)
			      : sizeof(struct user_reg_enabler);
	shape->enable_size = 4;
}

static uintptr_t word_address(const struct reg_shape *shape)
{
	switch (shape->word) {
	case WORD_NULL:
		return 0;
	case WORD_UNALIGNED:
		return (uintptr_t)words + 2;
	case WORD_KERNEL:
		return ~0xfffUL;
	case WORD_READ_ONLY:
		return (uintptr_t)read_only;
	case WORD_UNMAPPED:
		return PAGE_4K * 2;
	default:
		return (uintptr_t)&words[shape->word];
	}
}

static const char *word_name(unsigned int word)
{
	static const char *const names[] = {
		[WORD_NULL] = "null",	      [WORD_UNALIGNED] = "unaligned",
		[WORD_KERNEL] = "kernel",     [WORD_READ_ONLY] = "read-only",
		[WORD_UNMAPPED] = "unmapped",
	};

	return word < WORDS ? text("%u", word) : names[word];
}

static void describe_register(int subject, unsigned int file,
			      const char *command,
			      const struct reg_shape *shape)
{
	const char *who = shape->unprivileged ? " unprivileged" : "";
	const char *tail = shape->tail ? " tail" : "";
	char *command_text = quoted(command);

	if (generation == GENERATION_STATUS)
		start_operation(subject, "register file=%u size=%u%s%s %s",
				file, shape->size, tail, who, command_text);
	else
		start_operation(
			subject,
			"register file=%u size=%u%s%s flags=%u word=%s/%u bit=%u %s",
			file, shape->size, tail, who, shape->flags,
			word_name(shape->word), shape->enable_size, shape->bit,
			command_text);
	free(command_text);
}

static int ioctl_as(bool unprivileged, int fd, unsigned long request,
		    void *argument)
{
	int done, error;

	if (unprivileged && seteuid(UNPRIVILEGED_UID))
		abort();
	done = ioctl(fd, request, argument);
	error = errno;
	if (unprivileged && seteuid(0))
		abort();
	errno = error;

	return done;
}

void do_register(unsigned int subject, unsigned int file, const char *command,
		 const struct reg_shape *shape)
{
	static union {
		struct user_reg_status status;
		struct user_reg_enabler enabler;
		unsigned char bytes[2 * PAGE_4K];
	} reg;
	struct state *state = &states[subject];
	int done, error;

	describe_register(subject, file, command, shape);
	remember_name(command);
	memset(&reg, 0, sizeof(reg));
	if (generation == GENERATION_STATUS) {
		reg.status.name_args = (uintptr_t)command;
	} else {
		reg.enabler.enable_bit = shape->bit;
		reg.enabler.enable_size = shape->enable_size;
		reg.enabler.flags = shape->flags;
		reg.enabler.enable_addr = word_address(shape);
		reg.enabler.name_args = (uintptr_t)command;
		state->persists |= shape->flags & USER_EVENT_REG_PERSIST;
		if (shape->word < WORDS && shape->bit < 64)
			enablers[shape->word][shape->bit] |= 1 << subject;
	}
	reg.status.size = shape->size;
	if (shape->tail && shape->size && shape->size <= PAGE_4K)
		reg.bytes[shape->size - 1] = shape->tail;

	done = ioctl_as(shape->unprivileged, file_of(file), DIAG_IOCSREG, &reg);
	error = errno;
	result_of(done, error);
	state->files |= 1 << file;
	if (done)
		return;
	if (generation == GENERATION_STATUS) {
		state->index[file] = reg.status.write_index;
		state->bit = reg.status.status_bit;
		result("bit", text("%u", state->bit));
	} else {
		state->index[file] = reg.enabler.write_index;
	}
	result("index", text("%ld", state->index[file]));
}

void do_unregister(unsigned int file, unsigned int word, unsigned int bit,
		   unsigned int size, unsigned int reserved)
{
	struct {
		struct user_unreg unreg;
		unsigned char rest[2 * PAGE_4K];
	} all = { 0 };
	int done, error;

	start_operation(-1,
			"unregister file=%u size=%u reserved=%u word=%u bit=%u",
			file, size, reserved, word, bit);
	all.unreg.size = size;
	all.unreg.disable_bit = bit;
	all.unreg.__reserved = reserved;
	all.unreg.disable_addr = (uintptr_t)&words[word];
	done = ioctl(file_of(file), DIAG_IOCSUNREG, &all);
	error = errno;
	if (bit < 64 && size >= sizeof(all.unreg) && size <= PAGE_4K &&
	    !reserved)
		enablers[word][bit] = 0;
	result_of(done, error);
	wait_until_deleted();
}

/* The file can be open for longer than the event is registered through it. */
void do_close(unsigned int file)
{
	start_operation(-1, "close file=%u", file);
	close_file(file);
	result("result", "0");
	wait_until_deleted();
}

const char *tried_name(unsigned int number)
{
	return number < tried->count ? tried->names[number] : NULL;
}

/* --- deletion, and lines of dynamic_events --- */

void do_delete(unsigned int subject, unsigned int file, const char *name,
	       bool unprivileged)
{
	unsigned int tries = 0;
	char *command_text = quoted(name);
	int done, error;

	start_operation(subject, "delete file=%u%s %s", file,
			unprivileged ? " unprivileged" : "", command_text);
	free(command_text);
	do {
		done = ioctl_as(unprivileged, file_of(file), DIAG_IOCSDEL,
				(void *)name);
		error = errno;
	} while (done && error == EBUSY && generation == GENERATION_ENABLER &&
		 has_no_references(subject) && tries++ < POLL_TRIES / 10 &&
		 (sleep_1ms(), true));
	if (!done)
		states[subject].persists = false;
	result_of(done, error);
}

void do_line(unsigned int subject, const char *line)
{
	bool creates = !strncmp(line, USER_EVENTS_PREFIX, 2);
	unsigned int tries = 0;
	char *command_text = quoted(line), *line_name;
	int fd, done, error;

	start_operation(subject, "line %s", command_text);
	free(command_text);
	if (creates) {
		/* A comment ends the line, and possibly the name. */
		line_name = strdup(line + 2 + strspn(line + 2, WHITE_SPACE));
		line_name[strcspn(line_name, "#\n")] = '\0';
		remember_name(line_name);
		free(line_name);
		states[subject].persists = true;
	}
	do {
		fd = tfs_open(O_WRONLY | O_APPEND, "dynamic_events");
		done = write(fd, line, strlen(line));
		error = errno;
		close(fd);
	} while (done < 0 && error == EBUSY &&
		 generation == GENERATION_ENABLER &&
		 has_no_references(subject) && tries++ < POLL_TRIES / 10 &&
		 (sleep_1ms(), true));
	if (!creates && done >= 0)
		states[subject].persists = false;
	result_of(done, error);
}

void do_truncate(void)
{
	int fd;

	start_operation(-1, "truncate");
	fd = tfs_open(O_WRONLY | O_TRUNC, "dynamic_events");
	result_of(fd < 0 ? -1 : 0, errno);
	if (fd >= 0)
		close(fd);
}

void do_bits(unsigned int subject)
{
	const struct state *state = &states[subject];
	char *out;
	size_t size, i;
	FILE *stream;

	if (generation == GENERATION_STATUS) {
		start_operation(subject, "bits");
		result("bits",
		       state->bit && status_page_bit(status_page(), state->bit)
			       ? "1"
			       : "0");
		return;
	}
	start_operation(-1, "bits");
	stream = open_memstream(&out, &size);
	for (i = 0; i < WORDS; i++)
		fprintf(stream, "%s%llx", i ? " " : "",
			(unsigned long long)*(volatile uint64_t *)&words[i]);
	fclose(stream);
	result("bits", out);
	free(out);
}

/* --- enabling --- */

void do_enable(unsigned int subject, bool on)
{
	int done, error;

	start_operation(subject, on ? "enable" : "disable");
	done = tfs_write(on ? "1" : "0", EVENT "enable",
			 subjects[subject].name);
	error = errno;
	result_of(done, error);
	/* An event that could not be enabled has no reference from this. */
	if (!on || done >= 0)
		states[subject].ftrace = on;
	was_enabled |= on;
	wait_until_deleted();
}

void do_filter(unsigned int subject, const char *filter)
{
	char *command_text = quoted(filter);
	int done;

	start_operation(subject, "filter %s", command_text);
	free(command_text);
	done = tfs_write(filter, EVENT "filter", subjects[subject].name);
	result_of(done, errno);
}

static unsigned int read_id(const char *name)
{
	char *id = tfs_read(EVENT "id", name);
	unsigned int number = id ? strtoul(id, NULL, 10) : 0;

	free(id);

	return number;
}

static void start_perf(unsigned int subject)
{
	struct perf *perf = &states[subject].perf;
	unsigned int id = read_id(subjects[subject].name);
	int error;

	errno = ENOENT;
	perf->fd = id ? perf_open(id, 0, -1, 0) : -1;
	error = errno;
	perf->size = 4 * PAGE_4K;
	/*
	 * The mapping exists even without a file, as if perf_open() had
	 * succeeded.
	 */
	perf->map =
		mmap(NULL, PAGE_4K + perf->size, PROT_READ | PROT_WRITE,
		     perf->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED,
		     perf->fd, 0);
	if (perf->map == MAP_FAILED)
		abort();
	result_of(perf->fd < 0 ? -1 : 0, error);
}

void do_perf(unsigned int subject, bool on)
{
	struct perf *perf = &states[subject].perf;

	start_operation(subject, on ? "perf" : "no perf");
	if (on && !perf->map) {
		start_perf(subject);
		was_enabled = true;
	} else if (!on && perf->map) {
		perf_close(perf);
		result("result", "0");
	}
	wait_until_deleted();
}

void do_map(size_t length, int protection)
{
	int fd = tfs_open(O_RDWR, "user_events_status");
	void *page;

	start_operation(-1, "map length=%zu%s", length,
			protection & PROT_WRITE ? " writable" : "");
	if (fd < 0) {
		result("result", text("open: %s", harness_errno(errno)));
		return;
	}
	page = mmap(NULL, length, protection, MAP_SHARED, fd, 0);
	result_of(page == MAP_FAILED ? -1 : 0, errno);
	if (page != MAP_FAILED)
		munmap(page, length);
	close(fd);
}

/* --- writes --- */

static void show_text(void)
{
	char *trace = tfs_read("trace");
	char *at = trace;

	while (at && *at == '#') {
		at = strchr(at, '\n');
		at += !!at;
	}
	result("text", at ?: "");
	free(trace);
}

static void show_records(unsigned int subject, size_t written)
{
	static struct record record;
	static struct sample sample;
	struct state *state = &states[subject];
	unsigned int type = read_id(subjects[subject].name);
	unsigned int header = common_fields_size();

	if (!was_enabled)
		return;
	show_text();
	raw_reset();
	while (type && raw_next(type, &record))
		result_hex("ftrace", record.bytes + header,
			   record.size - header, written);
	if (!state->perf.map || state->perf.fd < 0)
		return;
	while (perf_next(&state->perf, &sample))
		result_hex("perf", sample.bytes + header, sample.size - header,
			   written);
}

static const char *const method_names[] = {
	[WRITE_PLAIN] = "write",       [WRITE_VECTOR] = "writev",
	[WRITE_PIECES] = "pieces",     [WRITE_AT] = "pwrite",
	[WRITE_PAGE_END] = "page-end",
};

/* Parts of 1, 2, 3 ... bytes; the last one is the rest. */
static ssize_t write_pieces(int fd, const unsigned char *record, size_t size)
{
	struct iovec parts[8];
	size_t count, length = 1;

	for (count = 0; size; count++, length++) {
		if (length > size || count == ARRAY_SIZE(parts) - 1)
			length = size;
		parts[count].iov_base = (void *)record;
		parts[count].iov_len = length;
		record += length;
		size -= length;
	}

	return writev(fd, parts, count);
}

static ssize_t write_by(int fd, enum write_method how, unsigned char *record,
			size_t size)
{
	struct iovec parts[2] = {
		{ .iov_base = record, .iov_len = size < 4 ? size : 4 },
		{ .iov_base = record + 4, .iov_len = size < 4 ? 0 : size - 4 },
	};
	unsigned char *end;

	switch (how) {
	case WRITE_VECTOR:
		return writev(fd, parts, 2);
	case WRITE_PIECES:
		return write_pieces(fd, record, size);
	case WRITE_AT:
		return pwrite(fd, record, size, size % 3);
	case WRITE_PAGE_END:
		/* The last byte is not readable. */
		end = guarded_page_end();
		if (size > PAGE_4K)
			size = PAGE_4K;
		if (!size)
			return write(fd, end, 0);
		memcpy(end - size + 1, record, size - 1);
		return write(fd, end - size + 1, size);
	default:
		return write(fd, record, size);
	}
}

void do_write(unsigned int subject, unsigned int file, long wrong,
	      enum write_method how, const void *payload, size_t size)
{
	static unsigned char record[4 * PAGE_4K];
	int32_t index = wrong ?: states[subject].index[file];
	size_t shown = size > 400 ? 400 : size, i;
	char hex[801] = "", *at = hex;
	ssize_t done;

	for (i = 0; i < shown; i++)
		at += sprintf(at, "%02x", ((const unsigned char *)payload)[i]);
	start_operation(subject, "write file=%u how=%s index=%s size=%zu %s%s",
			file, method_names[how],
			wrong ? text("%ld", wrong) : "own", size, hex,
			shown < size ? "..." : "");
	memcpy(record, &index, sizeof(index));
	memcpy(record + sizeof(index), payload, size);
	done = write_by(file_of(file), how, record, size + sizeof(index));
	result_of(done, errno);
	show_records(subject, size);
}

/* --- reset --- */

static void remove_enablers(unsigned int subject)
{
	struct user_unreg unreg = { .size = sizeof(unreg) };
	unsigned int word, bit;

	for (word = 0; word < WORDS; word++)
		for (bit = 0; bit < 64; bit++)
			if (enablers[word][bit] & 1 << subject) {
				unreg.disable_bit = bit;
				unreg.disable_addr = (uintptr_t)&words[word];
				ioctl(file_of(0), DIAG_IOCSUNREG, &unreg);
				enablers[word][bit] = 0;
			}
}

static bool delete_name(const char *name)
{
	unsigned int tries;

	for (tries = 0; tries < POLL_TRIES / 5; tries++) {
		if (!ioctl(file_of(0), DIAG_IOCSDEL, name) || errno == ENOENT)
			return true;
		if (errno != EBUSY || generation != GENERATION_ENABLER)
			break;
		sleep_1ms();
	}

	return false;
}

static void delete_tried(unsigned int subject)
{
	unsigned int i = 0;

	while (i < tried->count)
		if (is_another(subject, tried->names[i]) ||
		    !delete_name(tried->names[i]))
			i++;
		else
			strcpy(tried->names[i], tried->names[--tried->count]);
}

void do_reset(unsigned int subject)
{
	const char *name = subjects[subject].name;
	struct state *state = &states[subject];
	unsigned int tries = 0, i;
	int done, error;

	start_operation(subject, "reset");
	remove_enablers(subject);
	for (i = 0; i < FILES; i++)
		close_file(i);
	if (state->perf.map)
		perf_close(&state->perf);
	if (state->ftrace)
		tfs_write("0", EVENT "enable", name);
	if (state->ftrace || was_enabled)
		tfs_write("0", EVENT "filter", name);
	state->ftrace = false;
	wait_until_deleted();
	do {
		done = ioctl(file_of(0), DIAG_IOCSDEL, name);
		error = errno;
	} while ((!done || error == EBUSY) && tries++ < POLL_TRIES &&
		 (sleep_1ms(), true));
	delete_tried(subject);
	state->persists = false;
	result_of(done, error);
}

/* --- finish --- */

static bool is_clean(void)
{
	char *list = tfs_read("dynamic_events"),
	     *status = tfs_read("user_events_status");
	bool clean = list && !strstr(list, USER_EVENTS_PREFIX) && status &&
		     strstr(status, "Active: 0\n");

	free(list);
	free(status);

	return clean;
}

static void delete_all(void)
{
	unsigned int i;
	int fd = data_file();

	for (i = 0; i < SUBJECTS; i++)
		if (name_is_path_safe(subjects[i].name)) {
			tfs_write("0", EVENT "enable", subjects[i].name);
			tfs_write("0", EVENT "filter", subjects[i].name);
		}
	for (i = 0; i < tried->count; i++)
		ioctl(fd, DIAG_IOCSDEL, tried->names[i]);
	close(fd);
}

bool operations_finish(void)
{
	unsigned int tries;

	for (tries = 0; tries < 5 * POLL_TRIES; tries++) {
		delete_all();
		if (is_clean())
			return true;
		sleep_1ms();
	}

	return false;
}
