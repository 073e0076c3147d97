// SPDX-License-Identifier: GPL-2.0-only
/*
 * References: which objects keep an event, and files that were opened before
 * their event was deleted.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

/*
 * Number of events that exist at the same time while a file of a deleted event is
 * open.
 */
#define REUSE_EVENTS 16

static void create_event(const char *event, const char *args)
{
	close(open_event(event, args));
}

/*
 * Reuses memory of the size of the deleted event: each of the events takes
 * another object, while an event that is created after the deletion of another
 * one takes the same.
 */
static void reuse_memory(void)
{
	const char *events[REUSE_EVENTS];
	unsigned int i;

	for (i = 0; i < REUSE_EVENTS; i++) {
		events[i] = uniq(text("reuse%u", i));
		create_event(events[i], "u64 reuse_a;char[20] reuse_b");
	}
	for (i = 0; i < REUSE_EVENTS; i++)
		EXPECT_OK(del_event(events[i]));
}

/* --- references to an event --- */

TEST(every_file_holds_a_reference)
{
	const char *event = uniq("e");
	int a = open_event(event, "");
	int b = open_event(event, "");
	int c = dup(b);

	EXPECT_ERRNO(del_event(event), EBUSY);
	close(a);
	EXPECT_ERRNO(del_event(event), EBUSY);
	close(b);
	EXPECT_ERRNO(del_event(event), EBUSY);
	close(c);
	EXPECT_OK(del_event(event));
}

TEST(repeated_registration_holds_one_reference)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	int i;

	for (i = 0; i < 100; i++)
		EXPECT_EQ(must_reg(fd, event), 0);
	close(fd);
	EXPECT_OK(del_event(event));
}

TEST(failed_registration_holds_no_reference)
{
	const char *event = uniq("e");
	int fd = data_open();
	int i;

	create_event(event, "u32 a");
	for (i = 0; i < 100; i++)
		EXPECT_ERRNO(reg(fd, text("%s u32 b", event), NULL),
			     EADDRINUSE);
	EXPECT_OK(del(fd, event));
}

TEST(child_holds_reference)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child)
		while (true)
			pause();
	close(fd);
	EXPECT_ERRNO(del_event(event), EBUSY);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	EXPECT_OK(del_event(event));
}

TEST(file_in_transit_holds_reference)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	long long start = 0;
	int sockets[2];

	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	send_fd(sockets[0], fd);
	close(fd);
	EXPECT_ERRNO(del_event(event), EBUSY);
	close(sockets[0]);
	close(sockets[1]);
	while (del_event(event))
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("cannot delete the event: %s",
			     harness_errno(errno));
			break;
		}
}

TEST(exec_releases_reference)
{
	const char *event = uniq("e");
	int fd = open_event(event, "");
	int ends[2];
	pid_t child;
	char byte;

	ASSERT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ASSERT_OK(pipe2(ends, O_CLOEXEC));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execl("/proc/self/exe", "lifetime_test", "-l", NULL);
		_exit(1);
	}
	close(fd);
	/* Returns after the child has closed its copies as well. */
	close(ends[1]);
	EXPECT_EQ(read(ends[0], &byte, 1), 0);
	wait_child(child);
	EXPECT_OK(del_event(event));
}

/* A mapping of the status page holds no reference to an event. */
TEST(mapping_holds_no_reference)
{
	const unsigned char *page = status_map();
	const char *event = uniq("e"), *second = uniq("second");
	struct user_reg_status out;
	int fd;

	create_event(event, "");
	EXPECT_OK(del_event(event));
	fd = data_open();
	ASSERT_OK(reg(fd, second, &out));
	EXPECT_FALSE(status_page_bit(page, out.status_bit));
	enable(second, true);
	EXPECT_TRUE(status_page_bit(page, out.status_bit));
}

TEST(status_file_holds_no_reference)
{
	const char *event = uniq("e");
	int status = status_open();
	char byte;

	create_event(event, "");
	EXPECT_EQ(read(status, &byte, 1), 1);
	EXPECT_OK(del_event(event));
	free(read_fd(status));
	ASSERT_EQ(lseek(status, 0, SEEK_SET), 0);
	EXPECT_LACKS(read_fd(status), event);
}

