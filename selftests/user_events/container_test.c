// SPDX-License-Identifier: GPL-2.0-only
/*
 * Containers: user_events_data as their only file of tracefs, open files with a
 * prefix for the names of their events, and lists of a user's own events.
 */
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define USER 1000
#define OTHER_USER 1001

/* --- an open file with a prefix --------------------------------------------- */

static int set_prefix(int fd, const char *prefix)
{
	const struct user_prefix argument = {
		.size = sizeof(argument),
		.prefix = (uintptr_t)prefix,
	};

	return ioctl(fd, DIAG_IOCSPREFIX, &argument);
}

/* Opens user_events_data with a prefix. */
static int prefix_open(const char *prefix)
{
	int fd = data_open();

	ASSERT_OK(set_prefix(fd, prefix));

	return fd;
}

TEST(prefix_excludes_other_names)
{
	const char *prefix = uniq("mine"), *other = uniq("other");
	uint32_t word = 0;
	int fd = prefix_open(prefix), another;

	EXPECT_ERRNO(reg(fd, text("%s u32 a", other), NULL), EPERM);
	EXPECT_ERRNO(reg(fd, text("%s: u32 a", other), NULL), EPERM);
	EXPECT_ERRNO(reg(fd, text(" %s_a", prefix), NULL), EPERM);
	EXPECT_ERRNO(reg(fd, "", NULL), EPERM);
	EXPECT_ERRNO(reg_word(fd, other, &word, 0), EPERM);
	EXPECT_ERRNO(reg_enabler(fd, other, &word, sizeof(word), 0,
				 USER_EVENT_REG_MULTI_FORMAT),
		     EPERM);
	EXPECT_ERRNO(unreg(fd, &word, 0), ENOENT);
	EXPECT_FALSE(tfs_exists("events/user_events/%s", other));
	/* The events of others exist, and it joins none of them. */
	another = data_open();
	must_reg(another, other);
	EXPECT_ERRNO(reg(fd, other, NULL), EPERM);
	close(another);
	EXPECT_ERRNO(del(fd, other), EPERM);
	EXPECT_OK(del_event(other));
}

TEST(prefix_permits_own_names)
{
	const char *prefix = uniq("mine");
	uint32_t word = 0;
	int fd = prefix_open(prefix);

	EXPECT_EQ(must_reg(fd, prefix), 0);
	EXPECT_EQ(must_reg(fd, text("%s_a u32 a", prefix)), 1);
	EXPECT_EQ(must_reg_word(fd, text("%s.b u32 a", prefix), &word, 0), 2);
	EXPECT_EQ(reg_enabler(fd, text("%s_c", prefix), &word, sizeof(word), 1,
			      USER_EVENT_REG_MULTI_FORMAT),
		  3);
	enable(prefix, true);
	EXPECT_OK(emit(fd, 0, NULL, 0));
	enable(prefix, false);
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	fd = prefix_open(prefix);
	EXPECT_OK(del(fd, prefix));
	EXPECT_OK(del(fd, text("%s_a", prefix)));
}

TEST(prefix_is_that_of_the_open_file)
{
	const char *other = uniq("other");
	int fd = prefix_open(uniq("mine")), ends[2], copy;

	ASSERT_OK(copy = dup(fd));
	EXPECT_ERRNO(reg(copy, other, NULL), EPERM);
	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	send_fd(ends[0], fd);
	EXPECT_ERRNO(reg(receive_fd(ends[1]), other, NULL), EPERM);
	EXPECT_EQ(must_reg(data_open(), other), 0);
}

TEST(prefix_cannot_be_replaced)
{
	const char *prefix = uniq("mine"), *other = uniq("other");
	int fd = prefix_open(prefix);

	EXPECT_ERRNO(set_prefix(fd, other), EBUSY);
	EXPECT_ERRNO(set_prefix(fd, prefix), EBUSY);
	EXPECT_ERRNO(set_prefix(fd, PREFIX), EBUSY);
	EXPECT_ERRNO(set_prefix(fd, ""), EINVAL);
	EXPECT_ERRNO(reg(fd, other, NULL), EPERM);
	EXPECT_EQ(must_reg(fd, prefix), 0);
}

