/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of KUnit that the tests use, on top of libcheck. A suite is a suite,
 * each row of a table is a test case, and a failed expectation ends the case.
 */
#ifndef USER_EVENTS_TESTS_KUNIT_TEST_H
#define USER_EVENTS_TESTS_KUNIT_TEST_H

#include <check.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#define KUNIT_PARAM_DESC_SIZE 128

/**
 * struct kunit - a running test case
 * @param_value: its row
 * @resources: memory that is freed when it ends
 */
struct kunit {
	const void *param_value;
	struct kunit_resource *resources;
};

/**
 * struct kunit_case - a test, or one test for every row of a table
 * @run_case: the test
 * @name: its name
 * @generate_params: iterates over the rows, or NULL
 */
struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
	const void *(*generate_params)(const void *prev, char *desc);
};

/**
 * struct kunit_suite - a test suite
 * @name: its name
 * @test_cases: the tests; one without a function ends the list
 * @next: the next suite
 */
struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
	struct kunit_suite *next;
};

void kunit_add_suite(struct kunit_suite *suite);
void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t flags);

#define kunit_test_suite(suite)                                        \
	static __attribute__((__constructor__)) void suite##_add(void) \
	{                                                              \
		kunit_add_suite(&suite);                               \
	}                                                              \
	struct kunit_suite

#define KUNIT_CASE(test)                        \
	{                                       \
		.run_case = test, .name = #test \
	}
#define KUNIT_CASE_PARAM(test, generate)                                     \
	{                                                                    \
		.run_case = test, .name = #test, .generate_params = generate \
	}

#define KUNIT_ARRAY_PARAM(prefix, array, describe)                           \
	static const void *prefix##_gen_params(const void *prev, char *desc) \
	{                                                                    \
		const __typeof__((array)[0]) *next = prev;                   \
                                                                             \
		next = next ? next + 1 : (array);                            \
		if (next == (array) + sizeof(array) / sizeof((array)[0]))    \
			return NULL;                                         \
		describe(next, desc);                                        \
		return next;                                                 \
	}                                                                    \
	struct kunit_suite

#define KUNIT_SUCCEED(test) ((void)(test))

/* libcheck records each assertion that holds, which is slow. */
#define KUNIT_REQUIRE(test, condition, format, ...)          \
	do {                                                 \
		KUNIT_SUCCEED(test);                         \
		if (!(condition))                            \
			ck_abort_msg(format, ##__VA_ARGS__); \
	} while (0)

#define KUNIT_COMPARE(test, left, op, right, format, ...)                 \
	do {                                                              \
		long long left_ = (left), right_ = (right);               \
                                                                          \
		KUNIT_REQUIRE(test, left_ op right_,                      \
			      "%s is %lld, expected " #op " %lld" format, \
			      #left, left_, right_, ##__VA_ARGS__);       \
	} while (0)

#define KUNIT_EXPECT_EQ_MSG(test, left, right, format, ...) \
	KUNIT_COMPARE(test, left, ==, right, ": " format, ##__VA_ARGS__)
#define KUNIT_EXPECT_EQ(test, left, right) \
	KUNIT_COMPARE(test, left, ==, right, "")
#define KUNIT_ASSERT_EQ(test, left, right) KUNIT_EXPECT_EQ(test, left, right)
#define KUNIT_ASSERT_LE(test, left, right) \
	KUNIT_COMPARE(test, left, <=, right, "")
#define KUNIT_ASSERT_LT(test, left, right) \
	KUNIT_COMPARE(test, left, <, right, "")

#define KUNIT_EXPECT_TRUE_MSG(test, condition, format, ...)                \
	KUNIT_REQUIRE(test, condition, "%s is false: " format, #condition, \
		      ##__VA_ARGS__)
#define KUNIT_EXPECT_TRUE(test, condition) \
	KUNIT_REQUIRE(test, condition, "%s is false", #condition)
#define KUNIT_ASSERT_FALSE(test, condition) \
	KUNIT_REQUIRE(test, !(condition), "%s is true", #condition)

#define KUNIT_EXPECT_STREQ(test, left, right)                           \
	do {                                                            \
		const char *left_ = (left), *right_ = (right);          \
                                                                        \
		KUNIT_REQUIRE(test, !strcmp(left_, right_),             \
			      "%s is \"%s\", not \"%s\"", #left, left_, \
			      right_);                                  \
	} while (0)

#define KUNIT_EXPECT_PTR_EQ(test, left, right)                           \
	do {                                                             \
		const void *left_ = (left), *right_ = (right);           \
                                                                         \
		KUNIT_REQUIRE(test, left_ == right_, "%s is %p, not %p", \
			      #left, left_, right_);                     \
	} while (0)
#define KUNIT_EXPECT_NULL(test, ptr) KUNIT_EXPECT_PTR_EQ(test, ptr, NULL)
#define KUNIT_ASSERT_NOT_NULL(test, ptr) \
	KUNIT_REQUIRE(test, ptr, "%s is NULL", #ptr)

#endif /* USER_EVENTS_TESTS_KUNIT_TEST_H */
