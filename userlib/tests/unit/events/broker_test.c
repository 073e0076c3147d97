// SPDX-License-Identifier: MIT
/*
 * The broker of user_events_data: its rules, and its answers to a process that
 * is this one. A plain file stands for user_events_data.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "events/broker.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "tool.h"

static struct broker broker;

static void tear_down(void)
{
	broker_free(&broker);
	broker = (struct broker){ 0 };
}

TEST_FIXTURE(NULL, tear_down);

/* --- Rules ----------------------------------------------------------------- */

static const struct {
	const char *text;
	struct broker_rule rule;
} rules[] = {
	{ "uid=1000", { false, 1000, 1000, NULL } },
	{ "gid=5", { true, 5, 5, NULL } },
	{ "uid=root", { false, 0, 0, NULL } },
	{ "gid=root", { true, 0, 0, NULL } },
	{ "uid=100000-165535", { false, 100000, 165535, NULL } },
	{ "uid=7-7", { false, 7, 7, NULL } },
	{ "gid=1,prefix=web_", { true, 1, 1, (char *)"web_" } },
	{ "uid=1-2,prefix=a,b", { false, 1, 2, (char *)"a,b" } },
};

TEST_LOOP(reads_rule, ARRAY_SIZE(rules))
{
	const struct broker_rule *expected = &rules[_i].rule, *rule;

	ck_assert_pstr_eq(broker_add_rule(&broker, rules[_i].text), NULL);
	ck_assert_uint_eq(broker.count, 1);
	rule = broker.rules;
	ck_assert_int_eq(rule->is_group, expected->is_group);
	ck_assert_uint_eq(rule->first, expected->first);
	ck_assert_uint_eq(rule->last, expected->last);
	ck_assert_pstr_eq(rule->prefix, expected->prefix);
}

static const char *const invalid[] = {
	"",
	"1000",
	"pid=1",
	"uid=",
	"gid=",
	"uid=-1",
	"uid=no such user",
	"gid=no such group",
	"uid=2-1",
	"uid=1-",
	"uid=1-x",
	"uid=1x",
	"uid=4294967295",
	"uid=1,",
	"uid=1,prefix",
	"uid=1,prefix=",
	"uid=1,prefix=a b",
	"uid=1,prefix=a:b",
	"uid=1,prefix=a/b",
	"uid=1,prefix=.",
	"uid=1,prefix=..",
	"uid=1,prefix=enable",
	"uid=1,prefix=filter",
	"uid=1,prefix=a\tb",
	"uid=1,prefix=a\177",
	"uid=1,gid=1",
};

TEST_LOOP(rejects_rule, ARRAY_SIZE(invalid))
{
	ck_assert_ptr_nonnull(broker_add_rule(&broker, invalid[_i]));
	ck_assert_uint_eq(broker.count, 0);
}

/* The limit of the kernel */
TEST_LOOP(limits_length_of_prefix, 2)
{
	char text[300] = "uid=1,prefix=";
	size_t length = strlen(text);

	memset(text + length, 'x', 255 + (size_t)_i);
	ck_assert_int_eq(!broker_add_rule(&broker, text), !_i);
}

TEST(first_rule_applies)
{
	static const struct {
		uid_t uid;
		gid_t groups[3];
		const char *prefix; /* NULL: no rule */
	} peers[] = {
		{ 1000, { 5 }, "a" },	     { 1001, { 7 }, "b" },
		{ 1002, { 7 }, "c" },	     { 1002, { 5, 7 }, "c" },
		{ 1002, { 5, 6, 7 }, "c" },  { 999, { 8, 9 }, NULL },
		{ 0, { 0 }, NULL },	     { 7, { 1000 }, NULL },
		{ 1003, { 0, 1001 }, NULL },
	};
	size_t i;

	ck_assert_ptr_null(broker_add_rule(&broker, "uid=1000,prefix=a"));
	ck_assert_ptr_null(broker_add_rule(&broker, "uid=1000-1001,prefix=b"));
	ck_assert_ptr_null(broker_add_rule(&broker, "gid=7,prefix=c"));
	for (i = 0; i < ARRAY_SIZE(peers); i++) {
		const struct broker_peer peer = {
			.uid = peers[i].uid,
			.groups = (gid_t *)peers[i].groups,
			.group_count = ARRAY_SIZE(peers[i].groups),
		};
		const struct broker_rule *rule = broker_match(&broker, &peer);

		ck_assert_pstr_eq(rule ? rule->prefix : NULL, peers[i].prefix);
	}
}

