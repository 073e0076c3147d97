// SPDX-License-Identifier: GPL-2.0-only
/*
 * Users: the owner, group and mode of an event, which events persist, and the
 * limits of each user.
 */
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define USER 1000
#define OTHER_USER 1001
#define GROUP 2000

#define PARAMETER(name) "/sys/module/user_events/parameters/" name
#define LIMIT_FILE "/proc/sys/kernel/user_events_max"
#define PARANOID_FILE "/proc/sys/kernel/perf_event_paranoid"

/* Forks; the child is another user without capabilities. */
static pid_t fork_as(uid_t uid)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child)
		become_user(uid);

	return child;
}

/* The child ends here, and the parent waits for it. */
#define AS_USER(uid)                                       \
	for (pid_t as_user = fork_as(uid); as_user >= 0;   \
	     as_user ? (wait_child(as_user), as_user = -1) \
		     : (_exit(harness_failed()), 0))       \
		if (!as_user)

/* Defines "NAME u32 a" with this text behind the name. */
static int define(const char *name, const char *rights)
{
	return dynevent_write(text("u:%s%s u32 a", name, rights));
}

static int join(int fd, const char *name)
{
	return reg(fd, text("%s u32 a", name), NULL);
}

/* --- owner, group and mode ------------------------------------------------- */

TEST(stranger_cannot_register_protected_event)
{
	const char *name = uniq("own");
	int fd = data_open();
	uint32_t word = 0;

	ASSERT_OK(define(name, ":uid=0,gid=0,mode=0600"));
	AS_USER(USER)
	{
		EXPECT_ERRNO(join(fd, name), EACCES);
		EXPECT_ERRNO(reg(fd, text("%s u64 b", name), NULL), EACCES);
		EXPECT_ERRNO(reg_word(fd, text("%s u32 a", name), &word, 0),
			     EACCES);
		EXPECT_ERRNO(reg_enabler(fd, name, &word, sizeof(word), 0,
					 USER_EVENT_REG_MULTI_FORMAT),
			     EACCES);
		EXPECT_ERRNO(unreg(fd, &word, 0), ENOENT);
		EXPECT_ERRNO(del(fd, name), EPERM);
		/* Nothing was registered. */
		EXPECT_EQ(must_reg(fd, uniq("other")), 0);
	}
	EXPECT_OK(join(data_open(), name));
}

/**
 * struct right_row - a process that registers an event of another user
 * @rights: of the event
 * @uid: the process
 * @gid: its group
 * @error: the expected error, or 0
 */
static const struct right_row {
	const char *rights;
	uid_t uid;
	gid_t gid;
	int error;
} rows[] = {
	{ "", USER, USER, 0 },
	{ ":uid=0,gid=0,mode=0622", USER, USER, 0 },
	{ ":uid=0,gid=0,mode=2", USER, USER, 0 },
	{ ":uid=0,gid=0,mode=0620", USER, USER, EACCES },
	{ ":uid=0,gid=0,mode=664", USER, USER, EACCES },
	{ ":uid=1000,gid=0,mode=0600", USER, USER, 0 },
	{ ":uid=1000,gid=0,mode=0422", USER, USER, EACCES },
	{ ":uid=1000,gid=0,mode=0600", OTHER_USER, OTHER_USER, EACCES },
	{ ":uid=0,gid=2000,mode=0620", USER, GROUP, 0 },
	{ ":uid=0,gid=2000,mode=0642", USER, GROUP, EACCES },
	{ ":uid=0,gid=2000,mode=0620", USER, USER, EACCES },
	{ ":uid=1000,gid=2000,mode=0620", OTHER_USER, GROUP, 0 },
	/* Flags that the kernel does not know are ignored. */
	{ ":BPF_ITER,FUTURE", USER, USER, 0 },
	{ ":", USER, USER, 0 },
};

static void expect_row(const struct right_row *row, const char *name, int fd)
{
	int ret;

	/* A supplementary group counts as the first one. */
	ASSERT_OK(setgroups(1, &row->gid));
	become_user(row->uid);
	ret = join(fd, name);
	EXPECT_EQ(ret ? errno : 0, row->error);
}

TEST(mode_of_class_applies)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = uniq(text("row%zu", i));
		int fd = data_open();

		harness_context("%s of %u:%u", rows[i].rights, rows[i].uid,
				rows[i].gid);
		EXPECT_OK(define(name, rows[i].rights));
		if (in_child()) {
			expect_row(&rows[i], name, fd);
			end_child();
		}
		close(fd);
	}
}

