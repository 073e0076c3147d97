// SPDX-License-Identifier: MIT
/* State that a new module does not have: saved, cleared and restored. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/state.h"
#include "files.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define EVENTS "/events/user_events"
#define DOOR EVENTS "/door"
#define SECOND "/instances/second" EVENTS "/door"
#define FORMAT                                                              \
	"name: door\nID: 1500\nformat:\n"                                   \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0" \
	";\n\n"                                                             \
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n"              \
	"\nprint fmt: \"\"\n"

static struct state state;
static char *sysctl;

static void setup(void)
{
	file_tree_begin();
	sysctl = tool_print("%s/max", file_tree_root());
	file_tree_file("/max", "100\n");
	file_tree_file("/user_events_data", "");
	file_tree_mode("/user_events_data", 0660);
	file_tree_file("/user_events_status",
		       "1:door # Used by ftrace\n\nActive: 2\nBusy: 1\n");
	file_tree_file("/dynamic_events",
		       "p:kprobes/door do_exit\nu:doors u32 no\n"
		       "u:door:uid=0,gid=0,mode=0600 u32 number\n");
	file_tree_file(DOOR "/format", FORMAT);
	file_tree_file(DOOR "/enable", "1*\n");
	file_tree_file(DOOR "/filter", "number > 3\n");
	file_tree_file(DOOR "/trigger",
		       "stacktrace:unlimited\n"
		       "traceoff:count=1 if number == 9\n"
		       "hist:keys=number:vals=hitcount [paused]\n"
		       "hist:keys=common_pid:vals=hitcount [active]\n");
	file_tree_file(SECOND "/enable", "1\n");
	file_tree_file(SECOND "/filter", "none\n");
	file_tree_file(EVENTS "/quiet/format", FORMAT);
	file_tree_file(EVENTS "/quiet/enable", "0\n");
	ck_assert_int_eq(state_save(&state, file_tree_root(), sysctl), 0);
}

static void teardown(void)
{
	state_free(&state);
	free(sysctl);
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

static void reads(const char *path, const char *text)
{
	char *whole = tool_print("%s%s", file_tree_root(), path), *content;

	ck_assert_int_eq(files_read(whole, &content, NULL), 0);
	ck_assert_str_eq(content, text);
	free(content);
	free(whole);
}

/* Files of the new module. */
static void replace(void)
{
	file_tree_file("/max", "");
	file_tree_file("/user_events_data", "");
	file_tree_mode("/user_events_data", 0600);
	file_tree_file("/dynamic_events", "");
	file_tree_remove(DOOR);
	file_tree_remove(SECOND);
}

TEST(saves)
{
	ck_assert_uint_eq(state.events.count, 2);
	ck_assert_str_eq(state.events.events[0].definition,
			 "door:uid=0,gid=0,mode=0600 u32 number");
	ck_assert_ptr_null(state.events.events[1].definition);
	ck_assert_uint_eq(state.files[0].st_mode & 0777, 0660);
	ck_assert_str_eq(state.limit, "100");
	/* One has tracers, the other one neither tracers nor persists. */
	ck_assert_uint_eq(state_count(&state), 1);
	state.is_persistent[1] = true;
	ck_assert_uint_eq(state_count(&state), 2);
}

/* Each file gets one line at its end. */
TEST(clears)
{
	state_clear(&state);
	reads(DOOR "/enable", "1*\n0");
	reads(DOOR "/filter", "number > 3\n0");
	reads(DOOR "/trigger", "stacktrace:unlimited\n"
			       "traceoff:count=1 if number == 9\n"
			       "hist:keys=number:vals=hitcount [paused]\n"
			       "hist:keys=common_pid:vals=hitcount [active]\n"
			       "!stacktrace!traceoff:1 if number == 9"
			       "!hist:keys=number:vals=hitcount:pause"
			       "!hist:keys=common_pid:vals=hitcount");
	reads(SECOND "/enable", "1\n0");
	reads(EVENTS "/quiet/enable", "0\n");
	/* The files here do not delete events. */
	ck_assert(!state.is_persistent[0]);
}

TEST(restores_files)
{
	replace();
	state.is_persistent[0] = true;
	ck_assert_uint_eq(state_restore_files(&state), 0);
	reads("/dynamic_events", "u:door:uid=0,gid=0,mode=0600 u32 number\n");
	reads("/max", "100");
	state_free(&state);
	ck_assert_int_eq(state_save(&state, file_tree_root(), sysctl), 0);
	ck_assert_uint_eq(state.files[0].st_mode & 0777, 0660);
}

TEST(reports_failures)
{
	replace();
	file_tree_remove("/user_events_data");
	file_tree_remove("/max");
	state.is_persistent[1] = true;
	/* The mode, the limit and an event without a definition. */
	ck_assert_uint_eq(state_restore_files(&state), 3);
}