/* --- Answers --------------------------------------------------------------- */

static void allow_this_process(const char *more)
{
	_cleanup_free_ char *rule = tool_print("uid=%u%s", geteuid(), more);

	ck_assert_pstr_eq(broker_add_rule(&broker, rule), NULL);
}

/*
 * Returns the error of an answer, or -1 if there is none; @file: set to the file
 * or -1
 */
static int32_t receive(int socket, int *file)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	int32_t error = -1;
	struct iovec vector = { &error, sizeof(error) };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	*file = -1;
	if (recvmsg(socket, &message, MSG_DONTWAIT) != sizeof(error))
		return -1;
	if (CMSG_FIRSTHDR(&message))
		memcpy(file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(*file));

	return error;
}

/* Returns the end of the process. */
static int connect_process(void)
{
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	broker_answer(&broker, ends[0]);

	return ends[1];
}

static int32_t ask(int *file)
{
	int process = connect_process();
	int32_t error = receive(process, file);

	close(process);

	return error;
}

/* The broker of connections that have not just come */
static void let_it_work(void)
{
	int idle[2];

	ck_assert_int_eq(pipe(idle), 0);
	ck_assert_int_eq(broker_wait(&broker, idle[0]), 0);
	close(idle[0]);
	close(idle[1]);
}

TEST(passes_file_open_for_writing)
{
	struct stat passed, expected;
	int fd;

	broker.path = "/dev/null";
	allow_this_process("");
	ck_assert_int_eq(ask(&fd), 0);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_WRONLY);
	ck_assert_int_eq(fstat(fd, &passed), 0);
	ck_assert_int_eq(stat("/dev/null", &expected), 0);
	ck_assert_uint_eq(passed.st_rdev, expected.st_rdev);
	close(fd);
}

/* The last group of the process: that of the caller if it is not root. */
TEST(supplementary_groups_count)
{
	gid_t groups[64] = { 7, 9, 1234 };
	bool is_root = setgroups(3, groups) == 0;
	int count = getgroups(ARRAY_SIZE(groups), groups), fd;
	_cleanup_free_ char *rule = NULL;

	rule = tool_print("gid=%u", count > 0 ? groups[count - 1] : getegid());
	broker.path = "/dev/null";
	ck_assert_ptr_null(broker_add_rule(&broker, rule));
	ck_assert_int_eq(ask(&fd), 0);
	close(fd);
	if (is_root) {
		ck_assert_int_eq(setgroups(1, groups), 0);
		ck_assert_int_eq(ask(&fd), EACCES);
	}
}

TEST(refuses_process_without_rule)
{
	int fd;

	broker.path = "/dev/null";
	ck_assert_ptr_null(broker_add_rule(&broker, "uid=4294967294"));
	ck_assert_int_eq(ask(&fd), EACCES);
	ck_assert_int_eq(fd, -1);
}

/* A file that cannot have the prefix is not passed without it. */
TEST(does_not_pass_file_without_its_prefix)
{
	int fd;

	broker.path = "/dev/null";
	allow_this_process(",prefix=a");
	ck_assert_int_eq(ask(&fd), EOPNOTSUPP);
	ck_assert_int_eq(fd, -1);
}

TEST(tells_that_user_events_are_missing)
{
	int fd;

	broker.path = "/does/not/exist";
	allow_this_process("");
	ck_assert_int_eq(ask(&fd), ENOPKG);
	ck_assert_int_eq(fd, -1);
}

