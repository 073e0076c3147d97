// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the module: unloading is refused while the module is in
 * use, removes everything otherwise, and leaks nothing in a thousand rounds;
 * loading is refused with one log line where the module cannot work.
 * USER_EVENTS_KO is the path of the module, USER_EVENTS_ROUNDS the number of
 * rounds.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/module.h"
#include "../lib/user_events.h"

#define MODULE "user_events"
#define PAGE 4096
#define ROUNDS 1000
#define SLABS_MAX 512
#define LIMIT "/proc/sys/kernel/user_events_max"

/* Number of objects by which memory in use can vary without a leak. */
#define NOISE 200

static int load_file(const char *path, const char *parameters)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error, done;

	if (fd < 0)
		return -1;
	done = syscall(SYS_finit_module, fd, parameters, 0);
	error = errno;
	close(fd);
	errno = error;

	return done;
}

static int load(const char *parameters)
{
	return load_file(module_path(), parameters);
}

static int unload(void)
{
	return syscall(SYS_delete_module, MODULE, O_NONBLOCK);
}

static bool is_loaded(void)
{
	char *modules = read_file("/proc/modules");
	bool is_listed = modules && (!strncmp(modules, MODULE " ", 12) ||
				     strstr(modules, "\n" MODULE " "));

	free(modules);

	return is_listed;
}

/* Retries, since objects that were just closed are released with a delay. */
static void must_unload(void)
{
	long long start = 0;

	while (unload()) {
		if (errno == EAGAIN && harness_deadline(&start, WAIT_TIMEOUT_S))
			continue;
		FAIL("cannot unload the module: %s", harness_errno(errno));
		harness_stop();
	}
}

static void must_load(const char *parameters)
{
	must_unload();
	if (load(parameters)) {
		FAIL("cannot load the module with \"%s\": %s", parameters,
		     harness_errno(errno));
		harness_stop();
	}
}

static void create_event(const char *event, const char *args)
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
		while (unload() && errno == EAGAIN &&
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

	EXPECT_ERRNO(unload(), EWOULDBLOCK);
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
	EXPECT_ERRNO(unload(), EWOULDBLOCK);
}

/* The module is unloaded, and all its objects are removed. */
static void check_unloaded(void)
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
	EXPECT_OK(dynevent_write(text("p:%s %s", probe, kprobe_target())));
	EXPECT_OK(dynevent_write(text("-:%s", probe)));
	if (has_synthetic_events()) {
		EXPECT_OK(dynevent_write(text("s:%s u32 a", synth)));
		EXPECT_OK(dynevent_write(text("-:synthetic/%s", synth)));
	}
}

TEST(unload_removes_everything)
{
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	ASSERT_OK(madvise((void *)page, 4096, MADV_DONTNEED));
	enable(event, true);
	EXPECT_EQ(*page, 1);
	enable(event, false);
	EXPECT_OK(unreg(fd, page, 0));
	close(fd);
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
	check_unloaded();
}

/* --- forks while the first enabler is added or the last one removed --- */

#define GENERATIONS 2
#define PARENTS 2
#define CHILDREN 20

/* Number of 64-byte pieces that a kprobe reads, to take time. */
#define PROBE_READS 40

/*
 * struct flicker - an enabler that is registered and unregistered in a loop
 * @fd: an open user_events_data
 * @event: its event
 * @word: its address, in memory that a fork does not copy
 * @stop: ends the loop
 * @child_ready: each child writes a byte to this pipe
 * @children: all children
 */
struct flicker {
	int fd;
	const char *event;
	volatile uint32_t *word;
	volatile bool stop;
	int child_ready;
	pid_t children[PARENTS][CHILDREN];
};

/*
 * Functions that the module calls when a process is in its table without an
 * enabler yet, and when the last enabler of a process is removed.
 */
static const char *const functions[] = { "ue_mm_prepare_fork",
					 "ue_enabler_set_remove" };

/*
 * Whether @symbol is this function, possibly with a suffix from the compiler.
 */
static bool is_function(const char *symbol, const char *function)
{
	size_t length = strlen(function);

	return !strncmp(symbol, function, length) &&
	       (!symbol[length] || !strncmp(symbol + length, ".isra", 5) ||
		!strncmp(symbol + length, ".constprop", 10));
}

/*
 * Finds the symbols of all functions at once, since reading kallsyms is slow.
 */
static void find_functions(const char *symbols[ARRAY_SIZE(functions)])
{
	char *line, *next = read_file("/proc/kallsyms");
	char symbol[128], owner[64];
	size_t i;

	ASSERT_TRUE(next);
	while ((line = strsep(&next, "\n"))) {
		if (!strstr(line, "[" MODULE "]") ||
		    sscanf(line, "%*s %*c %127s %63s", symbol, owner) != 2)
			continue;
		for (i = 0; i < ARRAY_SIZE(functions); i++)
			if (is_function(symbol, functions[i]))
				symbols[i] = text("%s", symbol);
	}
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (!symbols[i])
			FAIL("function %s not found in the module",
			     functions[i]);
}

/*
 * add_delay - slow a function of the module down
 *
 * Uses a kprobe that reads much memory.
 */
