// SPDX-License-Identifier: GPL-2.0-only
/* Files that were opened before unloading. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "unload.h"

static char *read_some(int fd)
{
	char piece[65] = { 0 };

	EXPECT_OK(read(fd, piece, sizeof(piece) - 1));

	return strdup(piece);
}

TEST(old_records_are_not_shown_after_unload)
{
	const char *event = uniq("e");
	uint32_t record[3] = { 0, 0x41414141, 0xffffffff };
	int pipe = tfs_open(O_RDONLY | O_NONBLOCK, "trace_pipe");
	int trace, fd, i;
	char *now;

	ASSERT_OK(pipe);
	fd = data_open();
	must_reg(fd, text("%s u32 a;u32 b", event));
	enable(event, true);
	for (i = 0; i < 200; i++)
		EXPECT_EQ(write(fd, record, sizeof(record)), sizeof(record));
	trace = tfs_open(O_RDONLY, "trace");
	ASSERT_OK(trace);
	free(read_some(trace));
	enable(event, false);
	close(fd);
	EXPECT_OK(del_event(event));
	module_must_unload();

	now = read_fd(trace);
	if (now)
		EXPECT_LACKS(now, event);
	EXPECT_LACKS(tfs_read("trace"), event);
	while (read(pipe, &(char[4096]){ 0 }, 4096) > 0)
		;
	ASSERT_OK(load(""));
	EXPECT_TRUE(tfs_read("trace"));
	close(pipe);
	close(trace);
}

TEST(open_files_survive_unload)
{
	static const char *const names[] = {
		"dynamic_events",    "available_events",
		"set_event",	     "trace",
		"trace_pipe",	     "error_log",
		"enabled_functions",
	};
	static const char *const files[] = { "format", "id",	  "enable",
					     "filter", "trigger", "hist" };
	const char *event = uniq("e");
	int partly_read[ARRAY_SIZE(names)], unread[ARRAY_SIZE(names)];
	int event_partly_read[ARRAY_SIZE(files)],
		event_unread[ARRAY_SIZE(files)];
	/* Before Linux 5.0, dynamic_events is a file of the module. */
	size_t first = !kernel_has_dynamic_events(), i;
	char *format;
	int round;

	create_event(event, "u32 field_of_before;char[20] other_of_before");
	ASSERT_OK(dynevent_write(text("p:%s %s", uniq("kp"), kprobe_target())));
	format = tfs_read("events/user_events/%s/format", event);
	for (i = first; i < ARRAY_SIZE(names); i++) {
		partly_read[i] =
			tfs_open(O_RDONLY | O_NONBLOCK, "%s", names[i]);
		unread[i] = tfs_open(O_RDONLY | O_NONBLOCK, "%s", names[i]);
		if (partly_read[i] >= 0)
			read(partly_read[i], &(char[16]){ 0 }, 16);
	}
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path =
			text("events/user_events/%s/%s", event, files[i]);

		event_partly_read[i] = tfs_open(O_RDONLY, "%s", path);
		event_unread[i] = tfs_open(O_RDONLY, "%s", path);
		if (!strcmp(files[i], "hist") && !has_hist())
			continue;
		ASSERT_OK(event_partly_read[i]);
		ASSERT_OK(event_unread[i]);
		read(event_partly_read[i], &(char[16]){ 0 }, 16);
	}

	EXPECT_OK(del_event(event));
	module_must_unload();

	/* Once with the module unloaded, once with the module loaded again. */
	for (round = 0; round < 2; round++) {
		for (i = first; i < ARRAY_SIZE(names); i++) {
			harness_context("%s", names[i]);
			free(read_fd(partly_read[i]));
			free(read_fd(unread[i]));
			lseek(partly_read[i], 0, SEEK_SET);
		}
		for (i = 0; i < ARRAY_SIZE(files); i++) {
			char *now, *line;

			harness_context("%s", files[i]);
			free(read_fd(event_partly_read[i]));
			now = read_fd(event_unread[i]);
			lseek(event_partly_read[i], 0, SEEK_SET);
			lseek(event_unread[i], 0, SEEK_SET);
			if (strcmp(files[i], "format"))
				continue;
			while (now && (line = strsep(&now, "\n")))
				if (!strstr(format, line))
					FAIL("unexpected line \"%s\"", line);
		}
		if (round)
			break;
		ASSERT_OK(load(""));
		create_event(uniq("later"), "u64 field_of_later");
		EXPECT_LACKS(tfs_read("trace"), event);
	}
	harness_context(NULL);
	EXPECT_OK(del_event(uniq("later")));
	module_must_unload();
}