TEST(rejects_invalid_rights)
{
	static const char *const bad[] = {
		":mode=0600",
		":uid=0",
		":uid=0,gid=0",
		":gid=0,uid=0,mode=0600",
		":uid=0,gid=0,mode=",
		":uid=0,gid=0,mode=8",
		":uid=0,gid=0,mode=0777",
		":uid=0,gid=0,mode=01000",
		":uid=0,gid=0,mode=-1",
		":uid=0,gid=0,mode=0600,",
		":uid=0,gid=0,mode=0600,FUTURE",
		":FUTURE,uid=0,gid=0,mode=0600",
		":uid=root,gid=0,mode=0600",
		":uid=-1,gid=0,mode=0600",
		":uid=4294967295,gid=0,mode=0600",
		":uid=4294967296,gid=0,mode=0600",
		":uid=0,gid=4294967295,mode=0600",
		":uid=0,gid=0;mode=0600",
		":=",
	};
	const char *name = uniq("e");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		harness_context("%s", bad[i]);
		EXPECT_ERRNO(define(name, bad[i]), EINVAL);
		EXPECT_FALSE(status_line(name));
	}
	harness_context(NULL);
	ASSERT_OK(define(name, ""));
	EXPECT_ERRNO(define(name, ":mode=0600"), EINVAL);
	EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", name)));
}

/* The lists of an event without rights are those of the kernel. */
TEST(dynamic_events_lists_rights)
{
	const char *name = uniq("e"), *line;
	int fd;

	ASSERT_OK(define(name, ""));
	EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", name)));
	EXPECT_OK(define(name, ":uid=1000,gid=0,mode=0"));
	EXPECT_TRUE(dynevent_listed(
		text("u:%s:uid=1000,gid=0,mode=0000 u32 a", name)));
	line = text("u:%s:uid=1000,gid=4294967294,mode=0660 u32 a", name);
	EXPECT_OK(define(name, ":uid=01000,gid=4294967294,mode=660"));
	EXPECT_TRUE(dynevent_listed(line));
	/* A definition without rights does not change them. */
	EXPECT_OK(define(name, ""));
	fd = data_open();
	EXPECT_OK(join(fd, name));
	close(fd);
	EXPECT_TRUE(dynevent_listed(line));
	EXPECT_ERRNO(
		dynevent_write(text("u:%s:uid=0,gid=0,mode=0 u64 b", name)),
		EADDRINUSE);
	EXPECT_TRUE(dynevent_listed(line));
	EXPECT_STREQ(status_line(name),
		     text("%llu:%s", number_after(status_line(name), ""),
			  name));
	/* The line defines the event again. */
	EXPECT_OK(dynevent_write(text("-:%s", name)));
	EXPECT_FALSE(dynevent_listed(line));
	EXPECT_OK(dynevent_write(line));
	EXPECT_TRUE(dynevent_listed(line));
	/* Rights make no difference for the deletion. */
	EXPECT_ERRNO(dynevent_write(text("-:%s_:mode=0 u32 a", name)), ENOENT);
	EXPECT_ERRNO(dynevent_write(text("-:%s:mode=0 u64 a", name)), ENOENT);
	EXPECT_OK(dynevent_write(text("!%s", line)));
	EXPECT_FALSE(dynevent_listed(line));
}

TEST(setting_rights_needs_capability)
{
	int list = tfs_open(O_WRONLY, "dynamic_events");
	const char *name = uniq("e"), *line;

	ASSERT_OK(list);
	AS_USER(USER)
	{
		line = text("u:%s:uid=0,gid=0,mode=0600 u32 a", name);
		EXPECT_ERRNO(write(list, line, strlen(line)), EPERM);
		line = text("u:%s:FUTURE u32 a", name);
		EXPECT_OK(write(list, line, strlen(line)));
		/* Also of its own event. */
		line = text("u:%s:uid=0,gid=0,mode=0600 u32 a", name);
		EXPECT_ERRNO(write(list, line, strlen(line)), EPERM);
	}
	EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", name)));
}

/* As in Linux 6.1: a program cannot set rights by accident. */
TEST(registration_ignores_rights)
{
	const char *name = uniq("e");
	int fd = data_open();

	must_reg(fd, text("%s:mode=0600,uid=x u32 a", name));
	EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", name)));
	AS_USER(USER)
	EXPECT_OK(join(fd, name));
}