static void add_delay(const char *symbol, const char *probe)
{
	/* If kprobes at the entry are not allowed, see kprobe_target(). */
	static const char *const offsets[] = { "", "+8" };
	const char *reads = "";
	size_t i;

	for (i = 0; i < PROBE_READS; i++)
		reads = text("%s a%zu=+0($stack):u8[64]", reads, i);
	for (i = 0; i < ARRAY_SIZE(offsets); i++)
		if (!dynevent_write(text("p:%s " MODULE ":%s%s%s", probe,
					 symbol, offsets[i], reads)))
			break;
	ASSERT_LT(i, ARRAY_SIZE(offsets));
	ASSERT_OK(tfs_write("1", "events/kprobes/%s/enable", probe));
}

static void remove_delay(const char *probe)
{
	ASSERT_OK(tfs_write("0", "events/kprobes/%s/enable", probe));
	ASSERT_OK(dynevent_write(text("-:%s", probe)));
}

static void *register_in_loop(void *argument)
{
	struct flicker *flicker = argument;

	while (!flicker->stop) {
		EXPECT_OK(reg_word(flicker->fd, flicker->event, flicker->word,
				   0));
		EXPECT_OK(unreg(flicker->fd, flicker->word, 0));
	}

	return NULL;
}

/* Runs in a child, which unregisters its copy of the enabler and waits. */
static void run_child(struct flicker *flicker)
{
	int done = unreg(flicker->fd, flicker->word, 0);

	EXPECT_TRUE(!done || errno == ENOENT);
	close(flicker->fd);
	EXPECT_EQ(write(flicker->child_ready, "x", 1), 1);
	close(flicker->child_ready);
	while (true)
		pause();
}

/*
 * struct parent - a thread that forks
 * @flicker: the enabler of its process
 * @children: its part of the array of children
 */
struct parent {
	struct flicker *flicker;
	pid_t *children;
};

static void *fork_children(void *argument)
{
	struct parent *parent = argument;
	int i;

	for (i = 0; i < CHILDREN; i++) {
		/* Leaves time for other steps of the loop. */
		usleep(rand() % 4000);
		parent->children[i] = fork();
		if (!parent->children[i])
			run_child(parent->flicker);
		ASSERT_OK(parent->children[i]);
	}

	return NULL;
}

