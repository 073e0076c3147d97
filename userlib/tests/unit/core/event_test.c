// SPDX-License-Identifier: MIT
/*
 * Events, from the first look for user_events to the last record, on a kernel
 * that is not there.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/user_events.h>
#include <userevents/userevents.h>

#include "util/common.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "core/process.h"
#include "core/sys.h"

#define TRACEFS "/sys/kernel/tracing"
#define A_SECOND 1000

static const enum fake_abi abis[] = { FAKE_ENABLER, FAKE_STATUS, FAKE_BOTH };

/* Most is the same wherever the bit is; _i says which kernel it is. */
static const int abi_count = ARRAY_SIZE(abis);

static struct uev_event event;

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	uev_event_init(&event, "n u32 a");
}

/* Each test must release all files, mappings and words. */
static void tear_down(void)
{
	uev_event_unregister(&event);
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_uint_eq(fake_open_files(), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert(!fake_mapped());
}

TEST_FIXTURE(set_up, tear_down);

static int write_number(struct uev_event *to, uint32_t number)
{
	const struct iovec payload = { &number, sizeof(number) };

	return uev_event_writev(to, &payload, 1);
}

static struct uev_stats stats_of(const struct uev_event *of)
{
	struct uev_stats stats;

	ck_assert_int_eq(uev_event_stats(of, &stats, sizeof(stats)), 0);

	return stats;
}

/* --- Finding it ----------------------------------------------------------- */

TEST_LOOP(usual_places, 2)
{
	static const char *const places[] = { TRACEFS,
					      "/sys/kernel/debug/tracing" };
	char path[PATH_MAX];

	fake_mount(places[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	snprintf(path, sizeof(path), "%s/user_events_data", places[_i]);
	ck_assert_str_eq(fake_last_open(), path);
}

TEST(mounted_elsewhere)
{
	fake_mount("/my tracing");
	fake_mounts("proc /proc proc rw 0 0\n"
		    "nodev /my\\040tracing tracefs rw 0 0\n");
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_str_eq(fake_last_open(), "/my tracing/user_events_data");
}

/* A text of /proc/mounts that comes in many pieces, and is large. */
TEST(many_mounts)
{
	static char mounts[30000];
	size_t length = 0;

	while (length < sizeof(mounts) - 200)
		length += (size_t)sprintf(mounts + length,
					  "/dev/x /x%zu ext4 rw 0 0\n", length);
	strcpy(mounts + length, "t /t tracefs rw 0 0\n");
	fake_mount("/t");
	fake_mounts(mounts);
	fake_fail(FAKE_READ, 3, 1, -EINTR);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
}

TEST_LOOP(custom_path, abi_count * 2)
{
	static const char *const places[] = { "/t", "/t/user_events_data" };

	fake_reset(abis[_i / 2]);
	fake_mount("/t");
	ck_assert_int_eq(uev_set_path(places[_i % 2]), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	/* It is only for before. */
	ck_assert_int_eq(uev_set_path(NULL), -EBUSY);
}

/* Other paths are not searched. */
TEST(custom_path_is_exclusive)
{
	ck_assert_int_eq(uev_set_path("/elsewhere"), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), -ENXIO);
	/* Not even a moment has to pass. */
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
}

TEST(invalid_paths)
{
	char path[PATH_MAX];

	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	ck_assert_int_eq(uev_set_path(path), -ENAMETOOLONG);
	path[250] = '\0';
	ck_assert_int_eq(uev_set_path(path), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), -ENAMETOOLONG);

	fake_alloc_fail(0);
	ck_assert_int_eq(uev_set_path("/t"), -ENOMEM);
	ck_assert(fake_alloc_end());

	/* A directory that is no tracefs. */
	fake_deny("/tmp", -EISDIR);
	ck_assert_int_eq(uev_set_path("/tmp"), 0);
	ck_assert_int_eq(uev_event_status(&event), -ENXIO);
	fake_deny("/dev/null", -EACCES);
	ck_assert_int_eq(uev_set_path("/dev/null"), 0);
	ck_assert_int_eq(uev_event_status(&event), -EACCES);
}

static void set_broker(const char *path)
{
	ck_assert_int_eq(path ? setenv("USER_EVENTS_SOCKET", path, 1)
			      : unsetenv("USER_EVENTS_SOCKET"),
			 0);
	uev_process_read_environment();
}

/* As in a container: no tracefs, and the file comes from a broker. */
TEST(broker_of_environment)
{
	fake_mount(NULL);
	fake_broker(0);
	set_broker(FAKE_BROKER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	set_broker(NULL);
}

TEST(broker_of_path)
{
	fake_mount(NULL);
	fake_broker(0);
	ck_assert_int_eq(uev_set_path(FAKE_BROKER), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
}

/* The variable replaces the usual paths, and not the one of the program. */
TEST(broker_is_exclusive)
{
	set_broker("/run/other");
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), -ENXIO);
	ck_assert_int_eq(uev_set_path(TRACEFS), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	set_broker(NULL);
}

TEST_LOOP(broker_that_refuses, 2)
{
	static const int errors[] = { -EACCES, -ETIMEDOUT };

	fake_broker(errors[_i]);
	set_broker(FAKE_BROKER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), errors[_i]);
	/* It can be told to trust the program later. */
	fake_broker(0);
	fake_pass(1000);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	set_broker(NULL);
}

/* A daemon closes all files: a record and a registration ask the broker again. */
TEST_LOOP(broker_after_closed_file, 2)
{
	fake_reset(FAKE_BOTH);
	fake_mount(NULL);
	fake_broker(0);
	set_broker(FAKE_BROKER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	if (_i)
		ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(fake_open_files(), 1);
	set_broker(NULL);
}

/* Only one of the records waits for it. */
TEST(broker_that_hangs)
{
	unsigned int before;

	fake_reset(FAKE_BOTH);
	fake_mount(NULL);
	fake_broker(0);
	set_broker(FAKE_BROKER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_broker(-ETIMEDOUT);
	fake_close_all();
	before = fake_calls(FAKE_OPEN);
	ck_assert_int_lt(write_number(&event, 1), 0);
	ck_assert_int_lt(write_number(&event, 2), 0);
	ck_assert_uint_eq(fake_calls(FAKE_OPEN), before + 1);
	fake_broker(0);
	fake_pass(1000);
	ck_assert_int_eq(write_number(&event, 3), 0);
	set_broker(NULL);
}

TEST(empty_variable_is_no_broker)
{
	set_broker("");
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	set_broker(NULL);
}

/* The file is not for programs that this one starts, nor for reading. */
TEST(open_flags)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert(fake_last_flags() & O_CLOEXEC);
	ck_assert_int_eq(fake_last_flags() & O_ACCMODE, O_WRONLY);
}

TEST_LOOP(interrupted, abi_count)
{
	fake_reset(abis[_i]);
	fake_fail(FAKE_OPEN, 0, 2, -EINTR);
	fake_fail(FAKE_IOCTL, 0, 2, -EINTR);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);

	fake_fail(FAKE_IOCTL, 0, 2, -EINTR);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
}

/* Numbers may be scarce. */
TEST(no_high_descriptor)
{
	fake_fail(FAKE_DUPLICATE, 0, 1, -EINVAL);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
}

/* --- Why it is not found -------------------------------------------------- */

static void ck_pending(int error)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), error);
	ck_assert(!uev_enabled(&event));
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(stats_of(&event).pending, 1);
	ck_assert_uint_eq(stats_of(&event).registered, 0);
	ck_assert_uint_eq(stats_of(&event).skipped, 1);
	ck_assert_uint_eq(fake_open_files(), 0);
}

