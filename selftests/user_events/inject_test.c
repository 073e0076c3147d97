// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fault injection. For each operation, the first allocation or copy fails, then
 * the second, and so on, until the operation succeeds without a fault. A failed
 * operation must leave nothing half done and leak nothing, and the same call
 * must succeed afterwards.
 *
 * The kernel counts (fail-nth in /proc), for one task, all allocations of slabs
 * and pages and all copies from and to user space, its own and those of the
 * module. Percpu allocations are not included.
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

#include "../lib/module.h"
#include "../lib/user_events.h"

#define MODULE "user_events"
#define PAGE 4096
#define DEBUGFS "/sys/kernel/debug/"
#define SYSCTL "/proc/sys/kernel/user_events_max"
#define KMEMLEAK DEBUGFS "kmemleak"

/* More steps than any operation has; reaching this means an endless loop. */
#define NTH_MAX 4000

/* Number of failures of an operation after which the test stops. */
#define BAD_MAX 5

/* Maximum number of kernel threads with injected faults. */
#define WORKERS_MAX 64

/* Size of a record that is not assembled on the stack. */
#define LARGE 2000

/* Steps by which the module can start to load earlier than measured. */
#define LOAD_MARGIN 20

/* Seconds after which kmemleak reports an object as leaked. */
#define LEAK_AGE 6

/*
 * struct operation - an operation with injected faults
 * @setup: called once, first
 * @arrange: called before each attempt, without faults
 * @call: the operation; returns a value that is not negative, or -1 with errno
 * @check: checks the result of a successful operation
 * @undo: restores the state before @arrange
 * @also: an errno that is allowed, besides ENOMEM and EFAULT
 * @once: attempt it only with single faults
 *
 * All members except @call can be NULL.
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

/* --- faults --- */

/*
 * struct totals - sums over all tests, in shared memory
 * @faults: number of injected faults
 * @operations: number of operations
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
	ASSERT_OK(write_file(value, text(DEBUGFS "%s", file)));
}

/*
 * Allows faults in all kinds of memory, without messages in the log, so that
 * each remaining message is a warning. Random faults occur only in tasks that
 * ask for them, with a probability that is usually 0.
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
		probability[i] = open(text(DEBUGFS "%s/probability", kinds[i]),
				      O_WRONLY | O_CLOEXEC);
		ASSERT_OK(probability[i]);
	}
	ASSERT_OK(write_file("1", "/proc/self/make-it-fail"));
	/* Faults in the test's own memory are not wanted. */
	ASSERT_OK(mlockall(MCL_CURRENT));
}

/* Retries, since the fault can be injected into the copy of the number. */
static void must_write(int file, const char *number)
{
	size_t length = strlen(number);

	while (write(file, number, length) < 0)
		;
}

/* Remaining steps of a task until the fault; 0 if it has been injected. */
static unsigned int nth_left(int file)
{
	char digits[16] = "";

	/*
	 * The number is read before it is copied, so the copy itself is the
	 * step that failed.
	 */
	if (pread(file, digits, sizeof(digits) - 1, 0) < 0)
		return 1;

	return strtoul(digits, NULL, 10);
}

/*
 * try - execute the operation with a fault in its n-th step
 * @lasting: all later allocations fail as well, except those of user pages,
 *	     which the kernel would retry forever
 * @failed: set if the fault was injected
 *
 * Return: the result of the operation.
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

/* --- state of the kernel --- */

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

/* Adds the sorted names of a directory, and the number of entries of each. */
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

/* The state of all events, and the references of the process to them. */
static char *read_state(void)
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

static void report_difference(const char *expected, const char *actual)
{
	size_t i = 0;

	while (expected[i] && expected[i] == actual[i])
		i++;
	while (i && expected[i - 1] != '\n')
		i--;
	FAIL("unexpected state: expected\n     \"%.400s\"\nbut it is\n     \"%.400s\"",
	     expected + i, actual + i);
}

/* Waits for a while, since some objects are deleted by work items. */
static bool expect_state(const char *expected)
{
	long long start = 0;
	bool same;
	char *actual;

	do {
		actual = read_state();
		same = !strcmp(actual, expected);
		if (same || !harness_deadline(&start, WAIT_TIMEOUT_S / 4))
			break;
		free(actual);
	} while (true);
	if (!same)
		report_difference(expected, actual);
	free(actual);

	return same;
}

/* --- a single operation --------------------------------------------------- */

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

/* The operation to be checked succeeded although one of its steps failed. */
static bool succeeded_despite_fault;

