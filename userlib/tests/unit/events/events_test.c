// SPDX-License-Identifier: MIT
/* Details of events in tracefs, and processes with an open file. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events/bpf_users.h"
#include "events/events.h"
#include "events/print.h"
#include "events/users.h"
#include "files.h"
#include "lib/file_tree.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "tool.h"
#include "util/tracefs.h"

#define COMMON                                                           \
	"format:\n"                                                      \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\t"      \
	"signed:0;\n"                                                    \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\t"      \
	"signed:0;\n"                                                    \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1" \
	";\tsigned:0;\n"                                                 \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define DOOR_FIELDS                                                        \
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n"             \
	"\tfield:char color[20];\toffset:12;\tsize:20;\tsigned:1;\n"       \
	"\tfield:__rel_loc char[] text;\toffset:32;\tsize:4;\tsigned:1;\n" \
	"\tfield:__rel_loc u8 data[9];\toffset:36;\tsize:4;\tsigned:1;\n"  \
	"\nprint fmt: \"\"\n"

#define EVENTHEADER_FIELDS                                           \
	"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:" \
	"0;\n"                                                       \
	"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"       \
	"\nprint fmt: \"\"\n"

#define EVENTS "/events/user_events"
#define MULTI "/events/user_events_multi"

static struct events events;

static void setup(void)
{
	file_tree_begin();
	file_tree_file("/user_events_data", "");
	file_tree_file("/user_events_status",
		       "1:door # Used by ftrace perf\n"
		       "2:P_L4K1fGteam\n"
		       "3:door.0 # Used by other\n"
		       "\n"
		       "Active: 3\nBusy: 2\nMax: 32768\n");
	file_tree_file("/user_events_profile",
		       "  door                          17               2 "
		       "disabled=5 fault=1 ftrace_too_large=2 "
		       "ftrace_buffer=4000000000000 new_reason=6 disabled@0=2 "
		       "disabled@3=3 fault@3=1\n"
		       "  a name that is long 4000000000000 0\n"
		       "  P_L4K1fGteam                   0               0\n");
	file_tree_file("/dynamic_events",
		       "p:kprobes/door vfs_read\n"
		       "u:doors:uid=1,gid=2,mode=0600 u32 number\n"
		       "u:door:uid=1000,gid=4294967294,mode=0640 u32 number\n"
		       "u:broken:uid=1,gid=2 u32 number\n"
		       "u:P_L4K1fGteam u8 version");
	file_tree_file(EVENTS "/enable", "X\n");
	file_tree_file(EVENTS "/filter", "none\n");
	file_tree_file(EVENTS "/door/format",
		       "name: door\nID: 1500\n" COMMON DOOR_FIELDS);
	file_tree_file(EVENTS "/door/enable", "0*\n");
	file_tree_file(EVENTS "/door/filter", "none\n");
	file_tree_file(EVENTS "/door/trigger",
		       "# Available triggers:\n# traceon\n"
		       "traceoff:count=1 if number == 9\n");
	file_tree_file(
		EVENTS "/P_L4K1fGteam/format",
		"name: P_L4K1fGteam\nID: 1501\n" COMMON EVENTHEADER_FIELDS);
	file_tree_file(EVENTS "/P_L4K1fGteam/enable", "0\n");
	file_tree_file(EVENTS "/broken/format", "not a format\n");
	file_tree_file(MULTI "/enable", "0\n");
	file_tree_file(MULTI "/door.0/format",
		       "name: door.0\nID: 1502\n" COMMON DOOR_FIELDS);
	file_tree_file("/instances/one" EVENTS "/door/enable", "1\n");
	file_tree_file("/instances/one" EVENTS "/door/filter", "number > 3\n");
	file_tree_file("/instances/two" EVENTS "/door/enable", "0\n");
}

static void teardown(void)
{
	events_free(&events);
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

static void read_all(unsigned int flags)
{
	ck_assert_int_eq(events_read(&events, file_tree_root()), 0);
	ck_assert_int_eq(events_select(&events, NULL, 0), TOOL_OK);
	events_details(&events, flags);
}

static const struct event *find(const char *name)
{
	size_t i;

	for (i = 0; i < events.count; i++)
		if (strcmp(events.events[i].name, name) == 0)
			return &events.events[i];
	ck_abort_msg("no event %s", name);

	return NULL;
}

TEST(names)
{
	static const char *const expected[] = { "P_L4K1fGteam", "broken",
						"door",
						"user_events_multi:door.0" };
	size_t i;
	char *name;

	ck_assert_int_eq(events_read(&events, file_tree_root()), 0);
	ck_assert_uint_eq(events.count, ARRAY_SIZE(expected));
	for (i = 0; i < events.count; i++) {
		name = events_name(&events.events[i]);
		ck_assert_str_eq(name, expected[i]);
		free(name);
	}
}

/* An event can be deleted meanwhile. */
TEST(definitions_without_a_format)
{
	_cleanup_free_ char *text = NULL;

	file_tree_remove(MULTI "/door.0/format");
	read_all(0);
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	printed_begin(stdout);
	ck_assert_int_eq(events_print_definitions(&events), TOOL_FAILED);
	text = printed_text(stdout);
	ck_assert_ptr_null(strstr(text, "user_events_multi"));
	ck_assert_ptr_nonnull(strstr(text, "door u32 number; "));
}