TEST(no_tracefs)
{
	fake_mount(NULL);
	ck_pending(-ENXIO);
}

TEST(no_user_events)
{
	fake_load(false);
	ck_pending(-ENOPKG);
}

TEST(no_permission)
{
	fake_deny(TRACEFS "/user_events_data", -EACCES);
	ck_pending(-EACCES);
}

/* The permission of debugfs is irrelevant if tracefs has no user_events. */
TEST(no_permission_for_debugfs)
{
	fake_load(false);
	fake_deny("/sys/kernel/debug/tracing/user_events_data", -EACCES);
	ck_pending(-ENOPKG);
}

TEST(no_files_left)
{
	fake_fail(FAKE_OPEN, 0, 100, -EMFILE);
	ck_pending(-EMFILE);
}

TEST(another_file)
{
	fake_fail(FAKE_IOCTL, 0, 1, -ENOTTY);
	ck_pending(-ENOTTY);
}

/* A file that accepts everything is not user_events. */
TEST(rejects_a_file_that_accepts_everything)
{
	fake_fail(FAKE_IOCTL, 0, 1, FAKE_SUCCESS);
	ck_pending(-ENOTTY);
}

TEST(no_status_file)
{
	fake_reset(FAKE_STATUS);
	fake_deny(TRACEFS "/user_events_status", -EACCES);
	ck_pending(-EACCES);
}

TEST(no_status_page)
{
	fake_reset(FAKE_STATUS);
	fake_fail(FAKE_MAP, 0, 1, -ENOMEM);
	ck_pending(-ENOMEM);
}

/* --- Late arrival --------------------------------------------------------- */

TEST_LOOP(registers_pending, abi_count)
{
	struct uev_event other = UEV_EVENT_INIT("other");

	fake_reset(abis[_i]);
	fake_load(false);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_register_pending(), -ENOPKG);

	fake_load(true);
	ck_assert_int_eq(uev_register_pending(), -ENOPKG);
	ck_assert_int_eq(uev_event_status(&event), -ENOPKG);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_event_status(&other), 0);

	fake_enable("n", true);
	ck_assert(uev_enabled(&event));
	ck_assert(!uev_enabled(&other));
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

/* Registration searches, too, and registers pending events. */
TEST(registering_finds_user_events)
{
	struct uev_event other = UEV_EVENT_INIT("other");

	fake_load(false);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_event_status(&other), 0);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

TEST(searches_once_a_second)
{
	unsigned int calls;
	int i;

	fake_load(false);
	ck_assert_int_eq(uev_register_pending(), -ENOPKG);
	calls = fake_calls(FAKE_OPEN);
	for (i = 0; i < 10; i++) {
		fake_pass(A_SECOND / 20);
		ck_assert_int_eq(uev_register_pending(), -ENOPKG);
	}
	ck_assert_uint_eq(fake_calls(FAKE_OPEN), calls);
	fake_pass(A_SECOND / 2);
	ck_assert_int_eq(uev_register_pending(), -ENOPKG);
	ck_assert_uint_gt(fake_calls(FAKE_OPEN), calls);
}

/* Without pending events it does not look for anything. */
TEST(nothing_to_retry)
{
	unsigned int opens, ioctls;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	opens = fake_calls(FAKE_OPEN);
	ioctls = fake_calls(FAKE_IOCTL);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_uint_eq(fake_calls(FAKE_OPEN), opens);
	ck_assert_uint_eq(fake_calls(FAKE_IOCTL), ioctls);
}

TEST(unregistered_while_pending)
{
	fake_load(false);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_event_status(&event), -ENOTCONN);
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_ptr_null(fake_command("n"));
}

/* An event that the kernel rejects later stays pending, and is tried again. */
TEST(rejected_after_pending)
{
	struct uev_event other = UEV_EVENT_INIT("n u8 a");

	fake_load(false);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), -EADDRINUSE);
	ck_assert_int_eq(!uev_event_status(&event) + !uev_event_status(&other),
			 1);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

/* --- Registering ---------------------------------------------------------- */

TEST_LOOP(registering, abi_count)
{
	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_status(&event), -ENOTCONN);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), -EALREADY);
	ck_assert_str_eq(fake_command("n"), "n u32 a");
	ck_assert_uint_eq(fake_enablers(), abis[_i] != FAKE_STATUS);

	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_event_unregister(&event), -ENOTCONN);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
}