static void run_generation(struct flicker *flicker)
{
	pthread_t threads[PARENTS], flickers;
	struct parent parents[PARENTS];
	int ends[2], i;
	char byte;

	flicker->fd = data_open();
	flicker->stop = false;
	ASSERT_OK(pipe(ends));
	flicker->child_ready = ends[1];
	ASSERT_EQ(pthread_create(&flickers, NULL, register_in_loop, flicker),
		  0);
	for (i = 0; i < PARENTS; i++) {
		parents[i].flicker = flicker;
		parents[i].children = flicker->children[i];
		ASSERT_EQ(pthread_create(&threads[i], NULL, fork_children,
					 &parents[i]),
			  0);
	}
	for (i = 0; i < PARENTS; i++)
		pthread_join(threads[i], NULL);
	close(ends[1]);
	for (i = 0; i < PARENTS * CHILDREN; i++)
		ASSERT_EQ(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	flicker->stop = true;
	pthread_join(flickers, NULL);
	close(flicker->fd);
}

static void kill_generation(struct flicker *flicker)
{
	const pid_t *child = flicker->children[0];
	int i;

	for (i = 0; i < PARENTS * CHILDREN; i++) {
		kill(child[i], SIGKILL);
		EXPECT_EQ(waitpid(child[i], NULL, 0), child[i]);
	}
}

/*
 * A process forks while it adds its first enabler or removes its last one, so
 * that the child has no enablers. The module can be unloaded while the child
 * exists, without leaving an object behind, which it would warn about.
 *
 * The window is a few instructions long, so kprobes widen it. On a single CPU
 * without kernel preemption no fork can happen in the window.
 */
TEST_TIMEOUT(fork_during_first_or_last_enabler_leaks_nothing, 300)
{
	const char *symbols[ARRAY_SIZE(functions)] = { NULL };
	static struct flicker flicker;
	int generation;
	size_t i;

	flicker.event = uniq("e");
	flicker.word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(flicker.word != MAP_FAILED);
	find_functions(symbols);
	if (harness_failed())
		return;
	for (generation = 0; generation < GENERATIONS; generation++) {
		for (i = 0; i < ARRAY_SIZE(functions); i++)
			add_delay(symbols[i], uniq(functions[i]));
		run_generation(&flicker);
		for (i = 0; i < ARRAY_SIZE(functions); i++)
			remove_delay(uniq(functions[i]));
		must_unload();
		kill_generation(&flicker);
		ASSERT_OK(load(""));
	}
	must_unload();
	check_unloaded();
}

/* --- files opened before unloading --- */

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
	must_unload();

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
	char *format;
	int round;
	size_t i;

	create_event(event, "u32 field_of_before;char[20] other_of_before");
	ASSERT_OK(dynevent_write(text("p:%s %s", uniq("kp"), kprobe_target())));
	format = tfs_read("events/user_events/%s/format", event);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
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
	must_unload();

	/* Once with the module unloaded, once with the module loaded again. */
	for (round = 0; round < 2; round++) {
		for (i = 0; i < ARRAY_SIZE(names); i++) {
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	must_unload();
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
	EXPECT_STREQ(read_fd(fd), "32768\n");
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
	must_unload();
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

	must_unload();
	ASSERT_OK(dynevent_write(text("p:%s %s", elsewhere, target)));
	ASSERT_OK(dynevent_write(text("p:user_events/%s %s", inside, target)));
	if (has_synthetic_events())
		ASSERT_OK(dynevent_write(text("s:%s u32 a", uniq("synth"))));
	list = tfs_read("dynamic_events");

	ASSERT_OK(load(""));
	EXPECT_STREQ(tfs_read("dynamic_events"), list);
	EXPECT_ERRNO(dynevent_write(text("u:%s u32 a", inside)), EADDRINUSE);
	ASSERT_OK(dynevent_write(text("u:%s u32 a", event)));
	ASSERT_OK(dynevent_write(text("p:user_events/%s %s", later, target)));
	EXPECT_ERRNO(unload(), EWOULDBLOCK);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));

	must_unload();
	EXPECT_FALSE(tfs_exists("user_events_data"));
	EXPECT_CONTAINS(tfs_read("dynamic_events"), list);
	EXPECT_CONTAINS(tfs_read("dynamic_events"), later);
	EXPECT_LACKS(tfs_read("dynamic_events"), event);
	enable(inside, true);
	free(tfs_read("dynamic_events"));
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

/* --- parameters --- */

TEST(supports_two_status_pages)
{
	static const struct {
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

/* Whether the kernel has BTF. */
static bool has_btf(void)
{
	return !access("/sys/kernel/btf/vmlinux", R_OK);
}

static int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_OK(fd);
	lseek(fd, 0, SEEK_END);

	return fd;
}

/* The log lines of the module since kmsg_open(). */
static char *kmsg_lines(int fd, unsigned int *count)
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

/* Loading must fail with one log line. Return: false if it succeeds. */
static bool check_refusal(const char *path, const char *parameters,
			  const char *word)
{
	unsigned int lines;
	int kmsg = kmsg_open();
	char *log;

	if (!load_file(path, parameters)) {
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

static void check_not_loaded(const char *path, const char *parameters,
			     const char *word)
{
	if (!check_refusal(path, parameters, word)) {
		must_unload();
		return;
	}
	EXPECT_FALSE(is_loaded());
	check_unloaded();
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

	must_unload();
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

	must_unload();
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
	EXPECT_ERRNO(unload(), EWOULDBLOCK);
	EXPECT_OK(del_event(first));
	EXPECT_OK(del_event(second));
	must_load("events=");
	EXPECT_STREQ(tfs_read("dynamic_events"), "");
}

static void check_file(const char *name, mode_t mode, uid_t uid, gid_t gid)
{
	struct stat status = { 0 };

	harness_context("%s", name);
	EXPECT_OK(stat(text("%s/%s", tracefs(), name), &status));
	EXPECT_EQ(status.st_mode, (S_IFREG | mode));
	EXPECT_EQ(status.st_uid, uid);
	EXPECT_EQ(status.st_gid, gid);
	harness_context(NULL);
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

/* --- unsupported kernels --- */

static void check_altered(const char *name, const char *by, const char *word)
{
	const char *const names[] = { name, by, NULL };
	const char *path;

	harness_context("%s", name);
	path = module_alter(names);
	check_not_loaded(path, "", word);
	unlink(path);
}

static void check_missing(const char *name)
{
	char *altered = strdup(name);

	altered[strlen(altered) - 1] = 'X';
	check_altered(name, altered, altered);
}

/* Loads the module once per name, which takes seconds on slow machines. */
TEST_TIMEOUT(rejects_kernel_without_required_functions, 8 * HARNESS_TIMEOUT)
{
	static const char *const names[] = {
		"trace_add_event_call", "trace_remove_event_call",
		"tracefs_create_file",	"tracefs_remove",
		"task_work_add",
	};
	static const char *const dynamic_names[] = {
		"dyn_event_seq_start",
		"dyn_event_seq_next",
		"dyn_event_seq_stop",
		"dyn_event_register",
	};
	/* Before Linux 5.0 */
	static const char *const own_names[] = {
		"trace_parse_run_command",
		"event_mutex",
		"ftrace_events",
	};
	size_t i;

	must_unload();
	for (i = 0; i < ARRAY_SIZE(names); i++)
		check_missing(names[i]);
	if (kernel_has_dynamic_events())
		for (i = 0; i < ARRAY_SIZE(dynamic_names); i++)
			check_missing(dynamic_names[i]);
	else
		for (i = 0; i < ARRAY_SIZE(own_names); i++)
			check_missing(own_names[i]);
	check_missing(kernel_has("task_work_cancel_match")
			      ? "task_work_cancel_match"
			      : "task_work_cancel");
	ASSERT_OK(load(""));
}

static void check_still_works(const char *path)
{
	const char *event = uniq("e");

	ASSERT_OK(load_file(path, ""));
	EXPECT_OK(dynevent_write(text("u:%s u32 a", event)));
	EXPECT_TRUE(tfs_exists("events/user_events/%s", event));
	EXPECT_OK(tfs_write("1", "events/user_events/%s/enable", event));
	EXPECT_OK(tfs_write("0", "events/user_events/%s/enable", event));
	EXPECT_OK(dynevent_write(text("-:%s", event)));
	must_unload();
	unlink(path);
}

/* Kernels without KALLSYMS_ALL have no symbols of data. */
TEST(loads_without_data_symbols)
{
	static const char *const names[] = {
		"event_mutex",
		"event_muteX",
		"dyn_event_list",
		"dyn_event_lisX",
		"dyn_event_ops_mutex",
		"dyn_event_ops_muteX",
		NULL,
	};

	need_dynamic_events();
	if (!access("/proc/lockdep", F_OK))
		SKIP("kernels with lockdep have symbols of data");

	must_unload();
	check_still_works(module_alter(names));
	ASSERT_OK(load(""));
}

static void check_way_to_leave(const char *way)
{
	const char *path = module_alter_ways(way);

	harness_context("only %s", way);
	if (kernel_has(way)) {
		check_still_works(path);
		return;
	}
	check_not_loaded(path, "", "needed to leave dynamic_events");
	unlink(path);
}

TEST_TIMEOUT(loads_with_one_way_to_leave_dynamic_events, 2 * HARNESS_TIMEOUT)
{
	static const char *const ways[] = { "dyn_event_create",
					    "dyn_event_ops_mutex",
					    "create_dyn_event", "none" };
	size_t i;

	need_dynamic_events();
	EXPECT_TRUE(kernel_has("create_dyn_event"));
	must_unload();
	for (i = 0; i < ARRAY_SIZE(ways); i++)
		check_way_to_leave(ways[i]);
	ASSERT_OK(load(""));
}

/*
 * The replaced name exists in every kernel, like a symbol of built-in
 * user_events.
 */
TEST(rejects_kernel_with_builtin_user_events)
{
	must_unload();
	check_altered("user_events_release", "event_trigger_write", "built in");
	ASSERT_OK(load(""));
}

TEST(rejects_unexpected_layout)
{
	if (!has_btf())
		SKIP("this kernel has no BTF");

	must_unload();
	if (kernel_has_dynamic_events())
		check_altered("dyn_event_operations", "dyn_event_operationX",
			      "dyn_event_operationX");
	else
		check_altered("ftrace_event_field", "ftrace_event_fielX",
			      "ftrace_event_fielX");
	ASSERT_OK(load(""));
}

/* Symbol and file from which the module gets the kernel's BTF. */
#define BTF_SYMBOL "__start_BTF"
#define BTF_FILE "/sys/kernel/btf/vmlinux"

/*
 * struct member - a structure member as the module expects it
 * @structure: the structure
 * @name: the member
 * @words: number of machine words before the member
 * @numbers: number of additional 4-byte numbers before it
 */
struct member {
	const char *structure;
	const char *name;
	unsigned int words;
	unsigned int numbers;
};

static const struct member members[] = {
	{ "dyn_event_operations", "list", 0, 0 },
	{ "dyn_event_operations", "create", 2, 0 },
	{ "dyn_event_operations", "show", 3, 0 },
	{ "dyn_event_operations", "is_busy", 4, 0 },
	{ "dyn_event_operations", "free", 5, 0 },
	{ "dyn_event_operations", "match", 6, 0 },
	{ "dyn_event", "list", 0, 0 },
	{ "dyn_event", "ops", 2, 0 },
	{ "ftrace_event_field", "offset", 4, 1 },
	{ "ftrace_event_field", "size", 4, 2 },
};

/*
 * struct description - BTF of a hypothetical kernel
 * @context: what is wrong with it
 * @without: a structure or member that it lacks
 * @moved: a member with another offset
 * @kind: kind of an additional type, if not 0
 * @cut: number of bytes missing at the end
 * @word: text of the refusal; NULL if loading succeeds
 */
struct description {
	const char *context;
	const char *without;
	const char *moved;
	uint32_t kind;
	size_t cut;
	const char *word;
};

/*
 * struct btf - content of a BTF file
 * @header: positions of the other two
 * @types: structures, each followed by its members
 * @names: strings, the first of which is empty
 */
struct btf {
	struct btf_header header;
	uint32_t types[64];
	char names[256];
};

static void btf_number(struct btf *btf, uint32_t number)
{
	ASSERT_LT(btf->header.type_len, sizeof(btf->types));
	btf->types[btf->header.type_len / sizeof(number)] = number;
	btf->header.type_len += sizeof(number);
}

static void btf_name(struct btf *btf, const char *name)
{
	uint32_t at = btf->header.str_len;

	btf->header.str_len += strlen(name) + 1;
	ASSERT_LE(btf->header.str_len, sizeof(btf->names));
	strcpy(btf->names + at, name);
	btf_number(btf, at);
}

static bool is_name(const char *name, const char *which)
{
	return which && !strcmp(name, which);
}

static void btf_member(struct btf *btf, const struct member *member, bool moved)
{
	size_t offset = member->words * sizeof(long) + member->numbers * 4;

	btf_name(btf, member->name);
	btf_number(btf, 0);
	btf_number(btf, 8 * (offset + moved));
}

/* Adds a structure. Return: the member that follows those of the structure. */
static const struct member *btf_structure(struct btf *btf,
					  const struct member *member,
					  const struct description *wanted)
{
	const char *structure = member->structure;
	uint32_t *info, count = 0;

	/* With another name, the structure is missing. */
	btf_name(btf,
		 is_name(structure, wanted->without) ? "other" : structure);
	info = &btf->types[btf->header.type_len / sizeof(*info)];
	btf_number(btf, 0);
	btf_number(btf, 8 * sizeof(long));
	for (; member < members + ARRAY_SIZE(members) &&
	       !strcmp(member->structure, structure);
	     member++) {
		if (is_name(member->name, wanted->without))
			continue;
		btf_member(btf, member, is_name(member->name, wanted->moved));
		count++;
	}
	*info = (uint32_t)BTF_KIND_STRUCT << 24 | count;

	return member;
}

static void write_btf(const char *path, const struct description *wanted)
{
	struct btf btf = {
		.header = {
			.magic = BTF_MAGIC,
			.version = BTF_VERSION,
			.hdr_len = sizeof(btf.header),
			.str_off = sizeof(btf.types),
			.str_len = 1,
		},
	};
	const struct member *member = members;
	int fd;

	while (member < members + ARRAY_SIZE(members))
		member = btf_structure(&btf, member, wanted);
	if (wanted->kind) {
		btf_number(&btf, 0);
		btf_number(&btf, wanted->kind << 24);
		btf_number(&btf, 0);
	}
	btf.header.str_len = sizeof(btf.names);

	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ASSERT_OK(fd);
	EXPECT_EQ(write(fd, &btf, sizeof(btf) - wanted->cut),
		  (ssize_t)(sizeof(btf) - wanted->cut));
	close(fd);
}

/*
 * Kernels whose BTF lacks structures, has other structures, or is malformed.
 * The test writes the BTF to a file and changes the path in a copy of the
 * module, so it works on every kernel.
 */
TEST_TIMEOUT(rejects_btf_without_structures, 8 * HARNESS_TIMEOUT)
{
	static const struct description cases[] = {
		{ .context = "valid" },
		{ .context = "without dyn_event_operations",
		  .without = "dyn_event_operations",
		  .word = "dyn_event_operations.list is not at byte" },
		{ .context = "without dyn_event",
		  .without = "dyn_event",
		  .word = "dyn_event.list is not at byte" },
		{ .context = "without ftrace_event_field",
		  .without = "ftrace_event_field",
		  .word = "ftrace_event_field.offset is not at byte" },
		{ .context = "missing member",
		  .without = "is_busy",
		  .word = "dyn_event_operations.is_busy is not at byte" },
		{ .context = "member with another offset",
		  .moved = "ops",
		  .word = "dyn_event.ops is not at byte" },
		{ .context = "unknown kind of type",
		  .kind = 31,
		  .word = "failed to parse" },
		{ .context = "truncated", .cut = 1, .word = "failed to parse" },
		{ .context = "empty",
		  .cut = sizeof(struct btf),
		  .word = "failed to parse" },
	};
	/* A relative path, with the length of the path that it replaces. */
	const char *file =
		text(PREFIX "%0*d", (int)strlen(BTF_FILE) - 3, getpid());
	const char *const names[] = { BTF_SYMBOL, "__start_BTX", BTF_FILE, file,
				      NULL };
	const char *path = module_alter(names);
	size_t i;

	must_unload();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		harness_context("%s", cases[i].context);
		if (!kernel_has_dynamic_events() && cases[i].word &&
		    strstr(cases[i].word, "dyn_event"))
			continue;
		write_btf(file, &cases[i]);
		if (cases[i].word) {
			check_not_loaded(path, "", cases[i].word);
		} else {
			EXPECT_OK(load_file(path, ""));
			must_unload();
		}
	}
	unlink(file);
	unlink(path);
}

/* The loading process has no access to any file, not even to tracefs. */
TEST(loads_from_empty_root)
{
	const char *const names[] = { BTF_SYMBOL, "__start_BTX", NULL };
	const char *root = text(PREFIX "%d.root", getpid());
	int kmsg, fd = open(module_alter(names), O_RDONLY | O_CLOEXEC);
	unsigned int lines;
	pid_t child;
	char *log;

	ASSERT_OK(fd);
	ASSERT_OK(unlink(text(PREFIX "%d.ko", getpid())));
	ASSERT_OK(mkdir(root, 0700));
	must_unload();
	kmsg = kmsg_open();
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		ASSERT_OK(chroot(root));
		EXPECT_OK(syscall(SYS_finit_module, fd, "data_mode=0604", 0));
		_exit(harness_failed());
	}
	wait_child(child);
	/* The module logs that it has no BTF to verify, and continues. */
	log = kmsg_lines(kmsg, &lines);
	if (has_btf())
		EXPECT_CONTAINS(log, "this kernel has no BTF");
	close(fd);
	EXPECT_OK(rmdir(root));
	check_file("user_events_data", 0604, 0, 0);
	create_event(uniq("e"), "u32 a");
	EXPECT_TRUE(status_line(uniq("e")));
	EXPECT_OK(del_event(uniq("e")));
	must_unload();
	check_unloaded();
}

/*
 * Another module has files with these names. They are not changed, and the
 * files that were created before the failure are removed.
 */
TEST_TIMEOUT(rejects_existing_files, 8 * HARNESS_TIMEOUT)
{
	static const char *const files[] = {
		"user_events_data",
		"user_events_status",
		"user_events_profile",
		"user_events_enablers",
	};
	/* Files that are to be created have other names. */
	const char *names[2 * ARRAY_SIZE(files) + 3] = { MODULE,
							 "user_eventX" };
	const char *event = uniq("e"), *list, *path;
	size_t i, made;
	char *other;

	create_event(event, "u32 a");
	list = tfs_read("user_events_status");
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		harness_context("%s", files[i]);
		names[2 * i + 2] = NULL;
		path = module_alter(names);
		if (!check_refusal(path, "", files[i]))
			syscall(SYS_delete_module, "user_eventX", O_NONBLOCK);
		unlink(path);
		EXPECT_STREQ(tfs_read("user_events_status"), list);
		EXPECT_TRUE(tfs_exists("%s", files[i]));
		for (made = 0; made < i; made++)
			EXPECT_FALSE(tfs_exists("%s", names[2 * made + 3]));

		other = strdup(files[i]);
		other[strlen(other) - 1] = 'X';
		names[2 * i + 2] = files[i];
		names[2 * i + 3] = other;
	}
	harness_context(NULL);
	EXPECT_TRUE(access("/sys/module/user_eventX", F_OK));
	EXPECT_STREQ(read_file(LIMIT), "32768\n");
	EXPECT_OK(del_event(event));
	create_event(event, "u64 b");
	EXPECT_OK(del_event(event));
	must_unload();
	check_unloaded();
}

/*
 * With create_dyn_event(), the types of dynamic events are called in turn. The
 * one of the first module must not keep the line from the second one.
 */
TEST(rejects_second_module_without_dyn_event_create)
{
	const char *names[] = {
		MODULE,
		"user_eventX",
		"dyn_event_create",
		"dyn_event_creatX",
		"dyn_event_ops_mutex",
		"dyn_event_ops_muteX",
		NULL,
	};
	const char *path;

	need_dynamic_events();
	path = module_alter(names);
	if (!check_refusal(path, "", "user_events_data"))
		syscall(SYS_delete_module, "user_eventX", O_NONBLOCK);
	unlink(path);
	must_unload();
}

/* --- leaks in a thousand rounds --- */

/* @per_page: number of objects of a slab, which is usually a page. */
struct slab {
	char name[64];
	long active;
	long per_page;
};

struct memory {
	struct slab slabs[SLABS_MAX];
	unsigned int count;
	unsigned long long vmalloc_kib;
	unsigned long long percpu_kib;
};

static void try_write_file(const char *path, const char *what)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, what, strlen(what)) < 0)
		harness_note("%s: %s", path, harness_errno(errno));
	close(fd);
}