/* Return: whether the n-th step existed, so that it could fail. */
static bool try_nth(const struct operation *op, unsigned int n, bool lasting,
		    const char *before)
{
	char *arranged;
	bool failed;
	int result;

	run(op->arrange);
	arranged = read_state();
	result = try(op, n, lasting, &failed);
	if (result < 0) {
		int error = errno;

		harness_context("failure %u%s", n,
				lasting ? " and all later steps" : "");
		if (!is_allowed(op, error))
			FAIL("failed with %s", harness_errno(error));
		if (!failed)
			FAIL("failed with %s without an injected fault",
			     harness_errno(error));
		expect_state(arranged);
		harness_context("after failure %u%s", n,
				lasting ? " and all later steps" : "");
		ASSERT_OK(op->call());
	} else {
		harness_context("success despite failure %u%s", n,
				lasting ? " and all later steps" : "");
		succeeded_despite_fault = failed;
	}
	run(op->check);
	succeeded_despite_fault = false;
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
	before = read_state();
	/*
	 * The first execution creates objects that stay, and shows that it
	 * succeeds at all.
	 */
	run(op->arrange);
	ASSERT_OK(op->call());
	run(op->check);
	run(op->undo);
	expect_state(before);

	one = sweep_span(op, false, before);
	if (!op->once)
		all = sweep_span(op, true, before);
	totals->operations++;
	harness_note("%u single faults, %u lasting faults", one, all);
}

#define SWEEP(...) sweep(&(const struct operation){ __VA_ARGS__ })

/* --- objects of the operations --- */

static const char *event, *command, *instance;
static int file = -1, helper = -1, control = -1;
static int result_fd = -1;
static unsigned int index_of_event;
static struct user_reg_status registered;
static volatile uint32_t *words;
static char buffer[65536];

/* The event of most operations, with fields of several kinds. */
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
			FAIL("%s/%s does not exist", dir, files[i]);
	if (has_hist() && !tfs_exists("%s/hist", dir))
		FAIL("%s/hist does not exist", dir);
}

/*
 * Since Linux 6.6 (eventfs), the kernel reports a failure only if it created
 * none of an event's directories. With an instance it creates more than one.
 */
static bool directories_are_expected(void)
{
	return !succeeded_despite_fault || !instance ||
	       !kernel_has("eventfs_create_events_dir");
}

/* Checks that an event is complete. */
static void check_complete(const char *name)
{
	EXPECT_TRUE(status_line(name));
	if (!directories_are_expected())
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

/* --- opening, reading and mapping --- */

static int call_open_data(void)
{
	return file = tfs_open(O_RDWR, "user_events_data");
}

TEST(open_data_survives_faults)
{
	SWEEP(.call = call_open_data, .undo = close_file);
}

static int call_open_status(void)
{
	return file = tfs_open(O_RDONLY, "user_events_status");
}

TEST(open_status_survives_faults)
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

TEST(read_status_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_status, .call = call_read,
	      .check = check_read, .undo = close_file);
}

static void open_profile(void)
{
	file = tfs_open(O_RDONLY, "user_events_profile");
	ASSERT_OK(file);
}

TEST(read_profile_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_profile, .call = call_read,
	      .check = check_read, .undo = close_file);
}

static int call_open_enablers(void)
{
	return file = tfs_open(O_RDONLY, "user_events_enablers");
}

static void setup_listed(void)
{
	name_event();
	helper = data_open();
	must_reg_word(helper, command, words, 0);
}

TEST(open_enablers_survives_faults)
{
	SWEEP(.setup = setup_listed, .call = call_open_enablers,
	      .undo = close_file);
}

static void open_enablers(void)
{
	ASSERT_OK(call_open_enablers());
}

TEST(read_enablers_survives_faults)
{
	SWEEP(.setup = setup_listed, .arrange = open_enablers,
	      .call = call_read, .check = check_read, .undo = close_file);
}

static void open_dynamic_events(void)
{
	file = tfs_open(O_RDONLY, "dynamic_events");
	ASSERT_OK(file);
}

TEST(read_dynamic_events_survives_faults)
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

TEST(map_status_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_status, .call = call_mmap,
	      .check = check_mmap, .undo = undo_mmap, .also = EAGAIN);
}

/* --- registration: status page --- */

static int call_reg(void)
{
	return reg(file, command, &registered);
}

static void check_reg(void)
{
	unsigned int line = strtoul(status_line(event) ?: "0", NULL, 10);

	EXPECT_EQ(registered.status_bit, line);
	EXPECT_ERRNO(emit(file, registered.write_index, buffer, LARGE), EBADF);
	check_complete(event);
}

