// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that use events: user_events_enablers lists their enablers, and
 * /proc/PID/fdinfo the events of their open files.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define LIST "user_events_enablers"

/* More than the kernel lists in one hold of its mutex. */
#define MANY 300

/* The line of a process and an event. */
static const char *line_of(pid_t pid, const char *event)
{
	return text("%d user_events:%s\n", pid, event);
}

/* Number of lines in the list, from the start. */
static unsigned int lines_of(pid_t pid, const char *event)
{
	const char *list = tfs_read(LIST), *wanted = line_of(pid, event);
	unsigned int count = 0;

	/* A whole line, as the number can be the end of another one. */
	while (list && *list) {
		count += !strncmp(list, wanted, strlen(wanted));
		list = strchr(list, '\n');
		list += list != NULL;
	}

	return count;
}

TEST(lists_enablers)
{
	const char *event = uniq("e"), *other = uniq("other");
	uint32_t words[2] = { 0, 0 };
	int fd = data_open();

	must_reg_word(fd, event, &words[0], 0);
	EXPECT_CONTAINS(tfs_read(LIST), line_of(getpid(), event));
	must_reg_word(fd, other, &words[1], 31);
	EXPECT_CONTAINS(tfs_read(LIST), line_of(getpid(), event));
	EXPECT_CONTAINS(tfs_read(LIST), line_of(getpid(), other));
	/* Also after the file is closed. */
	close(fd);
	EXPECT_CONTAINS(tfs_read(LIST), line_of(getpid(), event));
	fd = data_open();
	EXPECT_OK(unreg(fd, &words[0], 0));
	EXPECT_LACKS(tfs_read(LIST), line_of(getpid(), event));
	EXPECT_OK(unreg(fd, &words[1], 31));
	EXPECT_LACKS(tfs_read(LIST), line_of(getpid(), other));
}

static void *register_word(void *event)
{
	static uint32_t word;

	must_reg_word(data_open(), event, &word, 0);

	return NULL;
}

TEST(lists_process_of_thread)
{
	const char *event = uniq("e");
	pthread_t thread;

	ASSERT_EQ(pthread_create(&thread, NULL, register_word, (void *)event),
		  0);
	pthread_join(thread, NULL);
	EXPECT_EQ(lines_of(getpid(), event), 1);
}

TEST(lists_events_with_several_formats)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	int fd = data_open();

	if (reg_enabler(fd, event, &word, sizeof(word), 0,
			USER_EVENT_REG_MULTI_FORMAT) < 0)
		SKIP("no events with several formats");
	EXPECT_CONTAINS(tfs_read(LIST), text("%d %s:%s.", getpid(),
					     USER_EVENTS_MULTI_SYSTEM, event));
	EXPECT_OK(unreg(fd, &word, 0));
}

TEST(lists_children)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	int fd = data_open(), ends[2];
	pid_t child;
	char byte;

	must_reg_word(fd, event, &word, 0);
	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_GE(child, 0);
	if (!child) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	close(ends[0]);
	EXPECT_EQ(lines_of(getpid(), event), 1);
	EXPECT_EQ(lines_of(child, event), 1);
	close(ends[1]);
	wait_child(child);
	EXPECT_EQ(lines_of(getpid(), event), 1);
	EXPECT_OK(unreg(fd, &word, 0));
}

static int wait_for_end(void *ends)
{
	char byte;

	close(((int *)ends)[1]);
	return read(((int *)ends)[0], &byte, 1) != 0;
}

/* Memory can outlive the process whose number the list has. */
TEST(lists_no_exited_process)
{
	static char stack[65536] __attribute__((aligned(16)));
	const char *event = uniq("e");
	uint32_t word = 0;
	int ends[2];
	pid_t child;

	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_GE(child, 0);
	if (!child) {
		must_reg_word(data_open(), event, &word, 0);
		/* Neither a thread nor a child with memory of its own. */
		_exit(clone(wait_for_end, stack + sizeof(stack), CLONE_VM,
			    ends) < 0);
	}
	wait_child(child);
	EXPECT_EQ(lines_of(child, event), 0);
	EXPECT_CONTAINS(tfs_read(LIST), line_of(0, event));
	close(ends[0]);
	close(ends[1]);
	wait_deleted(event);
}

/* A process that executes another program does not have the memory any more. */
TEST(lists_no_process_with_other_memory)
{
	static char stack[65536] __attribute__((aligned(16)));
	const char *event = uniq("e");
	uint32_t word = 0;
	int ends[2];
	pid_t child;

	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_GE(child, 0);
	if (!child) {
		must_reg_word(data_open(), event, &word, 0);
		if (clone(wait_for_end, stack + sizeof(stack), CLONE_VM, ends) <
		    0)
			_exit(1);
		close(ends[1]);
		dup2(ends[0], STDIN_FILENO);
		execl("/bin/sh", "sh", "-c", "read end", NULL);
		_exit(1);
	}
	while (lines_of(0, event) != 1)
		usleep(1000);
	EXPECT_EQ(lines_of(child, event), 0);
	close(ends[0]);
	close(ends[1]);
	ASSERT_EQ(waitpid(child, NULL, 0), child);
	wait_deleted(event);
}

static bool has_lines_of_inner_process(const char *outer)
{
	const char *event = uniq("inner");
	static uint32_t word;

	must_reg_word(data_open(), event, &word, 0);

	return lines_of(1, event) == 1 && lines_of(1, outer) == 1 &&
	       lines_of(0, outer) >= 1;
}