/* All kernels receive the spelling that some of them require. */
TEST(normalizes_commands)
{
	struct uev_event other = UEV_EVENT_INIT("n u32 a;");

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

TEST(rejects_invalid_events)
{
	struct uev_event other = { 0, 0, "n", NULL };

	ck_assert_int_eq(uev_event_register(&other, 0), -EINVAL);
	uev_event_init(&other, NULL);
	ck_assert_int_eq(uev_event_register(&other, 0), -EINVAL);
	uev_event_init(&other, "n float a");
	ck_assert_int_eq(uev_event_register(&other, 0), -EINVAL);
	uev_event_init(&other, "n struct a b 9999");
	ck_assert_int_eq(uev_event_register(&other, 0), -E2BIG);
	uev_event_init(&other, "n");
	ck_assert_int_eq(uev_event_register(&other, 16), -EINVAL);
	/* The kernel has not received anything. */
	ck_assert_uint_eq(fake_calls(FAKE_OPEN), 0);
}

TEST(flags)
{
	struct uev_event other = UEV_EVENT_INIT("other");

	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_event_register(&event, UEV_MULTI_FORMAT), 0);
	ck_assert_uint_eq(fake_flags("n.0"), 2);
	ck_assert_int_eq(uev_event_register(&other, UEV_PERSIST), 0);
	ck_assert_uint_eq(fake_flags("other"), 1);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

TEST(flags_of_the_older_interface)
{
	fake_reset(FAKE_STATUS);
	ck_assert_int_eq(uev_event_register(&event, UEV_MULTI_FORMAT),
			 -EPROTONOSUPPORT);
	ck_assert_int_eq(uev_event_register(&event, UEV_PERSIST), 0);
}

TEST_LOOP(rejected_by_the_kernel, abi_count)
{
	static const int errors[] = { -EADDRINUSE, -EMFILE, -EPERM, -ENOMEM };

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		fake_fail(FAKE_IOCTL, 0, 1, errors[i]);
		ck_assert_int_eq(uev_event_register(&event, 0), errors[i]);
		ck_assert_int_eq(uev_event_status(&event), -ENOTCONN);
		ck_assert_int_eq(uev_event_register(&event, 0), 0);
		ck_assert_int_eq(uev_event_unregister(&event), 0);
	}
}

/* A registration that another line of threads has made. */
TEST(unregistering_elsewhere)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOENT);
	ck_assert_int_eq(uev_event_unregister(&event), -ESRCH);
	ck_assert_int_eq(uev_event_status(&event), -ENOTCONN);
	/* The kernel has the word still, as it would. */
	ck_assert_uint_eq(fake_enablers(), 1);
	fake_drop_enablers();
}

/* The event is enabled before the program registers it. */
TEST_LOOP(enabled_before_registration, abi_count)
{
	struct uev_event first = UEV_EVENT_INIT("n u32 a");

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&first, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert(uev_enabled(&event));
	ck_assert_int_eq(uev_event_unregister(&first), 0);
	ck_assert(!uev_enabled(&first));
	ck_assert(uev_enabled(&event));
	fake_enable("n", false);
	ck_assert(!uev_enabled(&event));
}

/* The bits of the page lie close to each other. */
TEST_LOOP(many_events, abi_count)
{
	struct uev_event many[40];
	char commands[40][16];
	int i, j;

	fake_reset(abis[_i]);
	for (i = 0; i < 40; i++) {
		snprintf(commands[i], sizeof(commands[i]), "e%d", i);
		uev_event_init(&many[i], commands[i]);
		ck_assert_int_eq(uev_event_register(&many[i], 0), 0);
	}
	for (i = 0; i < 40; i++) {
		fake_enable(commands[i], true);
		for (j = 0; j < 40; j++)
			ck_assert_int_eq(uev_enabled(&many[j]), i == j);
		ck_assert_int_eq(write_number(&many[i], 1), 0);
		ck_assert_str_eq(fake_record()->name, commands[i]);
		fake_enable(commands[i], false);
	}
	for (i = 0; i < 40; i++)
		ck_assert_int_eq(uev_event_unregister(&many[i]), 0);
}

/* If the cost of each grew with their number, this would take minutes. */
TEST_LOOP(registering_is_independent_of_their_number, 2)
{
	const unsigned int count = 100000;
	struct uev_event *many = calloc(count, sizeof(*many));
	char(*commands)[16] = calloc(count, sizeof(*commands));
	unsigned int i;

	fake_mount(NULL);
	for (i = 0; i < count; i++) {
		/* All have the same command, or each has that of another. */
		snprintf(commands[i], sizeof(commands[i]), "e%u", i / 2 * _i);
		uev_event_init(&many[i], commands[i]);
		ck_assert_int_eq(uev_event_register(&many[i], 0), 0);
	}
	for (i = 0; i < count; i++)
		ck_assert_int_eq(uev_event_unregister(&many[i]), 0);
	free(many);
	free(commands);
}

TEST(tables)
{
	struct uev_event good = UEV_EVENT_INIT("good");
	struct uev_event bad = UEV_EVENT_INIT("bad float a");
	struct uev_event taken = UEV_EVENT_INIT("n u8 a");
	struct uev_event *table[] = {
		&event, NULL, &good, &bad, &taken, &event
	};

	ck_assert_int_eq(uev_events_register(table, table + 6), -EINVAL);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_event_status(&good), 0);
	ck_assert_int_eq(uev_event_status(&bad), -ENOTCONN);
	/* One can ask why. */
	ck_assert_int_eq(uev_event_status(&taken), -EADDRINUSE);
	ck_assert_int_eq(uev_register_pending(), -EADDRINUSE);

	uev_events_unregister(table, table + 6);
	ck_assert_int_eq(uev_event_status(&good), -ENOTCONN);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_int_eq(uev_events_register(NULL, NULL), 0);

	/* Twice the same is no error. */
	table[1] = &event;
	ck_assert_int_eq(uev_events_register(table, table + 2), 0);
	ck_assert_uint_eq(fake_enablers(), 1);
}

/* Three lists, and names of which three events each have the same */
#define LIST_EVENTS 150
#define LIST_NAMES 50

