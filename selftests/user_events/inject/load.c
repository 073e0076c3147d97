// SPDX-License-Identifier: GPL-2.0-only
/* The sysctl, loading and unloading. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

#define MODULE "user_events"
#define SYSCTL "/proc/sys/kernel/user_events_max"

/* Steps by which the module can start to load earlier than measured. */
#define LOAD_MARGIN 20

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

int call_load(void)
{
	return load_with("");
}

bool is_loaded(void)
{
	return !access("/sys/module/" MODULE "/refcnt", F_OK);
}

void open_module(void)
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
	stop_child();
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
	unsigned int faults;

	harness_context("fault %u%s", n, lasting ? " and all later steps" : "");
	if (try(op, n, lasting, &faults) < 0) {
		/*
		 * tracefs does not return the reason why it cannot create a
		 * file, and the kernel not why it cannot read a parameter.
		 */
		if (errno != ENOMEM && errno != EPERM && errno != EFAULT)
			FAIL("%s", harness_errno(errno));
		EXPECT_NE(faults, 0);
		check_unloaded();
		expect_state(before);
		ASSERT_OK(call_load());
	}
	check_loaded();
	module_must_unload();
	check_unloaded();
	expect_state(before);
	totals->faults += !!faults;

	return faults;
}

/*
 * Skips the many steps of the kernel before it calls the module. The first step
 * of the module is found with a parameter that the module rejects.
 */
static void sweep_load(const struct operation *op, enum steps kind)
{
	const char *before = read_state();
	unsigned int first, steps, n, tried = 0;
	int lasting;

	choose_steps(kind);
	first = count_steps("status_pages=0");
	check_unloaded();
	steps = count_steps("");
	module_must_unload();
	first = first > LOAD_MARGIN ? first - LOAD_MARGIN : 1;
	for (lasting = 0; lasting < (op->once ? 1 : 2); lasting++)
		for (n = first; try_load(op, n, lasting, before); n++) {
			tried++;
			ASSERT_FALSE(harness_failed());
			ASSERT_LT(n, steps + NTH_MAX);
		}
	harness_context(NULL);
	harness_note("%u faults of %s, starting with step %u", tried,
		     steps_name(kind), first);
}

TEST_TIMEOUT(load_survives_faults, 8 * HARNESS_TIMEOUT)
{
	static const struct operation op = { .call = call_load };

	open_module();
	open_faults();
	setup_enabler();
	module_must_unload();
	sweep_load(&op, OBJECTS);
	sweep_load(&op, PAGES);
	/* The kernel leaks the name of a cache that it cannot add to sysfs. */
	forget_leaks_of("sysfs_slab_add");
	ASSERT_OK(call_load());
	totals->operations++;
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

static void undo_in_create(void)
{
	close(helper);
	open_module();
	ASSERT_OK(call_load());
}

/* create() of our type, which is the first, leaves the list of types. */
TEST_TIMEOUT(unload_in_create_survives_faults, 8 * HARNESS_TIMEOUT)
{
	SWEEP(.setup = setup_unload_in_create, .arrange = arrange_unload,
	      .call = module_unload, .check = check_unloaded,
	      .undo = undo_unload, .once = true);
	module_must_unload();
	undo_in_create();
}

/*
 * Our type is the last when it is loaded, and another can be out of memory for the
 * line. Single faults only: the module waits for memory.
 */
TEST_TIMEOUT(load_in_create_survives_faults, 8 * HARNESS_TIMEOUT)
{
	static const struct operation op = { .call = call_load, .once = true };

	setup_unload_in_create();
	open_faults();
	module_must_unload();
	sweep_load(&op, OBJECTS);
	undo_in_create();
	totals->operations++;
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