/* Counts the objects in use, after freeing cached ones. */
static void measure(struct memory *memory)
{
	char *content, *line, *next;
	struct dirent *entry;
	DIR *dir;

	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	try_write_file("/proc/sys/vm/drop_caches", "3\n");
	dir = opendir("/sys/kernel/slab");
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			try_write_file(text("/sys/kernel/slab/%s/shrink",
					    entry->d_name),
				       "1");
	if (dir)
		closedir(dir);

	memory->count = 0;
	content = read_file("/proc/slabinfo");
	next = content;
	while (next && (line = strsep(&next, "\n"))) {
		struct slab *slab = &memory->slabs[memory->count];

		if (memory->count < SLABS_MAX && line[0] != '#' &&
		    sscanf(line, "%63s %ld %*d %*d %ld", slab->name,
			   &slab->active, &slab->per_page) == 3)
			memory->count++;
	}
	free(content);
	content = read_file("/proc/meminfo");
	memory->vmalloc_kib = number_after(content, "VmallocUsed:");
	memory->percpu_kib = number_after(content, "Percpu:");
	free(content);
}

/*
 * Measures again and keeps the minimum of both: temporary objects are not
 * leaks, but are not necessarily freed at any given moment.
 */
static void measure_minimum(struct memory *memory)
{
	static struct memory now;
	unsigned int i, j;

	measure(&now);
	for (i = 0; i < memory->count; i++)
		for (j = 0; j < now.count; j++)
			if (!strcmp(memory->slabs[i].name, now.slabs[j].name) &&
			    now.slabs[j].active < memory->slabs[i].active)
				memory->slabs[i].active = now.slabs[j].active;
	if (now.vmalloc_kib < memory->vmalloc_kib)
		memory->vmalloc_kib = now.vmalloc_kib;
	if (now.percpu_kib < memory->percpu_kib)
		memory->percpu_kib = now.percpu_kib;
}

