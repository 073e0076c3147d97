// SPDX-License-Identifier: GPL-2.0-only
/* Parameters of the module. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "unload.h"

TEST(supports_two_status_pages)
{
	const struct {
		size_t length;
		int error;
	} cases[] = {
		{ 2 * PAGE, 0 },      { 2 * PAGE - 1, 0 },
		{ PAGE + 1, 0 },      { PAGE, EINVAL },
		{ 1, EINVAL },	      { 2 * PAGE + 1, EINVAL },
		{ 3 * PAGE, EINVAL },
	};
	const char *event = uniq("e");
	struct user_reg_status out;
	unsigned char *pages;
	int fd, status;
	size_t i;

	must_load("status_pages=2");
	EXPECT_CONTAINS(tfs_read("user_events_status"), "Max: 65536\n");
	status = status_open();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("length %zu", cases[i].length);
		errno = 0;
		pages = mmap(NULL, cases[i].length, PROT_READ, MAP_SHARED,
			     status, 0);
		EXPECT_EQ(pages == MAP_FAILED, !!cases[i].error);
		EXPECT_EQ(pages == MAP_FAILED ? errno : 0, cases[i].error);
		if (pages != MAP_FAILED)
			munmap(pages, cases[i].length);
	}
	harness_context(NULL);
	pages = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, status, 0);
	ASSERT_TRUE(pages != MAP_FAILED);
	fd = data_open();
	ASSERT_OK(reg(fd, event, &out));
	enable(event, true);
	EXPECT_TRUE(status_page_bit(pages, out.status_bit));
	for (i = PAGE; i < 2 * PAGE; i++)
		EXPECT_EQ(pages[i], 0);
	EXPECT_ERRNO(mprotect(pages, 2 * PAGE, PROT_READ | PROT_WRITE), EACCES);
}

TEST(rejects_invalid_parameters)
{
	static const struct {
		const char *parameters;
		const char *word;
	} cases[] = {
		{ "status_pages=0", "status_pages" },
		{ "status_pages=100000", "status_pages" },
		{ "status_pages=2147483648", "status_pages" },
		{ "status_pages=4294967295", "status_pages" },
		{ "data_mode=01000", "data_mode" },
		{ "status_mode=07777", "status_mode" },
		{ "uid=4294967295", "uid" },
		{ "gid=4294967295", "gid" },
	};
	size_t i;

	module_must_unload();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("%s", cases[i].parameters);
		check_not_loaded(module_path(), cases[i].parameters,
				 cases[i].word);
	}
}

TEST(rejects_parameters_that_are_not_numbers)
{
	static const char *const parameters[] = {
		"status_pages=many",  "status_pages=-1",     "status_pages=",
		"max_events=x",	      "data_mode=rw-r-----", "uid=-1",
		"data_mode=99999999",
	};
	size_t i;

	module_must_unload();
	for (i = 0; i < ARRAY_SIZE(parameters); i++) {
		harness_context("%s", parameters[i]);
		EXPECT_EQ(load(parameters[i]), -1);
		EXPECT_FALSE(is_loaded());
	}
	harness_context(NULL);
	check_unloaded();
}

TEST(max_events_limits_events)
{
	unsigned int i;
	int fd;

	must_load("max_events=3");
	EXPECT_CONTAINS(tfs_read("user_events_status"), "\nMax: 3\n");
	fd = data_open();
	for (i = 0; i < 3; i++)
		EXPECT_EQ(must_reg(fd, uniq(text("%u", i))), i);
	EXPECT_ERRNO(reg(fd, uniq("3"), NULL), EMFILE);
	EXPECT_ERRNO(reg(data_open(), uniq("3"), NULL), EMFILE);
	EXPECT_ERRNO(dynevent_write(text("u:%s", uniq("3"))), EMFILE);
	EXPECT_FALSE(tfs_exists("events/user_events/%s", uniq("3")));
	/* Existing events can be joined. */
	EXPECT_EQ(must_reg(fd, uniq("1")), 1);
	EXPECT_OK(dynevent_write(text("u:%s", uniq("2"))));
	close(fd);
	EXPECT_OK(del_event(uniq("0")));
	fd = data_open();
	EXPECT_EQ(must_reg(fd, uniq("3")), 0);
	EXPECT_ERRNO(reg(fd, uniq("0"), NULL), EMFILE);
}

