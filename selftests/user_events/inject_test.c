// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that is not to be had and copies that fail, one after the other: of
 * every operation the first allocation fails, then the second, and so on until
 * it needs no more. Whatever fails, nothing may be left half done, nothing may
 * leak, and the same call must succeed afterwards.
 *
 * The kernel counts for one task (fail-nth in /proc) every allocation of slabs
 * and pages and every copy from and to user space, its own ones and those of
 * the module. Percpu memory is not among them.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/user_events.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define MODULE "user_events"
#define PAGE 4096
#define FAULTS "/sys/kernel/debug/"
#define SETTING "/proc/sys/kernel/user_events_max"
#define KMEMLEAK FAULTS "kmemleak"

/* More than any operation here has; who gets there goes on for ever. */
#define NTH_MAX 4000

/* So many failures of an operation say enough of it. */
#define BAD_MAX 5

/* The kernel's threads that work for others. */
#define WORKERS_MAX 64

/* Large enough for a record that is not put together on the stack. */
#define LARGE 2000

/* How much earlier than it seems the module may be loading. */
#define LOAD_MARGIN 20

/* An object of the kernel is called leaked only after some seconds. */
#define LEAK_AGE 6

/*
 * struct operation - what is made to fail
 * @setup: once, before everything
 * @arrange: before each try; nothing fails in it
 * @call: the operation: not negative, or -1 with errno
 * @check: it has succeeded, and all of it must be there
 * @undo: back to where @arrange began
 * @also: an errno that it may fail with, beside ENOMEM and EFAULT
 * @once: it is only tried with one failure at a time
 *
 * All but @call may be NULL.
 */
struct operation {
	void (*setup)(void);
	void (*arrange)(void);
	int (*call)(void);
	void (*check)(void);
	void (*undo)(void);
	int also;
	bool once;
};

/* --- failures ------------------------------------------------------------- */

/*
 * struct totals - of all tests, so in memory that they share
 * @faults: how often something failed
 * @operations: how many were tried
 */
static struct totals {
	unsigned int faults;
	unsigned int operations;
} * totals;

static const char *const kinds[] = { "failslab", "fail_page_alloc" };

static int nth_file;
static int probability[ARRAY_SIZE(kinds)];

static void set_fault(const char *file, const char *value)
{
	ASSERT_OK(write_file(value, text(FAULTS "%s", file)));
}

/*
 * Any memory may be refused, whatever it is for, and nothing is said of it:
 * what the log has then is somebody's complaint. What fails at random does so
 * only for tasks that ask for it, with a probability that is 0 mostly.
 */
static void allow_faults(void)
{
	static const char *const all[] = { "failslab", "fail_page_alloc",
					   "fail_usercopy" };
	const char *verbose = getenv("INJECT_VERBOSE") ?: "0";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		set_fault(text("%s/probability", all[i]), "0");
		set_fault(text("%s/times", all[i]), "-1");
		set_fault(text("%s/verbose", all[i]), verbose);
		set_fault(text("%s/task-filter", all[i]), "Y");
	}
	set_fault("failslab/cache-filter", "N");
	set_fault("failslab/ignore-gfp-wait", "N");
	set_fault("fail_page_alloc/ignore-gfp-wait", "N");
	set_fault("fail_page_alloc/min-order", "0");
}

static void open_faults(void)
{
	size_t i;

	allow_faults();
	nth_file = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	ASSERT_OK(nth_file);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		probability[i] = open(text(FAULTS "%s/probability", kinds[i]),
				      O_WRONLY | O_CLOEXEC);
		ASSERT_OK(probability[i]);
	}
	ASSERT_OK(write_file("1", "/proc/self/make-it-fail"));
	/* The test's own memory is not what is meant. */
	ASSERT_OK(mlockall(MCL_CURRENT));
}

/* To write the number is to copy it, which may be what fails. */
static void must_write(int file, const char *number)
{
	size_t length = strlen(number);

	while (write(file, number, length) < 0)
		;
}

/* What a task still has to do before something fails; 0 if that has happened. */
static unsigned int nth_left(int file)
{
	char digits[16] = "";

	/* It is read before it is copied, so the copy is the one that fails. */
	if (pread(file, digits, sizeof(digits) - 1, 0) < 0)
		return 1;

	return strtoul(digits, NULL, 10);
}

/*
 * try - make the operation's n-th step fail
 * @lasting: and every allocation after it, but those of pages for processes:
 *	     they would be tried again for ever
 * @failed: whether it came to that
 *
 * Return: of the call.
 */
static int try(const struct operation *op, unsigned int n, bool lasting,
	       bool *failed)
{
	const char *number = text("%u", n);
	int error, result;
	size_t i;

	set_fault("fail_page_alloc/ignore-gfp-highmem", lasting ? "Y" : "N");
	for (i = 0; lasting && i < ARRAY_SIZE(kinds); i++)
		must_write(probability[i], "100");
	must_write(nth_file, number);
	result = op->call();
	error = errno;
	*failed = !nth_left(nth_file);
	for (i = 0; lasting && i < ARRAY_SIZE(kinds); i++)
		must_write(probability[i], "0");
	must_write(nth_file, "0");
	errno = error;

	return result;
}

/* --- what there is ---------------------------------------------------------- */

static void add_lines(FILE *out, const char *file, const char *part)
{
	char *content = tfs_read("%s", file);
	char *line, *next = content;

	fprintf(out, "%s: %s\n", file, content ? "" : "(cannot be read)");
	while (next && (line = strsep(&next, "\n")))
		if (line[0] && strstr(line, part))
			fprintf(out, "%s\n", line);
	free(content);
}

static unsigned int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);

	return count;
}