TEST(prefix_keeps_events_that_were_registered_before)
{
	const char *other = uniq("other");
	int fd = open_event(other, "");

	ASSERT_OK(set_prefix(fd, uniq("mine")));
	enable(other, true);
	EXPECT_OK(emit(fd, 0, NULL, 0));
	EXPECT_ERRNO(reg(fd, other, NULL), EPERM);
}

TEST(rejects_invalid_prefix)
{
	static const char *const invalid[] = { "",     ".",	 "..",
					       "a b",  "a:b",	 "a/b",
					       "a\tb", "enable", "filter" };
	char last[258] = { 0 };
	struct {
		struct user_prefix known;
		uint32_t unknown;
	} argument = { .known = { .size = sizeof(argument) } };
	int fd = data_open();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(invalid); i++) {
		harness_context("\"%s\"", invalid[i]);
		EXPECT_ERRNO(set_prefix(fd, invalid[i]), EINVAL);
	}
	harness_context(NULL);
	memset(last, 'a', 256);
	EXPECT_ERRNO(set_prefix(fd, last), EINVAL);
	EXPECT_ERRNO(set_prefix(fd, NULL), EFAULT);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSPREFIX, NULL), EFAULT);
	argument.known.prefix = (uintptr_t) "a";
	argument.unknown = 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSPREFIX, &argument), E2BIG);
	argument.known.size = sizeof(argument.known) - 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSPREFIX, &argument), EINVAL);
	argument.known.size = sizeof(argument.known);
	argument.known.__reserved = 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSPREFIX, &argument), EINVAL);
	/* None was set. */
	EXPECT_EQ(must_reg(fd, uniq("e")), 0);
	last[255] = '\0';
	EXPECT_OK(set_prefix(fd, last));
}

static int raced_fd;

static void *set_one(void *name)
{
	return (void *)(long)(set_prefix(raced_fd, name) ? errno : 0);
}

TEST(one_of_racing_prefixes_is_set)
{
	const char *names[] = { uniq("a"), uniq("b") };
	unsigned int round, i, winner;
	pthread_t threads[2];
	void *result[2];

	for (round = 0; round < harness_rounds(200); round++) {
		raced_fd = data_open();
		for (i = 0; i < 2; i++)
			ASSERT_EQ(pthread_create(&threads[i], NULL, set_one,
						 (void *)names[i]),
				  0);
		for (i = 0; i < 2; i++)
			ASSERT_EQ(pthread_join(threads[i], &result[i]), 0);
		winner = result[0] ? 1 : 0;
		ASSERT_EQ((long)result[winner], 0);
		ASSERT_EQ((long)result[!winner], EBUSY);
		ASSERT_ERRNO(reg(raced_fd, names[!winner], NULL), EPERM);
		close(raced_fd);
	}
}

/* --- containers ------------------------------------------------------------- */

/**
 * struct container - a container as its program sees it
 * @socket: to its creator
 * @data: path of user_events_data, or NULL
 * @name: name for its event
 */
struct container {
	int socket;
	const char *data;
	const char *name;
};

#define ROOT "/tmp"

/* Makes a root directory for the container, with that file only. */
static void make_root(const char *data)
{
	ASSERT_OK(unshare(CLONE_NEWNS));
	ASSERT_OK(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	ASSERT_OK(mount("tmpfs", ROOT, "tmpfs", 0, NULL));
	ASSERT_OK(chmod(ROOT, 0755));
	if (!data)
		return;
	ASSERT_OK(close(open(ROOT "/data", O_CREAT, 0600)));
	ASSERT_OK(mount(data, ROOT "/data", NULL, MS_BIND, NULL));
}

/*
 * The creator maps root in the namespace to USER. The kernel has no user
 * namespaces for processes with another root directory.
 */
static void enter_container(int creator)
{
	char byte;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID))
		_exit(HARNESS_SKIP);
	ASSERT_EQ(write(creator, "", 1), 1);
	ASSERT_EQ(read(creator, &byte, 1), 1);
	become_user(0);
	ASSERT_OK(chroot(ROOT));
	ASSERT_OK(chdir("/"));
}

static int open_in_container(const struct container *container)
{
	return container->data ? open(container->data, O_WRONLY)
			       : receive_fd(container->socket);
}

/*
 * The first process in its pid namespace. Records have its number in the initial
 * one, and it adds the number that it knows.
 */