/* A reader is blocked in trace_pipe all the time. */
TEST(blocked_reader_survives_unload)
{
	const char *event = uniq("e");
	uint32_t record[2] = { 0, 1 };
	int pipe = tfs_open(O_RDONLY, "trace_pipe");
	pid_t child;
	int fd;

	ASSERT_OK(pipe);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		char out[4096];
		ssize_t got;

		/* A read returns 0 if the buffer was cleared meanwhile. */
		while ((got = read(pipe, out, sizeof(out) - 1)) >= 0) {
			out[got] = '\0';
			if (strstr(out, "last words"))
				_exit(0);
		}
		_exit(1);
	}
	fd = data_open();
	must_reg(fd, text("%s u32 a", event));
	enable(event, true);
	EXPECT_EQ(write(fd, record, 8), 8);
	enable(event, false);
	close(fd);
	EXPECT_OK(del_event(event));
	module_must_unload();
	EXPECT_OK(tfs_write("last words", "trace_marker"));
	wait_child(child);
}

/*
 * An O_PATH descriptor holds no reference and can be opened later. The opened
 * file does nothing, even if the module has been loaded again.
 */
TEST(path_descriptors_are_dead_after_unload)
{
	static const char *const names[] = { "user_events_data",
					     "user_events_status",
					     "user_events_profile",
					     "user_events_enablers" };
	static const char *const files[] = { "enable", "filter", "trigger",
					     "id", "format" };
	const char *event = uniq("e");
	int paths[ARRAY_SIZE(names)], event_paths[ARRAY_SIZE(files)];
	int fd, round;
	size_t i;

	create_event(event, "u32 a");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		ASSERT_OK(paths[i] = tfs_open(O_PATH, "%s", names[i]));
	for (i = 0; i < ARRAY_SIZE(files); i++)
		ASSERT_OK(event_paths[i] = tfs_open(O_PATH,
						    "events/user_events/%s/%s",
						    event, files[i]));
	EXPECT_OK(del_event(event));
	module_must_unload();
	check_unloaded();

	/* Once with the module unloaded, once with the module loaded again. */
	for (round = 0; round < 2; round++) {
		for (i = 0; i < ARRAY_SIZE(names); i++) {
			harness_context("%s", names[i]);
			fd = open(text("/proc/self/fd/%d", paths[i]), O_RDONLY);
			ASSERT_OK(fd);
			EXPECT_STREQ(read_fd(fd), "");
			EXPECT_ERRNO(reg(fd, uniq("x"), NULL), ENOTTY);
			EXPECT_TRUE(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd,
					 0) == MAP_FAILED);
			close(fd);
		}
		for (i = 0; i < ARRAY_SIZE(files); i++) {
			harness_context("%s", files[i]);
			fd = open(text("/proc/self/fd/%d", event_paths[i]),
				  O_RDONLY);
			if (fd >= 0)
				free(read_fd(fd));
			close(fd);
		}
		harness_context(NULL);
		if (!round)
			ASSERT_OK(load(""));
	}
}

/*
 * A task has read the operations of a file of an event, but has no reference to
 * its object yet, when the event is deleted and the module is unloaded.
 */
