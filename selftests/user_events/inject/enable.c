// SPDX-License-Identifier: GPL-2.0-only
/* Enabling and disabling, filters and triggers. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

const char *value = "1";
static const char *control_path;

void setup_enable(void)
{
	name_event();
	words = new_words();
	helper = data_open();
	must_reg_word(helper, command, words, 0);
	control_path = control_path
			       ?: text("events/user_events/%s/enable", event);
}

static void open_control(void)
{
	control = tfs_open(O_WRONLY, "%s", control_path);
	ASSERT_OK(control);
}

void close_control(void)
{
	close(control);
	control = -1;
}

int call_control(void)
{
	return write(control, value, strlen(value));
}

static void check_enabled(void)
{
	wait_value(words, 1);
	EXPECT_CONTAINS(status_line(event), "Used by ftrace");
}

static void undo_enable(void)
{
	close_control();
	EXPECT_OK(tfs_write("0", "%s", control_path));
	wait_value(words, 0);
	EXPECT_LACKS(status_line(event), "Used by");
}

TEST(enable_survives_faults)
{
	SWEEP(.setup = setup_enable, .arrange = open_control,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

static void setup_enable_in_instance(void)
{
	instance = uniq("inst");
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	setup_enable();
	control_path = text("instances/%s/events/user_events/%s/enable",
			    instance, event);
}

TEST(enable_in_instance_survives_faults)
{
	SWEEP(.setup = setup_enable_in_instance, .arrange = open_control,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

/* The page is absent when the bit is set. */
static void open_control_without_page(void)
{
	open_control();
	ASSERT_OK(madvise((void *)words, PAGE, MADV_DONTNEED));
}

TEST(enable_without_page_survives_faults)
{
	SWEEP(.setup = setup_enable, .arrange = open_control_without_page,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

/* The page is shared with a child since a fork when the bit is set. */
static void open_control_with_child(void)
{
	open_control();
	child = start_child();
}

static void undo_enable_with_child(void)
{
	undo_enable();
	stop_child();
}

TEST(enable_shared_with_child_survives_faults)
{
	SWEEP(.setup = setup_enable, .arrange = open_control_with_child,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable_with_child);
}

static void setup_disable(void)
{
	value = "0";
	setup_enable();
}

static void arrange_disable(void)
{
	open_control();
	enable(event, true);
	wait_value(words, 1);
}

void check_disabled(void)
{
	wait_value(words, 0);
	EXPECT_LACKS(status_line(event), "Used by");
}

TEST(disable_survives_faults)
{
	SWEEP(.setup = setup_disable, .arrange = arrange_disable,
	      .call = call_control, .check = check_disabled,
	      .undo = close_control);
}

static void setup_set_event(void)
{
	setup_enable();
	value = text("user_events:%s", event);
}

static void open_set_event(void)
{
	control = tfs_open(O_WRONLY, "set_event");
	ASSERT_OK(control);
}

TEST(enable_by_set_event_survives_faults)
{
	SWEEP(.setup = setup_set_event, .arrange = open_set_event,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

static void setup_filter(void)
{
	setup_enable();
	control_path = text("events/user_events/%s/filter", event);
	value = "a > 3 && b == \"x\"";
}

static void check_filter(void)
{
	EXPECT_STREQ(tfs_read("%s", control_path), text("%s\n", value));
}

static void undo_filter(void)
{
	close_control();
	EXPECT_OK(tfs_write("0", "%s", control_path));
}

TEST(filter_survives_faults)
{
	SWEEP(.setup = setup_filter, .arrange = open_control,
	      .call = call_control, .check = check_filter, .undo = undo_filter,
	      .also = EINVAL);
}

static void setup_trigger(void)
{
	setup_enable();
	control_path = text("events/user_events/%s/trigger", event);
	value = "traceoff:1 if a > 3";
}

static void check_trigger(void)
{
	EXPECT_CONTAINS(tfs_read("%s", control_path),
			"traceoff:count=1 if a > 3");
}

static void undo_trigger(void)
{
	close_control();
	EXPECT_OK(tfs_write("!traceoff", "%s", control_path));
	wait_value(words, 0);
}

TEST(trigger_survives_faults)
{
	SWEEP(.setup = setup_trigger, .arrange = open_control,
	      .call = call_control, .check = check_trigger,
	      .undo = undo_trigger, .also = EINVAL);
}