/*
 * A kernel with tracefs_d_iput() (Linux 6.6.y to 6.9 of spring 2024) never frees
 * an inode of tracefs (fixed by commit 0bcfd9aa4daf, "tracefs: Clear EVENT_INODE
 * flag in tracefs_drop_inode()").
 */
static bool is_leaked_by_kernel(const char *slab)
{
	return !strcmp(slab, "tracefs_inode_cache") &&
	       kernel_has("tracefs_d_iput");
}

/*
 * growth - list the counters that grew by at least @objects objects or KiB
 *
 * A slab cache must also have grown by two slabs: single objects of a small
 * size are not significant.
 *
 * Return: the names; empty if none has grown.
 */
static const char *growth(const struct memory *before,
			  const struct memory *after, long objects)
{
	const char *names = "";
	unsigned int i, j;

	for (i = 0; i < after->count; i++)
		for (j = 0; j < before->count; j++) {
			const struct slab *old = &before->slabs[j];
			const struct slab *new = &after->slabs[i];

			if (!strcmp(old->name, new->name) &&
			    new->active - old->active >=
				    objects &&new->active - old->active >=
				    2 * new->per_page &&
			    !is_leaked_by_kernel(new->name))
				names = text("%s %s (%ld to %ld)", names,
					     new->name, old->active,
					     new->active);
		}
	if (after->vmalloc_kib >= before->vmalloc_kib + objects)
		names = text("%s VmallocUsed (%llu to %llu KiB)", names,
			     before->vmalloc_kib, after->vmalloc_kib);
	if (after->percpu_kib >= before->percpu_kib + objects)
		names = text("%s Percpu (%llu to %llu KiB)", names,
			     before->percpu_kib, after->percpu_kib);

	return names;
}

