// SPDX-License-Identifier: GPL-2.0-only
/* Leaks of all other tests, and of the module. */
#include <unistd.h>

#include "../../lib/module.h"
#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

#define KMEMLEAK DEBUGFS "kmemleak"

/* Seconds after which kmemleak reports an object as leaked. */
#define LEAK_AGE 6

bool has_kmemleak;

bool is_kmemleak_enabled(void)
{
	return !write_file("scan=off", KMEMLEAK);
}

/* Objects that two scans, some seconds apart, report as leaked. */
static char *find_leaks(void)
{
	char *found;

	ASSERT_OK(write_file("scan", KMEMLEAK));
	sleep(LEAK_AGE);
	ASSERT_OK(write_file("scan", KMEMLEAK));
	found = read_file(KMEMLEAK);
	ASSERT_TRUE(found);

	return found;
}

void forget_leaks_of(const char *function)
{
	char *found;

	if (!is_kmemleak_enabled())
		return;

	found = find_leaks();
	if (count_lines(found, "unreferenced") == count_lines(found, function))
		EXPECT_OK(write_file("clear", KMEMLEAK));
	free(found);
}

static void expect_no_leaks(const char *when)
{
	char *found = find_leaks();

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