static void undo_reg(void)
{
	close_file();
	EXPECT_OK(del_event(event));
}

TEST(register_new_survives_faults)
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

TEST(register_without_fields_survives_faults)
{
	SWEEP(.setup = name_without_fields, .arrange = open_file,
	      .call = call_reg, .check = check_known, .undo = undo_reg);
}

/* About 70 fields, whose description is larger than a page. */
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

TEST(register_many_fields_survives_faults)
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

TEST(register_with_instance_survives_faults)
{
	SWEEP(.setup = name_in_instance, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = undo_reg);
}

TEST(register_existing_survives_faults)
{
	SWEEP(.setup = setup_event, .arrange = open_file, .call = call_reg,
	      .check = check_reg, .undo = close_file);
}

/* The table of a file has room for 6 events, and then for 12. */
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

TEST(register_seventh_survives_faults)
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
	check_complete(event);
}

TEST(create_by_line_survives_faults)
{
	SWEEP(.setup = name_line, .arrange = open_dynamic, .call = call_line,
	      .check = check_line, .undo = undo_reg);
}

/* --- deletion ------------------------------------------------------------- */

static void check_deleted(void)
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

TEST(delete_by_name_survives_faults)
{
	SWEEP(.setup = name_event, .arrange = arrange_deletable,
	      .call = call_delete, .check = check_deleted, .undo = close_file);
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

TEST(delete_by_line_survives_faults)
{
	SWEEP(.setup = name_event, .arrange = arrange_deletable_line,
	      .call = call_delete_line, .check = check_deleted,
	      .undo = close_file);
}

/* --- registration: enablers ----------------------------------------------- */

static unsigned int enabler_flags, enabler_bit;

static int call_reg_enabler(void)
{
	return reg_enabler(file, command, words, sizeof(*words), enabler_bit,
			   enabler_flags);
}

static void check_bit_is_updated(const char *name)
{
	const char *at = text("events/%s/%s/enable", system_of(name), name);

	EXPECT_OK(tfs_write("1", "%s", at));
	wait_value(words, 1U << enabler_bit);
	EXPECT_OK(tfs_write("0", "%s", at));
	wait_value(words, 0);
}

static void check_enabler(void)
{
	check_complete(event);
	check_bit_is_updated(event);
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

TEST(register_enabler_survives_faults)
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

TEST(register_enabler_of_existing_survives_faults)
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

TEST(register_persistent_survives_faults)
{
	SWEEP(.setup = setup_persistent, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_persistent);
}

/* The number in the name of a multi-format event is not known. */
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
	check_complete(multi_name());
	check_bit_is_updated(multi_name());
}

TEST(register_multi_format_survives_faults)
{
	SWEEP(.setup = setup_multi, .arrange = open_file,
	      .call = call_reg_enabler, .check = check_multi,
	      .undo = undo_enabler);
}

/* The first set of a process has room for four enablers, and must then grow. */
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

TEST(register_fifth_enabler_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_four,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_five);
}

static void discard_page(void)
{
	open_file();
	ASSERT_OK(madvise((void *)words, PAGE, MADV_DONTNEED));
}

TEST(register_enabler_without_page_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = discard_page,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_enabler);
}

/* --- a set of enablers shared with a child --- */

static pid_t child;

static pid_t start_child(void)
{
	pid_t pid = fork();

	ASSERT_OK(pid);
	if (!pid)
		while (true)
			pause();

	return pid;
}

static void kill_child(void)
{
	kill(child, SIGKILL);
	ASSERT_EQ(waitpid(child, NULL, 0), child);
}

static void arrange_shared(void)
{
	open_file();
	must_reg_word(file, command, words + 1, 7);
	child = start_child();
}

static void undo_shared(void)
{
	EXPECT_OK(unreg(file, words + 1, 7));
	EXPECT_OK(unreg(file, words, enabler_bit));
	kill_child();
	close_file();
}

TEST(register_enabler_shared_with_child_survives_faults)
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

TEST(unregister_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_enabler,
	      .call = call_unreg, .check = check_unreg, .undo = close_file);
}

static void arrange_enabler_shared(void)
{
	arrange_enabler();
	child = start_child();
}

static void undo_child(void)
{
	kill_child();
	close_file();
}

TEST(unregister_shared_with_child_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_enabler_shared,
	      .call = call_unreg, .check = check_unreg, .undo = undo_child);
}

/*
 * Closes the file that has the last reference to an event that is not
 * persistent.
 */
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

