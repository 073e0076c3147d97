/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before all tests: what KUnit lacks in kernels before 6.0.
 */
#ifndef USER_EVENTS_TESTS_KUNIT_SUITES_H
#define USER_EVENTS_TESTS_KUNIT_SUITES_H

#include <kunit/test.h>

/*
 * Before 6.0 registering suites defines the init function of the module, so
 * one file, info.c, registers all of them. The other files export theirs to it.
 */
#ifdef kunit_test_suites_for_module
#undef kunit_test_suite
#define kunit_test_suite(suite) \
	extern struct kunit_suite visible_##suite __alias(suite)
#endif

/* Since 5.16 */
#ifndef KUNIT_ASSERT_NOT_NULL
#define KUNIT_ASSERT_NOT_NULL(test, ptr) \
	KUNIT_ASSERT_PTR_NE(test, (const void *)(ptr), (const void *)NULL)
#define KUNIT_ASSERT_NULL(test, ptr) \
	KUNIT_ASSERT_PTR_EQ(test, (const void *)(ptr), (const void *)NULL)
#define KUNIT_EXPECT_NULL(test, ptr) \
	KUNIT_EXPECT_PTR_EQ(test, (const void *)(ptr), (const void *)NULL)
#endif

#endif /* USER_EVENTS_TESTS_KUNIT_SUITES_H */