/* A process has another number in a PID namespace, or none. */
TEST(lists_numbers_that_the_reader_knows)
{
	const char *event = uniq("e");
	uint32_t word = 0;
	pid_t child;

	if (access("/proc/self/ns/pid", F_OK))
		SKIP("no PID namespaces");
	must_reg_word(data_open(), event, &word, 0);
	child = fork();
	ASSERT_GE(child, 0);
	if (!child) {
		if (unshare(CLONE_NEWPID))
			_exit(1);
		child = fork();
		if (!child)
			_exit(!has_lines_of_inner_process(event));
		wait_child(child);
		_exit(0);
	}
	wait_child(child);
}

/* Several batches, each enabler once, at every size of the reads. */
TEST(lists_many_enablers_once)
{
	static const size_t sizes[] = { 65536, 4096, 100 };
	const char *event = uniq("e"), *wanted;
	static uint64_t words[MANY];
	static char list[1 << 20];
	int fd = data_open(), file;
	size_t i, used;
	ssize_t got;

	for (i = 0; i < MANY; i++)
		must_reg_word(fd, event, (uint32_t *)&words[i], i % 32);
	wanted = text("%d user_events:%s", getpid(), event);
	ASSERT_OK(file = tfs_open(O_RDONLY, LIST));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		harness_context("reads of %zu", sizes[i]);
		/* From the start again, through the same file. */
		EXPECT_EQ(lseek(file, 0, SEEK_SET), 0);
		for (used = 0; used + sizes[i] < sizeof(list); used += got) {
			got = read(file, list + used, sizes[i]);
			EXPECT_GE(got, 0);
			if (got <= 0)
				break;
		}
		list[used] = '\0';
		EXPECT_EQ(count_lines(list, wanted), MANY);
	}
	harness_context(NULL);
	for (i = 0; i < MANY; i++)
		EXPECT_OK(unreg(fd, &words[i], i % 32));
}

/* A list that is open does not keep the enablers or the memory of a process. */
TEST(open_list_keeps_nothing)
{
	const char *event = uniq("e");
	int ends[2], ready[2], file;
	uint32_t word = 0;
	pid_t child;
	char byte;

	ASSERT_OK(pipe(ends));
	ASSERT_OK(pipe(ready));
	child = fork();
	ASSERT_GE(child, 0);
	if (!child) {
		close(ends[1]);
		must_reg_word(data_open(), event, &word, 0);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	ASSERT_EQ(read(ready[0], &byte, 1), 1);
	ASSERT_OK(file = tfs_open(O_RDONLY, LIST));
	close(ends[1]);
	wait_child(child);
	wait_deleted(event);
	EXPECT_LACKS(read_fd(file), event);
}

static volatile bool is_done;

static void *change_enablers(void *event)
{
	static uint32_t word;
	int fd = data_open();

	while (!is_done) {
		if (reg_word(fd, event, &word, 5) >= 0)
			EXPECT_OK(unreg(fd, &word, 5));
	}
	close(fd);

	return NULL;
}

/* Changes of other enablers neither omit nor repeat one. */
TEST(lists_stable_enablers_while_others_change)
{
	const char *event = uniq("e"), *other = uniq("other");
	static uint64_t words[MANY];
	int fd = data_open();
	pthread_t thread;
	size_t i;

	for (i = 0; i < MANY; i++)
		must_reg_word(fd, event, (uint32_t *)&words[i], 0);
	is_done = false;
	ASSERT_EQ(pthread_create(&thread, NULL, change_enablers, (void *)other),
		  0);
	for (i = 0; i < 20; i++)
		EXPECT_EQ(lines_of(getpid(), event), MANY);
	is_done = true;
	pthread_join(thread, NULL);
	for (i = 0; i < MANY; i++)
		EXPECT_OK(unreg(fd, &words[i], 0));
}

TEST(list_is_for_root_only)
{
	struct stat about;
	pid_t child;

	ASSERT_OK(stat(text("%s/" LIST, tracefs()), &about));
	EXPECT_EQ(about.st_mode, (S_IFREG | 0400));
	child = fork();
	ASSERT_GE(child, 0);
	if (!child) {
		become_user(1000);
		_exit(tfs_open(O_RDONLY, LIST) >= 0);
	}
	wait_child(child);
	EXPECT_ERRNO(write(tfs_open(O_WRONLY, LIST), "x", 1), EINVAL);
}

TEST(fdinfo_lists_events_of_file)
{
	const char *event = uniq("e"), *other = uniq("other"), *path;
	int fd = data_open(), another = data_open();
	uint32_t word = 0;

	path = text("/proc/self/fdinfo/%d", fd);
	EXPECT_LACKS(read_file(path), "event:");
	must_reg(fd, text("%s u32 a", event));
	must_reg(fd, text("%s u32 a", event));
	must_reg_word(fd, other, &word, 0);
	EXPECT_CONTAINS(read_file(path),
			text("event:\tuser_events:%s\nevent:\tuser_events:%s\n",
			     event, other));
	EXPECT_EQ(count_lines(read_file(path), "event:"), 2);
	EXPECT_LACKS(read_file(text("/proc/self/fdinfo/%d", another)),
		     "event:");
	/* The file can still write the event. */
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_EQ(count_lines(read_file(path), "event:"), 2);
	close(fd);
	EXPECT_OK(del(another, event));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