TEST(kill_releases_references)
{
	const char *event = uniq("e");
	int ends[2];
	pid_t child;
	char byte;

	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		int fd = open_event(event, "u32 a");
		uint32_t record[2] = { 0, 0 };

		status_map();
		enable(event, true);
		ASSERT_OK(perf_open(event_id(event), 0, -1, PERF_COUNT));
		ASSERT_EQ(write(ends[1], "x", 1), 1);
		while (true)
			write(fd, record, 8);
	}
	ASSERT_EQ(read(ends[0], &byte, 1), 1);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	enable(event, false);
	EXPECT_OK(del_event(event));
}

/* An event that a tracer has enabled stays after the exit of its process. */
TEST(enabled_event_outlives_process)
{
	const char *event = uniq("e");
	uint32_t record[2] = { 0, 5 };
	int fd = open_event(event, "u32 a");

	enable(event, true);
	EXPECT_EQ(write(fd, record, 8), 8);
	close(fd);
	EXPECT_ERRNO(del_event(event), EBUSY);
	EXPECT_STREQ(trace_text(event), text("%s: a=0x5 (5)", event));
	fd = open_event(event, "u32 a");
	EXPECT_EQ(write(fd, record, 8), 8);
	close(fd);
	enable(event, false);
	EXPECT_OK(del_event(event));
}

/* --- files opened before the deletion --- */

/* Fails for each line of @now that is not in @before. */
static void check_only_old_lines(const char *now, const char *before)
{
	char *copy = strdup(now), *line, *next = copy;

	while ((line = strsep(&next, "\n")))
		if (line[0] && !strstr(before, line))
			FAIL("unexpected line \"%s\"", line);
	free(copy);
}

static void check_open_file(const char *name, const char *instance,
			    bool read_some)
{
	static const char *const commands[] = { "1", "0", "a == 1", "!traceon",
						"traceon" };
	const char *event = uniq(text("%s%d", name, read_some));
	char *before, *now, piece[17] = { 0 };
	int fd;
	size_t i;

	if (!strcmp(name, "hist") && !has_hist())
		return;
	create_event(event, "u32 a;__rel_loc char[] b");
	if (instance)
		instance = text("instances/%s/", instance);
	before = tfs_read("%sevents/user_events/%s/%s", instance ?: "", event,
			  name);
	ASSERT_TRUE(before);
	fd = tfs_open(O_RDWR, "%sevents/user_events/%s/%s", instance ?: "",
		      event, name);
	if (fd < 0)
		fd = tfs_open(O_RDONLY, "%sevents/user_events/%s/%s",
			      instance ?: "", event, name);
	ASSERT_OK(fd);
	if (read_some)
		EXPECT_OK(read(fd, piece, sizeof(piece) - 1));

	EXPECT_OK(del_event(event));
	reuse_memory();
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (write(fd, commands[i], strlen(commands[i])) >= 0)
			FAIL("write of \"%s\" succeeded for a deleted event",
			     commands[i]);
	now = read_fd(fd);
	if (now)
		check_only_old_lines(text("%s%s", piece, now),
				     text("%s%s", before, piece));
	if (lseek(fd, 0, SEEK_SET) == 0) {
		now = read_fd(fd);
		if (now)
			check_only_old_lines(now, before);
	}
	close(fd);
}

static void check_open_files(const char *instance)
{
	static const char *const files[] = { "enable", "filter", "trigger",
					     "hist",   "id",	 "format" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		harness_context("%s", files[i]);
		check_open_file(files[i], instance, false);
		harness_context("%s, partially read", files[i]);
		check_open_file(files[i], instance, true);
	}
}

TEST(open_files_of_deleted_event_fail)
{
	check_open_files(NULL);
}

TEST(open_files_of_deleted_event_in_instance_fail)
{
	const char *instance = uniq("inst");

	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	check_open_files(instance);
}

/* The last user of an event exits while a file of the event is open. */
static void check_open_file_of_orphan(const char *name, const char *instance)
{
	static volatile uint32_t word;
	const char *event = uniq(name);
	int fd = data_open(), file;

	if (!strcmp(name, "hist") && !has_hist())
		return;
	must_reg_word(fd, text("%s u32 a", event), &word, 0);
	file = tfs_open(O_RDONLY, "%s%s%sevents/user_events/%s/%s",
			instance ? "instances/" : "", instance ?: "",
			instance ? "/" : "", event, name);
	ASSERT_OK(file);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	wait_deleted(event);
	reuse_memory();
	close(file);
}