static void contained_program(const struct container *container)
{
	volatile uint32_t word = 0;
	uint32_t pid = getpid();
	unsigned int index;
	int fd = open_in_container(container);
	char byte;

	ASSERT_OK(fd);
	ASSERT_EQ(pid, 1);
	EXPECT_ERRNO(open("/sys/kernel/tracing/trace", O_RDONLY), ENOENT);
	index = must_reg_word(fd, text("%s u32 pid", container->name), &word,
			      0);
	ASSERT_EQ(write(container->socket, "", 1), 1);
	ASSERT_EQ(read(container->socket, &byte, 1), 1);
	EXPECT_EQ(word, 1);
	EXPECT_EQ(emit(fd, index, &pid, sizeof(pid)), 8);
	ASSERT_EQ(write(container->socket, "", 1), 1);
	ASSERT_EQ(read(container->socket, &byte, 1), 1);
	EXPECT_EQ(word, 0);
}

static void run_container(struct container *container, const char *data)
{
	pid_t first;
	int status;

	make_root(data);
	enter_container(container->socket);
	first = fork();
	ASSERT_OK(first);
	if (!first) {
		/* Its files, and the socket, belong to it alone. */
		contained_program(container);
		_exit(harness_failed());
	}
	ASSERT_EQ(waitpid(first, &status, 0), first);
	_exit(status || harness_failed());
}

static void map_users(pid_t child)
{
	EXPECT_OK(write_file(text("0 %d 1\n", USER),
			     text("/proc/%d/uid_map", child)));
	EXPECT_OK(write_file(text("0 %d 1\n", USER),
			     text("/proc/%d/gid_map", child)));
}

static void expect_both_pids(const char *name)
{
	static const uint32_t pid_inside = 1;
	struct record record;
	uint32_t pid;

	ASSERT_TRUE(raw_next(event_id(name), &record));
	/* The common fields end with the pid. */
	memcpy(&pid, record.bytes + 4, sizeof(pid));
	EXPECT_GT(pid, 1);
	EXPECT_FALSE(memcmp(record.bytes + common_fields_size(), &pid_inside,
			    sizeof(pid_inside)));
	EXPECT_EQ(kill(pid, 0), 0);
}

/*
 * Starts a container, and enables its event while it runs. Return: false if the
 * kernel has no user namespaces.
 */
static bool trace_container(const char *data, int fd)
{
	struct container container = { .data = data ? "/data" : NULL,
				       .name = uniq("boxed") };
	int ends[2], status;
	pid_t child;
	char byte;

	write_file("1", "/proc/sys/kernel/unprivileged_userns_clone");
	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	child = fork();
	ASSERT_OK(child);
	container.socket = ends[1];
	if (!child) {
		close(ends[0]);
		run_container(&container, data);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) == 1) {
		map_users(child);
		ASSERT_EQ(write(ends[0], "", 1), 1);
		if (!data)
			send_fd(ends[0], fd);
		ASSERT_EQ(read(ends[0], &byte, 1), 1);
		pin_to_cpu(0);
		enable(container.name, true);
		ASSERT_EQ(write(ends[0], "", 1), 1);
		ASSERT_EQ(read(ends[0], &byte, 1), 1);
		expect_both_pids(container.name);
		enable(container.name, false);
		ASSERT_EQ(write(ends[0], "", 1), 1);
	}
	ASSERT_EQ(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == HARNESS_SKIP)
		return false;
	EXPECT_EQ(status, 0);

	return true;
}

static const char *data_path(void)
{
	return text("%s/user_events_data", tracefs());
}

TEST(bind_mount_of_one_file_is_enough)
{
	struct stat before;
	bool has_namespaces;

	ASSERT_OK(stat(data_path(), &before));
	ASSERT_OK(chmod(data_path(), 0666));
	has_namespaces = trace_container(data_path(), -1);
	EXPECT_OK(chmod(data_path(), before.st_mode & 07777));
	if (!has_namespaces)
		SKIP("no user namespaces");
}

TEST(received_descriptor_is_enough)
{
	if (!trace_container(NULL, data_open()))
		SKIP("no user namespaces");
}

/* The file is not accessible by its mode, so that it cannot be opened again. */
TEST(prefix_cannot_be_evaded)
{
	int fd = prefix_open(uniq("mine"));

	if (in_child()) {
		become_user(USER);
		EXPECT_ERRNO(open(text("/proc/self/fd/%d", fd), O_RDWR),
			     EACCES);
		EXPECT_ERRNO(reg(fd, uniq("other"), NULL), EPERM);
		end_child();
	}
}

