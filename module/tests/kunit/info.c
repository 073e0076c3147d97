// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

MODULE_DESCRIPTION("Unit tests of user_events");
MODULE_LICENSE("GPL");

/* Before 6.0, see suites.h. UNITS is SUITE(name) for each unit of Kbuild. */
#ifdef kunit_test_suites_for_module
#define SUITE(name) extern struct kunit_suite visible_##name##_suite;
UNITS
#undef SUITE

#define SUITE(name) &visible_##name##_suite,
static struct kunit_suite *suites[] = { UNITS NULL };
kunit_test_suites_for_module(suites);
#endif