static const char *const details[] = {
	"/user_events_status",
	"/user_events_profile",
	"/dynamic_events",
	EVENTS "/door/format",
	EVENTS "/door/enable",
	EVENTS "/door/filter",
	EVENTS "/door/trigger",
	MULTI "/door.0/format",
	"/instances/one" EVENTS "/door/enable",
	"/instances/one" EVENTS "/door/filter",
};

/* Reads a file that is a link, and returns what that printed. */
static char *read_linked(const char *path, const char *target, int expected)
{
	file_tree_remove(path);
	file_tree_link(path, target);
	printed_begin(stderr);
	ck_assert_int_eq(events_read(&events, file_tree_root()), 0);
	ck_assert_int_eq(events_select(&events, NULL, 0), TOOL_OK);
	ck_assert_int_eq(events_details(&events, EVENTS_USES), expected);

	return printed_text(stderr);
}

/* Reading the first page of a process fails with EIO. */
TEST_LOOP(tells_of_details_that_cannot_be_read, ARRAY_SIZE(details))
{
	_cleanup_free_ char *text =
		read_linked(details[_i], "/proc/self/mem", -EIO);
	_cleanup_free_ char *expected =
		tool_print("user-events: %s%s: cannot read: Input/output "
			   "error\n",
			   file_tree_root(), details[_i]);

	ck_assert_str_eq(text, expected);
}

/* It was deleted, or others have no user_events_profile. */
TEST_LOOP(details_can_be_missing, ARRAY_SIZE(details))
{
	_cleanup_free_ char *text = read_linked(details[_i], "/nowhere", 0);

	ck_assert_str_eq(text, "");
}

static bool is_over_quota;

/* NFS reports then what it could not write. */
int close(int fd)
{
	int ret = (int)syscall(SYS_close, fd);

	if (ret || !is_over_quota)
		return ret;
	errno = EDQUOT;

	return -1;
}

TEST(saves_files_until_they_are_closed)
{
	_cleanup_free_ char *path = tool_print("%s/saved", file_tree_root());

	ck_assert_int_eq(files_save(path, "text", 4), 0);
	is_over_quota = true;
	ck_assert_int_eq(files_save(path, "text", 4), -EDQUOT);
	ck_assert_int_eq(files_save("/dev/full", "text", 4), -ENOSPC);
	is_over_quota = false;
}

/* Until it is 0, each call of readdir() counts down, and the last one fails. */
static unsigned int entries_left;

struct dirent64 *readdir64(DIR *dirp)
{
	static __typeof__(readdir64) *next;
	void *found;

	if (!next) {
		found = dlsym(RTLD_NEXT, "readdir64");
		memcpy(&next, &found, sizeof(next));
	}
	if (!entries_left || --entries_left)
		return next(dirp);
	errno = EIO;

	return NULL;
}

/* A list that is not whole must not look as if it were. */
TEST(directories_that_cannot_be_read)
{
	unsigned int count = 0;
	int ret;

	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	do {
		entries_left = ++count;
		ret = events_read(&events, file_tree_root());
		if (!ret && entries_left) {
			events_select(&events, NULL, 0);
			ret = events_details(&events, 0);
		}
		ck_assert(ret == (entries_left ? 0 : -EIO));
		events_free(&events);
	} while (!entries_left);
	entries_left = 0;
	ck_assert_uint_gt(count, 20);
}

/* "add" defines one format of a name, and skips comments. */
TEST(definition_of_another_format)
{
	_cleanup_free_ char *text = NULL;

	read_all(0);
	printed_begin(stdout);
	events_print_definitions(&events);
	text = printed_text(stdout);
	ck_assert_ptr_nonnull(
		strstr(text, "\n# user_events_multi: door.0 u32 number; "));
}