/* Names of a directory in their order, each with how many are in it. */
static void add_directory(FILE *out, const char *name)
{
	const char *path = text("%s/%s", tracefs(), name);
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);
	int i;

	fprintf(out, "%s: %d\n", name, count);
	for (i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.') {
			char child[1024];

			snprintf(child, sizeof(child), "%s/%s", path,
				 entries[i]->d_name);
			fprintf(out, "%s %u\n", entries[i]->d_name,
				count_entries(child));
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* Everything that an event shows in, and what the process holds of it. */
static char *state(void)
{
	char *out = NULL;
	size_t size;
	FILE *stream = open_memstream(&out, &size);

	add_lines(stream, "dynamic_events", "");
	add_lines(stream, "user_events_status", "");
	add_lines(stream, "available_events", USER_EVENTS_SYSTEM);
	add_directory(stream, "events/" USER_EVENTS_SYSTEM);
	add_directory(stream, "events/" USER_EVENTS_MULTI_SYSTEM);
	fprintf(stream, "references: %u\n", module_references());
	fprintf(stream, "open files: %u\n", count_entries("/proc/self/fd"));
	fclose(stream);

	return out;
}

static void report_difference(const char *expected, const char *is)
{
	size_t i = 0;

	while (expected[i] && expected[i] == is[i])
		i++;
	while (i && expected[i - 1] != '\n')
		i--;
	FAIL("something is left or missing: expected\n     \"%.400s\"\nbut there is\n     \"%.400s\"",
	     expected + i, is + i);
}

/* Some of it goes in the background. */
static bool expect_state(const char *expected)
{
	long long start = 0;
	bool same;
	char *is;

	do {
		is = state();
		same = !strcmp(is, expected);
		if (same || !harness_deadline(&start, WAIT_TIMEOUT_S / 4))
			break;
		free(is);
	} while (true);
	if (!same)
		report_difference(expected, is);
	free(is);

	return same;
}

/* --- one operation ------------------------------------------------------- */

static bool is_allowed(const struct operation *op, int error)
{
	return error == ENOMEM || error == EFAULT ||
	       (op->also && error == op->also);
}

static void run(void (*function)(void))
{
	if (function)
		function();
}

/* What is checked succeeded, though something in it failed. */
static bool in_spite_of_failure;

/* Return: whether the n-th step was there to fail. */
static bool try_nth(const struct operation *op, unsigned int n, bool lasting,
		    const char *before)
{
	char *arranged;
	bool failed;
	int result;

	run(op->arrange);
	arranged = state();
	result = try(op, n, lasting, &failed);
	if (result < 0) {
		int error = errno;

		harness_context("failure %u%s", n,
				lasting ? " and all after" : "");
		if (!is_allowed(op, error))
			FAIL("fails with %s", harness_errno(error));
		if (!failed)
			FAIL("fails with %s, though nothing else failed",
			     harness_errno(error));
		expect_state(arranged);
		harness_context("after failure %u%s", n,
				lasting ? " and all after" : "");
		ASSERT_OK(op->call());
	} else {
		harness_context("success in spite of failure %u%s", n,
				lasting ? " and all after" : "");
		in_spite_of_failure = failed;
	}
	run(op->check);
	in_spite_of_failure = false;
	run(op->undo);
	expect_state(before);
	harness_context(NULL);
	totals->faults += failed;
	free(arranged);

	return failed;
}

static unsigned int sweep_span(const struct operation *op, bool lasting,
			       const char *before)
{
	unsigned int bad = 0;
	unsigned int n = 1;

	for (; bad < BAD_MAX && try_nth(op, n, lasting, before); n++) {
		ASSERT_LT(n, NTH_MAX);
		bad += harness_failed();
	}

	return n - 1;
}

static void sweep(const struct operation *op)
{
	unsigned int one, all = 0;
	const char *before;

	open_faults();
	run(op->setup);
	before = state();
	/* The first time makes what stays, and shows that it works at all. */
	run(op->arrange);
	ASSERT_OK(op->call());
	run(op->check);
	run(op->undo);
	expect_state(before);

	one = sweep_span(op, false, before);
	if (!op->once)
		all = sweep_span(op, true, before);
	totals->operations++;
	harness_note("%u single failures, %u lasting ones", one, all);
}

#define SWEEP(...) sweep(&(const struct operation){ __VA_ARGS__ })

/* --- what the operations are about --------------------------------------- */

static const char *event, *command, *instance;
static int file = -1, helper = -1, control = -1;
static int result_fd = -1;
static unsigned int index_of_event;
static struct user_reg_status registered;
static volatile uint32_t *words;
static char buffer[65536];

/* The one event that most are about, with fields of every kind. */
static void name_event(void)
{
	event = uniq("e");
	command = text("%s u32 a; char[16] b; __data_loc char[] c", event);
}

static void *new_words(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(page != MAP_FAILED);
	memset(page, 0, PAGE);

	return page;
}

static const char *system_of(const char *name)
{
	return strstr(name, ".") ? USER_EVENTS_MULTI_SYSTEM
				 : USER_EVENTS_SYSTEM;
}

static void check_directory(const char *parent, const char *name)
{
	static const char *const files[] = { "enable", "filter", "format", "id",
					     "trigger" };
	const char *dir = text("%sevents/%s/%s", parent, system_of(name), name);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (!tfs_exists("%s/%s", dir, files[i]))
			FAIL("there is no %s/%s", dir, files[i]);
	if (has_hist() && !tfs_exists("%s/hist", dir))
		FAIL("there is no %s/hist", dir);
}

/*
 * Since Linux 6.6 (eventfs) only that none of the directories of an event was
 * made can be told: with an instance there is another one.
 */
static bool directories_are_certain(void)
{
	return !in_spite_of_failure || !instance ||
	       !kernel_has("eventfs_create_events_dir");
}

/* An event is there as a whole. */
static void check_whole(const char *name)
{
	EXPECT_TRUE(status_line(name));
	if (!directories_are_certain())
		return;

	EXPECT_CONTAINS(tfs_read("available_events"),
			text("%s:%s\n", system_of(name), name));
	check_directory("", name);
	if (instance)
		check_directory(text("instances/%s/", instance), name);
	EXPECT_CONTAINS(tfs_read("events/%s/%s/format", system_of(name), name),
			"field:u32 a;");
}

static void close_file(void)
{
	close(file);
	file = -1;
}

static void open_file(void)
{
	file = data_open();
}

/* --- opening, reading, mapping ------------------------------------------- */

static int call_open_data(void)
{
	return file = tfs_open(O_RDWR, "user_events_data");
}

TEST(open_data)
{
	SWEEP(.call = call_open_data, .undo = close_file);
}

static int call_open_status(void)
{
	return file = tfs_open(O_RDONLY, "user_events_status");
}

TEST(open_status)
{
	SWEEP(.call = call_open_status, .undo = close_file);
}

static void setup_event(void)
{
	name_event();
	helper = data_open();
	index_of_event = must_reg(helper, command);
}

static int call_read(void)
{
	return pread(file, buffer, sizeof(buffer), 0);
}

static void open_status(void)
{
	file = status_open();
}

static void check_read(void)
{
	EXPECT_CONTAINS(buffer, event);
	memset(buffer, 0, sizeof(buffer));
}

TEST(read_status)
{
	SWEEP(.setup = setup_event, .arrange = open_status, .call = call_read,
	      .check = check_read, .undo = close_file);
}

static void open_profile(void)
{
	file = tfs_open(O_RDONLY, "user_events_profile");
	ASSERT_OK(file);
}

TEST(read_profile)
{
	SWEEP(.setup = setup_event, .arrange = open_profile, .call = call_read,
	      .check = check_read, .undo = close_file);
}

static void open_dynamic_events(void)
{
	file = tfs_open(O_RDONLY, "dynamic_events");
	ASSERT_OK(file);
}

TEST(read_dynamic_events)
{
	SWEEP(.setup = setup_event, .arrange = open_dynamic_events,
	      .call = call_read, .check = check_read, .undo = close_file);
}

static void *mapping;

static int call_mmap(void)
{
	mapping = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);

	return mapping == MAP_FAILED ? -1 : 0;
}