/* An invalid definition is logged, and the other events are defined. */
TEST(parameter_defines_events)
{
	const char *first = uniq("first"), *second = uniq("second");
	int kmsg = kmsg_open();
	unsigned int lines;
	char *log;

	must_load(
		text("\"events= %s u32 a; char[4] b|bad u65 c||%s| %s u64 d\"",
		     first, second, first));
	log = kmsg_lines(kmsg, &lines);
	EXPECT_EQ(lines, 2);
	EXPECT_CONTAINS(log, "\"bad u65 c\": error -22");
	EXPECT_CONTAINS(log, text("\"%s u64 d\": error -98", first));
	EXPECT_CONTAINS(tfs_read("dynamic_events"),
			text("u:%s u32 a; char[4] b\n", first));
	EXPECT_CONTAINS(tfs_read("dynamic_events"), text("u:%s\n", second));
	EXPECT_ERRNO(module_unload(), EWOULDBLOCK);
	EXPECT_OK(del_event(first));
	EXPECT_OK(del_event(second));
	must_load("events=");
	EXPECT_STREQ(tfs_read("dynamic_events"), "");
}

/*
 * The profile is readable with the mode of the status file, and never writable.
 */
TEST(parameters_set_modes_and_owners)
{
	check_file("user_events_data", 0640, 0, 0);
	check_file("user_events_status", 0640, 0, 0);
	check_file("user_events_profile", 0440, 0, 0);
	check_file("user_events_enablers", 0400, 0, 0);
	must_load("data_mode=0622 status_mode=0444 uid=1234 gid=4321");
	check_file("user_events_data", 0622, 1234, 4321);
	check_file("user_events_status", 0444, 1234, 4321);
	check_file("user_events_profile", 0444, 1234, 4321);
	check_file("user_events_enablers", 0400, 0, 0);
	must_load("status_mode=0666 gid=5");
	check_file("user_events_status", 0666, 0, 5);
	check_file("user_events_profile", 0444, 0, 5);
	must_load("data_mode=0666");
	check_file("user_events_data", 0666, 0, 0);
	check_file("user_events_status", 0640, 0, 0);
	must_load("gid=77");
	check_file("user_events_data", 0640, 0, 77);
	check_file("user_events_status", 0640, 0, 77);
	must_load("");
	check_file("user_events_data", 0640, 0, 0);
}

/* The parameters and search permission for the directory are sufficient. */
TEST(parameters_permit_unprivileged_writer)
{
	const char *event = uniq("e");
	struct stat root;
	pid_t child;
	int status = 0;

	must_load("data_mode=0660 status_mode=0440 gid=1000");
	ASSERT_OK(stat(tracefs(), &root));
	ASSERT_OK(chmod(tracefs(), (root.st_mode & 0777) | 0111));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		const unsigned char *page;
		struct user_reg_status out;
		uint32_t record[2] = { 0, 7 };
		int fd;

		ASSERT_OK(setresgid(1000, 1000, 1000));
		ASSERT_OK(setresuid(1000, 1000, 1000));
		page = status_map();
		fd = tfs_open(O_WRONLY, "user_events_data");
		ASSERT_OK(fd);
		ASSERT_OK(reg(fd, text("%s u32 a", event), &out));
		EXPECT_FALSE(status_page_bit(page, out.status_bit));
		EXPECT_ERRNO(write(fd, record, 8), EBADF);
		/* Now the parent enables the event. */
		ASSERT_OK(raise(SIGSTOP));
		EXPECT_TRUE(status_page_bit(page, out.status_bit));
		EXPECT_EQ(write(fd, record, 8), 8);
		_exit(harness_failed());
	}
	ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
	if (WIFSTOPPED(status)) {
		enable(event, true);
		kill(child, SIGCONT);
		ASSERT_EQ(waitpid(child, &status, 0), child);
	}
	EXPECT_OK(chmod(tracefs(), root.st_mode & 07777));
	EXPECT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
	EXPECT_STREQ(trace_text(event), text("%s: a=0x7 (7)", event));
	enable(event, false);
	EXPECT_OK(del_event(event));
}