TEST(orphan_goes_although_its_files_are_open)
{
	static const char *const files[] = { "enable", "filter", "trigger",
					     "hist",   "id",	 "format" };
	const char *instance = uniq("inst");
	const char *path = text("%s/instances/%s", tracefs(), instance);
	size_t i;

	ASSERT_OK(mkdir(path, 0700));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		harness_context("%s", files[i]);
		check_open_file_of_orphan(files[i], NULL);
		harness_context("%s in an instance", files[i]);
		check_open_file_of_orphan(files[i], instance);
	}
	/* No reference to the instance is left. */
	EXPECT_OK(rmdir(path));
}

/* Receives a descriptor and keeps it. */
static void hold_file(int socket)
{
	int fd;

	if (try_receive_fd(socket, &fd) != 1 || fd < 0)
		_exit(1);
	write(socket, "", 1);
	pause();
	_exit(0);
}

/* Open files of an orphan, one of them only in another process. */
TEST(orphan_goes_although_its_files_are_shared)
{
	static volatile uint32_t word;
	const char *event = uniq("e"), *instance = uniq("inst");
	const char *path = text("%s/instances/%s", tracefs(), instance);
	int fd, files[4], sockets[2];
	pid_t child;
	char byte;
	size_t i;

	ASSERT_OK(mkdir(path, 0700));
	ASSERT_OK(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, sockets));
	child = fork();
	ASSERT_OK(child);
	if (!child)
		hold_file(sockets[1]);
	fd = data_open();
	must_reg_word(fd, text("%s u32 a", event), &word, 0);
	for (i = 0; i < ARRAY_SIZE(files) - 1; i++)
		files[i] = tfs_open(O_RDWR,
				    "instances/%s/events/user_events/%s/%s",
				    instance, event, i ? "enable" : "filter");
	files[i] = dup(files[0]);
	ASSERT_OK(files[i]);
	send_fd(sockets[0], files[1]);
	close(files[1]);
	ASSERT_EQ(read(sockets[0], &byte, 1), 1);

	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	wait_deleted(event);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	reuse_memory();
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (i == 1)
			continue;
		EXPECT_LT(write(files[i], "1", 1), 0);
		close(files[i]);
	}
	/* No reference to the instance is left. */
	EXPECT_OK(rmdir(path));
}

/* A file that only a socket has. On some kernels it keeps the event. */
TEST(orphan_goes_when_its_file_in_a_socket_is_closed)
{
	static volatile uint32_t word;
	const char *event = uniq("e"), *instance = uniq("inst");
	const char *path = text("%s/instances/%s", tracefs(), instance);
	int fd = data_open(), file, sockets[2];

	ASSERT_OK(mkdir(path, 0700));
	must_reg_word(fd, text("%s u32 a", event), &word, 0);
	file = tfs_open(O_RDWR, "instances/%s/events/user_events/%s/enable",
			instance, event);
	ASSERT_OK(file);
	ASSERT_OK(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, sockets));
	send_fd(sockets[0], file);
	close(file);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	if (!openers_keep_event())
		wait_deleted(event);
	reuse_memory();
	close(sockets[0]);
	close(sockets[1]);
	wait_deleted(event);
	EXPECT_OK(rmdir(path));
}

/*
 * A removed instance stays in the list of instances while its directory or a
 * file is open. Reading "format" of an event in it accesses the event. The other
 * files access objects of the instance.
 */
static void check_removed_instance(bool has_dir_open)
{
	const char *instance = uniq("inst"), *stays = uniq("stays");
	const char *event = uniq("e"), *next = uniq("next");
	const char *path = text("%s/instances/%s", tracefs(), instance);
	int dir, fd;
	char *now;

	/* The newest instance is the first in the list. */
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), stays), 0700));
	ASSERT_OK(mkdir(path, 0700));
	create_event(event, "u32 a");
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ASSERT_OK(dir);
	fd = tfs_open(O_RDONLY, "instances/%s/events/user_events/%s/format",
		      instance, event);
	ASSERT_OK(fd);
	if (!has_dir_open)
		close(dir);
	/* On some kernels the open file keeps the instance. */
	if (rmdir(path)) {
		close(fd);
		fd = -1;
		ASSERT_OK(rmdir(path));
	}

	EXPECT_OK(del_event(event));
	reuse_memory();
	now = fd < 0 ? NULL : read_fd(fd);
	EXPECT_TRUE(!now || !*now);
	create_event(next, "u32 a");
	EXPECT_TRUE(tfs_exists("instances/%s/events/user_events/%s/format",
			       stays, next));
	EXPECT_OK(del_event(next));
	close(fd);
	if (has_dir_open)
		close(dir);
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), stays)));
}