static void check_mmap(void)
{
	unsigned int bit = atoi(status_line(event));

	EXPECT_FALSE(status_page_bit(mapping, bit));
	enable(event, true);
	EXPECT_TRUE(status_page_bit(mapping, bit));
	enable(event, false);
	EXPECT_FALSE(status_page_bit(mapping, bit));
}

static void undo_mmap(void)
{
	ASSERT_OK(munmap(mapping, PAGE));
	close_file();
}

TEST(map_status)
{
	SWEEP(.setup = setup_event, .arrange = open_status, .call = call_mmap,
	      .check = check_mmap, .undo = undo_mmap, .also = EAGAIN);
}

/* --- registering, the status page ---------------------------------------- */

static int call_reg(void)
{
	return reg(file, command, &registered);
}

static void check_reg(void)
{
	unsigned int line = strtoul(status_line(event) ?: "0", NULL, 10);

	EXPECT_EQ(registered.status_bit, line);
	EXPECT_ERRNO(emit(file, registered.write_index, buffer, LARGE), EBADF);
	check_whole(event);
}

static void undo_reg(void)
{
	close_file();
	EXPECT_OK(del_event(event));
}

TEST(register_new)
{
	SWEEP(.setup = name_event, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = undo_reg);
}

static void name_without_fields(void)
{
	event = uniq("e");
	command = event;
}

static void check_known(void)
{
	EXPECT_TRUE(status_line(event));
	check_directory("", event);
}

TEST(register_without_fields)
{
	SWEEP(.setup = name_without_fields, .arrange = open_file,
	      .call = call_reg, .check = check_known, .undo = undo_reg);
}

/* So many that what describes them takes more than a page. */
static void name_many_fields(void)
{
	char *at;
	int i;

	event = uniq("e");
	command = at = calloc(1, 512);
	at += sprintf(at, "%s u32 a", event);
	for (i = 0; strlen(command) < 500; i++)
		at += sprintf(at, ";u8 f%d", i);
}

TEST(register_many_fields)
{
	SWEEP(.setup = name_many_fields, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = undo_reg);
}

static void name_in_instance(void)
{
	name_event();
	instance = uniq("inst");
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
}

TEST(register_with_an_instance)
{
	SWEEP(.setup = name_in_instance, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = undo_reg);
}

TEST(register_joining)
{
	SWEEP(.setup = setup_event, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = close_file);
}

/* Room is made for 6, and then for 12. */
static void fill_file(void)
{
	int i;

	open_file();
	for (i = 0; i < 6; i++)
		must_reg(file, text("%s_%d", event, i));
}

static void check_seventh(void)
{
	EXPECT_EQ(registered.write_index, 6);
	check_reg();
}

static void undo_seven(void)
{
	int i;

	undo_reg();
	for (i = 0; i < 6; i++)
		EXPECT_OK(del_event(text("%s_%d", event, i)));
}

TEST(register_seventh)
{
	SWEEP(.setup = name_event, .arrange = fill_file, .call = call_reg,
	      .check = check_seventh, .undo = undo_seven);
}

static void open_dynamic(void)
{
	file = tfs_open(O_WRONLY, "dynamic_events");
	ASSERT_OK(file);
}

static int call_line(void)
{
	return write(file, command, strlen(command));
}

static void name_line(void)
{
	name_event();
	command = text("u:%s", command);
}

static void check_line(void)
{
	check_whole(event);
}

TEST(create_by_line)
{
	SWEEP(.setup = name_line, .arrange = open_dynamic, .call = call_line,
	      .check = check_line, .undo = undo_reg);
}

/* --- deleting ------------------------------------------------------------- */

static void check_gone(void)
{
	EXPECT_FALSE(status_line(event));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
	EXPECT_LACKS(tfs_read("dynamic_events"), event);
}

static void arrange_deletable(void)
{
	file = data_open();
	must_reg(file, command);
	close(file);
	file = data_open();
}

static int call_delete(void)
{
	return del(file, event);
}

TEST(delete_by_name)
{
	SWEEP(.setup = name_event, .arrange = arrange_deletable,
	      .call = call_delete, .check = check_gone, .undo = close_file);
}

static const char *deletion;

static void arrange_deletable_line(void)
{
	arrange_deletable();
	close(file);
	open_dynamic();
	deletion = text("-:%s", event);
}

static int call_delete_line(void)
{
	return write(file, deletion, strlen(deletion));
}

TEST(delete_by_line)
{
	SWEEP(.setup = name_event, .arrange = arrange_deletable_line,
	      .call = call_delete_line, .check = check_gone,
	      .undo = close_file);
}

/* --- registering, enablers ------------------------------------------------ */

static unsigned int enabler_flags, enabler_bit;

static int call_reg_enabler(void)
{
	return reg_enabler(file, command, words, sizeof(*words), enabler_bit,
			   enabler_flags);
}

static void check_follows(const char *name)
{
	const char *at = text("events/%s/%s/enable", system_of(name), name);

	EXPECT_OK(tfs_write("1", "%s", at));
	wait_value(words, 1U << enabler_bit);
	EXPECT_OK(tfs_write("0", "%s", at));
	wait_value(words, 0);
}

static void check_enabler(void)
{
	check_whole(event);
	check_follows(event);
	EXPECT_ERRNO(call_reg_enabler(), EADDRINUSE);
}

static void undo_enabler(void)
{
	EXPECT_OK(unreg(file, words, enabler_bit));
	close_file();
}

static void setup_enabler(void)
{
	name_event();
	words = new_words();
}

TEST(register_enabler)
{
	SWEEP(.setup = setup_enabler, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_enabler);
}

static void setup_enabler_joining(void)
{
	setup_event();
	words = new_words();
}

TEST(register_enabler_joining)
{
	SWEEP(.setup = setup_enabler_joining, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_enabler);
}

static void setup_persistent(void)
{
	setup_enabler();
	enabler_flags = USER_EVENT_REG_PERSIST;
}