static const char *const details_text[] = {
	"  provider    P\n"
	"  level       4 (information)\n"
	"  keyword     0x1f\n"
	"  group       team\n",
	"  id          ?\n",
	"  fields      ?\n",
	"\n\ndoor\n"
	"  system      user_events\n"
	"  id          1500\n"
	"  rights      owner 1000, group 4294967294, mode 0640\n"
	"  created by  unknown to the kernel; user_events is open in no "
	"process\n"
	"  tracers     ftrace perf\n"
	"  ftrace      (top): soft-enabled for triggers\n"
	"  trigger     (top): traceoff:count=1 if number == 9\n"
	"  ftrace      one: enabled\n"
	"  filter      one: number > 3\n"
	"  bpf         program 5, attached by process 7\n"
	"  records     17 passed to tracers, 4000000000003 lost\n"
	"              5 written while no tracer was attached\n",
	"              6 new_reason\n",
	"  records     unknown: only the module counts records\n",
};

static const char *const details_json[] = {
	"\"name\":\"broken\",\"id\":null,\"eventheader\":null,\"fields\":null,"
	"\"tracers\":null,\"hits\":null,\"lost\":null,\"losses\":null,"
	"\"rights\":null,",
	"\"hits\":17,\"lost\":4000000000003,\"losses\":{\"disabled\":5,",
	",\"new_reason\":6},\"rights\":{\"uid\":1000,",
	"\"gid\":4294967294,\"mode\":\"0640\"}",
	"\"bpf\":[{\"program\":5,\"pid\":7}]",
};

TEST_LOOP(prints_details, 2)
{
	struct bpf_user programs[] = { { (char *)"window", 4, 7 },
				       { (char *)"door", 5, 7 } };
	const struct event_users users = {
		.creators.is_complete = true,
		.programs = { programs, ARRAY_SIZE(programs) },
	};
	_cleanup_free_ char *text = NULL;
	size_t i;

	read_all(EVENTS_USES);
	printed_begin(stdout);
	if (_i)
		events_print_json(&events, &users);
	else
		events_print_details(&events, &users);
	text = printed_text(stdout);
	if (_i)
		for (i = 0; i < ARRAY_SIZE(details_json); i++)
			ck_assert_ptr_nonnull(strstr(text, details_json[i]));
	else
		for (i = 0; i < ARRAY_SIZE(details_text); i++)
			ck_assert_ptr_nonnull(strstr(text, details_text[i]));
	ck_assert_ptr_null(strstr(text, "program 4"));
}

TEST(no_events)
{
	file_tree_remove("/events");
	ck_assert_int_eq(events_read(&events, file_tree_root()), 0);
	ck_assert_uint_eq(events.count, 0);
}

TEST(no_user_events)
{
	file_tree_remove("/user_events_data");
	ck_assert_int_eq(events_read(&events, file_tree_root()), -ENODEV);
	ck_assert_int_eq(events_read(&events, "/nowhere"), -ENOENT);
}

static const struct {
	const char *pattern;
	const char *system;
	const char *name;
	bool matches;
} patterns[] = {
	{ "door", "user_events", "door", true },
	{ "door", "user_events", "doors", false },
	{ "d*", "user_events", "door", true },
	/* Other formats of the name, without the number of the format. */
	{ "door", "user_events_multi", "door.0", true },
	{ "d*r", "user_events_multi", "door.1f", true },
	{ "door", "user_events_multi", "door.main.0", false },
	{ "door.main", "user_events_multi", "door.main.0", true },
	{ "door.0", "user_events_multi", "door.0", false },
	{ "door", "user_events_multi", "door", false },
	{ "door", "user_events", "door.0", false },
	{ "*", "user_events_multi", "door.0", true },
	{ "user_events:door", "user_events_multi", "door.0", false },
	{ "user_events_multi:door.0", "user_events_multi", "door.0", true },
	{ "user_events_multi:*", "user_events_multi", "door.0", true },
	{ "user_events:d??r", "user_events", "door", true },
	{ "user_events*:*", "user_events_multi", "door.0", true },
	{ "sched:*", "user_events", "door", false },
	{ "sched:*", "sched", "sched_switch", true },
	{ "*:door", "other", "door", true },
	{ "*", "sched", "sched_switch", false },
	{ ":door", "user_events", "door", false },
	/* A name that looks like a glob means itself. */
	{ "a[b", "user_events", "a[b", true },
	{ "a[b]", "user_events", "a[b]", true },
	{ "a[b]", "user_events", "ab", true },
	{ "", "user_events", "door", false },
};

TEST_LOOP(matching, ARRAY_SIZE(patterns))
{
	ck_assert_int_eq(uev_tracefs_matches(patterns[_i].pattern,
					     patterns[_i].system,
					     patterns[_i].name),
			 patterns[_i].matches);
}