/* A list is one call of the module. Other kernels get a call for each event. */
TEST_LOOP(tables_take_few_calls, 4)
{
	static const enum fake_abi abis[] = { FAKE_BOTH, FAKE_OLD_MODULE,
					      FAKE_ENABLER, FAKE_STATUS };
	const unsigned int most = _i ? 1 + LIST_EVENTS : 1 + 3;
	static char commands[LIST_EVENTS][16];
	static struct uev_event many[LIST_EVENTS];
	struct uev_event *table[LIST_EVENTS];
	unsigned int i, calls;

	ck_assert_int_eq(uev_shutdown(), 0);
	fake_reset(abis[_i]);
	for (i = 0; i < LIST_EVENTS; i++) {
		snprintf(commands[i], sizeof(commands[i]), "e%u u32 a",
			 i % LIST_NAMES);
		uev_event_init(&many[i], commands[i]);
		table[i] = &many[i];
	}
	ck_assert_int_eq(uev_events_register(table, table + LIST_EVENTS), 0);
	/* The first call asks for the interface. */
	ck_assert_uint_eq(fake_calls(FAKE_IOCTL), most);
	for (i = 0; i < LIST_EVENTS; i++) {
		ck_assert_int_eq(uev_event_status(&many[i]), 0);
		snprintf(commands[i], sizeof(commands[i]), "e%u",
			 i % LIST_NAMES);
		fake_enable(commands[i], true);
		ck_assert(uev_enabled(&many[i]));
		ck_assert_int_eq(write_number(&many[i], i), 0);
		ck_assert_str_eq(fake_record()->name, commands[i]);
	}
	calls = fake_calls(FAKE_IOCTL);
	uev_events_unregister(table, table + LIST_EVENTS);
	if (abis[_i] != FAKE_STATUS)
		ck_assert_uint_eq(fake_calls(FAKE_IOCTL) - calls, most - 1);
	ck_assert_uint_eq(fake_enablers(), 0);
	for (i = 0; i < LIST_EVENTS; i++)
		ck_assert_int_eq(uev_event_status(&many[i]), -ENOTCONN);
}

/* The module is older than lists, or a filter of system calls rejects them. */
TEST(table_without_lists)
{
	struct uev_event one = UEV_EVENT_INIT("one");
	struct uev_event two = UEV_EVENT_INIT("two u8 a");
	struct uev_event *table[] = { &one, &two };

	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOTTY);
	ck_assert_int_eq(uev_events_register(table, table + 2), 0);
	ck_assert_int_eq(uev_event_status(&one), 0);
	ck_assert_int_eq(uev_event_status(&two), 0);
	ck_assert_uint_eq(fake_enablers(), 3);
	fake_fail(FAKE_IOCTL, 0, 1, -EPERM);
	uev_events_unregister(table, table + 2);
	ck_assert_uint_eq(fake_enablers(), 1);
}

/* A copy of a registered event is not registered. */
TEST(copies)
{
	struct uev_event copy;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	copy = event;
	ck_assert_int_eq(uev_event_status(&copy), -ENOTCONN);
	ck_assert_int_eq(uev_event_unregister(&copy), -ENOTCONN);
	ck_assert_int_eq(uev_event_status(&event), 0);
}

/* --- Files from elsewhere ------------------------------------------------- */

TEST_LOOP(given_files, abi_count)
{
	int data, status;

	fake_reset(abis[_i]);
	data = fake_open_data(O_RDWR);
	status = fake_open_status();
	/* It cannot be opened at these paths. */
	fake_mount(NULL);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), -ENXIO);

	ck_assert_int_eq(uev_set_files(data, status), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_set_files(data, status), -EBUSY);
	fake_enable("n", true);
	ck_assert(uev_enabled(&event));

	/* They stay the caller's. */
	ck_assert_int_eq(uev_sys_close(data), 0);
	ck_assert_int_eq(uev_sys_close(status), 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
}

TEST_LOOP(given_data_alone, abi_count)
{
	int data;

	fake_reset(abis[_i]);
	data = fake_open_data(O_WRONLY);
	ck_assert_int_eq(uev_set_files(data, -1), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_sys_close(data), 0);
}

TEST(rejects_other_files)
{
	int data = fake_open_data(O_RDONLY);
	int status = fake_open_status();

	ck_assert_int_eq(uev_set_files(77, -1), -EBADF);
	ck_assert_int_eq(uev_set_files(-1, -1), -EBADF);
	/*
	 * With a read-only file, every record would seem to be of a disabled
	 * event.
	 */
	ck_assert_int_eq(uev_set_files(data, -1), -EACCES);
	ck_assert_int_eq(uev_sys_close(data), 0);
	data = fake_open_data(O_WRONLY);
	fake_fail(FAKE_DUPLICATE, 0, 2, -EMFILE);
	ck_assert_int_eq(uev_set_files(data, -1), -EMFILE);
	fake_fail(FAKE_DUPLICATE, 0, 0, 0);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOTTY);
	ck_assert_int_eq(uev_set_files(data, -1), -ENOTTY);
	/* Where no number is high enough, a low one will do. */
	fake_fail(FAKE_DUPLICATE, 0, 1, -EINVAL);
	ck_assert_int_eq(uev_set_files(data, status), 0);
	ck_assert_int_eq(uev_sys_close(data), 0);
	ck_assert_int_eq(uev_sys_close(status), 0);
}

/* --- Writing -------------------------------------------------------------- */

TEST_LOOP(writing, abi_count)
{
	char text[] = "text";
	uint32_t number = 0x12345678;
	const struct iovec vector[] = { { &number, sizeof(number) },
					{ text, sizeof(text) } };

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert(uev_enabled(&event));
	ck_assert_int_eq(uev_event_writev(&event, vector, 2), 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_str_eq(fake_record()->name, "n");
	ck_assert_uint_eq(fake_record()->size, sizeof(number) + sizeof(text));
	ck_assert_mem_eq(fake_record()->payload, &number, sizeof(number));
	ck_assert_str_eq((char *)fake_record()->payload + sizeof(number), text);
	ck_assert_uint_eq(stats_of(&event).written, 1);
	ck_assert_uint_eq(stats_of(&event).registered, 1);
}

TEST_LOOP(writing_a_disabled_event, abi_count)
{
	fake_reset(abis[_i]);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert(!uev_enabled(&event));
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 0);
	ck_assert_uint_eq(stats_of(&event).skipped, 1);
	ck_assert_uint_eq(stats_of(&event).failed, 0);
}

/* With records for one file only, and without. */
static const enum fake_abi writing_abis[] = { FAKE_ENABLER, FAKE_BOTH };
#define WRITING ARRAY_SIZE(writing_abis)