static void undo_persistent(void)
{
	undo_enabler();
	EXPECT_TRUE(status_line(event));
	EXPECT_OK(del_event(event));
}

TEST(register_enabler_persistent)
{
	SWEEP(.setup = setup_persistent, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_persistent);
}

/* The number behind the name of the newest format is not known. */
static const char *multi_name(void)
{
	char *line =
		find_line(tfs_read("user_events_status"), text(":%s.", event));

	ASSERT_TRUE(line);
	line = strchr(line, ':') + 1;

	return strndup(line, strcspn(line, " "));
}

static void setup_multi(void)
{
	setup_enabler();
	enabler_flags = USER_EVENT_REG_MULTI_FORMAT;
}

static void check_multi(void)
{
	check_whole(multi_name());
	check_follows(multi_name());
}

TEST(register_enabler_multi)
{
	SWEEP(.setup = setup_multi, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_multi,
	      .undo = undo_enabler);
}

/* A process has its first four in a set that then has to grow. */
static void arrange_four(void)
{
	unsigned int bit;

	open_file();
	for (bit = 0; bit < 4; bit++)
		must_reg_word(file, command, words + 1, bit);
}

static void undo_five(void)
{
	unsigned int bit;

	for (bit = 0; bit < 4; bit++)
		EXPECT_OK(unreg(file, words + 1, bit));
	undo_enabler();
}

TEST(register_enabler_fifth)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_four,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_five);
}

static void forget_page(void)
{
	open_file();
	ASSERT_OK(madvise((void *)words, PAGE, MADV_DONTNEED));
}

TEST(register_enabler_without_page)
{
	SWEEP(.setup = setup_enabler, .arrange = forget_page,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_enabler);
}

/* --- a set that a child shares --- */

static pid_t child;

static pid_t new_child(void)
{
	pid_t pid = fork();

	ASSERT_OK(pid);
	if (!pid)
		while (true)
			pause();

	return pid;
}

static void end_child(void)
{
	kill(child, SIGKILL);
	ASSERT_EQ(waitpid(child, NULL, 0), child);
}

static void arrange_shared(void)
{
	open_file();
	must_reg_word(file, command, words + 1, 7);
	child = new_child();
}

static void undo_shared(void)
{
	EXPECT_OK(unreg(file, words + 1, 7));
	EXPECT_OK(unreg(file, words, enabler_bit));
	end_child();
	close_file();
}

TEST(register_enabler_beside_a_child)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_shared,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_shared);
}

static void arrange_enabler(void)
{
	open_file();
	must_reg_word(file, command, words, 0);
}

static int call_unreg(void)
{
	return unreg(file, words, 0);
}

static void check_unreg(void)
{
	EXPECT_ERRNO(unreg(file, words, 0), ENOENT);
	EXPECT_EQ(*words, 0);
}

TEST(unregister)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_enabler,
	      .call = call_unreg, .check = check_unreg, .undo = close_file);
}

static void arrange_enabler_shared(void)
{
	arrange_enabler();
	child = new_child();
}

static void undo_child(void)
{
	end_child();
	close_file();
}

TEST(unregister_beside_a_child)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_enabler_shared,
	      .call = call_unreg, .check = check_unreg, .undo = undo_child);
}

/* The last one who has an event that does not stay. */
static int call_close(void)
{
	int done = close(file);

	file = -1;

	return done;
}

static void arrange_last_file(void)
{
	open_file();
	must_reg_word(file, command, words, 0);
	EXPECT_OK(unreg(file, words, 0));
}

static void check_taken_back(void)
{
	wait_deleted(event);
}

TEST(close_data)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_last_file,
	      .call = call_close, .check = check_taken_back, .once = true);
}

/* --- writing --------------------------------------------------------------- */

static struct perf perf;
static unsigned long long hits_before;
static size_t payload;
static bool with_ftrace, with_perf;

static unsigned long long hits(void)
{
	unsigned long long count = 0, lost;

	EXPECT_TRUE(read_profile(event, &count, &lost));

	return count;
}

static void setup_write(void)
{
	event = uniq("e");
	command = text("%s u32 a", event);
	helper = data_open();
	index_of_event = must_reg(helper, command);
	payload = payload ?: 8;
	if (with_ftrace)
		enable(event, true);
	if (with_perf)
		perf_map(&perf, event_id(event), 0, -1, 3);
}

static void arrange_write(void)
{
	static struct sample sample;

	trace_clear();
	while (with_perf && perf_next(&perf, &sample))
		;
	memset(buffer, 0, sizeof(buffer));
	memcpy(buffer, &index_of_event, 4);
	buffer[4] = 42;
	hits_before = hits();
}

static int call_write(void)
{
	return write(helper, buffer, 4 + payload);
}

static int call_writev(void)
{
	struct iovec parts[] = {
		{ .iov_base = buffer, .iov_len = 4 },
		{ .iov_base = buffer + 4, .iov_len = 4 },
		{ .iov_base = buffer + 8, .iov_len = payload - 4 },
	};

	return writev(helper, parts, ARRAY_SIZE(parts));
}

/* Nobody sees a record of a write that failed, so there is one altogether. */
static void check_write(void)
{
	static struct sample sample;

	EXPECT_EQ(hits() - hits_before, 1);
	if (with_ftrace)
		EXPECT_EQ(trace_count(NULL, text("%s: a=0x2a (42)", event)), 1);
	if (with_perf) {
		EXPECT_TRUE(perf_next(&perf, &sample));
		EXPECT_FALSE(perf_next(&perf, &sample));
	}
}

static void setup_write_ftrace(void)
{
	with_ftrace = true;
	setup_write();
}