TEST(selecting)
{
	char *one[] = { "do*", "P_L4K1fGteam" };
	char *wrong[] = { "door", "nothing" };
	char *empty[] = { "no*" };

	ck_assert_int_eq(events_read(&events, file_tree_root()), 0);
	ck_assert_int_eq(events_select(&events, empty, 1), TOOL_OK);
	ck_assert(!find("door")->is_selected);
	ck_assert_int_eq(events_select(&events, one, 2), TOOL_OK);
	ck_assert(find("door")->is_selected);
	ck_assert(find("P_L4K1fGteam")->is_selected);
	ck_assert(find("door.0")->is_selected);
	ck_assert(!find("broken")->is_selected);
	ck_assert_int_eq(events_select(&events, wrong, 2), TOOL_NOT_FOUND);
}

TEST(details)
{
	const struct event *event;
	char *fields;

	read_all(EVENTS_USES);
	event = find("door");
	ck_assert_uint_eq(event->id, 1500);
	ck_assert(!event->is_eventheader);
	fields = events_fields(event);
	ck_assert_str_eq(fields, "u32 number; char[20] color; "
				 "__rel_loc char[] text; __rel_loc u8[] data");
	free(fields);
	ck_assert(event->has_status);
	ck_assert_uint_eq(event->tracers, EVENTS_FTRACE | EVENTS_PERF);
	ck_assert(event->has_profile);
	ck_assert_uint_eq(event->hits, 17);
	/* What was not wanted, and a reason that is not known, is not lost. */
	ck_assert_uint_eq(event->lost, 4000000000003);
	ck_assert_uint_eq(event->loss_count, 5);
	ck_assert_str_eq(event->losses[0].reason, "disabled");
	ck_assert_uint_eq(event->losses[0].count, 5);
	ck_assert_str_eq(event->losses[3].reason, "ftrace_buffer");
	ck_assert_uint_eq(event->losses[3].count, 4000000000000);
	ck_assert_ptr_nonnull(events_loss_text("ftrace_buffer"));
	ck_assert_str_eq(event->losses[4].reason, "new_reason");
	ck_assert_ptr_null(events_loss_text("new_reason"));

	ck_assert_uint_eq(event->use_count, 2);
	ck_assert_str_eq(event->uses[0].instance, "");
	ck_assert(!event->uses[0].is_enabled);
	ck_assert(event->uses[0].is_soft);
	ck_assert_ptr_null(event->uses[0].filter);
	ck_assert_uint_eq(event->uses[0].trigger_count, 1);
	ck_assert_str_eq(event->uses[0].triggers[0],
			 "traceoff:count=1 if number == 9");
	ck_assert_str_eq(event->uses[1].instance, "one");
	ck_assert(event->uses[1].is_enabled);
	ck_assert_str_eq(event->uses[1].filter, "number > 3");

	event = find("door.0");
	ck_assert_uint_eq(event->tracers, EVENTS_OTHER);
	ck_assert(!event->has_profile);
}

TEST(rights)
{
	const struct event *event;

	read_all(0);
	event = find("door");
	ck_assert(event->has_rights);
	ck_assert_uint_eq(event->uid, 1000);
	ck_assert_uint_eq(event->gid, 4294967294);
	ck_assert_uint_eq(event->mode, 0640);
	ck_assert(!find("door.0")->has_rights);
	ck_assert(!find("broken")->has_rights);
	ck_assert(!find("P_L4K1fGteam")->has_rights);
}

TEST(eventheader_name)
{
	const struct event *event;

	read_all(0);
	event = find("P_L4K1fGteam");
	ck_assert(event->is_eventheader);
	ck_assert_uint_eq(event->parts.level, 4);
	ck_assert_str_eq(events_level(event->parts.level), "information");
	ck_assert_ptr_null(events_level(6));
	ck_assert_ptr_null(events_level(0));
	ck_assert_uint_eq(event->parts.keyword, 0x1f);
	ck_assert_uint_eq(event->tracers, 0);
	ck_assert(event->has_status);
}

/* As the definition has it */
TEST(size_of_structures)
{
	char *fields;

	file_tree_file(EVENTS "/box/format",
		       "name: box\nID: 1503\n" COMMON
		       "\tfield:struct lid lid;\toffset:8;\tsize:20;\t"
		       "signed:0;\n");
	read_all(0);
	fields = events_fields(find("box"));
	ck_assert_str_eq(fields, "struct lid lid 20");
	free(fields);
}