static unsigned int rounds(void)
{
	const char *wanted = getenv("USER_EVENTS_ROUNDS");

	return wanted ? strtoul(wanted, NULL, 0) : ROUNDS;
}

static void use_module(unsigned int round)
{
	const char *const events[] = { PREFIX "round_a", PREFIX "round_b" };
	volatile uint32_t words[3] = { 0 };
	const unsigned char *page = status_map();
	struct user_reg_status out;
	const struct {
		uint32_t index;
		uint32_t word;
		char data[4];
	} record = { 0, DYN_LOC(0, 4), "AAA" };
	int fd = data_open();
	pid_t child;
	int perf;

	ASSERT_OK(reg(fd, PREFIX "round_a __rel_loc char[] s", &out));
	must_reg(fd, PREFIX "round_b u32 a;char[20] b");
	enable(events[0], true);
	EXPECT_TRUE(status_page_bit(page, out.status_bit));
	EXPECT_EQ(write(fd, &record, sizeof(record)), sizeof(record));
	if (round % 10 == 0) {
		perf = perf_open(event_id(events[1]), 0, -1, PERF_COUNT);
		ASSERT_OK(perf);
		close(perf);
		ASSERT_OK(tfs_write("stacktrace",
				    "events/user_events/%s/trigger",
				    events[1]));
		ASSERT_OK(tfs_write("!stacktrace",
				    "events/user_events/%s/trigger",
				    events[1]));
	}
	must_reg_word(fd, PREFIX "round_c", &words[0], 0);
	must_reg_word(fd, PREFIX "round_c", &words[1], 1);
	ASSERT_OK(reg_enabler(fd, PREFIX "round_d u8 a", &words[2], 4, 2,
			      USER_EVENT_REG_MULTI_FORMAT));
	child = fork();
	ASSERT_OK(child);
	if (!child)
		_exit(unreg(fd, &words[1], 1) ? 1 : 0);
	enable(PREFIX "round_c", true);
	wait_value(&words[0], 1);
	wait_child(child);
	enable(PREFIX "round_c", false);
	wait_value(&words[0], 0);
	EXPECT_OK(unreg(fd, &words[0], 0));
	EXPECT_OK(unreg(fd, &words[1], 1));
	EXPECT_OK(unreg(fd, &words[2], 2));
	enable(events[0], false);
	close(fd);
	EXPECT_OK(del_event(events[0]));
	EXPECT_OK(dynevent_write("-:" PREFIX "round_b"));
	munmap((void *)page, PAGE);
}