/* As the mode of a file, which is checked by open(). */
TEST(rights_are_checked_at_registration)
{
	const char *name = uniq("e");
	int fd = data_open();
	uint32_t payload = 7;

	ASSERT_OK(define(name, ""));
	enable(name, true);
	AS_USER(USER)
	{
		EXPECT_EQ(must_reg(fd, text("%s u32 a", name)), 0);
	}
	EXPECT_OK(define(name, ":uid=0,gid=0,mode=0600"));
	AS_USER(USER)
	{
		EXPECT_OK(emit(fd, 0, &payload, sizeof(payload)));
		EXPECT_ERRNO(join(fd, name), EACCES);
		EXPECT_OK(emit(fd, 0, &payload, sizeof(payload)));
	}
	EXPECT_EQ(trace_count(NULL, name), 2);
	enable(name, false);
}

TEST(owner_can_delete)
{
	const char *name = uniq("e");
	int fd = data_open();

	ASSERT_OK(define(name, ":uid=1000,gid=1001,mode=0660"));
	AS_USER(OTHER_USER)
	EXPECT_ERRNO(del(fd, name), EPERM);
	AS_USER(USER)
	EXPECT_OK(del(fd, name));
	EXPECT_FALSE(status_line(name));
}

/* A process with only one capability. */
static void keep_capability(int capability)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { 0 };

	ASSERT_OK(prctl(PR_SET_KEEPCAPS, 1));
	become_user(USER);
	data[capability / 32].permitted = 1U << (capability % 32);
	data[capability / 32].effective = 1U << (capability % 32);
	ASSERT_OK(syscall(SYS_capset, &head, data));
}

TEST(capability_overrides_mode)
{
	static const int passing[] = { CAP_SYS_ADMIN, CAP_DAC_OVERRIDE };
	const char *name = uniq("e");
	size_t i;

	ASSERT_OK(define(name, ":uid=0,gid=0,mode=0"));
	for (i = 0; i < ARRAY_SIZE(passing); i++) {
		int fd = data_open();
		pid_t child = fork();

		ASSERT_OK(child);
		if (!child) {
			keep_capability(passing[i]);
			if (passing[i] == CAP_SYS_ADMIN)
				EXPECT_OK(join(fd, name));
			else
				EXPECT_ERRNO(join(fd, name), EACCES);
			_exit(harness_failed());
		}
		wait_child(child);
		close(fd);
	}
}

/* --- perf ------------------------------------------------------------------- */

/* Whether any user can attach perf, as far as the kernel is concerned. */
static void open_perf_to_users(void)
{
	if (write_file("1", PARANOID_FILE))
		SKIP("no perf");
}

static bool is_enabled(const char *name)
{
	return strstr(status_line(name), "perf");
}

TEST(stranger_cannot_enable_event_with_perf)
{
	char *saved = read_file(PARANOID_FILE);
	const char *name = uniq("e");
	unsigned int id;
	int fd;

	open_perf_to_users();
	ASSERT_OK(define(name, ":uid=1001,gid=0,mode=0622"));
	id = event_id(name);
	AS_USER(USER)
	{
		EXPECT_ERRNO(perf_open(id, 0, -1, PERF_COUNT), EACCES);
		/* The kernel has refused records before. */
		EXPECT_ERRNO(perf_open(id, 0, -1, 0), EPERM);
	}
	EXPECT_FALSE(is_enabled(name));
	AS_USER(OTHER_USER)
	EXPECT_OK(perf_open(id, 0, -1, PERF_COUNT));
	EXPECT_OK(define(name, ":uid=0,gid=0,mode=0666"));
	AS_USER(USER)
	EXPECT_OK(perf_open(id, 0, -1, PERF_COUNT));
	EXPECT_OK(define(name, ":uid=0,gid=0,mode=0"));
	AS_USER(USER)
	EXPECT_ERRNO(perf_open(id, 0, -1, PERF_COUNT), EACCES);
	fd = perf_open(id, 0, -1, PERF_COUNT);
	EXPECT_OK(fd);
	EXPECT_TRUE(is_enabled(name));
	close(fd);
	/* All users may have all records. */
	EXPECT_OK(write_file("-1", PARANOID_FILE));
	AS_USER(USER)
	EXPECT_OK(perf_open(id, 0, -1, 0));
	EXPECT_OK(write_file(saved, PARANOID_FILE));
}

