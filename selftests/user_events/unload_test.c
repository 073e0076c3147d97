// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the module: unloading is refused while the module is in
 * use, removes everything otherwise, and leaks nothing in a thousand rounds;
 * loading is refused with one log line where the module cannot work.
 * USER_EVENTS_KO is the path of the module, USER_EVENTS_ROUNDS the number of
 * rounds.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/module.h"
#include "../lib/user_events.h"
#include "unload/unload.h"

int load(const char *parameters)
{
	return module_load_file(module_path(), parameters);
}

bool is_loaded(void)
{
	char *modules = read_file("/proc/modules");
	bool is_listed = modules && (!strncmp(modules, MODULE " ", 12) ||
				     strstr(modules, "\n" MODULE " "));

	free(modules);

	return is_listed;
}

void must_load(const char *parameters)
{
	module_must_unload();
	if (load(parameters)) {
		FAIL("cannot load the module with \"%s\": %s", parameters,
		     harness_errno(errno));
		harness_stop();
	}
}

void create_event(const char *event, const char *args)
{
	int fd = data_open();

	must_reg(fd, text("%s %s", event, args));
	close(fd);
}

static const char *skip_reason(void)
{
	if (geteuid())
		return "needs root";
	if (access(module_path(), R_OK))
		return "USER_EVENTS_KO is not the path of the module";
	if (!tfs_exists("events"))
		return "no tracefs";

	return NULL;
}

static void before_test(void)
{
	if (!is_loaded())
		load("");
	user_events_hooks.before();
}

/* Every test starts with the module loaded without parameters. */
static unsigned int after_test(void)
{
	unsigned int left = 0;
	long long start = 0;

	if (is_loaded()) {
		left = user_events_hooks.after();
		while (module_unload() && errno == EAGAIN &&
		       harness_deadline(&start, WAIT_TIMEOUT_S))
			;
	}
	if (is_loaded()) {
		harness_note("left behind: the module cannot be unloaded");
		left++;
	} else if (load("")) {
		harness_note("cannot load the module again: %s",
			     harness_errno(errno));
		left++;
	}

	return left;
}

/* --- refused unloading --- */

/* Unloading is refused, and the module keeps working without changes. */
static void check_unload_rejected(void)
{
	char *status = tfs_read("user_events_status");
	char *list = tfs_read("dynamic_events");
	const char *event = uniq("probe");
	uint32_t record[2] = { 0, 42 };
	int fd;

	EXPECT_ERRNO(module_unload(), EWOULDBLOCK);
	EXPECT_TRUE(is_loaded());
	EXPECT_CONTAINS(find_line(read_file("/proc/modules"), MODULE " "),
			" Live ");
	EXPECT_STREQ(tfs_read("user_events_status"), status);
	EXPECT_STREQ(tfs_read("dynamic_events"), list);

	fd = data_open();
	must_reg(fd, text("%s u32 a", event));
	enable(event, true);
	EXPECT_EQ(write(fd, record, 8), 8);
	EXPECT_STREQ(trace_text(event), text("%s: a=0x2a (42)", event));
	enable(event, false);
	close(fd);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_ERRNO(module_unload(), EWOULDBLOCK);
}

void check_unloaded(void)
{
	static const char *const files[] = {
		"user_events_data",    "user_events_status",
		"user_events_profile", "user_events_enablers",
		"events/user_events",
	};
	const char *synth = uniq("synth");
	const char *probe = uniq("kp");
	size_t i;

	EXPECT_FALSE(is_loaded());
	EXPECT_TRUE(access("/sys/module/" MODULE, F_OK));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		harness_context("%s", files[i]);
		EXPECT_FALSE(tfs_exists("%s", files[i]));
	}
	harness_context(NULL);
	EXPECT_TRUE(access(LIMIT, F_OK));
	EXPECT_ERRNO(dynevent_write(text("u:%s u32 a", uniq("x"))),
		     kernel_has_dynamic_events() ? EINVAL : ENOENT);
	EXPECT_EQ(tfs_exists("dynamic_events"), kernel_has_dynamic_events());
	if (kernel_has_dynamic_events()) {
		EXPECT_TRUE(tfs_read("dynamic_events"));
		EXPECT_LACKS(tfs_read("dynamic_events"), "u:");
	}
	EXPECT_LACKS(tfs_read("available_events"), "user_events:");
	/* Other dynamic events keep working. */
	if (tfs_exists("kprobe_events")) {
		EXPECT_OK(dynevent_write(
			text("p:%s %s", probe, kprobe_target())));
		EXPECT_OK(dynevent_write(text("-:%s", probe)));
	}
	if (has_synthetic_events()) {
		EXPECT_OK(dynevent_write(text("s:%s u32 a", synth)));
		EXPECT_OK(dynevent_write(text("-:synthetic/%s", synth)));
	}
}