static void run_rounds(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count && !harness_failed(); i++) {
		ASSERT_OK(load(""));
		use_module(i);
		must_unload();
	}
}

/* The smallest slab cache depends on the machine. */
static bool has_small_objects(const char *grown)
{
	return strstr(grown, "kmalloc-32 ") || strstr(grown, "kmalloc-64 ") ||
	       strstr(grown, "kmalloc-96 ") || strstr(grown, "kmalloc-128 ");
}

/* Verifies the measurement with objects that are known to be allocated. */
TEST(measurement_detects_small_objects)
{
	static struct memory before, after;
	const struct rlimit files = { .rlim_cur = 4096, .rlim_max = 4096 };
	unsigned int i;

	if (access("/proc/slabinfo", R_OK))
		SKIP("no /proc/slabinfo");
	ASSERT_OK(setrlimit(RLIMIT_NOFILE, &files));
	measure(&before);
	/* Other processes allocate and free objects as well. */
	measure(&after);
	measure_minimum(&after);
	EXPECT_FALSE(has_small_objects(growth(&before, &after, 1000)));
	/* Each eventfd is one small allocation, in addition to its file. */
	for (i = 0; i < 2000; i++)
		ASSERT_OK(syscall(SYS_eventfd2, 0, 0));
	measure(&after);
	measure_minimum(&after);
	EXPECT_TRUE(has_small_objects(growth(&before, &after, 1000)));
}

/*
 * Return: as growth(), after waiting for objects that are freed after a grace
 * period.
 */
static const char *grown_in_rounds(unsigned int count, long objects)
{
	static struct memory before, after;
	const char *names;
	long long start = 0;

	measure(&before);
	run_rounds(count);
	measure(&after);
	while ((names = growth(&before, &after, objects))[0] &&
	       harness_deadline(&start, WAIT_TIMEOUT_S))
		measure_minimum(&after);

	return names;
}