TEST(open_file_of_removed_instance_fails)
{
	check_removed_instance(true);
	check_removed_instance(false);
}

/*
 * Reads a list of all events in part, deletes one of them, and reads the rest.
 */
static void check_open_list(const char *name)
{
	const char *event = uniq("gone"), *stays = uniq("stays");
	int fd = tfs_open(O_RDONLY, "%s", name);
	char *now, *removed;
	char byte;

	ASSERT_OK(fd);
	create_event(event, "u32 a");
	create_event(stays, "u32 a");
	enable(event, true);
	enable(stays, true);
	EXPECT_EQ(read(fd, &byte, 1), 1);
	enable(event, false);
	EXPECT_OK(del_event(event));
	reuse_memory();
	now = read_fd(fd);
	EXPECT_TRUE(now);
	ASSERT_EQ(lseek(fd, 0, SEEK_SET), 0);
	now = read_fd(fd);
	/* The profile has lines of removed events behind those of the others. */
	removed = strstr(now, "\n  /");
	if (removed)
		*removed = '\0';
	EXPECT_CONTAINS(now, stays);
	EXPECT_LACKS(now, event);
	EXPECT_LACKS(now, "reuse");
}

/*
 * An O_PATH descriptor can be opened later, and the kernel accesses the object
 * of the file before it notices that the file is removed. Kernels without a
 * reference count of the object, such as RHEL 9.4, open "enable" and "filter" and
 * notice it when they are read.
 */
TEST(path_descriptors_of_deleted_event_fail)
{
	static const char *const files[] = { "enable", "filter", "trigger",
					     "hist",   "id",	 "format" };
	const char *event = uniq("e");
	int names[ARRAY_SIZE(files)];
	char byte[1];
	size_t i;
	int fd;

	create_event(event, "u32 a");
	for (i = 0; i < ARRAY_SIZE(files); i++)
		names[i] = tfs_open(O_PATH, "events/user_events/%s/%s", event,
				    files[i]);
	EXPECT_OK(names[0]);
	EXPECT_OK(del_event(event));
	reuse_memory();
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		fd = open(text("/proc/self/fd/%d", names[i]), O_RDONLY);
		if (fd >= 0 && i < 2)
			EXPECT_ERRNO(read(fd, byte, 1), ENODEV);
		else if (fd >= 0)
			read_fd(fd);
		close(fd);
		close(names[i]);
	}
}

/*
 * A task has read the operations of a file, but has no reference to its object
 * yet, when the event is deleted. With a lease, the object goes when the holder
 * closes the file, before another task of its processor goes on.
 */
static void check_task_in_open(const char *name, const char *instance)
{
	static const struct sched_param idle;
	const char *event = uniq(name);
	struct open_hold hold;
	const char *path;
	pid_t child;
	int status;

	create_event(event, "u32 a");
	path = text("%s/%s%s%sevents/user_events/%s/%s", tracefs(),
		    instance ? "instances/" : "", instance ?: "",
		    instance ? "/" : "", event, name);
	hold = open_hold_start(path);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		close(hold.fd);
		/* Does not preempt the holder when it is woken. */
		EXPECT_OK(sched_setscheduler(0, SCHED_IDLE, &idle));
		_exit(errno_of_write(path));
	}
	open_hold_wait(&hold);
	if (openers_keep_event() && strcmp(name, "trigger")) {
		EXPECT_ERRNO(del_event(event), EBUSY);
		close(hold.fd);
		wait_child(child);
		EXPECT_OK(del_event(event));
		return;
	}
	EXPECT_OK(del_event(event));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
	create_event(event, "u64 b");
	EXPECT_OK(del_event(event));
	reuse_memory();
	close(hold.fd);
	EXPECT_EQ(waitpid(child, &status, 0), child);
	EXPECT_EQ(WEXITSTATUS(status), ENODEV);
}