bool has_btf(void)
{
	return !access("/sys/kernel/btf/vmlinux", R_OK);
}

int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_OK(fd);
	lseek(fd, 0, SEEK_END);

	return fd;
}

char *kmsg_lines(int fd, unsigned int *count)
{
	char record[8192], *out = strdup("");
	ssize_t got;

	*count = 0;
	while ((got = read(fd, record, sizeof(record) - 1)) > 0 ||
	       (got < 0 && errno == EPIPE)) {
		const char *line;

		if (got < 0)
			continue;
		record[got] = '\0';
		line = strchr(record, ';');
		if (!line || strncmp(line + 1, MODULE ":", strlen(MODULE) + 1))
			continue;
		/*
		 * These two lines are the kernel's, about any out-of-tree
		 * module.
		 */
		if (strstr(line, "out-of-tree module") ||
		    strstr(line, "module verification failed"))
			continue;
		/* This line does not report a refusal. */
		if (!has_btf() && strstr(line, "this kernel has no BTF"))
			continue;
		out = (char *)text("%s%.*s\n", out,
				   (int)strcspn(line + 1, "\n"), line + 1);
		(*count)++;
	}
	close(fd);

	return out;
}

bool check_refusal(const char *path, const char *parameters, const char *word)
{
	unsigned int lines;
	int kmsg = kmsg_open();
	char *log;

	if (!module_load_file(path, parameters)) {
		FAIL("loaded");
		return false;
	}
	log = kmsg_lines(kmsg, &lines);
	if (lines != 1)
		FAIL("expected one log line, got %u:\n%s", lines, log);
	if (word)
		EXPECT_CONTAINS(log, word);

	return true;
}

void check_not_loaded(const char *path, const char *parameters,
		      const char *word)
{
	if (!check_refusal(path, parameters, word)) {
		module_must_unload();
		return;
	}
	EXPECT_FALSE(is_loaded());
	check_unloaded();
}

void check_file(const char *name, mode_t mode, uid_t uid, gid_t gid)
{
	struct stat status = { 0 };

	harness_context("%s", name);
	EXPECT_OK(stat(text("%s/%s", tracefs(), name), &status));
	EXPECT_EQ(status.st_mode, (S_IFREG | mode));
	EXPECT_EQ(status.st_uid, uid);
	EXPECT_EQ(status.st_gid, gid);
	harness_context(NULL);
}

TEST(unload_removes_everything)
{
	module_must_unload();
	check_unloaded();
	/* The kernel lists symbols of the same modules as /proc/modules. */
	EXPECT_LACKS(read_file("/proc/kallsyms"), "[" MODULE "]");
	ASSERT_OK(load(""));
	EXPECT_TRUE(tfs_exists("user_events_data"));
	EXPECT_STREQ(tfs_read("user_events_status"),
		     "\nActive: 0\nBusy: 0\nMax: 32768\n");
}

TEST(rejects_second_load)
{
	EXPECT_ERRNO(load(""), EEXIST);
	EXPECT_TRUE(is_loaded());
	create_event(uniq("e"), "");
	EXPECT_ERRNO(load("status_pages=2"), EEXIST);
	EXPECT_TRUE(status_line(uniq("e")));
}