TEST_TIMEOUT(rounds_leak_no_memory, 3600)
{
	unsigned int all = rounds(), warm_up = all / 5 ?: 1;
	unsigned int counted = all > warm_up ? all - warm_up : 1;
	struct timespec start, end;
	const char *names;
	/*
	 * With few rounds, only leaks of several objects per round are
	 * detected.
	 */
	long objects = counted * 3 / 4 > NOISE ? counted * 3 / 4 : NOISE;

	if (access("/proc/slabinfo", R_OK))
		SKIP("no /proc/slabinfo");
	must_unload();
	clock_gettime(CLOCK_MONOTONIC, &start);
	run_rounds(warm_up);
	names = grown_in_rounds(counted, objects);
	if (names[0]) {
		/*
		 * A leak continues in more rounds, while other allocations do
		 * not.
		 */
		harness_note("grew in %u rounds, measuring again:%s", counted,
			     names);
		names = grown_in_rounds(counted, objects);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	harness_note("all rounds took %lld s",
		     (long long)end.tv_sec - start.tv_sec);
	if (names[0])
		FAIL("grew in %u rounds:%s", counted, names);
	check_unloaded();
}

/* --- races with unloading --- */

#define RACES 150
#define RACERS_MAX 4

/*
 * A file that is opened just before unloading, or before loading is complete,
 * exists but does nothing.
 */
static void race_open(void)
{
	int fd = tfs_open(O_RDWR, "user_events_data");
	uint32_t index = 0;

	if (fd < 0) {
		EXPECT_TRUE(errno == ENOENT || errno == ENODEV);
		return;
	}
	if (reg(fd, uniq("race"), NULL)) {
		EXPECT_EQ(errno, ENOTTY);
		close(fd);
		return;
	}
	EXPECT_ERRNO(write(fd, &index, 4), EBADF);
	close(fd);
	EXPECT_OK(del_event(uniq("race")));
}

static void race_status(void)
{
	int fd = tfs_open(O_RDONLY, "user_events_status");
	void *page;

	if (fd < 0) {
		EXPECT_TRUE(errno == ENOENT || errno == ENODEV);
		return;
	}
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		EXPECT_EQ(errno, ENODEV);
		EXPECT_STREQ(read_fd(fd), "");
	} else {
		EXPECT_CONTAINS(read_fd(fd), "\nActive: ");
		munmap(page, PAGE);
	}
	close(fd);
}

static void race_dynamic(void)
{
	if (dynevent_write(text("u:%s u32 a", uniq("dyn"))))
		EXPECT_TRUE(errno == EINVAL || errno == ENODEV ||
			    errno == EBUSY);
	else
		EXPECT_OK(dynevent_write(text("-:%s", uniq("dyn"))));
	free(tfs_read("dynamic_events"));
}

/*
 * Runs the racers at least RACES times, and until the module was unloaded
 * meanwhile: the number of unloads depends on scheduling. Then a copy of the
 * module at @path is loaded.
 */
static void race(const char *path, void (*const racers[])(void),
		 unsigned int count)
{
	time_t deadline = time(NULL) + 180;
	pid_t children[RACERS_MAX];
	unsigned int unloads = 0, i, n;
	volatile bool *enough;
	bool alive = true;

	enough = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(enough != MAP_FAILED);
	for (i = 0; i < count; i++) {
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i]) {
			srand(i);
			for (n = 0; n < RACES || !*enough; n++) {
				racers[i]();
				/*
				 * Leaves time to unload between any two steps.
				 */
				usleep(rand() % 4000);
			}
			_exit(harness_failed());
		}
	}
	while (alive) {
		if (!unload()) {
			unloads++;
			EXPECT_OK(load_file(path, ""));
		}
		*enough = unloads > 1 || time(NULL) > deadline ||
			  harness_failed();
		alive = false;
		for (i = 0; i < count; i++) {
			siginfo_t info = { 0 };

			waitid(P_PID, children[i], &info,
			       WEXITED | WNOHANG | WNOWAIT);
			alive |= !info.si_pid;
		}
	}
	for (i = 0; i < count; i++)
		wait_child(children[i]);
	munmap((void *)enough, PAGE);
	harness_note("module unloaded %u times", unloads);
	EXPECT_GT(unloads, 0);
	must_unload();
	check_unloaded();
}

TEST_TIMEOUT(unload_races_with_dynamic_events, 300)
{
	static void (*const racers[])(void) = { race_dynamic, race_dynamic };

	race(module_path(), racers, ARRAY_SIZE(racers));
}

/* The same if create() of the type, which lines call, leaves the list. */
TEST_TIMEOUT(unload_in_create_races_with_dynamic_events, 300)
{
	static void (*const racers[])(void) = { race_dynamic, race_dynamic };
	const char *path;

	need_dynamic_events();
	path = module_alter_ways("create_dyn_event");
	must_unload();
	EXPECT_OK(load_file(path, ""));
	race(path, racers, ARRAY_SIZE(racers));
	unlink(path);
}

/*
 * The kernel takes a module reference for an open file, and warns if it cannot
 * get one, which happens between the start of unloading and the removal of the
 * file operations. Only a proxy in the kernel, which tracefs does not have,
 * could avoid this.
 */
TEST_TIMEOUT(unload_races_with_open, 300)
{
	static void (*const racers[])(void) = { race_open, race_status,
						race_dynamic };

	if (!getenv("USER_EVENTS_RACES"))
		SKIP("open() during rmmod triggers a kernel warning; "
		     "set USER_EVENTS_RACES=1 to run this test");
	/* scripts/vm/run ignores this warning between these two messages. */
	harness_kmsg("selftest: files are opened during rmmod");
	race(module_path(), racers, ARRAY_SIZE(racers));
	harness_kmsg("selftest: files are no longer opened");
}

/* Functions in the trace of this warning, which no other test triggers. */
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