TEST_LOOP(writing_without_payload, WRITING)
{
	const struct iovec empty = { NULL, 0 };

	fake_reset(writing_abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(uev_event_writev(&event, &empty, 1), 0);
	ck_assert_uint_eq(fake_record()->size, 0);
	ck_assert_int_eq(uev_event_writev(&event, NULL, 0), 0);
	ck_assert_uint_eq(fake_record()->size, 0);
	ck_assert_uint_eq(fake_records(), 2);
	ck_assert_int_eq(uev_event_writev(&event, NULL, -1), -EINVAL);
	ck_assert_uint_eq(stats_of(&event).failed, 1);
}

/* Any number of pieces is one record, and the vector is the caller's. */
TEST_LOOP(pieces, 10 * WRITING)
{
	static const struct {
		int count;
		size_t size;
	} rows[] = { { 1, 4 },	  { 1, 600 },
		     { 2, 200 },  { 2, 300 },
		     { 66, 100 }, { 67, 100 },
		     { 300, 1 },  { 300, 20 },
		     { 2000, 4 }, { 1, UEV_PAYLOAD_MAX } };
	static unsigned char payload[UEV_PAYLOAD_MAX];
	static struct iovec vector[2000], before[2000];
	size_t size = rows[_i / WRITING].size;
	int i, count = rows[_i / WRITING].count;

	fake_reset(writing_abis[_i % WRITING]);
	for (i = 0; i < (int)sizeof(payload); i++)
		payload[i] = (unsigned char)(i * 7 / 3);
	for (i = 0; i < count; i++)
		vector[i] = (struct iovec){ payload + size * (size_t)i, size };
	memcpy(before, vector, sizeof(before));
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(uev_event_writev(&event, vector, count), 0);
	ck_assert_uint_eq(fake_record()->size, size * (size_t)count);
	ck_assert_mem_eq(fake_record()->payload, payload, size * (size_t)count);
	/* The index comes first, and the kernel accepts 1024 pieces. */
	ck_assert_int_le(fake_record()->pieces, 67);
	ck_assert_mem_eq(before, vector, sizeof(before));
}

/* Sizes and the expected errors. */
TEST_LOOP(sizes, 8)
{
	static const struct {
		size_t first;
		size_t second;
		int result;
		unsigned int large;
		unsigned int oversize;
	} rows[] = {
		{ UEV_PAYLOAD_FTRACE_MAX, 0, 0, 0, 0 },
		{ UEV_PAYLOAD_FTRACE_MAX, 1, 0, 1, 0 },
		{ UEV_PAYLOAD_MAX, 0, 0, 1, 0 },
		{ UEV_PAYLOAD_MAX - 1, 1, 0, 1, 0 },
		{ UEV_PAYLOAD_MAX, 1, -E2BIG, 0, 1 },
		{ 0, UEV_PAYLOAD_MAX + 1, -E2BIG, 0, 1 },
		{ SIZE_MAX, 2, -E2BIG, 0, 1 },
		{ 2, SIZE_MAX, -E2BIG, 0, 1 },
	};
	static char payload[UEV_PAYLOAD_MAX + 1];
	const struct iovec vector[] = { { payload, rows[_i].first },
					{ payload, rows[_i].second } };
	struct uev_stats stats;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(uev_event_writev(&event, vector, 2), rows[_i].result);
	stats = stats_of(&event);
	ck_assert_uint_eq(stats.written, !rows[_i].result);
	ck_assert_uint_eq(stats.large, rows[_i].large);
	ck_assert_uint_eq(stats.oversize, rows[_i].oversize);
	ck_assert_uint_eq(stats.failed, 0);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), !rows[_i].result);
}

TEST(interrupted_writing)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_fail(FAKE_WRITE, 0, 3, -EINTR);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), 4);
	ck_assert_uint_eq(stats_of(&event).written, 1);
}

/* A filter of system calls rejects the only one of a record. */
TEST(writing_in_a_sandbox)
{
	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), 1);
	fake_fail(FAKE_WRITE, 0, 1, -EPERM);
	ck_assert_int_eq(write_number(&event, 2), 0);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), 3);
	ck_assert_uint_eq(fake_records(), 2);
	ck_assert_uint_eq(stats_of(&event).written, 2);
}

