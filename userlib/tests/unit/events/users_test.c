// SPDX-License-Identifier: MIT
/* Processes that hold events or files, in a procfs of directories. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <userevents/decode.h>

#include "events/users.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "lib/work.h"
#include "tool.h"

#define DATA "/tracing/user_events_data"
#define STATUS "/tracing/user_events_status"
#define PROFILE "/tracing/user_events_profile"
#define LIST "/tracing/user_events_enablers"

/* Lines of the list of enablers, and basic blocks per line and comparison */
#define LINES 4096
#define LOG2_LINES 12
#define WORK_PER_LINE (40 * LOG2_LINES)

static struct users users;
static char *proc, *tracefs;

static void setup(void)
{
	file_tree_begin();
	proc = tool_print("%s/proc", file_tree_root());
	tracefs = tool_print("%s/tracing", file_tree_root());
	/* Neither a process nor its descriptor. */
	file_tree_file("/proc/version", "Linux\n");
	file_tree_file(DATA, "");
	file_tree_file(STATUS, "");
	file_tree_file(PROFILE, "");
	file_tree_file("/proc/1/comm", "init\n");
	file_tree_link("/proc/1/fd/0", "/dev/null");
	file_tree_link("/proc/1/fd/1", "/tmp/user_events_data.old");
	file_tree_file("/proc/1/maps", "7f00 r--p 00:00 0 /lib/libc.so\n");
}

static void teardown(void)
{
	users_free(&users);
	file_tree_end();
	free(proc);
	free(tracefs);
}

TEST_FIXTURE(setup, teardown);

/* Opens a file below the root as descriptor @link. */
static void open_file(const char *link, const char *path)
{
	char *target = tool_print("%s%s", file_tree_root(), path);

	file_tree_link(link, target);
	free(target);
}

/* Maps a file below the root. */
static void map_file(const char *maps, const char *path)
{
	char *whole = tool_print("%s%s", file_tree_root(), path), *text;
	struct stat about;

	ck_assert_int_eq(stat(whole, &about), 0);
	text = tool_print("7f00-7f01 r--s 00000000 %02x:%02x %llu  %s\n"
			  "7f02-7f03 rw-p 00000000 00:00 0\n",
			  major(about.st_dev), minor(about.st_dev),
			  (unsigned long long)about.st_ino, whole);
	file_tree_file(maps, text);
	free(text);
	free(whole);
}

/* Expects user @index with these details. */
static void expect(size_t index, int pid, const char *name, const char *holds,
		   const char *events)
{
	const struct user *user = &users.users[index];
	char *text;

	ck_assert_uint_lt(index, users.count);
	ck_assert_int_eq(user->pid, pid);
	ck_assert_str_eq(user->name, name);
	text = users_holds(user->holds);
	ck_assert_str_eq(text, holds);
	free(text);
	text = users_events(user);
	ck_assert_str_eq(text, events);
	free(text);
}

static void find(void)
{
	users_find(&users, proc, tracefs, 7);
	ck_assert(users.is_complete);
}

TEST(none)
{
	char *text;

	find();
	ck_assert_uint_eq(users.count, 0);
	text = users_text(&users);
	ck_assert_str_eq(text, "");
	free(text);
}

TEST(open_files)
{
	char *text;

	file_tree_file("/proc/20/comm", "emitter\n");
	open_file("/proc/20/fd/200", DATA);
	file_tree_file("/proc/20/fdinfo/200",
		       "pos:\t0\nflags:\t01\n"
		       "event:\tuser_events:hello\n"
		       "event:\tuser_events_multi:a.0\n");
	/* A second file has an event that is known already. */
	open_file("/proc/20/fd/201", DATA);
	file_tree_file("/proc/20/fdinfo/201", "event:\tuser_events:hello\n"
					      "event:\tuser_events:world\n");
	file_tree_file("/proc/3/comm", "reader\n");
	open_file("/proc/3/fd/5", STATUS);
	open_file("/proc/3/fd/6", PROFILE);
	find();
	ck_assert_uint_eq(users.count, 2);
	expect(0, 3, "reader", "status, list", "");
	expect(1, 20, "emitter", "data", "hello, world, user_events_multi:a.0");
	text = users_text(&users);
	ck_assert_str_eq(text, "reader[3], emitter[20]");
	free(text);
}

TEST(mapping)
{
	file_tree_file("/proc/30/comm", "mapper\n");
	file_tree_directory("/proc/30/fd");
	map_file("/proc/30/maps", STATUS);
	find();
	ck_assert_uint_eq(users.count, 1);
	expect(0, 30, "mapper", "status", "");
}