TEST(task_in_open_survives_unload)
{
	const char *event = uniq("e");
	const char *path =
		text("%s/events/user_events/%s/enable", tracefs(), event);
	struct open_hold hold;
	pid_t child;
	int status;

	if (openers_keep_event() || (kernel_has("eventfs_create_events_dir") &&
				     !kernel_has("event_release")))
		SKIP("the event stays, or open() uses freed memory");
	create_event(event, "u32 a");
	hold = open_hold_start(path);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		close(hold.fd);
		_exit(errno_of_write(path));
	}
	open_hold_wait(&hold);
	EXPECT_OK(del_event(event));
	module_must_unload();
	check_unloaded();
	ASSERT_OK(load(""));
	close(hold.fd);
	EXPECT_EQ(waitpid(child, &status, 0), child);
	EXPECT_EQ(WEXITSTATUS(status), ENODEV);
}

TEST(open_sysctl_is_dead_after_unload)
{
	char content[16];
	int fd;

	must_load("max_events=4294967295");
	fd = open(LIMIT, O_RDWR | O_CLOEXEC);
	ASSERT_OK(fd);
	/* At most as many as there are status bits. */
	EXPECT_STREQ(read_fd(fd), text("%zu\n", 8 * PAGE));
	EXPECT_EQ(pwrite(fd, "5\n", 2, 0), 2);
	EXPECT_STREQ(read_file(LIMIT), "5\n");
	/*
	 * The open file holds no reference to the module, and does not access
	 * the next instance.
	 */
	must_load("max_events=7");
	EXPECT_ERRNO(pread(fd, content, sizeof(content), 0), ENOENT);
	EXPECT_ERRNO(pwrite(fd, "6\n", 2, 0), ENOENT);
	EXPECT_STREQ(read_file(LIMIT), "7\n");
	module_must_unload();
	check_unloaded();
	EXPECT_ERRNO(pread(fd, content, sizeof(content), 0), ENOENT);
}

/*
 * Other dynamic events, also those in the directory of user events, are not
 * affected when the module is loaded or unloaded.
 */
TEST(other_dynamic_events_survive_unload)
{
	const char *elsewhere = uniq("kp"), *inside = uniq("inside");
	const char *later = uniq("later"), *event = uniq("e");
	const char *target = kprobe_target();
	char *list;

	module_must_unload();
	ASSERT_OK(dynevent_write(text("p:%s %s", elsewhere, target)));
	ASSERT_OK(dynevent_write(text("p:user_events/%s %s", inside, target)));
	if (has_synthetic_events())
		ASSERT_OK(dynevent_write(text("s:%s u32 a", uniq("synth"))));
	list = dynevent_list();

	ASSERT_OK(load(""));
	EXPECT_STREQ(dynevent_list(), list);
	EXPECT_ERRNO(dynevent_write(text("u:%s u32 a", inside)), EADDRINUSE);
	ASSERT_OK(dynevent_write(text("u:%s u32 a", event)));
	ASSERT_OK(dynevent_write(text("p:user_events/%s %s", later, target)));
	EXPECT_ERRNO(module_unload(), EWOULDBLOCK);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));

	module_must_unload();
	EXPECT_FALSE(tfs_exists("user_events_data"));
	EXPECT_CONTAINS(dynevent_list(), list);
	EXPECT_CONTAINS(dynevent_list(), later);
	EXPECT_LACKS(dynevent_list(), event);
	enable(inside, true);
	free(dynevent_list());
	enable(inside, false);
	/* Counted even if the kernel cannot record within a trap. */
	EXPECT_GT(number_after(tfs_read("kprobe_profile"), inside), 0);
	EXPECT_OK(dynevent_write(text("-:user_events/%s", inside)));
	EXPECT_OK(dynevent_write(text("-:user_events/%s", later)));
	EXPECT_OK(dynevent_write(text("-:%s", elsewhere)));
	if (has_synthetic_events())
		EXPECT_OK(
			dynevent_write(text("-:synthetic/%s", uniq("synth"))));
	check_unloaded();
}