TEST(task_in_open_of_deleted_event_fails)
{
	static const char *const files[] = { "enable", "filter", "trigger" };
	const char *instance = uniq("inst");
	const char *path = text("%s/instances/%s", tracefs(), instance);
	cpu_set_t cpus;
	size_t i;

	if (kernel_has("eventfs_create_events_dir") &&
	    !kernel_has("event_release"))
		SKIP("files of any removed event use freed memory in open()");
	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	ASSERT_OK(sched_setaffinity(0, sizeof(cpus), &cpus));
	ASSERT_OK(mkdir(path, 0700));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		harness_context("%s", files[i]);
		check_task_in_open(files[i], NULL);
		harness_context("%s in an instance", files[i]);
		check_task_in_open(files[i], instance);
	}
	/* No reference to the instance is left. */
	EXPECT_OK(rmdir(path));
}

TEST(open_lists_skip_deleted_event)
{
	static const char *const lists[] = {
		"available_events",   "set_event",	     "dynamic_events",
		"user_events_status", "user_events_profile",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		harness_context("%s", lists[i]);
		check_open_list(lists[i]);
		enable(uniq("stays"), false);
		EXPECT_OK(del_event(uniq("stays")));
	}
}

/* --- records of deleted events --- */

/* Deletion by ioctl() keeps the records, which must not harm their readers. */
TEST(records_of_deleted_event_are_readable)
{
	const char *event = uniq("e"), *next = uniq("next");
	uint32_t record[5] = { 0, 0x41414141, 0x42424242, 0xffffffff,
			       0xffffffff };
	int pipe = tfs_open(O_RDONLY | O_NONBLOCK, "trace_pipe");
	int trace = tfs_open(O_RDONLY, "trace");
	char out[4096];
	int fd, i;

	ASSERT_OK(pipe);
	ASSERT_OK(trace);
	fd = open_event(event, "u32 a;u32 b");
	enable(event, true);
	for (i = 0; i < 100; i++)
		EXPECT_EQ(write(fd, record, sizeof(record)), sizeof(record));
	EXPECT_GT(read(trace, out, 100), 0);
	enable(event, false);
	close(fd);
	EXPECT_OK(del_event(event));

	/* Another event, which might get the same type number. */
	fd = open_event(next, "__data_loc char[] x;__rel_loc char[] y");
	enable(next, true);
	free(read_fd(trace));
	EXPECT_TRUE(tfs_read("trace"));
	EXPECT_LACKS(tfs_read("trace"), text(" %s:", event));
	while (read(pipe, out, sizeof(out)) > 0)
		;
	close(pipe);
	enable(next, false);
	close(fd);
}

/*
 * A record whose type number now belongs to another event: the words of the
 * record are arbitrary locations, and the printer must stay within the record.
 * Since Linux 6.4 the next event gets the lowest free number.
 */
TEST(reused_type_number_stays_within_record)
{
	uint32_t record[4] = { 0, 0xffffffff, 0xffff0000, 0x0000ffff };
	unsigned int reused = 0, before, i;

	for (i = 0; i < 30; i++) {
		const char *event = uniq(text("%u", i));
		int fd = open_event(event, "u32 a;u32 b;u32 c");

		before = event_id(event);
		enable(event, true);
		EXPECT_EQ(write(fd, record, sizeof(record)), 16);
		enable(event, false);
		close(fd);
		EXPECT_OK(del_event(event));
		create_event(event, "__data_loc char[] a;__rel_loc char[] b;"
				    "struct s c 60000");
		if (event_id(event) == before) {
			reused++;
			EXPECT_STREQ(trace_text(event),
				     text("%s: a=<OVERFLOW> b=<OVERFLOW> "
					  "c=<OVERFLOW>",
					  event));
		}
		EXPECT_OK(del_event(event));
		if (i == 4 && !reused)
			SKIP("the kernel reuses no type number before it has "
			     "used 65535 of them");
	}
	EXPECT_EQ(reused, 30);
}

TEST(removing_instance_disables_event)
{
	const char *event = uniq("e"), *instance = uniq("inst");
	uint32_t record[2] = { 0, 1 };
	int fd = open_event(event, "u32 a");
	int i;

	for (i = 0; i < 10; i++) {
		ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance),
				0700));
		ASSERT_OK(tfs_write("1",
				    "instances/%s/events/user_events/%s/enable",
				    instance, event));
		ASSERT_OK(
			tfs_write(has_hist() ? "hist:keys=a" : "stacktrace",
				  "instances/%s/events/user_events/%s/trigger",
				  instance, event));
		EXPECT_EQ(write(fd, record, 8), 8);
		EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
		EXPECT_ERRNO(write(fd, record, 8), EBADF);
	}
	close(fd);
	EXPECT_OK(del_event(event));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
