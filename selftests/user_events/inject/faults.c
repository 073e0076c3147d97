// SPDX-License-Identifier: GPL-2.0-only
/* Injection of faults into one execution of an operation. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"

/* More faults than one attempt can have. */
#define FAULTS_MAX 1000000

/* Only the first two can last. */
static const char *const kinds[] = { "failslab", "fail_page_alloc",
				     "fail_usercopy" };

int nth_file;
int probability[LASTING_KINDS];

void set_fault(const char *file, const char *value)
{
	ASSERT_OK(write_file(value, text(DEBUGFS "%s", file)));
}

static bool is_fallible(const char *cache)
{
	const char *flag =
		read_file(text("/sys/kernel/slab/%s/failslab", cache));

	return flag && *flag == '1';
}

/*
 * Half of all objects belong to kmemleak, one for each other object, and change
 * nothing when they fail. The kernel can spare them if it was started with
 * "slub_debug=A;-,kmemleak_object,debug_objects_cache".
 */
static bool can_spare_debug_objects(void)
{
	return is_fallible("dentry") && is_fallible("kmalloc-64") &&
	       !is_fallible("kmemleak_object");
}

/*
 * Allows faults in all kinds of memory, without messages in the log, so that
 * each remaining message is a warning. Random faults occur only in tasks that
 * ask for them, with a probability that is usually 0.
 */
static void allow_faults(void)
{
	const char *verbose = getenv("INJECT_VERBOSE") ?: "0";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		set_fault(text("%s/probability", kinds[i]), "0");
		set_fault(text("%s/times", kinds[i]), "-1");
		set_fault(text("%s/verbose", kinds[i]), verbose);
		set_fault(text("%s/task-filter", kinds[i]), "Y");
	}
	set_fault("failslab/cache-filter",
		  can_spare_debug_objects() ? "Y" : "N");
	set_fault("failslab/ignore-gfp-wait", "N");
	set_fault("fail_page_alloc/ignore-gfp-wait", "N");
	set_fault("fail_page_alloc/min-order", "0");
}

static int open_setting(const char *kind, const char *name)
{
	int setting =
		open(text(DEBUGFS "%s/%s", kind, name), O_RDWR | O_CLOEXEC);

	ASSERT_OK(setting);

	return setting;
}

void open_faults(void)
{
	size_t i;

	allow_faults();
	nth_file = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	ASSERT_OK(nth_file);
	for (i = 0; i < LASTING_KINDS; i++)
		probability[i] = open_setting(kinds[i], "probability");
	ASSERT_OK(write_file("1", "/proc/self/make-it-fail"));
	/* Faults in the test's own memory are not wanted. */
	ASSERT_OK(mlockall(MCL_CURRENT));
}

void must_write(int file, const char *number)
{
	size_t length = strlen(number);

	while (write(file, number, length) < 0)
		;
}

unsigned int nth_left(int file)
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

void choose_steps(enum steps steps)
{
	bool pages = steps == PAGES;

	set_fault("failslab/ignore-gfp-wait", pages ? "Y" : "N");
	set_fault("fail_page_alloc/min-order", pages ? "0" : "100");
}

const char *steps_name(enum steps steps)
{
	return steps == PAGES ? "pages" : "objects";
}

/* Faults since the number of further ones was limited to FAULTS_MAX. */
static unsigned int count_faults(void)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		char *left = read_file(text(DEBUGFS "%s/times", kinds[i]));

		ASSERT_TRUE(left);
		count += FAULTS_MAX - strtoul(left, NULL, 10);
		free(left);
	}

	return count;
}

static int try_lasting(const struct operation *op, const char *number,
		       unsigned int *faults)
{
	int error, result;
	bool failed;
	size_t i;

	set_fault("fail_page_alloc/ignore-gfp-highmem", "Y");
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		set_fault(text("%s/times", kinds[i]), text("%u", FAULTS_MAX));
	for (i = 0; i < LASTING_KINDS; i++)
		must_write(probability[i], "100");
	must_write(nth_file, number);
	result = op->call();
	error = errno;
	failed = !nth_left(nth_file);
	for (i = 0; i < LASTING_KINDS; i++)
		must_write(probability[i], "0");
	must_write(nth_file, "0");
	*faults = failed ? count_faults() : 0;
	errno = error;

	return result;
}

static int try_single(const struct operation *op, const char *number,
		      unsigned int *faults)
{
	int error, result;

	set_fault("fail_page_alloc/ignore-gfp-highmem", "N");
	must_write(nth_file, number);
	result = op->call();
	error = errno;
	*faults = !nth_left(nth_file);
	must_write(nth_file, "0");
	errno = error;

	return result;
}

int try(const struct operation *op, unsigned int n, bool lasting,
	unsigned int *faults)
{
	const char *number = text("%u", n);

	if (getenv("INJECT_VERBOSE"))
		write_file(text("inject: try %u %d\n", n, lasting),
			   "/dev/kmsg");

	return (lasting ? try_lasting : try_single)(op, number, faults);
}