TEST_LOOP(failed_writing, 3 * WRITING)
{
	static const int errors[] = { -EFAULT, -EINVAL, -ENOMEM };
	int error = errors[_i / WRITING];

	fake_reset(writing_abis[_i % WRITING]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_fail(FAKE_WRITE, 0, 1, error);
	ck_assert_int_eq(write_number(&event, 1), error);
	ck_assert_uint_eq(stats_of(&event).failed, 1);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(stats_of(&event).written, 1);
}

/* No tracer takes the record; only a program that asks gets the error. */
TEST_LOOP(lost_records, 4)
{
	const unsigned int flags = _i / 2 ? UEV_REPORT : 0;
	const int error = _i % 2 ? -E2BIG : -ENOSPC;

	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_event_register(&event, flags), 0);
	ck_assert_uint_eq(fake_flags("n"), 0);
	fake_enable("n", true);
	fake_fail(FAKE_WRITE, 0, 1, error);
	ck_assert_int_eq(write_number(&event, 1), flags ? error : 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(stats_of(&event).lost, 1);
	ck_assert_uint_eq(stats_of(&event).written, 1);
	ck_assert_uint_eq(stats_of(&event).failed, 0);
	fake_enable("n", false);
	ck_assert_int_eq(write_number(&event, 1), flags ? -EAGAIN : 0);
	ck_assert_uint_eq(stats_of(&event).skipped, 1);
	uev_event_count(&event, UEV_COUNTER_LOST);
	ck_assert_uint_eq(stats_of(&event).lost, 2);
}

/* --- A program that closes everything ------------------------------------- */

TEST_LOOP(closed_by_the_program, abi_count)
{
	struct uev_event other = UEV_EVENT_INIT("other");
	bool allocates;
	int fd, err;

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_enable("other", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	fd = fake_record()->fd;
	/* A program's own files have lower ones. */
	ck_assert_int_ge(fd, 200);
	fake_close_all();

	/* A writer might be a signal handler. */
	ck_assert(uev_enabled(&event));
	fake_alloc_fail(0);
	err = write_number(&event, 1);
	allocates = fake_alloc_end();
	ck_assert_int_eq(err, 0);
	ck_assert(!allocates);
	ck_assert(fake_alloc_kept_errno());
	ck_assert_uint_eq(stats_of(&event).failed, 0);

	/* The index is that of the new file. */
	ck_assert_str_eq(fake_record()->name, "n");
	ck_assert_int_eq(write_number(&other, 1), 0);
	ck_assert_str_eq(fake_record()->name, "other");
	ck_assert_uint_eq(fake_records(), 3);
	/* Another thread may be about to use the old one. */
	ck_assert_int_gt(fake_record()->fd, fd);
	ck_assert(fake_last_flags() & O_CLOEXEC);
	/* Again at once, as the child of a daemon does. */
	fake_close_all();
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert(uev_enabled(&event));
	fake_enable("n", false);
	ck_assert(!uev_enabled(&event));
	ck_assert_uint_eq(fake_open_files(), 1);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

/* The program has a user_events_data of its own there, with other events. */
TEST_LOOP(replaced_by_the_programs_own, abi_count)
{
	int fd, data;

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	fd = fake_record()->fd;
	fake_close_all();
	data = fake_open_data(O_WRONLY);
	ck_assert_int_eq(uev_sys_duplicate(data, fd), fd);

	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_int_ne(fake_record()->fd, fd);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_int_eq(uev_sys_close(data), 0);
	ck_assert_int_eq(uev_sys_close(fd), 0);
}

/*
 * Another copy of the library has a file there, with an event of the same index.
 * Only the cookie tells the files apart, since both have the mark.
 */
TEST(replaced_by_another_copy)
{
	uint32_t word = 0;
	struct user_reg_enabler reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(word),
		.enable_addr = (uintptr_t)&word,
		.name_args = (uintptr_t) "other",
	};
	int fd, data;

	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	fd = fake_record()->fd;
	fake_close_all();
	data = fake_open_data(O_WRONLY);
	ck_assert_int_eq(uev_sys_mark(data), 0);
	ck_assert_int_eq(uev_sys_ioctl(data, DIAG_IOCSREG, &reg), 0);
	fake_enable("other", true);
	ck_assert_int_eq(uev_sys_duplicate(data, fd), fd);

	ck_assert_int_eq(write_number(&event, 2), 0);
	ck_assert_str_eq(fake_record()->name, "n");
	ck_assert_int_ne(fake_record()->fd, fd);
	ck_assert_uint_eq(fake_records(), 2);
	ck_assert_uint_eq(stats_of(&event).failed, 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
	/* It has not closed that of the other copy. */
	ck_assert_uint_eq(fake_open_files(), 2);
	fake_drop_enablers();
	fake_close_all();
}

/*
 * Other copies of the library, such as those of plugins, have the next numbers.
 * A file that is opened again gets none of them, because that copy would write
 * to it.
 */
TEST_LOOP(other_copies_keep_their_numbers, 2)
{
	int fd, data, copies[8];
	size_t i;

	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	fd = fake_record()->fd;
	data = fake_open_data(O_WRONLY);
	for (i = 0; i < ARRAY_SIZE(copies); i++)
		copies[i] = uev_sys_duplicate(data, fd);
	fake_close_all();
	if (_i)
		ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
	for (i = 0; i < ARRAY_SIZE(copies); i++)
		ck_assert_int_ne(fake_record()->fd, copies[i]);
}

/* The number of the closed file is that of another one by now. */
TEST_LOOP(replaced_by_the_program, abi_count)
{
	struct uev_event other = UEV_EVENT_INIT("other");
	int fd;

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	fd = fake_record()->fd;
	fake_close_all();
	fake_open_other(fd);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_event_status(&other), 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_int_ne(fake_record()->fd, fd);

	/* A writer that opens the file does not close what has its number. */
	fd = fake_record()->fd;
	fake_close_all();
	fake_open_other(fd);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_open_files(), 2);
	ck_assert_int_eq(uev_sys_close(fd), 0);

	fd = fake_record()->fd;
	fake_close_all();
	fake_open_other(fd);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	/* The library does not close what it does not own. */
	fake_close_all();
	for (fd = 0; fd < 300; fd++)
		fake_open_other(fd);
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_uint_eq(fake_open_files(), 300);
	fake_close_all();
}

TEST_LOOP(closed_permanently, 2)
{
	unsigned int opens;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	fake_deny(TRACEFS "/user_events_data", -EACCES);
	ck_assert_int_eq(write_number(&event, 1), -EBADF);
	ck_assert_uint_eq(stats_of(&event).failed, 1);
	ck_assert_int_eq(uev_register_pending(), -EACCES);
	/* At most once a second, by writers and by others. */
	opens = fake_calls(FAKE_OPEN);
	ck_assert_int_eq(uev_register_pending(), -EACCES);
	ck_assert_int_eq(write_number(&event, 1), -EBADF);
	ck_assert_uint_eq(fake_calls(FAKE_OPEN), opens);
	fake_pass(A_SECOND);
	ck_assert_int_eq(write_number(&event, 1), -EBADF);
	ck_assert_uint_eq(fake_calls(FAKE_OPEN), opens + 1);
	ck_assert_uint_eq(stats_of(&event).failed, 3);

	fake_deny("", 0);
	if (_i)
		ck_assert_int_eq(uev_register_pending(), 0);
	else
		fake_pass(A_SECOND);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
}

/* Whatever fails while a writer opens the file, the next second is a new try. */
TEST_LOOP(writer_cannot_open, 5 * abi_count)
{
	static const struct {
		enum fake_call call;
		int error;
	} rows[] = {
		{ FAKE_OPEN, -EMFILE },
		{ FAKE_IOCTL, -EPERM },
		{ FAKE_IOCTL, FAKE_SUCCESS },
		{ FAKE_MARK, -ENOMEM },
		/* Another interface than before */
		{ FAKE_IOCTL, 0 },
	};
	enum fake_abi abi = abis[_i % abi_count];
	unsigned int row = (unsigned int)(_i / abi_count);
	int error = rows[row].error;

	if (!error)
		error = abi == FAKE_STATUS ? -EFAULT : -E2BIG;
	fake_reset(abi);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	fake_fail(rows[row].call, 0, 1, error);
	ck_assert_int_eq(write_number(&event, 1), -EBADF);
	ck_assert_uint_eq(fake_open_files(), 0);
	fake_pass(A_SECOND);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_open_files(), 1);
}

/* Files that the program has passed have no path. */
TEST(writer_has_no_path)
{
	int data = fake_open_data(O_WRONLY);

	ck_assert_int_eq(uev_set_files(data, -1), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	ck_assert_int_eq(write_number(&event, 1), -EBADF);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
}

static int result_of_handler;

static void write_in_handler(int number)
{
	(void)number;
	result_of_handler = write_number(&event, 1);
}

/* A handler opens the file, unless it interrupts a function with the lock. */
TEST_LOOP(closed_in_a_handler, abi_count)
{
	struct sigaction action = { .sa_handler = write_in_handler };

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	sigaction(SIGUSR1, &action, NULL);
	uev_lock();
	raise(SIGUSR1);
	uev_unlock();
	ck_assert_int_eq(result_of_handler, -EBADF);
	ck_assert_uint_eq(fake_open_files(), 0);
	raise(SIGUSR1);
	ck_assert_int_eq(result_of_handler, 0);
	ck_assert_uint_eq(fake_records(), 1);
}

/*
 * The program closes the new file, too, before the event is registered again.
 * The kernel still has the word.
 */
TEST_LOOP(closed_again, 2)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	/* The first call detects the interface. */
	fake_fail(FAKE_IOCTL, 1, 1, -EBADF);
	if (_i)
		(void)uev_register_pending();
	else
		ck_assert_int_lt(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_enablers(), 1);
	ck_assert_int_eq(uev_event_status(&event), 0);
	fake_close_all();
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
}

/* The kernel keeps the word when the file is opened again. */
TEST(unregistering_fails_after_closing)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	/* The first call detects the interface. */
	fake_fail(FAKE_IOCTL, 1, 1, -ENOMEM);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(fake_enablers(), 1);
}