/* The process that forks may lack the permission of the one that traces it. */
TEST(perf_event_is_inherited_without_permission)
{
	const char *name = uniq("e");
	int fd = data_open(), perf;
	uint32_t payload = 7;
	pid_t child;

	ASSERT_OK(define(name, ""));
	perf = perf_open(event_id(name), 0, -1, PERF_COUNT | PERF_INHERIT);
	ASSERT_OK(perf);
	AS_USER(USER)
	{
		EXPECT_EQ(must_reg(fd, text("%s u32 a", name)), 0);
		child = fork();
		ASSERT_OK(child);
		if (!child)
			_exit(emit(fd, 0, &payload, sizeof(payload)) < 0);
		wait_child(child);
	}
	EXPECT_EQ(perf_count(perf), 1);
	close(perf);
}

/* --- persistence ------------------------------------------------------------ */

/* A user has registered an event that does not persist. */
struct transient {
	const char *name;
	int end;
	pid_t child;
};

static void transient_start(struct transient *transient, uid_t uid)
{
	int fd = data_open(), ready[2], end[2];
	uint32_t word = 0;
	char byte;

	transient->name = uniq("transient");
	ASSERT_OK(pipe(ready));
	ASSERT_OK(pipe(end));
	transient->child = fork_as(uid);
	if (!transient->child) {
		close(end[1]);
		must_reg_word(fd, text("%s u32 a", transient->name), &word, 0);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		_exit(read(end[0], &byte, 1) != 0);
	}
	ASSERT_EQ(read(ready[0], &byte, 1), 1);
	transient->end = end[1];
	close(end[0]);
	close(fd);
}

static void transient_end(struct transient *transient)
{
	close(transient->end);
	wait_child(transient->child);
}

TEST(event_of_another_user_does_not_persist)
{
	int fd = data_open(), list = tfs_open(O_WRONLY, "dynamic_events");
	struct transient transient;
	const char *line;

	ASSERT_OK(list);
	transient_start(&transient, USER);
	line = text("u:%s u32 a", transient.name);
	AS_USER(OTHER_USER)
	{
		close(transient.end);
		EXPECT_OK(join(fd, transient.name));
		/* What is not possible is not reported as done. */
		EXPECT_ERRNO(write(list, line, strlen(line)), EPERM);
	}
	close(fd);
	transient_end(&transient);
	wait_deleted(transient.name);
}

TEST(own_event_persists)
{
	struct transient transient;
	int fd = data_open();

	transient_start(&transient, USER);
	AS_USER(USER)
	{
		close(transient.end);
		EXPECT_OK(join(fd, transient.name));
	}
	close(fd);
	transient_end(&transient);
	EXPECT_TRUE(status_line(transient.name));
}

TEST(capability_makes_event_of_another_user_persist)
{
	struct transient transient;
	int fd = data_open();

	transient_start(&transient, USER);
	EXPECT_OK(join(fd, transient.name));
	close(fd);
	transient_end(&transient);
	EXPECT_TRUE(status_line(transient.name));
}

TEST(persistent_enabler_needs_capability)
{
	const char *own = uniq("own"), *theirs = uniq("theirs");
	int fd = data_open();
	uint32_t word = 0;

	must_reg_word(fd, theirs, &word, 1);
	AS_USER(65534)
	{
		EXPECT_ERRNO(reg_enabler(fd, own, &word, sizeof(word), 0,
					 USER_EVENT_REG_PERSIST),
			     EPERM);
		EXPECT_ERRNO(reg_enabler(fd, theirs, &word, sizeof(word), 0,
					 USER_EVENT_REG_PERSIST),
			     EPERM);
	}
	EXPECT_FALSE(status_line(own));
}

/* --- limits of a user ------------------------------------------------------- */

static const char *numbered(const char *name, unsigned int i)
{
	return text("%s_%u", name, i);
}

/* Registers until that fails. Return: number of events. */
static unsigned int fill(int fd, const char *name, unsigned int max)
{
	unsigned int i;

	for (i = 0; i < max; i++)
		if (join(fd, numbered(name, i))) {
			EXPECT_EQ(errno, EMFILE);
			break;
		}

	return i;
}