TEST(write_to_ftrace)
{
	SWEEP(.setup = setup_write_ftrace, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

TEST(writev_to_ftrace)
{
	SWEEP(.setup = setup_write_ftrace, .arrange = arrange_write,
	      .call = call_writev, .check = check_write);
}

static void setup_write_perf(void)
{
	with_perf = true;
	setup_write();
}

TEST(write_to_perf)
{
	SWEEP(.setup = setup_write_perf, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

static void setup_write_both(void)
{
	with_ftrace = true;
	setup_write_perf();
	ASSERT_OK(tfs_write("a == 42", "events/user_events/%s/filter", event));
}

TEST(write_to_both_filtered)
{
	SWEEP(.setup = setup_write_both, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

static void setup_write_large(void)
{
	payload = LARGE;
	setup_write_both();
}

TEST(write_large)
{
	SWEEP(.setup = setup_write_large, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

TEST(writev_large)
{
	SWEEP(.setup = setup_write_large, .arrange = arrange_write,
	      .call = call_writev, .check = check_write);
}

/* No buffer takes it, but it needs more than a page for itself. */
static void setup_write_huge(void)
{
	payload = 40000;
	with_ftrace = true;
	setup_write();
}

static void check_huge(void)
{
	EXPECT_EQ(hits() - hits_before, 1);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

TEST(write_huge)
{
	SWEEP(.setup = setup_write_huge, .arrange = arrange_write,
	      .call = call_write, .check = check_huge);
}

/* --- listening -------------------------------------------------------------- */

static const char *value = "1";
static const char *listened_file;

static void setup_listener(void)
{
	name_event();
	words = new_words();
	helper = data_open();
	must_reg_word(helper, command, words, 0);
	listened_file = listened_file
				?: text("events/user_events/%s/enable", event);
}

static void open_control(void)
{
	control = tfs_open(O_WRONLY, "%s", listened_file);
	ASSERT_OK(control);
}

static void close_control(void)
{
	close(control);
	control = -1;
}

static int call_control(void)
{
	return write(control, value, strlen(value));
}

static void check_enabled(void)
{
	wait_value(words, 1);
	EXPECT_CONTAINS(status_line(event), "Used by ftrace");
}

static void undo_enable(void)
{
	close_control();
	EXPECT_OK(tfs_write("0", "%s", listened_file));
	wait_value(words, 0);
	EXPECT_LACKS(status_line(event), "Used by");
}

TEST(enable)
{
	SWEEP(.setup = setup_listener, .arrange = open_control,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

static void setup_instance_listener(void)
{
	instance = uniq("inst");
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	setup_listener();
	listened_file = text("instances/%s/events/user_events/%s/enable",
			     instance, event);
}

TEST(enable_in_an_instance)
{
	SWEEP(.setup = setup_instance_listener, .arrange = open_control,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

/* The page is not there when the bit is to be set. */
static void open_control_without_page(void)
{
	open_control();
	ASSERT_OK(madvise((void *)words, PAGE, MADV_DONTNEED));
}

TEST(enable_without_page)
{
	SWEEP(.setup = setup_listener, .arrange = open_control_without_page,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

/* The page is shared since a fork when the bit is to be set. */
static void open_control_beside_a_child(void)
{
	open_control();
	child = new_child();
}

static void undo_enable_beside_a_child(void)
{
	undo_enable();
	end_child();
}

TEST(enable_beside_a_child)
{
	SWEEP(.setup = setup_listener, .arrange = open_control_beside_a_child,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable_beside_a_child);
}

static void setup_disable(void)
{
	value = "0";
	setup_listener();
}

static void arrange_disable(void)
{
	open_control();
	enable(event, true);
	wait_value(words, 1);
}

static void check_disabled(void)
{
	wait_value(words, 0);
	EXPECT_LACKS(status_line(event), "Used by");
}

TEST(disable)
{
	SWEEP(.setup = setup_disable, .arrange = arrange_disable,
	      .call = call_control, .check = check_disabled,
	      .undo = close_control);
}

static void setup_set_event(void)
{
	setup_listener();
	value = text("user_events:%s", event);
}

static void open_set_event(void)
{
	control = tfs_open(O_WRONLY, "set_event");
	ASSERT_OK(control);
}

TEST(enable_by_set_event)
{
	SWEEP(.setup = setup_set_event, .arrange = open_set_event,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

static void setup_filter(void)
{
	setup_listener();
	listened_file = text("events/user_events/%s/filter", event);
	value = "a > 3 && b == \"x\"";
}

static void check_filter(void)
{
	EXPECT_STREQ(tfs_read("%s", listened_file), text("%s\n", value));
}

static void undo_filter(void)
{
	close_control();
	EXPECT_OK(tfs_write("0", "%s", listened_file));
}

TEST(filter)
{
	SWEEP(.setup = setup_filter, .arrange = open_control,
	      .call = call_control, .check = check_filter, .undo = undo_filter,
	      .also = EINVAL);
}

static void setup_trigger(void)
{
	setup_listener();
	listened_file = text("events/user_events/%s/trigger", event);
	value = "traceoff:1 if a > 3";
}

static void check_trigger(void)
{
	EXPECT_CONTAINS(tfs_read("%s", listened_file),
			"traceoff:count=1 if a > 3");
}

static void undo_trigger(void)
{
	close_control();
	EXPECT_OK(tfs_write("!traceoff", "%s", listened_file));
	wait_value(words, 0);
}

TEST(trigger)
{
	SWEEP(.setup = setup_trigger, .arrange = open_control,
	      .call = call_control, .check = check_trigger,
	      .undo = undo_trigger, .also = EINVAL);
}

/* --- perf --------------------------------------------------------------------- */

static unsigned int id;

static void setup_perf(void)
{
	setup_listener();
	id = event_id(event);
}

static int call_perf_open(void)
{
	return result_fd = perf_open(id, 0, -1, 0);
}

static void check_perf_open(void)
{
	wait_value(words, 1);
	EXPECT_CONTAINS(status_line(event), "Used by perf");
}

static void undo_perf_open(void)
{
	close(result_fd);
	wait_value(words, 0);
	EXPECT_LACKS(status_line(event), "Used by");
}

TEST(perf_open)
{
	SWEEP(.setup = setup_perf, .call = call_perf_open,
	      .check = check_perf_open, .undo = undo_perf_open);
}

static void arrange_perf(void)
{
	ASSERT_OK(call_perf_open());
}

static int call_perf_mmap(void)
{
	mapping = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		       result_fd, 0);

	return mapping == MAP_FAILED ? -1 : 0;
}

static void undo_perf_mmap(void)
{
	ASSERT_OK(munmap(mapping, 3 * PAGE));
	undo_perf_open();
}

TEST(perf_mmap)
{
	SWEEP(.setup = setup_perf, .arrange = arrange_perf,
	      .call = call_perf_mmap, .check = check_perf_open,
	      .undo = undo_perf_mmap);
}

static int call_perf_close(void)
{
	return close(result_fd);
}

TEST(perf_close)
{
	SWEEP(.setup = setup_perf, .arrange = arrange_perf,
	      .call = call_perf_close, .check = check_disabled, .once = true);
}

/* --- processes ------------------------------------------------------------------ */

/* The child has the same word, at the same address, and shows it. */
static volatile uint32_t *shown;

static void setup_fork(void)
{
	setup_listener();
	shown = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(shown != MAP_FAILED);
}

static int call_fork(void)
{
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child)
		while (true)
			*shown = *words;

	return child;
}

static void check_fork(void)
{
	enable(event, true);
	wait_value(words, 1);
	wait_value(shown, 1);
	enable(event, false);
	wait_value(words, 0);
	wait_value(shown, 0);
}

TEST(fork)
{
	SWEEP(.setup = setup_fork, .call = call_fork, .check = check_fork,
	      .undo = end_child, .also = EAGAIN);
}

/* More than are kept ready for forks that get no memory. */
#define UNLUCKY 128

/* What threads of the kernel do gets no memory, nor do threads that are new. */
static void starve_workers(bool starve)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	ASSERT_TRUE(dir);
	must_write(probability[0], starve ? "100" : "0");
	while ((entry = readdir(dir))) {
		const char *path = text("/proc/%s/", entry->d_name);
		char *name = read_file(text("%scomm", path));

		if (name && (!strncmp(name, "kworker/", 8) ||
			     !strcmp(name, "kthreadd\n")))
			write_file(starve ? "1" : "0",
				   text("%smake-it-fail", path));
		free(name);
	}
	closedir(dir);
}

/* Ends with 1 if it is not followed. */
static void wait_and_unregister(int go)
{
	char byte;

	if (read(go, &byte, 1))
		_exit(2);
	if (!unreg(file, words, 0))
		_exit(0);
	_exit(errno == ENOENT ? 1 : 2);
}

/* Return: the child, which waits for @go to end. */
static pid_t fork_waiting(const int *go, unsigned int nth, unsigned int *left)
{
	pid_t pid;

	must_write(nth_file, text("%u", nth));
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		close(go[1]);
		wait_and_unregister(go[0]);
	}
	*left = nth_left(nth_file);
	must_write(nth_file, "0");

	return pid;
}

/* One of the last steps of a fork is that of the module. */
#define LAST_STEPS 4

/*
 * How many steps there are varies a little, so they are counted each time.
 *
 * Return: a child of which the last step but @back failed, or 0.
 */
static pid_t fork_unlucky(const int *go, unsigned int back)
{
	unsigned int left;
	pid_t pid = fork_waiting(go, NTH_MAX, &left);

	ASSERT_OK(pid);
	kill(pid, SIGKILL);
	ASSERT_EQ(waitpid(pid, NULL, 0), pid);
	pid = fork_waiting(go, NTH_MAX - left - back, &left);
	if (pid > 0 && left) {
		kill(pid, SIGKILL);
		ASSERT_EQ(waitpid(pid, NULL, 0), pid);
	}

	return pid > 0 && !left ? pid : 0;
}

static unsigned int count_unfollowed(const pid_t *children, unsigned int count)
{
	unsigned int unfollowed = 0;
	int status;

	while (count--) {
		ASSERT_EQ(waitpid(children[count], &status, 0),
			  children[count]);
		EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		unfollowed += WIFEXITED(status) && WEXITSTATUS(status) == 1;
	}

	return unfollowed;
}

/*
 * Some are kept ready, and nobody can make more of them meanwhile.
 *
 * Return: how many children were not followed, of @count.
 */
static unsigned int fork_many_unlucky(unsigned int back, unsigned int *count)
{
	pid_t children[UNLUCKY];
	unsigned int tries;
	int go[2];

	ASSERT_OK(pipe(go));
	starve_workers(true);
	*count = 0;
	for (tries = 0; *count < UNLUCKY && tries < NTH_MAX; tries++) {
		children[*count] = fork_unlucky(go, back);
		if (children[*count])
			(*count)++;
	}
	starve_workers(false);
	close(go[0]);
	close(go[1]);

	return count_unfollowed(children, *count);
}

TEST(fork_without_memory)
{
	unsigned int count, back, unfollowed = 0;
	const char *before;

	open_faults();
	ASSERT_OK(write_file("0", "/proc/self/make-it-fail"));
	setup_enabler();
	before = state();
	arrange_enabler();
	for (back = 0; back < LAST_STEPS && !unfollowed; back++)
		unfollowed = fork_many_unlucky(back, &count);
	harness_note("%u of %u children were not followed, with %u steps after",
		     unfollowed, count, back - 1);
	EXPECT_EQ(count, UNLUCKY);
	EXPECT_GT(unfollowed, 0);
	EXPECT_LT(unfollowed, UNLUCKY);
	check_follows(event);
	EXPECT_OK(unreg(file, words, 0));
	close_file();
	expect_state(before);
	totals->faults += count;
	totals->operations++;
}

/* Everything that a process can have of the module, and it ends. */
static void have_everything(void)
{
	int fd = data_open();

	must_reg_word(fd, command, words, 0);
	must_reg_word(fd, command, words, 1);
	status_map();
	ASSERT_OK(perf_open(event_id(event), 0, -1, 0));
}

/* Return: whether the n-th step of its end was there to fail. */
static bool end_failing(unsigned int n)
{
	siginfo_t info;
	bool failed;
	int own;

	child = fork();
	ASSERT_OK(child);
	if (!child) {
		have_everything();
		own = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
		ASSERT_OK(own);
		must_write(own, text("%u", n));
		syscall(SYS_exit_group, 0);
	}
	ASSERT_OK(waitid(P_PID, child, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(info.si_status, 0);
	own = open(text("/proc/%d/fail-nth", child), O_RDONLY | O_CLOEXEC);
	ASSERT_OK(own);
	failed = !nth_left(own);
	close(own);
	ASSERT_EQ(waitpid(child, NULL, 0), child);

	return failed;
}

TEST(exit)
{
	const char *before;
	unsigned int n = 1;

	open_faults();
	set_fault("fail_page_alloc/ignore-gfp-highmem", "N");
	setup_enabler();
	before = state();
	for (; end_failing(n) && !harness_failed(); n++) {
		harness_context("failure %u", n);
		totals->faults++;
		expect_state(before);
		ASSERT_LT(n, NTH_MAX);
	}
	harness_context(NULL);
	expect_state(before);
	totals->operations++;
	harness_note("%u single failures", n - 1);
}

/* --- in the background ---------------------------------------------------- */

/*
 * struct background - what is done for processes by threads of the kernel
 * @arrange: before each try; nothing fails in it
 * @begin: makes them work
 * @check: waits until all is as it should be
 */
struct background {
	void (*arrange)(void);
	void (*begin)(void);
	void (*check)(void);
};

static int workers[WORKERS_MAX];
static unsigned int workers_count;

/* They come and go, but not while there is something to do. */
static void open_workers(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	ASSERT_TRUE(dir);
	while ((entry = readdir(dir)) && workers_count < WORKERS_MAX) {
		char *name = read_file(text("/proc/%s/comm", entry->d_name));

		if (name && !strncmp(name, "kworker/", 8))
			workers[workers_count++] =
				open(text("/proc/%s/fail-nth", entry->d_name),
				     O_RDWR | O_CLOEXEC);
		free(name);
	}
	closedir(dir);
}

static bool close_workers(void)
{
	bool failed = false;

	while (workers_count) {
		int worker = workers[--workers_count];

		if (worker < 0)
			continue;
		failed |= !nth_left(worker);
		if (write(worker, "0", 1) < 0)
			EXPECT_EQ(errno, ESRCH);
		close(worker);
	}

	return failed;
}

static bool try_background(const struct background *work, unsigned int n)
{
	const char *number = text("%u", n);
	unsigned int i;

	run(work->arrange);
	open_workers();
	for (i = 0; i < workers_count; i++)
		if (write(workers[i], number, strlen(number)) < 0)
			EXPECT_EQ(errno, ESRCH);
	run(work->begin);
	run(work->check);

	return close_workers();
}

static void sweep_background(const struct background *work)
{
	unsigned int n, faults = 0, idle = 0;
	const char *before;

	open_faults();
	set_fault("fail_page_alloc/ignore-gfp-highmem", "N");
	setup_enabler();
	before = state();
	/* Another thread may have done it, so once is not enough. */
	for (n = 1; idle < 3 && !harness_failed(); n++) {
		harness_context("failure %u", n);
		if (try_background(work, n)) {
			faults++;
			idle = 0;
		} else {
			idle++;
		}
		expect_state(before);
		ASSERT_LT(n, NTH_MAX);
	}
	harness_context(NULL);
	totals->faults += faults;
	totals->operations++;
	harness_note("%u failures of threads of the kernel", faults);
}

/* A page of a file that is not there, which nobody but them brings in. */
static void arrange_sync(void)
{
	words = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE((void *)words != MAP_FAILED);
	*words = 0;
	open_file();
	must_reg_word(file, command, words, 0);
	ASSERT_OK(madvise((void *)words, PAGE, MADV_REMOVE));
}

static void begin_sync(void)
{
	enable(event, true);
}

/* Looking at it too early would bring it in. */
static void check_sync(void)
{
	unsigned char there = 0;
	long long start = 0;

	do {
		ASSERT_OK(mincore((void *)words, PAGE, &there));
	} while (!(there & 1) && harness_deadline(&start, 2));
	wait_value(words, 1);
	enable(event, false);
	wait_value(words, 0);
	EXPECT_OK(unreg(file, words, 0));
	close_file();
	ASSERT_OK(munmap((void *)words, PAGE));
}

TEST(bring_page_in)
{
	static const struct background work = {
		.arrange = arrange_sync,
		.begin = begin_sync,
		.check = check_sync,
	};

	sweep_background(&work);
}

static int child_pipe[2];

static void arrange_child(void)
{
	char byte;

	ASSERT_OK(pipe(child_pipe));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		have_everything();
		ASSERT_EQ(write(child_pipe[1], "x", 1), 1);
		while (true)
			pause();
	}
	ASSERT_EQ(read(child_pipe[0], &byte, 1), 1);
	close(child_pipe[0]);
	close(child_pipe[1]);
}

TEST(end_of_a_process)
{
	static const struct background work = {
		.arrange = arrange_child,
		.begin = end_child,
		.check = check_taken_back,
	};

	sweep_background(&work);
}

/* An event that does not stay, and that ftrace alone still has. */
static void arrange_release(void)
{
	open_file();
	must_reg_word(file, command, words, 0);
	enable(event, true);
	EXPECT_OK(unreg(file, words, 0));
	close_file();
}

static void begin_release(void)
{
	enable(event, false);
}

TEST(end_of_listening)
{
	static const struct background work = {
		.arrange = arrange_release,
		.begin = begin_release,
		.check = check_taken_back,
	};

	sweep_background(&work);
}

/* --- settings --------------------------------------------------------------------- */

static void open_setting(void)
{
	if (access(SETTING, F_OK))
		SKIP("no " SETTING);
	control = open(SETTING, O_RDWR | O_CLOEXEC);
	ASSERT_OK(control);
	value = "1234";
}

static void check_setting(void)
{
	EXPECT_STREQ(read_file(SETTING), "1234\n");
}

static void undo_setting(void)
{
	close_control();
	EXPECT_OK(write_file("32768", SETTING));
}

TEST(setting)
{
	SWEEP(.arrange = open_setting, .call = call_control,
	      .check = check_setting, .undo = undo_setting, .also = EINVAL);
}

static int call_read_setting(void)
{
	return pread(control, buffer, sizeof(buffer), 0);
}

TEST(read_setting)
{
	SWEEP(.arrange = open_setting, .call = call_read_setting,
	      .undo = close_control);
}

/* --- loading and unloading ------------------------------------------------ */

static int load_with(const char *parameters)
{
	return syscall(SYS_finit_module, helper, parameters, 0);
}

static int call_load(void)
{
	return load_with("");
}

static int call_unload(void)
{
	return syscall(SYS_delete_module, MODULE, O_NONBLOCK);
}

static bool loaded(void)
{
	return !access("/sys/module/" MODULE "/refcnt", F_OK);
}

static void must_unload(void)
{
	long long start = 0;

	while (call_unload()) {
		if (errno == EAGAIN && harness_deadline(&start, WAIT_TIMEOUT_S))
			continue;
		FAIL("cannot unload: %s", harness_errno(errno));
		harness_stop();
	}
}

static const char *module_path(void)
{
	return getenv("USER_EVENTS_KO") ?: "";
}

static void open_module(void)
{
	if (access(module_path(), R_OK))
		SKIP("USER_EVENTS_KO does not name the module");
	helper = open(module_path(), O_RDONLY | O_CLOEXEC);
	ASSERT_OK(helper);
}

static void check_unloaded(void)
{
	static const char *const files[] = {
		"user_events_data",
		"user_events_status",
		"user_events_profile",
		"events/user_events",
	};
	size_t i;

	EXPECT_FALSE(loaded());
	EXPECT_TRUE(access("/sys/module/" MODULE, F_OK));
	EXPECT_TRUE(access(SETTING, F_OK));
	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (tfs_exists("%s", files[i]))
			FAIL("there is still %s", files[i]);
	EXPECT_ERRNO(dynevent_write("u:" PREFIX "x u32 a"), EINVAL);
	/* Nobody is called any more who has gone. */
	child = new_child();
	end_child();
}

/* Everything that is made when it is loaded, and when it is first used. */
static void check_loaded(void)
{
	ASSERT_TRUE(loaded());
	EXPECT_FALSE(access(SETTING, F_OK));
	arrange_enabler();
	check_whole(event);
	check_follows(event);
	undo_enabler();
	open_status();
	ASSERT_OK(call_mmap());
	undo_mmap();
	EXPECT_OK(dynevent_write(text("u:%s u32 a", event)));
	check_whole(event);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
}

/* How many steps something has. */
static unsigned int count_steps(const char *parameters)
{
	unsigned int left;

	must_write(nth_file, "1000000");
	load_with(parameters);
	left = nth_left(nth_file);
	must_write(nth_file, "0");

	return 1000000 - left;
}

/* Return: whether the n-th step was there to fail. */
static bool try_load(const struct operation *op, unsigned int n, bool lasting,
		     const char *before)
{
	bool failed;

	harness_context("failure %u%s", n, lasting ? " and all after" : "");
	if (try(op, n, lasting, &failed) < 0) {
		/* tracefs does not say why it makes no file. */
		EXPECT_TRUE(errno == ENOMEM || errno == EPERM);
		EXPECT_TRUE(failed);
		check_unloaded();
		expect_state(before);
		ASSERT_OK(call_load());
	}
	check_loaded();
	must_unload();
	check_unloaded();
	expect_state(before);
	totals->faults += failed;

	return failed;
}

/*
 * What the kernel does before it calls the module is its own business, and is a
 * lot: where the module begins is seen by a parameter that it refuses.
 */
TEST_TIMEOUT(load, 8 * HARNESS_TIMEOUT)
{
	static const struct operation op = { .call = call_load };
	unsigned int first, steps, n, tried = 0;
	const char *before;
	int lasting;

	open_module();
	open_faults();
	setup_enabler();
	must_unload();
	before = state();
	first = count_steps("status_pages=0");
	check_unloaded();
	steps = count_steps("");
	must_unload();
	first = first > LOAD_MARGIN ? first - LOAD_MARGIN : 1;
	for (lasting = 0; lasting < 2; lasting++)
		for (n = first; try_load(&op, n, lasting, before); n++) {
			tried++;
			ASSERT_FALSE(harness_failed());
			ASSERT_LT(n, steps + NTH_MAX);
		}
	harness_context(NULL);
	ASSERT_OK(call_load());
	totals->operations++;
	harness_note("%u failures, from step %u on", tried, first);
}

/* When it goes it takes its hooks out of the kernel. */
static void arrange_unload(void)
{
	long long start = 0;

	arrange_enabler();
	undo_enabler();
	while (module_references())
		ASSERT_TRUE(harness_deadline(&start, WAIT_TIMEOUT_S));
}

static void setup_unload(void)
{
	open_module();
	setup_enabler();
	enabler_bit = 0;
}

static void undo_unload(void)
{
	ASSERT_OK(call_load());
}

TEST_TIMEOUT(unload, 8 * HARNESS_TIMEOUT)
{
	SWEEP(.setup = setup_unload, .arrange = arrange_unload,
	      .call = call_unload, .check = check_unloaded,
	      .undo = undo_unload);
}

/* The first enabler since it was loaded puts them in. */
static void arrange_first(void)
{
	must_unload();
	ASSERT_OK(call_load());
	file = data_open();
	must_reg(file, command);
}

static void undo_first(void)
{
	undo_enabler();
	EXPECT_OK(del_event(event));
}

TEST_TIMEOUT(register_first_enabler, 8 * HARNESS_TIMEOUT)
{
	SWEEP(.setup = setup_unload, .arrange = arrange_first,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_first);
}

/* --- leaks ------------------------------------------------------------------ */

static bool leaks_are_looked_for;

/* Without memory of its own it gives up for good, and says so when asked. */
static bool can_look_for_leaks(void)
{
	return !write_file("scan=off", KMEMLEAK);
}

/* What two searches have missed, some seconds after it was made. */
static void look_for_leaks(const char *when)
{
	char *found;

	ASSERT_OK(write_file("scan", KMEMLEAK));
	sleep(LEAK_AGE);
	ASSERT_OK(write_file("scan", KMEMLEAK));
	found = read_file(KMEMLEAK);
	ASSERT_TRUE(found);
	if (*found)
		FAIL("%s: %u leaks, the first of them:\n%.3000s", when,
		     count_lines(found, "unreferenced"), found);
	free(found);
}

/* After all the others, and what the module has itself goes with it. */
TEST_TIMEOUT(leaks, 8 * HARNESS_TIMEOUT)
{
	if (!leaks_are_looked_for)
		SKIP("this kernel does not look for leaks");
	ASSERT_TRUE(can_look_for_leaks());
	open_module();
	look_for_leaks("before unloading");
	must_unload();
	look_for_leaks("after unloading");
	ASSERT_OK(call_load());
}

/*
 * Whoever reads the log is to know what these mean: that kernels complain of
 * memory that they did not get. None of it is about the module.
 */
static void tell(const char *what)
{
	write_file(what, "/dev/kmsg");
}

static void before(void)
{
	tell("selftest: memory fails on demand");
	user_events_hooks.before();
}

/* The next test finds the module loaded, whatever became of this one. */
static unsigned int after(void)
{
	unsigned int left;

	if (!loaded()) {
		helper = open(module_path(), O_RDONLY | O_CLOEXEC);
		if (call_load())
			harness_note("cannot load again: %s",
				     harness_errno(errno));
		close(helper);
	}
	left = user_events_hooks.after();
	tell("selftest: memory fails no more");

	return left;
}

static const char *skip_reason(void)
{
	static const char *const needed[] = {
		"/proc/self/fail-nth",
		FAULTS "failslab/probability",
		FAULTS "fail_page_alloc/probability",
		FAULTS "fail_usercopy/probability",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(needed); i++)
		if (access(needed[i], W_OK))
			return text(
				"this kernel does not fail on demand: no %s",
				needed[i]);

	return user_events_hooks.skip_reason();
}

/*
 * Where kernels warn of memory that they did not get themselves: for a field
 * of an event, when such an event is taken back (Linux 6.12), and for a part of
 * the kernel's address space (Linux 6.1).
 */
static const char *const allowed_warnings[] = {
	"event_define_fields+",
	"event_file_put+",
	"alloc_vmap_area+",
	NULL,
};

int main(int argc, char **argv)
{
	const struct harness_hooks hooks = {
		.skip_reason = skip_reason,
		.before = before,
		.after = after,
		.allowed_warnings = allowed_warnings,
	};
	int status;

	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (totals == MAP_FAILED)
		return HARNESS_FAIL;

	leaks_are_looked_for = can_look_for_leaks();
	status = harness_main(argc, argv, &hooks);
	if (totals->operations)
		harness_note("%u faults in %u operations", totals->faults,
			     totals->operations);

	return status;
}
