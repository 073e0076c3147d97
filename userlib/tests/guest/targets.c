// SPDX-License-Identifier: MIT
/*
 * Selection of events of a session by real processes, processors and control
 * groups.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/decode.h>
#include <userevents/session.h>
#include <userevents/tracepoint.h>

#include "guest.h"

#define NUMBERS_MAX 4096

static bool is_written;

/* Values are computed only while the event is enabled. */
static uint32_t value_of(uint32_t number)
{
	is_written = true;
	return number;
}

static void write_number(uint32_t number)
{
	UEV_TRACE(target, number, value_of(number));
}

/* The kernel can defer the bit of a child whose page is shared after fork(). */
static void write_number_once_enabled(uint32_t number)
{
	unsigned int tries;

	is_written = false;
	for (tries = 0; !is_written && tries < 10000; tries++) {
		write_number(number);
		if (!is_written)
			usleep(1000);
	}
}

/* --- Collecting ----------------------------------------------------------- */

/* Numbers of the records of a session, which must be ordered by time. */
static uint32_t numbers[NUMBERS_MAX];
static size_t number_count;

/* Offset of the number in a record, after the common fields. */
static uint32_t number_offset(const struct uev_session *session)
{
	const struct uev_source *source = uev_session_source(session, 0);
	const struct uev_format_field *field;
	struct uev_schema *schema;
	uint32_t offset;
	size_t i = 0;

	if (!source)
		fail("source not found");
	check(uev_schema_parse(&schema, source->system, source->format,
			       source->format_size, 0, NULL),
	      "format");
	do {
		field = uev_schema_field(schema, i++);
		if (!field)
			fail("no number in %s", source->format);
	} while (strcmp(field->name, "number") != 0);
	offset = field->offset;
	uev_schema_free(schema);
	return offset;
}

static void collect(struct uev_session *session)
{
	const uint32_t offset = number_offset(session);
	const struct uev_sample *sample;
	uint64_t newest = 0;

	number_count = 0;
	check(uev_session_read(session, UEV_READ_DRAIN), "uev_session_read");
	while (uev_session_next(session, &sample)) {
		if (sample->time < newest)
			fail("out of order");
		newest = sample->time;
		if (number_count == NUMBERS_MAX ||
		    sample->raw_size < offset + sizeof(*numbers))
			fail("unexpected record");
		memcpy(&numbers[number_count++],
		       (const char *)sample->raw + offset, sizeof(*numbers));
	}
}

/* Tests whether the collected numbers are this text: "1 2 3". */
static void expect(const char *expected)
{
	char text[NUMBERS_MAX * 6] = "";
	size_t used = 0, i;

	for (i = 0; i < number_count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%" PRIu32, i ? " " : "",
					 numbers[i]);
	if (strcmp(text, expected) != 0)
		fail("got \"%s\", not \"%s\"", text, expected);
}

static struct uev_session *begin(const struct uev_session_options *options,
				 const char *filter)
{
	struct uev_session *session;
	char text[1000];
	long added;

	check(uev_session_open(&session, options), "uev_session_open");
	added = check(uev_session_add(session, "target", filter), "add");
	if (added != 1) {
		uev_diagnose(text, sizeof(text));
		fail("%ld events; %s", added, text);
	}
	check(uev_session_start(session), "uev_session_start");
	return session;
}

static void end(struct uev_session *session, const char *expected)
{
	check(uev_session_stop(session), "uev_session_stop");
	collect(session);
	uev_session_close(session);
	expect(expected);
}

/* --- Processes ------------------------------------------------------------ */

static void finish(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		fail("a child has failed");
}

/* A child that waits, then writes a number, and its own child another. */
struct child {
	pid_t pid;
	int begin;
};

static void run_child(uint32_t number)
{
	pid_t pid;

	write_number_once_enabled(number);
	pid = fork();
	if (!pid) {
		write_number(number + 1);
		_exit(0);
	}
	finish(pid);
	_exit(0);
}

static struct child start_child(uint32_t number)
{
	struct child child;
	int ends[2];
	char byte;

	if (pipe(ends))
		fail("pipe: %s", strerror(errno));
	child.pid = fork();
	if (child.pid < 0)
		fail("fork: %s", strerror(errno));
	if (!child.pid) {
		close(ends[1]);
		if (read(ends[0], &byte, 1) == 1)
			run_child(number);
		_exit(1);
	}
	close(ends[0]);
	child.begin = ends[1];
	return child;
}

static void release_child(const struct child *child)
{
	if (write(child->begin, "", 1) != 1)
		fail("a child has exited");
	close(child->begin);
	finish(child->pid);
}

static void target_one(unsigned int flags, const char *expected)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct child child = start_child(1);
	struct child other = start_child(3);
	struct uev_session *session;

	options.pids = &child.pid;
	options.pid_count = 1;
	options.flags = flags;
	session = begin(&options, NULL);
	write_number(5);
	release_child(&other);
	release_child(&child);
	end(session, expected);
}

void test_pids(void)
{
	target_one(0, "1");
}

void test_inherited(void)
{
	target_one(UEV_SESSION_INHERIT, "1 2");
}

/* --- Control groups ------------------------------------------------------- */

/* Directories of a hierarchy have perf once any controller is enabled. */
static void use_controllers(const char *list, const char *control)
{
	size_t size;
	char *text = read_text(list, &size);
	char *end = strpbrk(text, " \n");
	char enabled[64];

	if (!end)
		skip("no controllers");
	snprintf(enabled, sizeof(enabled), "+%.*s", (int)(end - text), text);
	write_file(control, enabled);
	free(text);
}

#define CGROUPS "/tmp/cgroups"
#define CGROUP CGROUPS "/target"