TEST(events_of_a_user_are_limited)
{
	char *saved = read_file(PARAMETER("max_events_per_user"));
	const char *theirs = uniq("theirs"), *own = uniq("own");
	const char *more = uniq("more");
	uint32_t word = 0;
	unsigned int i;
	int fd;

	ASSERT_TRUE(saved);
	ASSERT_OK(define(theirs, ""));
	ASSERT_OK(write_file("3", PARAMETER("max_events_per_user")));
	fd = data_open();
	AS_USER(USER)
	{
		EXPECT_EQ(fill(fd, own, 5), 3);
		EXPECT_ERRNO(reg_word(fd, more, &word, 0), EMFILE);
		EXPECT_OK(join(fd, theirs));
		EXPECT_OK(join(fd, numbered(own, 1)));
	}
	AS_USER(OTHER_USER)
	EXPECT_EQ(fill(fd, uniq("others"), 4), 3);
	EXPECT_EQ(fill(fd, uniq("root"), 4), 4);
	close(fd);

	/* What is deleted does not count. */
	EXPECT_OK(del_event(numbered(own, 0)));
	fd = data_open();
	AS_USER(USER)
	EXPECT_EQ(fill(fd, more, 5), 1);
	close(fd);
	for (i = 1; i < 3; i++)
		EXPECT_OK(del_event(numbered(own, i)));
	EXPECT_OK(del_event(numbered(more, 0)));
	fd = data_open();
	AS_USER(USER)
	EXPECT_EQ(fill(fd, own, 5), 3);
	EXPECT_OK(write_file(saved, PARAMETER("max_events_per_user")));
}

/* Events that do not persist, and registrations that fail. */
TEST(events_of_exited_processes_do_not_count)
{
	char *saved = read_file(PARAMETER("max_events_per_user"));
	const char *first = uniq("a"), *second = uniq("b");
	uint32_t word = 0;
	unsigned int i;
	int fd;

	ASSERT_TRUE(saved);
	ASSERT_OK(write_file("2", PARAMETER("max_events_per_user")));
	for (i = 0; i < 3; i++) {
		fd = data_open();
		AS_USER(USER)
		{
			EXPECT_ERRNO(reg_word(fd, first, NULL, 0), ENOMEM);
			EXPECT_ERRNO(reg(fd, text("%s u32", first), NULL),
				     EINVAL);
			must_reg_word(fd, first, &word, 0);
			must_reg_word(fd, second, &word, 1);
			EXPECT_ERRNO(reg_word(fd, uniq("c"), &word, 2), EMFILE);
		}
		close(fd);
		/* The references of dead processes do not count. */
		EXPECT_ERRNO(del_event(first), ENOENT);
		EXPECT_ERRNO(del_event(second), ENOENT);
	}
	EXPECT_OK(write_file(saved, PARAMETER("max_events_per_user")));
}

/* By default, one user cannot use up all events. */
TEST(a_user_gets_half_of_the_events)
{
	char *saved = read_file(LIMIT_FILE);
	unsigned int active, max;
	int fd = data_open();

	ASSERT_TRUE(saved);
	EXPECT_STREQ(read_file(PARAMETER("max_events_per_user")), "0\n");
	active = number_after(tfs_read("user_events_status"), "Active: ");
	max = 2 * active + 9;
	ASSERT_OK(write_file(text("%u", max), LIMIT_FILE));
	AS_USER(65534)
	EXPECT_EQ(fill(fd, uniq("a"), max), active + 5);
	AS_USER(USER)
	EXPECT_OK(join(fd, uniq("b")));
	EXPECT_OK(join(fd, uniq("c")));
	EXPECT_OK(write_file(saved, LIMIT_FILE));
}

/* Creates a user namespace that has the caller and another user. */
static void enter_namespace(int parent)
{
	char byte;

	if (unshare(CLONE_NEWUSER))
		_exit(4);
	EXPECT_EQ(write(parent, "", 1), 1);
	EXPECT_EQ(read(parent, &byte, 1), 1);
	become_user(1);
}

TEST(user_namespace_does_not_multiply_limit)
{
	char *saved = read_file(PARAMETER("max_events_per_user"));
	int fd = data_open(), ends[2], status;
	pid_t child;
	char byte;

	ASSERT_TRUE(saved);
	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	ASSERT_OK(write_file("2", PARAMETER("max_events_per_user")));
	write_file("1", "/proc/sys/kernel/unprivileged_userns_clone");
	AS_USER(USER)
	EXPECT_OK(join(fd, uniq("a")));
	child = fork_as(USER);
	if (!child) {
		close(ends[1]);
		enter_namespace(ends[0]);
		EXPECT_EQ(fill(fd, uniq("b"), 3), 1);
		_exit(harness_failed());
	}
	close(ends[0]);
	if (read(ends[1], &byte, 1) == 1) {
		EXPECT_OK(write_file("0 1000 1\n1 100000 1\n",
				     text("/proc/%d/uid_map", child)));
		EXPECT_OK(write_file("0 1000 1\n1 100000 1\n",
				     text("/proc/%d/gid_map", child)));
		EXPECT_EQ(write(ends[1], "", 1), 1);
	}
	ASSERT_EQ(waitpid(child, &status, 0), child);
	EXPECT_OK(write_file(saved, PARAMETER("max_events_per_user")));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 4)
		SKIP("no user namespaces");
	EXPECT_EQ(status, 0);
}