/* A format that cannot be read is no reason not to show the event. */
TEST(broken_format)
{
	const struct event *event;
	char *fields;

	read_all(EVENTS_USES);
	event = find("broken");
	ck_assert_uint_eq(event->id, 0);
	ck_assert_ptr_null(event->schema);
	ck_assert(!event->has_status);
	fields = events_fields(event);
	ck_assert_str_eq(fields, "");
	free(fields);
}

/* Without permission to read these, only ftrace is known as a tracer. */
TEST(no_status)
{
	const struct event *event;

	file_tree_remove("/user_events_status");
	file_tree_remove("/user_events_profile");
	read_all(0);
	event = find("door");
	ck_assert(!event->has_status);
	ck_assert(!event->has_profile);
	ck_assert_uint_eq(event->tracers, EVENTS_FTRACE);
}

/* Linux 6.4 and later have no numbers before names, and no Max. */
TEST(other_status)
{
	file_tree_file("/user_events_status",
		       "door # Used by perf other\n1\n\nActive: 2\nBusy: 1\n");
	file_tree_remove("/instances");
	file_tree_file(EVENTS "/door/enable", "0\n");
	read_all(0);
	ck_assert_uint_eq(find("door")->tracers, EVENTS_PERF | EVENTS_OTHER);
	ck_assert(!find("P_L4K1fGteam")->has_status);
}

static const struct {
	const char *text;
	const char *quoted;
} quotes[] = {
	{ "user_events:door", "user_events:door" },
	{ "", "''" },
	{ "a b", "'a b'" },
	{ "$(reboot)", "'$(reboot)'" },
	{ "it's", "'it'\\''s'" },
	{ "a*", "'a*'" },
};

TEST_LOOP(quoting, ARRAY_SIZE(quotes))
{
	char *quoted = events_quote(quotes[_i].text);

	ck_assert_str_eq(quoted, quotes[_i].quoted);
	free(quoted);
}

TEST(finds_processes_with_an_open_file)
{
	char *proc = tool_print("%s/proc", file_tree_root());
	char *data = tool_print("%s/user_events_data", file_tree_root());
	char *other = tool_print("%s/home/user_events_data", file_tree_root());
	char *perf = tool_print("%s/" PERF_EVENT_FILE, file_tree_root());
	struct users found;
	char *text;

	file_tree_file("/home/user_events_data", "");
	file_tree_file("/proc/12/comm", "hello\n");
	file_tree_link("/proc/12/fd/3", data);
	file_tree_link("/proc/12/fd/4", data);
	file_tree_file("/proc/13/comm", "other\n");
	file_tree_link("/proc/13/fd/0", "/dev/null");
	/* Files of the same names, which every user can create. */
	file_tree_link("/proc/13/fd/1", other);
	file_tree_link("/proc/13/fd/2", perf);
	file_tree_link("/proc/14/fd/7", data);
	file_tree_file("/proc/15/comm", "self\n");
	file_tree_link("/proc/15/fd/7", data);
	file_tree_file("/proc/16/comm", "perf\n");
	file_tree_link("/proc/16/fd/5", PERF_EVENT_FILE);
	file_tree_link("/proc/self/fd/7", data);

	users_find_open(&found, proc, data, 15);
	text = users_text(&found);
	ck_assert_str_eq(text, "hello[12], ?[14]");
	ck_assert(found.is_complete);
	free(text);
	users_free(&found);

	users_find_open(&found, proc, PERF_EVENT_FILE, 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_int_eq(found.users[0].pid, 16);
	users_free(&found);

	/* One that cannot be looked into. */
	file_tree_directory("/proc/17");
	users_find_open(&found, proc, data, 15);
	ck_assert(!found.is_complete);
	ck_assert_uint_eq(found.count, 2);
	users_free(&found);
	free(proc);
	free(data);
	free(other);
	free(perf);
}

TEST(reads_losses_of_processors)
{
	static const struct event_loss losses[] = {
		{ (char *)"disabled", 3, 3 },
		{ (char *)"disabled", 2, 0 },
		{ (char *)"disabled", 0, 1 },
		{ (char *)"fault", 1, 3 },
		{ (char *)"fault", 0, EVENTS_ALL_CPUS },
	};
	size_t i;

	ck_assert(events_read_losses(&events, file_tree_root()));
	ck_assert_uint_eq(find("door")->cpu_loss_count, 3);
	for (i = 0; i < ARRAY_SIZE(losses); i++)
		ck_assert_uint_eq(events_loss_count(&events, "door",
						    &losses[i]),
				  losses[i].count);
	ck_assert_uint_eq(events_loss_count(&events, "window", &losses[0]), 0);
}