/* The event that was registered cannot be any more. */
TEST_LOOP(closed_and_rejected, 2)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_close_all();
	/* One call detects the interface, one unregisters the old event. */
	fake_fail(FAKE_IOCTL, 2, 1, -EMFILE);
	if (_i)
		ck_assert_int_eq(uev_register_pending(), -EMFILE);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_int_eq(uev_event_status(&event), -EMFILE);
	ck_assert_uint_eq(stats_of(&event).skipped, 1);
	ck_assert(!uev_enabled(&event));
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert(uev_enabled(&event));
}

TEST(registering_after_closing)
{
	struct uev_event other = UEV_EVENT_INIT("other");

	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_close_all();
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	fake_enable("other", true);
	ck_assert_int_eq(write_number(&other, 1), 0);
	ck_assert_str_eq(fake_record()->name, "other");

	/* Also without a record that was lost. */
	fake_close_all();
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(write_number(&other, 1), 0);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
}

/* --- A shared object that is unloaded while the file is closed ------------- */

#define PLUGIN_SIZE 4096

/* Maps an event; again with @at, at the same address. */
static struct uev_event *load_plugin(struct uev_event *at)
{
	if (!at)
		at = mmap(NULL, PLUGIN_SIZE, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(at, MAP_FAILED);
	ck_assert_int_eq(mprotect(at, PLUGIN_SIZE, PROT_READ | PROT_WRITE), 0);
	fake_unmap(NULL, 0);
	uev_event_init(at, "plugin u32 a");
	(void)uev_events_register(&at, &at + 1);

	return at;
}

/* Each access is a fault after it. */
static void unload_plugin(struct uev_event *plugin)
{
	uev_events_unregister(&plugin, &plugin + 1);
	ck_assert_int_eq(mprotect(plugin, PLUGIN_SIZE, PROT_NONE), 0);
	fake_unmap(plugin, PLUGIN_SIZE);
}

/* The limit of one attempt a second is for those that fail. */
TEST_LOOP(closed_twice_before_unloading, abi_count)
{
	struct uev_event *plugin;

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	plugin = load_plugin(NULL);
	fake_enable("n", true);
	fake_close_all();
	ck_assert_int_eq(uev_register_pending(), 0);
	fake_close_all();
	unload_plugin(plugin);
	ck_assert_uint_eq(fake_enablers(), abis[_i] != FAKE_STATUS);
	fake_close_all();
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
}

/* Loads an object, and unloads it while the kernel cannot be reached. */
static struct uev_event *abandon_plugin(bool is_closed)
{
	struct uev_event *plugin = load_plugin(NULL);

	ck_assert_int_eq(uev_event_status(plugin), 0);
	fake_enable("plugin", true);
	ck_assert(uev_enabled(plugin));
	if (is_closed) {
		fake_close_all();
		fake_fail(FAKE_OPEN, 0, 100, -EMFILE);
	} else {
		fake_fail(FAKE_IOCTL, 0, 1, -ENOMEM);
	}
	unload_plugin(plugin);
	fake_fail(FAKE_OPEN, 0, 0, 0);
	fake_fail(FAKE_IOCTL, 0, 0, 0);

	return plugin;
}

/* The next record, or call, unregisters the word, and accesses no event. */
TEST_LOOP(unregisters_after_unloading, abi_count * 2)
{
	enum fake_abi abi = abis[_i / 2];
	const bool is_closed = _i % 2;
	struct uev_event *plugin;
	bool allocates;
	int err;

	fake_reset(abi);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	plugin = abandon_plugin(is_closed);
	ck_assert_uint_eq(stats_of(&event).registered, 1);
	if (abi != FAKE_STATUS)
		ck_assert_uint_eq(fake_enablers(), 2);
	fake_alloc_fail(0);
	err = write_number(&event, 1);
	allocates = fake_alloc_end();
	ck_assert_int_eq(err, 0);
	ck_assert(!allocates);
	if (!is_closed)
		ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_uint_eq(fake_enablers(), abi != FAKE_STATUS);

	load_plugin(plugin);
	ck_assert_int_eq(uev_event_status(plugin), 0);
	ck_assert(uev_enabled(plugin));
	ck_assert_int_eq(write_number(plugin, 1), 0);
	ck_assert_str_eq(fake_record()->name, "plugin");
	unload_plugin(plugin);
	ck_assert_uint_eq(fake_enablers(), abi != FAKE_STATUS);
}

/* The same address has another event before the kernel is reached. */
TEST_LOOP(loads_at_address_of_unloaded_event, abi_count)
{
	struct uev_event *plugin;

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	plugin = abandon_plugin(true);
	load_plugin(plugin);
	ck_assert_int_ne(uev_event_status(plugin), 0);
	ck_assert_int_eq(write_number(plugin, 1), 0);
	ck_assert_uint_eq(stats_of(plugin).skipped, 1);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(plugin), 0);
	ck_assert(uev_enabled(plugin));
	ck_assert_int_eq(write_number(plugin, 1), 0);
	ck_assert_uint_eq(fake_records(), 1);
	unload_plugin(plugin);
}