void test_cgroup(void)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct child child = start_child(1);
	struct child other = start_child(3);
	struct uev_session *session;
	char pid[16];

	mkdir(CGROUPS, 0755);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL))
		skip("cgroup2: %s", strerror(errno));
	use_controllers(CGROUPS "/cgroup.controllers",
			CGROUPS "/cgroup.subtree_control");
	if (mkdir(CGROUP, 0755))
		fail("%s: %s", CGROUP, strerror(errno));
	snprintf(pid, sizeof(pid), "%d", (int)child.pid);
	write_file(CGROUP "/cgroup.procs", pid);

	options.cgroup_fd = open(CGROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	session = begin(&options, NULL);
	close(options.cgroup_fd);
	write_number(5);
	release_child(&other);
	release_child(&child);
	end(session, "1 2");
	rmdir(CGROUP);
	umount(CGROUPS);
	rmdir(CGROUPS);
}

/* --- Processors ----------------------------------------------------------- */

void test_cpus(void)
{
	static const unsigned int cpu = 1;
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	stay_on(1);
	options.cpus = &cpu;
	options.cpu_count = 1;
	session = begin(&options, NULL);
	write_number(1);
	stay_on(0);
	write_number(2);
	stay_on(1);
	write_number(3);
	end(session, "1 3");
}

#define ONLINE "/sys/devices/system/cpu/cpu1/online"

/*
 * Starts during a session, exits with records in its buffer, and starts again.
 */
void test_offline(void)
{
	struct uev_session *session;

	if (access("/sys/devices", F_OK))
		mount("none", "/sys", "sysfs", 0, NULL);
	if (access(ONLINE, W_OK))
		skip("no processor can go offline");
	stay_on(0);
	write_file(ONLINE, "0");
	session = begin(NULL, NULL);
	write_number(1);
	write_file(ONLINE, "1");
	check(uev_session_rescan(session), "uev_session_rescan");
	stay_on(1);
	write_number(2);
	stay_on(0);
	write_file(ONLINE, "0");
	write_number(3);
	check(uev_session_rescan(session), "uev_session_rescan");
	write_file(ONLINE, "1");
	check(uev_session_rescan(session), "uev_session_rescan");
	stay_on(1);
	write_number(4);
	end(session, "1 2 3 4");
}

/* --- Events and buffers --------------------------------------------------- */

void test_filter(void)
{
	struct uev_session *session = begin(NULL, "number > 1 && number != 3");
	uint32_t number;

	for (number = 1; number <= 5; number++)
		write_number(number);
	end(session, "2 4 5");
}

#define MANY 2000

static struct uev_session *overflow(unsigned int flags)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;
	uint32_t number;

	stay_on(0);
	options.buffer_size = 4096;
	options.flags = flags;
	session = begin(&options, NULL);
	for (number = 1; number <= MANY; number++)
		write_number(number);
	check(uev_session_stop(session), "uev_session_stop");
	collect(session);
	return session;
}

/* Whether they follow one on another, from @first on. */
static void expect_row(uint32_t first)
{
	size_t i;

	if (!number_count || number_count >= MANY)
		fail("%zu records of %d", number_count, MANY);
	for (i = 0; i < number_count; i++)
		if (numbers[i] != first + i)
			fail("%" PRIu32 " after %zu", numbers[i], i);
}

/* The newest, up to the last. */
void test_overwrite(void)
{
	uev_session_close(overflow(UEV_SESSION_OVERWRITE));
	expect_row(MANY + 1 - (uint32_t)number_count);
}

/* The oldest, and the kernel knows of all the others. */
void test_losses(void)
{
	struct uev_session *session = overflow(0);
	uint64_t hits, lost;

	expect_row(1);
	check(uev_session_source_stats(session, 0, &hits, &lost),
	      "uev_session_source_stats");
	uev_session_close(session);
	if (hits != MANY)
		fail("%" PRIu64 " hits", hits);
	if (lost != UINT64_MAX && lost != MANY - number_count)
		fail("%" PRIu64 " lost, %zu read", lost, number_count);
}

void test_late(void)
{
	struct uev_event event = UEV_EVENT_INIT("target_late u32 number");
	const uint32_t number = 7;
	const struct iovec payload = {
		(void *)(uintptr_t)&number,
		sizeof(number),
	};
	struct uev_session *session;

	check(uev_session_open(&session, NULL), "uev_session_open");
	if (check(uev_session_add(session, "target_l*", NULL), "add") != 0)
		fail("available too early");
	check(uev_session_start(session), "uev_session_start");
	check(uev_event_register(&event, 0), "uev_event_register");
	if (check(uev_session_rescan(session), "uev_session_rescan") != 1)
		fail("it was not found");
	check(uev_event_writev(&event, &payload, 1), "uev_event_writev");
	end(session, "7");
	check(uev_event_unregister(&event), "uev_event_unregister");
}

/* The kernel wakes a reader up from an interrupt, which can be pending. */
static int readable(struct uev_session *session, int timeout_ms)
{
	struct pollfd wait = {
		.fd = uev_session_fd(session),
		.events = POLLIN,
	};

	return poll(&wait, 1, timeout_ms);
}

/* One byte is enough if it was said so. */
void test_wake_up(void)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session = begin(NULL, NULL);

	write_number(1);
	if (readable(session, 0) != 0)
		fail("one record is no eighth of a buffer");
	end(session, "1");

	options.watermark = 1;
	session = begin(&options, NULL);
	if (readable(session, 0) != 0)
		fail("readable before the first record");
	write_number(2);
	if (readable(session, 10000) != 1)
		fail("not readable after a record");
	end(session, "2");
}
