// SPDX-License-Identifier: MIT
/*
 * Descriptions of errors and of the state of user_events.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <userevents/userevents.h>

#include "util/common.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "core/process.h"
#include "core/sys.h"

#define TRACEFS "/sys/kernel/tracing"

static char text[2000];

static void ck_says(const char *part)
{
	ck_assert_uint_eq(uev_diagnose(text, sizeof(text)), strlen(text));
	ck_assert_msg(strstr(text, part), "'%s' is not in: %s", part, text);
}

TEST(errors_have_descriptions)
{
	static const int errors[] = {
		0,	  -ENXIO,	 -ENOPKG, -ENOENT,     -ENOTSUP,
		-EBADMSG, -EACCES,	 -EPERM,  -EROFS,      -ENOSPC,
		-EMFILE,  -ENFILE,	 -EINVAL, -EADDRINUSE, -ENOMEM,
		-ENODEV,  -ENOTTY,	 -E2BIG,  -EBADF,      -EFAULT,
		-EBUSY,	  -EALREADY,	 -ESRCH,  -ENOTCONN,   -EPROTONOSUPPORT,
		-EAGAIN,  -ENAMETOOLONG, -ERANGE, -ENOSYS,
	};
	const char *unknown = uev_strerror(-EXDEV);
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		ck_assert_str_ne(uev_strerror(errors[i]), unknown);
		ck_assert_str_eq(uev_strerror(errors[i]),
				 uev_strerror(-errors[i]));
		for (j = 0; j < i; j++)
			ck_assert_str_ne(uev_strerror(errors[i]),
					 uev_strerror(errors[j]));
	}
	ck_assert_str_eq(uev_strerror((int)(1U << 31)), unknown);
	ck_assert_str_eq(uev_strerror(100000), unknown);
}

/* Of the other library, whose errors are not those of user_events. */
TEST_LOOP(errors_of_files_are_not_of_user_events, 8)
{
	static const int errors[] = { -ENOENT, -EACCES, -ENOTSUP, -EBADMSG,
				      -EBADF,  -EINVAL, -E2BIG,	  -EBUSY };

	ck_assert_ptr_null(strstr(uev_strerror(errors[_i]), "user_events"));
	ck_assert_ptr_null(strstr(uev_strerror(errors[_i]), "tracefs"));
}

TEST(no_tracefs)
{
	fake_reset(FAKE_ENABLER);
	fake_mount(NULL);
	ck_says("user_events: cannot be used: no tracefs is mounted (error "
		"6)\n  mount -t tracefs");
	ck_says("\nevents of this program: 0 registered, 0 pending");
}

TEST(no_user_events)
{
	fake_reset(FAKE_ENABLER);
	fake_load(false);
	ck_says(TRACEFS
		"/user_events_data: cannot be used: the kernel has no "
		"user_events (error 65)\n  load the module with modprobe");
}

TEST(no_permission)
{
	fake_reset(FAKE_ENABLER);
	fake_deny(TRACEFS "/user_events_data", -EACCES);
	ck_says("permission denied (error 13)\n  give a group");
}

TEST(unknown_error)
{
	fake_reset(FAKE_ENABLER);
	fake_deny(TRACEFS "/user_events_data", -EXDEV);
	ck_says("unknown error (error 18)\n");
}

TEST_LOOP(usable, 2)
{
	struct uev_event event = UEV_EVENT_INIT("n");

	fake_reset(_i ? FAKE_STATUS : FAKE_ENABLER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_says(TRACEFS "/user_events_data: usable through ");
	ck_says(_i ? "the status page of" : "the interface of Linux 6.4");
	ck_says("1 registered, 0 pending");
	ck_assert_ptr_null(strstr(text, "error"));
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST(closed_file_that_cannot_be_opened)
{
	struct uev_event event = UEV_EVENT_INIT("n");
	struct uev_event other = UEV_EVENT_INIT("other");

	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	uev_sys_close(uev_process_kernel()->fd);
	fake_deny(TRACEFS "/user_events_data", -EACCES);
	ck_says("user_events_data: closed by the program, and cannot be opened "
		"again: permission denied (error 13)\n  give a group");
	ck_says("1 registered, 0 pending");
	/* Nor if an event is pending, and before the next attempt */
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_says("user_events_data: closed by the program, and cannot be opened "
		"again: permission denied (error 13)\n  give a group");
	ck_says("1 registered, 1 pending\nfirst pending event, other: "
		"permission denied (error 13)");
}

TEST(a_given_file)
{
	int data;

	fake_reset(FAKE_ENABLER);
	data = fake_open_data(O_WRONLY);
	ck_assert_int_eq(uev_set_files(data, -1), 0);
	ck_says("user_events: usable through ");
	uev_sys_close(data);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST(first_pending_event)
{
	struct uev_event event = UEV_EVENT_INIT("n");
	struct uev_event taken = UEV_EVENT_INIT("n u8 a");
	struct uev_event *table[] = { &event, &taken };

	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_events_register(table, table + 2), 0);
	ck_says("1 registered, 1 pending\nfirst pending event, n u8 a: event "
		"exists with other fields (error 98)\n  rename the event");
	ck_assert_int_ne(text[strlen(text) - 1], '\n');
	uev_events_unregister(table, table + 2);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST(lost_records)
{
	struct uev_event event = UEV_EVENT_INIT("n");

	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	fake_fail(FAKE_WRITE, 0, 2, -ENOSPC);
	ck_assert_int_eq(uev_event_writev(&event, NULL, 0), 0);
	ck_assert_int_eq(uev_event_writev(&event, NULL, 0), 0);
	ck_says("1 registered, 0 pending\nrecords that no tracer took, because ");
	ck_says("too large: 2");
	ck_assert_int_ne(text[strlen(text) - 1], '\n');
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

/* As with snprintf(), any buffer will do. */
TEST(small_buffers)
{
	char small[sizeof(text)];
	size_t length, size;

	fake_reset(FAKE_ENABLER);
	fake_mount(NULL);
	length = uev_diagnose(text, sizeof(text));
	ck_assert_uint_lt(length, sizeof(text));
	ck_assert_uint_eq(uev_diagnose(NULL, 0), length);
	for (size = 1; size <= length + 1; size++) {
		memset(small, 'x', sizeof(small));
		ck_assert_uint_eq(uev_diagnose(small, size), length);
		ck_assert_uint_eq(strlen(small), size - 1);
		ck_assert(!strncmp(small, text, size - 1));
		ck_assert_int_eq(small[size], 'x');
	}
}