#define ENABLERS 5

/* Registers enablers of one value, from this bit on. */
static void add_enablers(int fd, const char *event, uint32_t *word,
			 unsigned int first)
{
	unsigned int i;

	for (i = 0; i < ENABLERS; i++)
		must_reg_word(fd, event, word, first + i);
}

/* The child of a process at the limit gets a copy if it changes its enablers. */
static void expect_in_child(int fd, const char *event, uint32_t *word,
			    int error)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		if (error)
			EXPECT_ERRNO(unreg(fd, word, 0), error);
		else
			EXPECT_OK(unreg(fd, word, 0));
		if (!error)
			EXPECT_OK(reg_word(fd, event, word, 0));
		EXPECT_ERRNO(reg_word(fd, event, word, ENABLERS), EMFILE);
		_exit(harness_failed());
	}
	wait_child(child);
}

TEST(enablers_of_a_user_are_limited)
{
	char *saved = read_file(PARAMETER("max_enablers_per_user"));
	const char *name = uniq("e");
	uint32_t word = 0;
	unsigned int i;
	int fd;

	ASSERT_TRUE(saved);
	EXPECT_STREQ(saved, "0\n");
	ASSERT_OK(write_file("5", PARAMETER("max_enablers_per_user")));
	for (i = 0; i < 3; i++) {
		fd = data_open();
		AS_USER(USER)
		{
			add_enablers(fd, name, &word, 0);
			EXPECT_ERRNO(reg_word(fd, name, &word, 5), EMFILE);
			EXPECT_ERRNO(reg_word(fd, name, &word, 4), EADDRINUSE);
			EXPECT_OK(unreg(fd, &word, 4));
			must_reg_word(fd, name, &word, 5);
			EXPECT_OK(unreg(fd, &word, 5));
			must_reg_word(fd, name, &word, 4);
			EXPECT_ERRNO(reg_word(fd, name, &word, 5), EMFILE);
			expect_in_child(fd, name, &word, EMFILE);
		}
		close(fd);
		/* The enablers of dead processes do not count. */
		EXPECT_ERRNO(del_event(name), ENOENT);
	}
	EXPECT_OK(write_file(saved, PARAMETER("max_enablers_per_user")));
}

TEST(copied_enablers_count)
{
	char *saved = read_file(PARAMETER("max_enablers_per_user"));
	const char *name = uniq("e");
	uint32_t word = 0;
	int fd = data_open();

	ASSERT_TRUE(saved);
	ASSERT_OK(write_file("10", PARAMETER("max_enablers_per_user")));
	AS_USER(USER)
	{
		add_enablers(fd, name, &word, 0);
		expect_in_child(fd, name, &word, 0);
	}
	EXPECT_OK(write_file(saved, PARAMETER("max_enablers_per_user")));
}

TEST(enablers_of_other_users_are_not_limited)
{
	char *saved = read_file(PARAMETER("max_enablers_per_user"));
	const char *name = uniq("e");
	struct transient transient;
	uint32_t word = 0;
	int fd = data_open();
	unsigned int i;

	ASSERT_TRUE(saved);
	ASSERT_OK(write_file("1", PARAMETER("max_enablers_per_user")));
	transient_start(&transient, USER);
	AS_USER(USER)
	EXPECT_ERRNO(reg_word(fd, name, &word, 0), EMFILE);
	AS_USER(OTHER_USER)
	{
		must_reg_word(fd, name, &word, 0);
		EXPECT_ERRNO(reg_word(fd, name, &word, 1), EMFILE);
	}
	add_enablers(fd, name, &word, 0);
	transient_end(&transient);
	EXPECT_OK(write_file(saved, PARAMETER("max_enablers_per_user")));
	for (i = 0; i < ENABLERS; i++)
		EXPECT_OK(unreg(fd, &word, i));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