/* --- lists of a user's own events -------------------------------------------- */

#define OWN_FILE "/sys/module/user_events/parameters/status_own"

/* Returns the list that another user reads. */
static char *list_of(uid_t user, const char *file)
{
	int ends[2];
	char *content;

	ASSERT_OK(pipe(ends));
	if (in_child()) {
		int fd;

		become_user(user);
		fd = open(text("%s/%s", tracefs(), file), O_RDONLY);
		ASSERT_OK(fd);
		content = read_fd(fd);
		ASSERT_TRUE(content);
		EXPECT_EQ(write(ends[1], content, strlen(content)),
			  (ssize_t)strlen(content));
		end_child();
	}
	close(ends[1]);
	content = read_fd(ends[0]);
	close(ends[0]);

	return content;
}

static void reg_as(uid_t user, int fd, const char *name)
{
	if (in_child()) {
		become_user(user);
		must_reg(fd, name);
		end_child();
	}
}

/**
 * struct access - what a test changes so that other users can read a file
 * @path: the file
 * @file: its permission bits before
 * @root: those of the directory before
 * @own: value of OWN_FILE before
 */
struct access {
	const char *path;
	mode_t file;
	mode_t root;
	char *own;
};

static struct access let_users_read(const char *file)
{
	struct access access = { .path = text("%s/%s", tracefs(), file),
				 .own = read_file(OWN_FILE) };
	struct stat status;

	ASSERT_TRUE(access.own);
	ASSERT_OK(stat(access.path, &status));
	access.file = status.st_mode & 07777;
	ASSERT_OK(stat(tracefs(), &status));
	access.root = status.st_mode & 07777;
	ASSERT_OK(chmod(access.path, 0444));
	ASSERT_OK(chmod(tracefs(), 0711));

	return access;
}

static void restore(const struct access *access)
{
	EXPECT_OK(write_file(access->own, OWN_FILE));
	EXPECT_OK(chmod(access->path, access->file));
	EXPECT_OK(chmod(tracefs(), access->root));
}

static void expect_lists(const char *file)
{
	const char *mine = uniq("mine"), *other = uniq("other");
	struct access access = let_users_read(file);
	int fd = data_open();
	char *list;

	reg_as(USER, fd, mine);
	reg_as(OTHER_USER, fd, other);

	list = list_of(USER, file);
	EXPECT_CONTAINS(list, mine);
	EXPECT_CONTAINS(list, other);
	ASSERT_OK(write_file("Y", OWN_FILE));
	list = list_of(USER, file);
	EXPECT_CONTAINS(list, mine);
	EXPECT_LACKS(list, other);
	list = list_of(OTHER_USER, file);
	EXPECT_LACKS(list, mine);
	EXPECT_CONTAINS(list, other);
	list = tfs_read("%s", file);
	EXPECT_CONTAINS(list, mine);
	EXPECT_CONTAINS(list, other);

	restore(&access);
}

TEST(status_shows_own_events)
{
	expect_lists("user_events_status");
}

TEST(profile_shows_own_events)
{
	expect_lists("user_events_profile");
}

/* The profile has names of removed events, which have no owner any more. */
TEST(profile_hides_removed_events)
{
	struct access access = let_users_read("user_events_profile");
	const char *name = uniq("removed");

	close(open_event(name, "u32 a"));
	ASSERT_OK(del_event(name));
	EXPECT_CONTAINS(list_of(USER, "user_events_profile"), name);
	ASSERT_OK(write_file("Y", OWN_FILE));
	EXPECT_LACKS(list_of(USER, "user_events_profile"), name);
	EXPECT_CONTAINS(tfs_read("user_events_profile"), name);

	restore(&access);
}

/* Who has opened the file counts, not who reads it. */
TEST(opener_of_status_counts)
{
	const char *other = uniq("other");
	char *saved = read_file(OWN_FILE);
	int fd = data_open(), status = status_open();

	reg_as(OTHER_USER, fd, other);
	ASSERT_OK(write_file("Y", OWN_FILE));
	if (in_child()) {
		become_user(USER);
		EXPECT_CONTAINS(read_fd(status), other);
		end_child();
	}
	EXPECT_OK(write_file(saved, OWN_FILE));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
