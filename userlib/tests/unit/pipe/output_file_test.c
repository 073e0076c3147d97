// SPDX-License-Identifier: MIT
/* Output files: what is replaced, and what is written directly. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "pipe/output_file.h"
#include "tool.h"
#include "util/sys_perf.h"

static char *path;

static void setup(void)
{
	file_tree_begin();
	path = tool_print("%s/out", file_tree_root());
}

static void teardown(void)
{
	free(path);
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

static void write_file(const char *to)
{
	struct output_file *file;

	ck_assert_int_eq(output_file_open(&file, to, NULL), 0);
	output_file_text(file, "after\n");
	ck_assert_int_eq(output_file_finish(file), 0);
}

static void expect(const char *wanted)
{
	char *text;

	ck_assert_int_eq(files_read(path, &text, NULL), 0);
	ck_assert_str_eq(text, wanted);
	free(text);
}

static void expect_count(size_t wanted)
{
	struct files_names names;

	ck_assert_int_eq(files_names(file_tree_root(), &names), 0);
	ck_assert_uint_eq(names.count, wanted);
	files_names_free(&names);
}

TEST(replaces_files)
{
	file_tree_file("/out", "before\n");
	write_file(path);
	expect("after\n");
	expect_count(1);
}

/* Of a process with the same number that was killed, as in a container */
TEST(ignores_temporary_files_of_killed_processes)
{
	_cleanup_free_ char *name =
		tool_print("/out.tmp-%d-0", (int)uev_sys_perf_pid());

	file_tree_file(name, "stale");
	write_file(path);
	expect("after\n");
	expect_count(2);
}

/* With and without a target */
TEST_LOOP(keeps_links, 2)
{
	char target[16] = "";

	if (_i)
		file_tree_file("/target", "before, and longer\n");
	file_tree_link("/out", "target");
	write_file(path);
	ck_assert_int_eq(readlink(path, target, sizeof(target) - 1), 6);
	ck_assert_str_eq(target, "target");
	expect("after\n");
	expect_count(2);
}

/* Whether it is standard output, and whether that is appended to */
TEST_LOOP(writes_open_files_directly, 4)
{
	int flags = O_WRONLY | O_CREAT | (_i & 1 ? O_APPEND : 0);
	int fd = open(path, flags, 0600), own = dup(STDOUT_FILENO);
	char name[32];

	ck_assert(fd >= 0 && own >= 0);
	ck_assert_int_eq(write(fd, "before\n", 7), 7);
	if (_i & 2) {
		dup2(fd, STDOUT_FILENO);
		close(fd);
		fd = STDOUT_FILENO;
	}
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	write_file(name);
	if (_i & 2)
		ck_assert_int_eq(write(fd, "end\n", 4), 4);
	dup2(own, STDOUT_FILENO);
	expect(_i & 2 ? "before\nafter\nend\n" : "before\nafter\n");
	expect_count(1);
	close(own);
	if (!(_i & 2))
		close(fd);
}

/* Shared memory is also below /dev. */
TEST(replaces_targets_of_links_in_shared_memory)
{
	char directory[] = "/dev/shm/output_file.XXXXXX";
	_cleanup_free_ char *name = NULL;

	file_tree_file("/out", "before, and longer\n");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	name = tool_print("%s/link", directory);
	ck_assert_int_eq(symlink(path, name), 0);
	write_file(name);
	ck_assert_int_eq(unlink(name), 0);
	ck_assert_int_eq(rmdir(directory), 0);
	expect("after\n");
}

/* Through links to it, as /dev/stdout is one */
TEST_LOOP(finds_open_files_through_links, 2)
{
	_cleanup_free_ char *link = tool_print("%s/link", file_tree_root());
	_cleanup_free_ char *target = NULL;
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "before\n", 7), 7);
	target = tool_print(_i ? "/proc/self/fd/%d" : "/dev/fd/%d", fd);
	ck_assert_int_eq(symlink(target, link), 0);
	write_file(_i ? link : target);
	expect("before\nafter\n");
	close(fd);
}