/* Every user can create files of these names. */
TEST(other_files_of_the_same_name)
{
	file_tree_file("/home/user_events_data", "event:\tuser_events:a\n");
	file_tree_file("/home/user_events_status", "");
	file_tree_file("/proc/40/comm", "impostor\n");
	open_file("/proc/40/fd/3", "/home/user_events_data");
	open_file("/proc/40/fd/4", "/home/user_events_status");
	map_file("/proc/40/maps", "/home/user_events_status");
	find();
	ck_assert_uint_eq(users.count, 0);
}

/* Neither many processes nor many events of a process cost more per line. */
TEST(work_is_nearly_linear)
{
	struct uev_output list = UEV_OUTPUT_INIT;
	uint64_t before;
	char *line;
	int i;

	for (i = 0; i < LINES; i++) {
		line = tool_print("%d user_events:event_%d\n",
				  i % 2 ? 1000 : 1000 + LINES - i, i);
		tool_need(uev_output_append(&list, line, strlen(line)));
		free(line);
	}
	file_tree_file(LIST, list.text);
	uev_output_release(&list);
	before = work_count();
	find();
	line = users_text(&users);
	free(line);
	line = users_events(&users.users[0]);
	free(line);
	ck_assert_uint_eq(users.count, LINES / 2 + 1);
	ck_assert_uint_eq(users.users[0].event_count, LINES / 2);
	ck_assert_uint_gt(work_count() - before, LINES);
	ck_assert_uint_le(work_count() - before,
			  (uint64_t)LINES * WORK_PER_LINE);
}

TEST(enablers)
{
	file_tree_file("/proc/20/comm", "emitter\n");
	open_file("/proc/20/fd/200", DATA);
	file_tree_file("/proc/20/fdinfo/200", "event:\tuser_events:hello\n");
	file_tree_file("/proc/21/comm", "child\n");
	file_tree_directory("/proc/21/fd");
	file_tree_file(LIST, "21 user_events:hello\n"
			     "20 user_events:hello\n20 user_events:word\n"
			     "20 user_events:word\n0 user_events:hello\n"
			     "7 user_events:of_this_process\n\nmalformed\n");
	find();
	ck_assert_uint_eq(users.count, 3);
	/* A process in another namespace, or one that has exited. */
	expect(0, 0, "?", "enablers", "hello");
	expect(1, 20, "emitter", "data, enablers", "hello, word");
	expect(2, 21, "child", "enablers", "hello");
}

TEST(this_process_is_skipped)
{
	file_tree_file("/proc/7/comm", "user-events\n");
	open_file("/proc/7/fd/3", DATA);
	find();
	ck_assert_uint_eq(users.count, 0);
}

TEST(no_permission)
{
	/* No directory of descriptors can be read. */
	file_tree_file("/proc/9/comm", "secret\n");
	users_find(&users, proc, tracefs, 7);
	ck_assert(!users.is_complete);
	ck_assert_uint_eq(users.count, 0);
	file_tree_remove("/proc/9");
	users_find(&users, proc, NULL, 7);
	ck_assert(!users.is_complete);
}

static const struct {
	const char *list;
	size_t size;
	const char *wanted;
} lists[] = {
	{ "", 5, "" },
	{ "a[1], b[2]", 10, "a[1], b[2]" },
	{ "a[1], b[2], c[3]", 15, "a[1], b[2] and 1 more" },
	{ "a[1], b[2], c[3]", 9, "a[1] and 2 more" },
	{ "a[1], b[2], c[3]", 10, "a[1], b[2] and 1 more" },
	{ "long, b", 2, "lo and 1 more" },
	{ "long", 2, "lo" },
};

TEST_LOOP(long_lists_are_shortened, sizeof(lists) / sizeof(*lists))
{
	char *text = users_shorten(lists[_i].list, lists[_i].size);

	ck_assert_str_eq(text, lists[_i].wanted);
	free(text);
}

/* As one that is too large. Its processes are not known then, and not absent. */
TEST(unreadable_list)
{
	file_tree_directory(LIST);
	users_find(&users, proc, tracefs, 7);
	ck_assert(!users.is_complete);
	ck_assert_int_eq(users.list_error, -EISDIR);
	ck_assert_uint_eq(users.count, 0);
}

/* A module that is older has none. */
TEST(no_list)
{
	find();
	ck_assert_int_eq(users.list_error, 0);
}

TEST(unreadable_mappings)
{
	file_tree_directory("/proc/30/fd");
	file_tree_directory("/proc/30/maps");
	users_find(&users, proc, tracefs, 7);
	ck_assert(!users.is_complete);
	ck_assert_int_eq(users.list_error, 0);
}