/* Nothing would unregister the word later. */
TEST(shutting_down_after_unloading)
{
	(void)abandon_plugin(true);
	ck_assert_int_eq(uev_shutdown(), -EBUSY);
	ck_assert_uint_eq(fake_enablers(), 1);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
}

/* --- Counting ------------------------------------------------------------- */

TEST(stats_of_all)
{
	struct uev_event other = UEV_EVENT_INIT("other");
	struct uev_stats stats;
	uint64_t two[2] = { 7, 7 };
	struct {
		struct uev_stats stats;
		uint64_t more;
	} newer;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_enable("n", true);
	fake_enable("other", true);
	ck_assert_int_eq(write_number(&event, 1), 0);
	ck_assert_int_eq(write_number(&other, 1), 0);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
	ck_assert_int_eq(write_number(&other, 1), 0);

	/* Counters are kept after the event is unregistered. */
	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.written, 2);
	ck_assert_uint_eq(stats.registered, 1);
	ck_assert_uint_eq(stats.pending, 0);
	ck_assert_int_eq(uev_event_stats(&other, &stats, sizeof(stats)),
			 -ENOTCONN);
	ck_assert_uint_eq(stats.written, 0);

	/* Programs that were compiled with another version of the structure. */
	uev_process_stats((struct uev_stats *)two, sizeof(two[0]));
	ck_assert_uint_eq(two[0], 2);
	ck_assert_uint_eq(two[1], 7);
	newer.more = 7;
	uev_process_stats(&newer.stats, sizeof(newer));
	ck_assert_uint_eq(newer.more, 0);
}

/* --- Every call that can fail --------------------------------------------- */

/* The memory of an event must not go before it is the program's. */
static void end(struct uev_event *of)
{
	while (uev_event_status(of) != -ENOTCONN)
		(void)uev_event_unregister(of);
}

/* A complete program; its events end unregistered. */
static int whole_life(void)
{
	struct uev_event first = UEV_EVENT_INIT("n u32 a");
	struct uev_event second = UEV_EVENT_INIT("m u32 a");
	int err;

	err = uev_event_register(&first, 0);
	if (!err)
		err = uev_event_register(&second, 0);
	if (!err)
		err = write_number(&first, 1);
	if (!err)
		err = uev_register_pending();
	end(&first);
	end(&second);

	return err;
}

/*
 * Each call fails in turn with an expected error. Nothing must leak, and
 * everything must work once calls succeed again.
 */
TEST_LOOP(every_call_fails, ARRAY_SIZE(abis) * FAKE_CALLS)
{
	static const struct {
		enum fake_call call;
		int error;
	} rows[] = {
		{ FAKE_OPEN, -EMFILE },	     { FAKE_READ, -EIO },
		{ FAKE_WRITE, -EFAULT },     { FAKE_IOCTL, -ENOMEM },
		{ FAKE_DUPLICATE, -EMFILE }, { FAKE_MAP, -ENOMEM },
		{ FAKE_MARK, -ENOMEM },	     { FAKE_BATCH, -EFAULT },
	};
	enum fake_abi abi = abis[_i % abi_count];
	enum fake_call call = rows[_i / abi_count].call;
	unsigned int i, calls;

	fake_reset(abi);
	fake_mount("/t");
	fake_mounts("t /t tracefs rw 0 0\n");
	ck_assert_int_eq(whole_life(), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
	calls = fake_calls(call);

	for (i = 0; i < calls; i++) {
		fake_reset(abi);
		fake_mount("/t");
		fake_mounts("t /t tracefs rw 0 0\n");
		fake_fail(call, i, 1, rows[_i / abi_count].error);
		whole_life();
		/* An event that cannot be ended stays; this one does not. */
		if (call == FAKE_IOCTL)
			fake_drop_enablers();
		fake_pass(A_SECOND);
		ck_assert_int_eq(whole_life(), 0);
		ck_assert_int_eq(uev_shutdown(), 0);
		ck_assert_uint_eq(fake_open_files(), 0);
		ck_assert(!fake_mapped());
	}
}

TEST(unregistering_fails)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOMEM);
	ck_assert_int_eq(uev_event_unregister(&event), -ENOMEM);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert(uev_enabled(&event));
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert(!uev_enabled(&event));

	/* It is unregistered, although there is no memory to write to. */
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_fail(FAKE_IOCTL, 0, 1, -EFAULT);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_event_status(&event), -ENOTCONN);
	fake_drop_enablers();
}

TEST_LOOP(every_allocation_fails, abi_count)
{
	enum fake_abi abi = abis[_i];
	unsigned int i = 0;
	bool has_failed;
	int err;

	do {
		fake_reset(abi);
		fake_mount("/t");
		fake_mounts("t /t tracefs rw 0 0\n");
		fake_alloc_fail(i++);
		err = whole_life();
		has_failed = fake_alloc_end();
		ck_assert(has_failed == (err != 0));
		ck_assert(fake_alloc_kept_errno());
		fake_pass(A_SECOND);
		ck_assert_int_eq(whole_life(), 0);
		ck_assert_int_eq(uev_shutdown(), 0);
		ck_assert_uint_eq(fake_open_files(), 0);
		ck_assert_uint_eq(fake_enablers(), 0);
	} while (has_failed);
	ck_assert_uint_gt(i, 3);
}

TEST(shutting_down)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_shutdown(), -EBUSY);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_uint_eq(fake_open_files(), 0);

	/* Again after a shutdown. */
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);

	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
	fake_load(false);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_shutdown(), -EBUSY);
}