/* A process that does not receive, or has closed its end, does not stop it. */
TEST(does_not_wait_for_process)
{
	char byte = 0;
	int ends[2], fd;

	broker.path = "/dev/null";
	allow_this_process("");
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	while (send(ends[0], &byte, 1, MSG_DONTWAIT) == 1)
		;
	broker_answer(&broker, dup(ends[0]));
	close(ends[1]);
	broker_answer(&broker, ends[0]);
	ck_assert_int_eq(ask(&fd), 0);
	close(fd);
}

/* Files that are not received count for the broker, until they are received. */
TEST(limits_files_on_their_way)
{
	int processes[BROKER_USER_CONNECTIONS], fd, i;

	broker.path = "/dev/null";
	allow_this_process("");
	for (i = 0; i < BROKER_USER_CONNECTIONS; i++)
		processes[i] = connect_process();
	ck_assert_int_eq(ask(&fd), ETOOMANYREFS);
	ck_assert_int_eq(fd, -1);
	/* To shut a connection down is not to receive. */
	ck_assert_int_eq(shutdown(processes[0], SHUT_RDWR), 0);
	let_it_work();
	let_it_work();
	ck_assert_int_eq(receive(processes[BROKER_USER_FILES], &fd), -1);
	ck_assert_uint_eq(broker.connection_count, BROKER_USER_CONNECTIONS);
	/* The next ones get theirs when others have received or have gone. */
	ck_assert_int_eq(receive(processes[1], &fd), 0);
	close(fd);
	close(processes[2]);
	let_it_work();
	for (i = BROKER_USER_FILES; i < BROKER_USER_FILES + 2; i++) {
		ck_assert_int_eq(receive(processes[i], &fd), 0);
		ck_assert_int_ge(fd, 0);
		close(fd);
	}
	ck_assert_int_eq(receive(processes[i], &fd), -1);
	/* One that goes before its answer is forgotten. */
	close(processes[i]);
	let_it_work();
	ck_assert_int_eq(receive(processes[i + 1], &fd), 0);
	close(fd);
}

/* A container has many users: its rule has a limit, too. */
TEST(limits_files_of_rule)
{
	int processes[BROKER_RULE_CONNECTIONS], fd, i, received = 0;

	broker.path = "/dev/null";
	allow_this_process("");
	allow_this_process("");
	for (i = 0; i < BROKER_RULE_CONNECTIONS; i++) {
		processes[i] = connect_process();
		broker.connections[i].uid = (uid_t)i;
	}
	ck_assert_int_eq(ask(&fd), ETOOMANYREFS);
	/* Those of another rule do not count. */
	for (i = 0; i < BROKER_RULE_CONNECTIONS; i++)
		broker.connections[i].rule = 1;
	ck_assert_int_eq(ask(&fd), 0);
	close(fd);
	for (i = 0; i < BROKER_RULE_CONNECTIONS; i++)
		if (!receive(processes[i], &fd)) {
			received++;
			close(fd);
		}
	ck_assert_int_eq(received, BROKER_RULE_FILES);
}

/* Files of other processes of the user of the broker can reach the limit. */
TEST(tells_that_file_cannot_be_sent)
{
	const struct rlimit limit = { 32, 32 };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .header = { .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS,
				  .cmsg_len = CMSG_LEN(sizeof(int)) } };
	struct iovec vector = { &control, 1 };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int ends[2], fd;

	/* The limit is not that of root. */
	if (!geteuid())
		ck_assert_int_eq(setresuid(65533, 65533, 65533), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	memcpy(CMSG_DATA(&control.header), &ends[0], sizeof(ends[0]));
	while (sendmsg(ends[0], &message, MSG_DONTWAIT) == 1)
		;
	ck_assert_int_eq(errno, ETOOMANYREFS);
	broker.path = "/dev/null";
	allow_this_process("");
	ck_assert_int_eq(ask(&fd), ETOOMANYREFS);
	ck_assert_int_eq(fd, -1);
	close(ends[0]);
	close(ends[1]);
}