static void check_event_is_deleted(void)
{
	wait_deleted(event);
}

TEST(close_data_survives_faults)
{
	SWEEP(.setup = setup_enabler, .arrange = arrange_last_file,
	      .call = call_close, .check = check_event_is_deleted,
	      .once = true);
}

/* --- writes --------------------------------------------------------------- */

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

/* A failed write records nothing, so there is exactly one record. */
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

TEST(write_to_ftrace_survives_faults)
{
	SWEEP(.setup = setup_write_ftrace, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

TEST(writev_to_ftrace_survives_faults)
{
	SWEEP(.setup = setup_write_ftrace, .arrange = arrange_write,
	      .call = call_writev, .check = check_write);
}

static void setup_write_perf(void)
{
	with_perf = true;
	setup_write();
}

TEST(write_to_perf_survives_faults)
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

TEST(write_to_both_with_filter_survives_faults)
{
	SWEEP(.setup = setup_write_both, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

static void setup_write_large(void)
{
	payload = LARGE;
	setup_write_both();
}

TEST(write_large_survives_faults)
{
	SWEEP(.setup = setup_write_large, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

TEST(writev_large_survives_faults)
{
	SWEEP(.setup = setup_write_large, .arrange = arrange_write,
	      .call = call_writev, .check = check_write);
}

/*
 * The record does not fit into any buffer, but needs more than a page of
 * memory.
 */
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

TEST(write_huge_survives_faults)
{
	SWEEP(.setup = setup_write_huge, .arrange = arrange_write,
	      .call = call_write, .check = check_huge);
}

/* --- enabling ------------------------------------------------------------- */

static const char *value = "1";
static const char *control_path;

static void setup_enable(void)
{
	name_event();
	words = new_words();
	helper = data_open();
	must_reg_word(helper, command, words, 0);
	control_path = control_path
			       ?: text("events/user_events/%s/enable", event);
}

static void open_control(void)
{
	control = tfs_open(O_WRONLY, "%s", control_path);
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
	EXPECT_OK(tfs_write("0", "%s", control_path));
	wait_value(words, 0);
	EXPECT_LACKS(status_line(event), "Used by");
}

TEST(enable_survives_faults)
{
	SWEEP(.setup = setup_enable, .arrange = open_control,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

static void setup_enable_in_instance(void)
{
	instance = uniq("inst");
	ASSERT_OK(mkdir(text("%s/instances/%s", tracefs(), instance), 0700));
	setup_enable();
	control_path = text("instances/%s/events/user_events/%s/enable",
			    instance, event);
}

TEST(enable_in_instance_survives_faults)
{
	SWEEP(.setup = setup_enable_in_instance, .arrange = open_control,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

/* The page is absent when the bit is set. */
static void open_control_without_page(void)
{
	open_control();
	ASSERT_OK(madvise((void *)words, PAGE, MADV_DONTNEED));
}

TEST(enable_without_page_survives_faults)
{
	SWEEP(.setup = setup_enable, .arrange = open_control_without_page,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

/* The page is shared with a child since a fork when the bit is set. */
static void open_control_with_child(void)
{
	open_control();
	child = start_child();
}

static void undo_enable_with_child(void)
{
	undo_enable();
	kill_child();
}

TEST(enable_shared_with_child_survives_faults)
{
	SWEEP(.setup = setup_enable, .arrange = open_control_with_child,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable_with_child);
}

static void setup_disable(void)
{
	value = "0";
	setup_enable();
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

TEST(disable_survives_faults)
{
	SWEEP(.setup = setup_disable, .arrange = arrange_disable,
	      .call = call_control, .check = check_disabled,
	      .undo = close_control);
}

static void setup_set_event(void)
{
	setup_enable();
	value = text("user_events:%s", event);
}

static void open_set_event(void)
{
	control = tfs_open(O_WRONLY, "set_event");
	ASSERT_OK(control);
}

TEST(enable_by_set_event_survives_faults)
{
	SWEEP(.setup = setup_set_event, .arrange = open_set_event,
	      .call = call_control, .check = check_enabled,
	      .undo = undo_enable);
}

static void setup_filter(void)
{
	setup_enable();
	control_path = text("events/user_events/%s/filter", event);
	value = "a > 3 && b == \"x\"";
}

static void check_filter(void)
{
	EXPECT_STREQ(tfs_read("%s", control_path), text("%s\n", value));
}

static void undo_filter(void)
{
	close_control();
	EXPECT_OK(tfs_write("0", "%s", control_path));
}

TEST(filter_survives_faults)
{
	SWEEP(.setup = setup_filter, .arrange = open_control,
	      .call = call_control, .check = check_filter, .undo = undo_filter,
	      .also = EINVAL);
}

static void setup_trigger(void)
{
	setup_enable();
	control_path = text("events/user_events/%s/trigger", event);
	value = "traceoff:1 if a > 3";
}

static void check_trigger(void)
{
	EXPECT_CONTAINS(tfs_read("%s", control_path),
			"traceoff:count=1 if a > 3");
}

static void undo_trigger(void)
{
	close_control();
	EXPECT_OK(tfs_write("!traceoff", "%s", control_path));
	wait_value(words, 0);
}

TEST(trigger_survives_faults)
{
	SWEEP(.setup = setup_trigger, .arrange = open_control,
	      .call = call_control, .check = check_trigger,
	      .undo = undo_trigger, .also = EINVAL);
}

/* --- perf ----------------------------------------------------------------- */

static unsigned int id;

static void setup_perf(void)
{
	setup_enable();
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

TEST(perf_open_survives_faults)
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

TEST(perf_mmap_survives_faults)
{
	SWEEP(.setup = setup_perf, .arrange = arrange_perf,
	      .call = call_perf_mmap, .check = check_perf_open,
	      .undo = undo_perf_mmap);
}

static int call_perf_close(void)
{
	return close(result_fd);
}

TEST(perf_close_survives_faults)
{
	SWEEP(.setup = setup_perf, .arrange = arrange_perf,
	      .call = call_perf_close, .check = check_disabled, .once = true);
}

/* --- processes ------------------------------------------------------------ */

/*
 * The child copies its word, which has the same address, to this shared word.
 */
static volatile uint32_t *child_word;

static void setup_fork(void)
{
	setup_enable();
	child_word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(child_word != MAP_FAILED);
}

static int call_fork(void)
{
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child)
		while (true)
			*child_word = *words;

	return child;
}

static void check_fork(void)
{
	enable(event, true);
	wait_value(words, 1);
	wait_value(child_word, 1);
	enable(event, false);
	wait_value(words, 0);
	wait_value(child_word, 0);
}

TEST(fork_survives_faults)
{
	SWEEP(.setup = setup_fork, .call = call_fork, .check = check_fork,
	      .undo = kill_child, .also = EAGAIN);
}

/* More children than the module's pool has objects for. */
#define FAILED_FORKS 128

/*
 * Makes all allocations of kernel threads fail, including those of new threads.
 */
static void fail_kernel_threads(bool fail)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	ASSERT_TRUE(dir);
	must_write(probability[0], fail ? "100" : "0");
	while ((entry = readdir(dir))) {
		const char *path = text("/proc/%s/", entry->d_name);
		char *name = read_file(text("%scomm", path));

		if (name && (!strncmp(name, "kworker/", 8) ||
			     !strcmp(name, "kthreadd\n")))
			write_file(fail ? "1" : "0",
				   text("%smake-it-fail", path));
		free(name);
	}
	closedir(dir);
}

/* Exits with status 1 if the enabler was not copied to this process. */
static void wait_and_unregister(int go)
{
	char byte;

	if (read(go, &byte, 1))
		_exit(2);
	if (!unreg(file, words, 0))
		_exit(0);
	_exit(errno == ENOENT ? 1 : 2);
}

/* Return: the child, which waits until @go is closed. */
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

/* Number of last steps of a fork, one of which is the module's. */
#define LAST_STEPS 4

/*
 * The number of steps varies slightly, so it is measured for each fork.
 *
 * Return: a child whose fork failed in the step @back before the last, or 0.
 */
static pid_t fork_with_fault(const int *go, unsigned int back)
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

static unsigned int count_without_enablers(const pid_t *children,
					   unsigned int count)
{
	unsigned int without_enablers = 0;
	int status;

	while (count--) {
		ASSERT_EQ(waitpid(children[count], &status, 0),
			  children[count]);
		EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		without_enablers += WIFEXITED(status) &&
				    WEXITSTATUS(status) == 1;
	}

	return without_enablers;
}

/*
 * The module has a pool of objects, which cannot be refilled meanwhile.
 *
 * Return: number of children without enablers, of @count children.
 */
static unsigned int fork_many_with_fault(unsigned int back, unsigned int *count)
{
	pid_t children[FAILED_FORKS];
	unsigned int tries;
	int go[2];

	ASSERT_OK(pipe(go));
	fail_kernel_threads(true);
	*count = 0;
	for (tries = 0; *count < FAILED_FORKS && tries < NTH_MAX; tries++) {
		children[*count] = fork_with_fault(go, back);
		if (children[*count])
			(*count)++;
	}
	fail_kernel_threads(false);
	close(go[0]);
	close(go[1]);

	return count_without_enablers(children, *count);
}

TEST(fork_without_memory_leaves_child_without_enablers)
{
	unsigned int count, back, without_enablers = 0;
	const char *before;

	open_faults();
	ASSERT_OK(write_file("0", "/proc/self/make-it-fail"));
	setup_enabler();
	before = read_state();
	arrange_enabler();
	for (back = 0; back < LAST_STEPS && !without_enablers; back++)
		without_enablers = fork_many_with_fault(back, &count);
	harness_note(
		"%u of %u children got no enablers, %u steps before the last",
		without_enablers, count, back - 1);
	EXPECT_EQ(count, FAILED_FORKS);
	EXPECT_GT(without_enablers, 0);
	EXPECT_LT(without_enablers, FAILED_FORKS);
	check_bit_is_updated(event);
	EXPECT_OK(unreg(file, words, 0));
	close_file();
	expect_state(before);
	totals->faults += count;
	totals->operations++;
}

/* Creates all objects of the module that a process can have. */
static void create_all_objects(void)
{
	int fd = data_open();

	must_reg_word(fd, command, words, 0);
	must_reg_word(fd, command, words, 1);
	status_map();
	ASSERT_OK(perf_open(event_id(event), 0, -1, 0));
}

/* Return: whether the n-th step of the exit existed, so that it could fail. */
static bool exit_with_fault(unsigned int n)
{
	siginfo_t info;
	bool failed;
	int fail_nth;

	child = fork();
	ASSERT_OK(child);
	if (!child) {
		create_all_objects();
		fail_nth = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
		ASSERT_OK(fail_nth);
		must_write(fail_nth, text("%u", n));
		syscall(SYS_exit_group, 0);
	}
	ASSERT_OK(waitid(P_PID, child, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(info.si_status, 0);
	fail_nth = open(text("/proc/%d/fail-nth", child), O_RDONLY | O_CLOEXEC);
	ASSERT_OK(fail_nth);
	failed = !nth_left(fail_nth);
	close(fail_nth);
	ASSERT_EQ(waitpid(child, NULL, 0), child);

	return failed;
}

TEST(exit_survives_faults)
{
	const char *before;
	unsigned int n = 1;

	open_faults();
	set_fault("fail_page_alloc/ignore-gfp-highmem", "N");
	setup_enabler();
	before = read_state();
	for (; exit_with_fault(n) && !harness_failed(); n++) {
		harness_context("fault %u", n);
		totals->faults++;
		expect_state(before);
		ASSERT_LT(n, NTH_MAX);
	}
	harness_context(NULL);
	expect_state(before);
	totals->operations++;
	harness_note("%u single faults", n - 1);
}

/* --- work items of the kernel --------------------------------------------- */

/*
 * struct background - work that kernel threads do for processes
 * @arrange: called before each attempt, without faults
 * @start: starts the work
 * @check: waits until the work is complete
 */
struct background {
	void (*arrange)(void);
	void (*start)(void);
	void (*check)(void);
};

static int workers[WORKERS_MAX];
static unsigned int workers_count;

/* Idle kernel threads can exit, but not while there is work. */
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
	run(work->start);
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
	before = read_state();
	/*
	 * Another kernel thread might have done the work, so attempt it again.
	 */
	for (n = 1; idle < 3 && !harness_failed(); n++) {
		harness_context("fault %u", n);
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
	harness_note("%u faults in kernel threads", faults);
}

static int child_pipe[2];

static void arrange_child(void)
{
	char byte;

	ASSERT_OK(pipe(child_pipe));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		create_all_objects();
		ASSERT_EQ(write(child_pipe[1], "x", 1), 1);
		while (true)
			pause();
	}
	ASSERT_EQ(read(child_pipe[0], &byte, 1), 1);
	close(child_pipe[0]);
	close(child_pipe[1]);
}

TEST(reaping_survives_faults)
{
	static const struct background work = {
		.arrange = arrange_child,
		.start = kill_child,
		.check = check_event_is_deleted,
	};

	sweep_background(&work);
}

/* An event that is not persistent; ftrace has the last reference. */
static void arrange_release(void)
{
	open_file();
	must_reg_word(file, command, words, 0);
	enable(event, true);
	EXPECT_OK(unreg(file, words, 0));
	close_file();
}

static void start_release(void)
{
	enable(event, false);
}

TEST(deferred_deletion_survives_faults)
{
	static const struct background work = {
		.arrange = arrange_release,
		.start = start_release,
		.check = check_event_is_deleted,
	};

	sweep_background(&work);
}

/* --- sysctl --------------------------------------------------------------- */

static void open_setting(void)
{
	if (access(SYSCTL, F_OK))
		SKIP(SYSCTL " does not exist");
	control = open(SYSCTL, O_RDWR | O_CLOEXEC);
	ASSERT_OK(control);
	value = "1234";
}

static void check_setting(void)
{
	EXPECT_STREQ(read_file(SYSCTL), "1234\n");
}

static void undo_setting(void)
{
	close_control();
	EXPECT_OK(write_file("32768", SYSCTL));
}

TEST(sysctl_write_survives_faults)
{
	SWEEP(.arrange = open_setting, .call = call_control,
	      .check = check_setting, .undo = undo_setting, .also = EINVAL);
}

static int call_read_setting(void)
{
	return pread(control, buffer, sizeof(buffer), 0);
}

TEST(sysctl_read_survives_faults)
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

static bool is_loaded(void)
{
	return !access("/sys/module/" MODULE "/refcnt", F_OK);
}

static void open_module(void)
{
	if (access(module_path(), R_OK))
		SKIP("USER_EVENTS_KO is not the path of the module");
	helper = open(module_path(), O_RDONLY | O_CLOEXEC);
	ASSERT_OK(helper);
}

static void check_unloaded(void)
{
	static const char *const files[] = {
		"user_events_data",    "user_events_status",
		"user_events_profile", "user_events_enablers",
		"events/user_events",
	};
	size_t i;

	EXPECT_FALSE(is_loaded());
	EXPECT_TRUE(access("/sys/module/" MODULE, F_OK));
	EXPECT_TRUE(access(SYSCTL, F_OK));
	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (tfs_exists("%s", files[i]))
			FAIL("%s still exists", files[i]);
	EXPECT_ERRNO(dynevent_write("u:" PREFIX "x u32 a"), EINVAL);
	/* The kernel must not call functions of the unloaded module. */
	child = start_child();
	kill_child();
}

/* Creates all objects of the module, on load and on first use. */
static void check_loaded(void)
{
	ASSERT_TRUE(is_loaded());
	EXPECT_FALSE(access(SYSCTL, F_OK));
	arrange_enabler();
	check_complete(event);
	check_bit_is_updated(event);
	undo_enabler();
	open_status();
	ASSERT_OK(call_mmap());
	undo_mmap();
	EXPECT_OK(dynevent_write(text("u:%s u32 a", event)));
	check_complete(event);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
}

/* Number of steps of loading the module. */
static unsigned int count_steps(const char *parameters)
{
	unsigned int left;

	must_write(nth_file, "1000000");
	load_with(parameters);
	left = nth_left(nth_file);
	must_write(nth_file, "0");

	return 1000000 - left;
}

/* Return: whether the n-th step existed, so that it could fail. */
static bool try_load(const struct operation *op, unsigned int n, bool lasting,
		     const char *before)
{
	bool failed;

	harness_context("fault %u%s", n, lasting ? " and all later steps" : "");
	if (try(op, n, lasting, &failed) < 0) {
		/*
		 * tracefs does not return the reason why it cannot create a
		 * file.
		 */
		EXPECT_TRUE(errno == ENOMEM || errno == EPERM);
		EXPECT_TRUE(failed);
		check_unloaded();
		expect_state(before);
		ASSERT_OK(call_load());
	}
	check_loaded();
	module_must_unload();
	check_unloaded();
	expect_state(before);
	totals->faults += failed;

	return failed;
}

/*
 * Skips the many steps of the kernel before it calls the module. The first step
 * of the module is found with a parameter that the module rejects.
 */
TEST_TIMEOUT(load_survives_faults, 8 * HARNESS_TIMEOUT)
{
	static const struct operation op = { .call = call_load };
	unsigned int first, steps, n, tried = 0;
	const char *before;
	int lasting;

	open_module();
	open_faults();
	setup_enabler();
	module_must_unload();
	before = read_state();
	first = count_steps("status_pages=0");
	check_unloaded();
	steps = count_steps("");
	module_must_unload();
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
	harness_note("%u faults, starting with step %u", tried, first);
}

/* Unloading removes the module's hooks from the kernel. */
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

TEST_TIMEOUT(unload_survives_faults, 8 * HARNESS_TIMEOUT)
{
	SWEEP(.setup = setup_unload, .arrange = arrange_unload,
	      .call = module_unload, .check = check_unloaded,
	      .undo = undo_unload);
}

static void setup_unload_in_create(void)
{
	const char *path = module_alter_ways("create_dyn_event");

	setup_unload();
	module_must_unload();
	close(helper);
	helper = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_OK(helper);
	unlink(path);
	ASSERT_OK(call_load());
}

/*
 * create() of our type leaves the list of types, unless another type is out of
 * memory for the line. Single faults only: the module waits for memory.
 */
TEST_TIMEOUT(unload_in_create_survives_faults, 8 * HARNESS_TIMEOUT)
{
	SWEEP(.setup = setup_unload_in_create, .arrange = arrange_unload,
	      .call = module_unload, .check = check_unloaded,
	      .undo = undo_unload, .once = true);
	module_must_unload();
	close(helper);
	open_module();
	ASSERT_OK(call_load());
}

/* The first enabler after loading installs the hooks. */
static void arrange_first(void)
{
	module_must_unload();
	ASSERT_OK(call_load());
	file = data_open();
	must_reg(file, command);
}

static void undo_first(void)
{
	undo_enabler();
	EXPECT_OK(del_event(event));
}

TEST_TIMEOUT(register_first_enabler_survives_faults, 8 * HARNESS_TIMEOUT)
{
	SWEEP(.setup = setup_unload, .arrange = arrange_first,
	      .call = call_reg_enabler, .check = check_enabler,
	      .undo = undo_first);
}

/* --- leaks ---------------------------------------------------------------- */

static bool has_kmemleak;

/*
 * kmemleak disables itself permanently after a failed allocation, and rejects
 * commands then.
 */
static bool is_kmemleak_enabled(void)
{
	return !write_file("scan=off", KMEMLEAK);
}

/* Objects that two scans, some seconds apart, report as leaked. */
static void expect_no_leaks(const char *when)
{
	char *found;

	ASSERT_OK(write_file("scan", KMEMLEAK));
	sleep(LEAK_AGE);
	ASSERT_OK(write_file("scan", KMEMLEAK));
	found = read_file(KMEMLEAK);
	ASSERT_TRUE(found);
	if (*found)
		FAIL("%s: %u leaks, starting with:\n%.3000s", when,
		     count_lines(found, "unreferenced"), found);
	free(found);
}

/*
 * Runs after all other tests, and also checks the objects of the module itself.
 */
TEST_TIMEOUT(leaks_no_memory, 8 * HARNESS_TIMEOUT)
{
	if (!has_kmemleak)
		SKIP("this kernel has no kmemleak");
	ASSERT_TRUE(is_kmemleak_enabled());
	open_module();
	expect_no_leaks("before unloading");
	module_must_unload();
	expect_no_leaks("after unloading");
	ASSERT_OK(call_load());
}

/*
 * These messages explain the kernel's warnings about failed allocations to
 * readers of the log. None of the warnings is about the module.
 */
static void log_message(const char *what)
{
	write_file(what, "/dev/kmsg");
}

static void before_test(void)
{
	log_message("selftest: fault injection enabled");
	user_events_hooks.before();
}

/* Loads the module for the next test. */
static unsigned int after_test(void)
{
	unsigned int left;

	if (!is_loaded()) {
		helper = open(module_path(), O_RDONLY | O_CLOEXEC);
		if (call_load())
			harness_note("cannot load the module again: %s",
				     harness_errno(errno));
		close(helper);
	}
	left = user_events_hooks.after();
	log_message("selftest: fault injection disabled");

	return left;
}

static const char *skip_reason(void)
{
	static const char *const needed[] = {
		"/proc/self/fail-nth",
		DEBUGFS "failslab/probability",
		DEBUGFS "fail_page_alloc/probability",
		DEBUGFS "fail_usercopy/probability",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(needed); i++)
		if (access(needed[i], W_OK))
			return text("no fault injection: %s is not writable",
				    needed[i]);

	return user_events_hooks.skip_reason();
}

/*
 * Functions in which kernels warn about failed allocations of their own: fields
 * of an event, deletion of such an event (Linux 6.12), and the kernel's address
 * space (Linux 6.1).
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
		.before = before_test,
		.after = after_test,
		.allowed_warnings = allowed_warnings,
	};
	int status;

	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (totals == MAP_FAILED)
		return HARNESS_FAIL;

	has_kmemleak = is_kmemleak_enabled();
	status = harness_main(argc, argv, &hooks);
	if (totals->operations)
		harness_note("%u faults in %u operations", totals->faults,
			     totals->operations);

	return status;
}