TEST(rejects_unload_while_data_is_open)
{
	static const int modes[] = { O_RDWR, O_RDONLY, O_WRONLY };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		int fd = tfs_open(modes[i], "user_events_data");

		ASSERT_OK(fd);
		check_unload_rejected();
		close(fd);
	}
	module_must_unload();
	check_unloaded();
}

TEST(rejects_unload_while_other_process_has_data_open)
{
	int ends[2];
	pid_t child;
	char byte;

	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		data_open();
		ASSERT_EQ(write(ends[1], "x", 1), 1);
		while (true)
			pause();
	}
	ASSERT_EQ(read(ends[0], &byte, 1), 1);
	check_unload_rejected();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	module_must_unload();
	check_unloaded();
}

/* A file in transit between processes, which no process has open. */
TEST(rejects_unload_while_file_is_in_transit)
{
	int sockets[2], fd = data_open();

	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	send_fd(sockets[0], fd);
	close(fd);
	check_unload_rejected();
	fd = receive_fd(sockets[1]);
	EXPECT_ERRNO(del(fd, uniq("e")), ENOENT);
	/*
	 * The file and the socket that receives it are only referenced by the
	 * socket's queue. Some kernels search for such garbage only when
	 * another socket is closed.
	 */
	send_fd(sockets[0], fd);
	send_fd(sockets[0], sockets[1]);
	close(fd);
	close(sockets[1]);
	check_unload_rejected();
	close(sockets[0]);
	module_must_unload();
	check_unloaded();
}

TEST(rejects_unload_while_status_is_open)
{
	int fd = status_open();
	char byte;

	check_unload_rejected();
	EXPECT_EQ(read(fd, &byte, 1), 1);
	check_unload_rejected();
	close(fd);
	fd = tfs_open(O_RDONLY, "user_events_profile");
	ASSERT_OK(fd);
	check_unload_rejected();
	close(fd);
	/* Before Linux 5.0 it is a file of the module. */
	if (!kernel_has_dynamic_events()) {
		fd = tfs_open(O_RDONLY, "dynamic_events");
		ASSERT_OK(fd);
		check_unload_rejected();
		close(fd);
	}
	module_must_unload();
	check_unloaded();
}

TEST(rejects_unload_while_status_is_mapped)
{
	const unsigned char *page = status_map();
	pid_t child;
	int status;

	check_unload_rejected();
	EXPECT_FALSE(status_page_bit(page, 1));
	/* A child's copy of the mapping counts as well. */
	child = fork();
	ASSERT_OK(child);
	if (!child)
		while (true)
			pause();
	EXPECT_OK(munmap((void *)page, PAGE));
	check_unload_rejected();
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	module_must_unload();
	check_unloaded();
}

TEST(rejects_unload_while_event_exists)
{
	const char *event = uniq("e");

	create_event(event, "u32 a");
	check_unload_rejected();
	EXPECT_OK(del_event(event));
	ASSERT_OK(dynevent_write(text("u:%s u32 a", event)));
	check_unload_rejected();
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	module_must_unload();
	check_unloaded();
}

TEST(rejects_unload_while_event_is_enabled)
{
	const char *event = uniq("e"), *instance = uniq("inst");

	create_event(event, "u32 a");
	enable(event, true);
	check_unload_rejected();
	enable(event, false);
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	ASSERT_OK(tfs_write("1", "instances/%s/events/user_events/%s/enable",
			    instance, event));
	check_unload_rejected();
	EXPECT_OK(rmdir(text("%s/instances/%s", tracefs(), instance)));
	EXPECT_OK(del_event(event));
	module_must_unload();
	check_unloaded();
}

/* Also after the file was closed, and if only a child has a copy. */
TEST(rejects_unload_while_enabler_exists)
{
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	int fd = data_open();
	pid_t child;

	must_reg_word(fd, event, &word, 0);
	close(fd);
	check_unload_rejected();
	child = fork();
	ASSERT_OK(child);
	if (!child)
		while (true)
			pause();
	fd = data_open();
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	check_unload_rejected();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	module_must_unload();
	check_unloaded();
	ASSERT_OK(load(""));
	EXPECT_FALSE(status_line(event));
}