/* Others can connect as often as they like. */
TEST(limits_messages_of_user)
{
	uid_t uid;
	unsigned int printed = 0;

	ck_assert(broker_may_print(&broker, 1000, 5000));
	ck_assert(!broker_may_print(&broker, 1000, 5999));
	ck_assert(broker_may_print(&broker, 1001, 5999));
	ck_assert(broker_may_print(&broker, 1000, 6000));
	for (uid = 0; uid < 1000; uid++)
		printed += broker_may_print(&broker, uid, 10000);
	ck_assert_uint_eq(printed, BROKER_MESSAGE_SLOTS);
}

/* --- Sockets --------------------------------------------------------------- */

TEST(listens_for_all_users)
{
	char path[] = "/tmp/broker_test.XXXXXX";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat about;
	int round, fd, peer;

	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert_int_eq(broker_listen(path), -EADDRINUSE);
	ck_assert_int_eq(rmdir(path), 0);
	/* The second time, it replaces its own socket. */
	for (round = 0; round < 2; round++) {
		fd = broker_listen(path);
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(stat(path, &about), 0);
		ck_assert_int_eq(about.st_mode, S_IFSOCK | 0666);
		peer = socket(AF_UNIX, SOCK_STREAM, 0);
		strcpy(address.sun_path, path);
		ck_assert_int_eq(connect(peer, (struct sockaddr *)&address,
					 sizeof(address)),
				 0);
		close(peer);
		close(fd);
	}
	ck_assert_int_eq(unlink(path), 0);
}

/* Without a free descriptor, a connection waits and the broker stays. */
TEST(survives_lack_of_descriptors)
{
	char path[] = "/tmp/broker_test.XXXXXX";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct rlimit before, none;
	int listener, process, fd;

	broker.path = "/dev/null";
	allow_this_process("");
	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert_int_eq(rmdir(path), 0);
	listener = broker_listen(path);
	ck_assert_int_ge(listener, 0);
	strcpy(address.sun_path, path);
	process = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(process, (struct sockaddr *)&address,
				 sizeof(address)),
			 0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 3, before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_eq(broker_wait(&broker, listener), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ck_assert_int_eq(receive(process, &fd), -1);
	ck_assert_int_eq(broker_wait(&broker, listener), 0);
	ck_assert_int_eq(receive(process, &fd), 0);
	close(fd);
	close(process);
	close(listener);
	ck_assert_int_eq(broker_wait(&broker, 0x7fff), -EBADF);
	ck_assert_int_eq(unlink(path), 0);
}

TEST(says_at_its_start_that_a_rule_cannot_apply)
{
	_cleanup_free_ char *text = NULL;

	printed_begin(stderr);
	allow_this_process("");
	broker.path = "/dev/null";
	broker_check(&broker);
	broker.path = "/does/not/exist";
	broker_check(&broker);
	broker.path = "/dev/null";
	allow_this_process(",prefix=a");
	broker_check(&broker);
	text = printed_text(stderr);
	ck_assert_str_eq(text, "user-events: user_events_data: Package not "
			       "installed\nuser-events: user_events_data: "
			       "Operation not supported\n");
}

TEST(rejects_long_path)
{
	char path[200];

	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	ck_assert_int_eq(broker_listen(path), -ENAMETOOLONG);
	ck_assert_int_eq(broker_listen("/does/not/exist"), -ENOENT);
}

TEST(takes_socket_of_systemd)
{
	_cleanup_free_ char *pid = tool_print("%d", (int)getpid());
	static const struct {
		const char *count;
		int result;
	} cases[] = {
		{ "1", 3 }, { "2", -EINVAL }, { "0", -EINVAL }, { "x", -EINVAL }
	};
	size_t i;

	ck_assert_int_eq(broker_inherited(), -ENOENT);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		setenv("LISTEN_FDS", cases[i].count, 1);
		setenv("LISTEN_PID", pid, 1);
		ck_assert_int_eq(broker_inherited(), cases[i].result);
		setenv("LISTEN_PID", "1", 1);
		ck_assert_int_eq(broker_inherited(), -ENOENT);
	}
}
