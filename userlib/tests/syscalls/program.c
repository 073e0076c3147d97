// SPDX-License-Identifier: MIT
/*
 * Calls functions of libuserevents with a user_events that is /dev/null, so that
 * strace sees their system calls.
 *
 *	program KIND DIRECTORY
 *
 * DIRECTORY has the links and files of a tracefs, and an empty directory
 * "empty". The calls of KIND are between two writes to a closed descriptor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/user_events.h>
#include <userevents/batch.h>
#include <userevents/eventheader-dynamic.h>
#include <userevents/tracepoint.h>

#define CHECK(call)                                        \
	do {                                               \
		int err_ = (call);                         \
		if (err_) {                                \
			fprintf(stderr, "%s: %s\n", #call, \
				uev_strerror(err_));       \
			exit(1);                           \
		}                                          \
	} while (0)

static bool has_status_page, has_batches = true, has_cookies = true;

static int fail(int error)
{
	errno = error;

	return -1;
}

/* The library's call; the result is that of user_events. */
int ioctl(int fd, unsigned long request, ...)
{
	const struct user_batch *batch;
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (syscall(SYS_ioctl, fd, request, argument) < 0 && errno == EBADF)
		return -1;
	if (request == DIAG_IOCSREG) {
		const struct user_reg_enabler *reg = argument;

		/* Without a name, the library asks for the interface. */
		if (reg->size == sizeof(*reg) && !reg->name_args)
			return fail(has_status_page ? E2BIG : EFAULT);
	}
	if (request == DIAG_IOCQHEADER || !argument)
		return fail(ENOTTY);
	if (request == DIAG_IOCGCOOKIE && !has_cookies)
		return fail(ENOTTY);
	if (request == DIAG_IOCGCOOKIE)
		*(uint64_t *)argument = 1;
	if (request == DIAG_IOCSWRITE) {
		const struct user_write *record = argument;

		return record->flags & USER_WRITE_BATCH
			       ? (int)record->payload_size
			       : 0;
	}
	if (request != DIAG_IOCSBATCH)
		return 0;
	batch = argument;

	return has_batches ? (int)batch->count : fail(ENOTTY);
}

static char directory[4000];

static void use(const char *name)
{
	char path[sizeof(directory) + 20];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	CHECK(uev_set_path(path));
}

static struct uev_event event = UEV_EVENT_INIT("event u32 number");
static struct uev_event_set *set;
static struct uev_builder *builder;
static struct uev_batch *batch;

static void set_up(void)
{
	static struct uev_dynamic_provider *provider;

	use("");
	CHECK(uev_event_register(&event, 0));
	CHECK(uev_event_status(&event));
	CHECK(uev_dynamic_provider_new(&provider, "Provider", NULL));
	CHECK(uev_dynamic_provider_event_set(provider, UEV_LEVEL_ERROR, 1,
					     &set));
	CHECK(uev_builder_new(&builder));
	CHECK(uev_batch_new(&batch, 0));
	/* As the kernel does */
	set->event.state = UEV_ENABLED;
}

static void mark(void)
{
	(void)!write(-1, "mark", 4);
}

static void write_records(void)
{
	static char text[3000];
	struct iovec vector[100] = { { text, 4 }, { text, sizeof(text) } };
	struct uev_value values[] = {
		uev_value_number(UEV_TYPE_U32, 1),
		uev_value_double(0.1),
		uev_value_bytes((struct uev_bytes){ text, sizeof(text) }),
	};

	mark();
	CHECK(uev_event_writev(&event, vector, 1));
	CHECK(uev_event_writev(&event, vector, 2));
	CHECK(uev_event_writev(&event, vector, 100));
	CHECK(uev_tracepoint_write(&event, values, 2));
	CHECK(uev_tracepoint_write(&event, values, 3));
	CHECK(uev_builder_begin(builder, "Event", 0));
	CHECK(uev_add_u32(builder, "number", 1));
	CHECK(uev_builder_write(builder, set, NULL, NULL));
	mark();
}

static void write_batches(void)
{
	uint32_t number = 1;
	struct iovec vector = { &number, sizeof(number) };
	int i;

	mark();
	for (i = 0; i < 2 * UEV_BATCH_MAX; i++)
		CHECK(uev_batch_add(batch, &event, &vector, 1));
	CHECK(uev_batch_write(batch));
	mark();
}

/* As in a daemon */
static void write_after_closing(void)
{
	const struct iovec vector = { directory, 4 };
	int fd;

	for (fd = STDERR_FILENO + 1; fd < 1000; fd++)
		close(fd);
	mark();
	CHECK(uev_event_writev(&event, &vector, 1));
	mark();
}

static void use_all(const char *name, int error)
{
	struct uev_event other = UEV_EVENT_INIT("other u32 number");
	struct uev_stats stats;
	char text[1000];

	mark();
	if (name)
		use(name);
	CHECK(uev_event_register(&other, 0));
	if (error && uev_event_status(&other) != error)
		abort();
	(void)uev_register_pending();
	uev_process_stats(&stats, sizeof(stats));
	CHECK(uev_event_stats(&other, &stats, sizeof(stats)));
	(void)uev_name_status("other");
	(void)uev_diagnose(text, sizeof(text));
	CHECK(uev_event_unregister(&other));
	CHECK(uev_shutdown());
	mark();
}

int main(int argc, char **argv)
{
	const char *kind = argc == 3 ? argv[1] : "";

	if (argc == 3)
		snprintf(directory, sizeof(directory), "%s", argv[2]);
	if (!strcmp(kind, "record")) {
		set_up();
		write_records();
	} else if (!strcmp(kind, "record-far")) {
		has_cookies = false;
		set_up();
		write_records();
	} else if (!strcmp(kind, "batch")) {
		set_up();
		write_batches();
	} else if (!strcmp(kind, "batch-far")) {
		has_cookies = false;
		set_up();
		write_batches();
	} else if (!strcmp(kind, "batch-one")) {
		has_cookies = false;
		has_batches = false;
		set_up();
		write_batches();
	} else if (!strcmp(kind, "reopen")) {
		set_up();
		write_after_closing();
	} else if (!strcmp(kind, "open")) {
		use_all("", 0);
	} else if (!strcmp(kind, "open-status")) {
		has_status_page = true;
		use_all("", 0);
	} else if (!strcmp(kind, "open-missing")) {
		use_all("empty", -ENXIO);
	} else if (!strcmp(kind, "open-default")) {
		use_all(NULL, 0);
	} else {
		fputs("usage: program KIND DIRECTORY\n", stderr);
		return 2;
	}

	return 0;
}