struct idle_thread {
	pthread_t thread;
	int ready[2];
	int end[2];
};

static void *sleep_until_end(void *data)
{
	struct idle_thread *idle = data;
	char byte;

	EXPECT_EQ(write(idle->ready[1], "x", 1), 1);
	EXPECT_EQ(read(idle->end[0], &byte, 1), 1);

	return NULL;
}

/*
 * A thread that sleeps was to write a word before it returns to user space, but
 * another one has written it. What was queued for the thread is no longer there
 * when the module is gone.
 */
TEST(unloads_while_thread_sleeps_that_was_to_write_a_word)
{
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	struct idle_thread idle;
	const char *event = uniq("e");
	int fd = data_open();
	char byte;

	ASSERT_OK(pipe(idle.ready));
	ASSERT_OK(pipe(idle.end));
	ASSERT_EQ(pthread_create(&idle.thread, NULL, sleep_until_end, &idle),
		  0);
	ASSERT_EQ(read(idle.ready[0], &byte, 1), 1);
	must_reg_word(fd, event, page, 0);
	ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	enable(event, true);
	EXPECT_EQ(*page, 1);
	enable(event, false);
	EXPECT_OK(unreg(fd, page, 0));
	close(fd);
	module_must_unload();
	check_unloaded();
	EXPECT_EQ(write(idle.end[1], "x", 1), 1);
	pthread_join(idle.thread, NULL);
}

TEST(rejects_unload_while_trigger_exists)
{
	static const char *const triggers[] = { "traceon", "stacktrace",
						"hist:keys=a" };
	const char *event = uniq("e");
	size_t i;

	create_event(event, "u32 a");
	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		harness_context("%s", triggers[i]);
		if (!strncmp(triggers[i], "hist", 4) && !has_hist())
			continue;
		ASSERT_OK(tfs_write(triggers[i],
				    "events/user_events/%s/trigger", event));
		check_unload_rejected();
		EXPECT_OK(tfs_write(text("!%s", triggers[i]),
				    "events/user_events/%s/trigger", event));
	}
	harness_context(NULL);
	EXPECT_OK(del_event(event));
	module_must_unload();
	check_unloaded();
}

TEST(rejects_unload_while_perf_is_attached)
{
	const char *event = uniq("e");
	struct perf perf;

	create_event(event, "u32 a");
	perf_map(&perf, event_id(event), 0, -1, 1);
	check_unload_rejected();
	close(perf.fd);
	check_unload_rejected();
	perf.fd = -1;
	perf_close(&perf);
	EXPECT_OK(del_event(event));
	module_must_unload();
	check_unloaded();
}

TEST(rejects_unload_while_event_probe_exists)
{
	const char *event = uniq("e"), *probe = uniq("ep");

	create_event(event, "u32 a");
	if (dynevent_write(text("e:st_group/%s user_events.%s val=$a:u32",
				probe, event)))
		SKIP("no event probes: %s", harness_errno(errno));
	EXPECT_ERRNO(del_event(event), EBUSY);
	check_unload_rejected();
	ASSERT_OK(tfs_write("1", "events/st_group/%s/enable", probe));
	EXPECT_ERRNO(del_event(event), EBUSY);
	check_unload_rejected();
	ASSERT_OK(tfs_write("0", "events/st_group/%s/enable", probe));
	EXPECT_OK(dynevent_write(text("-:st_group/%s", probe)));
	EXPECT_OK(del_event(event));
	module_must_unload();
	check_unloaded();
}

static const char *const allowed_warnings[] = { "do_dentry_open+", "vfs_open+",
						NULL };

int main(int argc, char **argv)
{
	static const struct harness_hooks hooks = {
		.skip_reason = skip_reason,
		.before = before_test,
		.after = after_test,
		.allowed_warnings = allowed_warnings,
	};

	return harness_main(argc, argv, &hooks);
}