TEST(restores_uses_when_event_exists)
{
	bool restored[2] = { false, false };

	replace();
	ck_assert_uint_eq(state_restore_uses(&state, restored), 1);
	ck_assert(!restored[0]);
	file_tree_file(DOOR "/enable", "");
	file_tree_file(DOOR "/filter", "");
	file_tree_file(DOOR "/trigger", "");
	file_tree_file(SECOND "/enable", "");
	file_tree_file(SECOND "/filter", "");
	ck_assert_uint_eq(state_restore_uses(&state, restored), 0);
	ck_assert(restored[0]);
	ck_assert(!restored[1]);
	reads(DOOR "/enable", "1");
	reads(DOOR "/filter", "number > 3");
	/* The kernel inserts histograms at the end, others at the start. */
	reads(DOOR "/trigger", "traceoff:1 if number == 9stacktrace"
			       "hist:keys=number:vals=hitcount:pause"
			       "hist:keys=common_pid:vals=hitcount");
	reads(SECOND "/enable", "1");
	reads(SECOND "/filter", "");
	/* Once only. */
	ck_assert_uint_eq(state_restore_uses(&state, restored), 0);
	reads(DOOR "/enable", "1");
	ck_assert_uint_eq(state_report_uses(&state, restored), 0);
}

/* An instance was removed, and an event is not registered again. */
TEST(reports_uses_that_are_not_restored)
{
	bool restored[2] = { false, false };

	replace();
	ck_assert_uint_eq(state_report_uses(&state, restored), 1);
	file_tree_file(DOOR "/enable", "");
	file_tree_file(DOOR "/filter", "");
	file_tree_file(DOOR "/trigger", "");
	ck_assert_uint_eq(state_restore_uses(&state, restored), 0);
	ck_assert(!restored[0]);
	ck_assert_uint_eq(state_report_uses(&state, restored), 1);
	/* It appears later. */
	file_tree_file(SECOND "/enable", "");
	ck_assert_uint_eq(state_restore_uses(&state, restored), 0);
	ck_assert(restored[0]);
}

static const struct {
	const char *shown;
	const char *written;
} triggers[] = {
	{ "traceon:unlimited", "traceon" },
	{ "traceoff:count=3 if a == 1", "traceoff:3 if a == 1" },
	{ "stacktrace:unlimited if a > 2", "stacktrace if a > 2" },
	{ "enable_event:sched:sched_switch:count=2",
	  "enable_event:sched:sched_switch:2" },
	{ "hist:keys=a:vals=hitcount:sort=hitcount:size=2048 [active]",
	  "hist:keys=a:vals=hitcount:sort=hitcount:size=2048" },
	{ "hist:keys=a:vals=hitcount [paused]",
	  "hist:keys=a:vals=hitcount:pause" },
	{ "hist:keys=a:vals=hitcount:size=2048 if a > 2 [paused]",
	  "hist:keys=a:vals=hitcount:size=2048:pause if a > 2" },
	{ "hist:name=mine:keys=a:vals=hitcount [paused]",
	  "hist:name=mine:keys=a:vals=hitcount:pause" },
	{ "traceoff:count=0", "traceoff:0" },
	/* The filter is any text. */
	{ "hist:keys=a if name == \":count=3\" [active]",
	  "hist:keys=a if name == \":count=3\"" },
	{ "traceoff:count=3 if name == \":unlimited\"",
	  "traceoff:3 if name == \":unlimited\"" },
	{ "traceoff:unlimited if name == \"x [paused]",
	  "traceoff if name == \"x [paused]" },
	{ " [active]", " [active]" },
};

TEST_LOOP(trigger, ARRAY_SIZE(triggers))
{
	char *text = state_trigger(triggers[_i].shown);

	ck_assert_str_eq(text, triggers[_i].written);
	free(text);
}

static const char *const saved[] = {
	"/dynamic_events", DOOR "/enable",   DOOR "/filter", DOOR "/trigger",
	SECOND "/enable",  SECOND "/filter", "/max",
};

/* It would not be restored. Reading the first page of a process fails. */
TEST_LOOP(state_that_cannot_be_read, ARRAY_SIZE(saved))
{
	struct state none;

	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	file_tree_remove(saved[_i]);
	file_tree_link(saved[_i], "/proc/self/mem");
	ck_assert_int_eq(state_save(&none, file_tree_root(), sysctl), -EIO);
}

TEST(no_user_events)
{
	struct state none;

	file_tree_remove("/user_events_data");
	ck_assert_int_eq(state_save(&none, file_tree_root(), sysctl), -ENODEV);
}
