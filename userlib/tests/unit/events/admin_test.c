// SPDX-License-Identifier: MIT
/*
 * Which way an event that stays is made.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "lib/fake_sys.h"
#include "lib/file_tree.h"
#include "files.h"
#include "events/admin.h"
#include "lib/runner.h"
#include "tool.h"

#define COMMAND "door u32 number"

static void setup(void)
{
	file_tree_begin();
	fake_reset(FAKE_ENABLER);
}

static void teardown(void)
{
	uev_shutdown();
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

TEST(through_dynamic_events)
{
	char *path = tool_print("%s/dynamic_events", file_tree_root());
	char *text;

	file_tree_file("/dynamic_events", "p:another\n");
	ck_assert_int_eq(event_admin_add(file_tree_root(), COMMAND), 0);
	ck_assert_int_eq(files_read(path, &text, NULL), 0);
	ck_assert_str_eq(text, "p:another\nu:" COMMAND "\n");
	ck_assert_ptr_null(fake_command("door"));
	free(text);
	free(path);
}

/* Without the file, or without permission to see it. */
TEST(through_user_events_data)
{
	ck_assert_int_eq(event_admin_add(file_tree_root(), COMMAND), 0);
	ck_assert_str_eq(fake_command("door"), COMMAND);
	ck_assert_uint_eq(fake_flags("door"), UEV_PERSIST);
	/* The kernel does not write to our words any more. */
	ck_assert_uint_eq(fake_enablers(), 0);

	ck_assert_int_eq(event_admin_add(NULL, "window"), 0);
	ck_assert_str_eq(fake_command("window"), "window");
}

/* Only dynamic_events sets rights. */
TEST(with_rights)
{
	static const char command[] = "door:mode=0600 u32 number";
	char *path = tool_print("%s/dynamic_events", file_tree_root());
	char *text;

	ck_assert_int_eq(event_admin_add(NULL, command), -ENOENT);
	ck_assert_int_eq(event_admin_add(file_tree_root(), command), -ENOENT);
	ck_assert_ptr_null(fake_command("door"));
	file_tree_file("/dynamic_events", "");
	ck_assert_int_eq(event_admin_add(file_tree_root(), command), 0);
	ck_assert_int_eq(files_read(path, &text, NULL), 0);
	ck_assert_str_eq(text, "u:door:mode=0600 u32 number\n");
	free(text);
	free(path);
}

TEST(rejected)
{
	/* The first call detects the interface. */
	fake_fail(FAKE_IOCTL, 1, 1, -EPERM);
	ck_assert_int_eq(event_admin_add(NULL, COMMAND), -EPERM);
	ck_assert_int_eq(event_admin_add(NULL, COMMAND), 0);
}

TEST(no_permission)
{
	fake_mount(NULL);
	ck_assert_int_eq(event_admin_add(NULL, COMMAND), -ENXIO);
	fake_mount("/sys/kernel/tracing");
	fake_load(false);
	fake_pass(2000);
	ck_assert_int_eq(event_admin_add(NULL, COMMAND), -ENOPKG);
}

TEST(is_there)
{
	file_tree_directory("/events/user_events/door");
	ck_assert(event_admin_has(file_tree_root(), "door"));
	ck_assert(!event_admin_has(file_tree_root(), "window"));
	/* A place that cannot be looked at may have it. */
	file_tree_file("/events/user_events/file", "");
	ck_assert(event_admin_has(file_tree_root(), "file/door"));
}

TEST(nothing_to_delete)
{
	ck_assert_int_eq(event_admin_delete(file_tree_root(), "door"), -ENOENT);
}
