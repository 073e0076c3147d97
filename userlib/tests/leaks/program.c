// SPDX-License-Identifier: MIT
/*
 * Tests that leak memory, each in another way, and tests that do not. The names
 * of those that must fail start with "leaks".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/runner.h"

static void *before, *set_up_block;
static char *volatile kept;

/* Allocates a block and forgets it, on a part of the stack that is unused later. */
static void __attribute__((noinline)) lose_block(int depth)
{
	volatile char stack[1024];

	stack[0] = 0;
	if (depth)
		lose_block(depth - 1);
	else
		ck_assert_ptr_nonnull(malloc(10));
	stack[1] = stack[0];
}

TEST(frees_all)
{
	char *text = NULL;

	ck_assert_int_gt(asprintf(&text, "%d", 1), 0);
	free(text);
}

TEST(keeps_a_block_that_is_reachable)
{
	kept = strdup("kept");
	ck_assert_ptr_nonnull(kept);
}

TEST(leaks_a_block)
{
	lose_block(100);
}

/* With an allocation of the C library, which is not wrapped */
static void __attribute__((noinline)) lose_text(int depth)
{
	char *text = NULL;
	volatile char stack[1024];

	stack[0] = 0;
	if (depth)
		lose_text(depth - 1);
	else
		ck_assert_int_gt(asprintf(&text, "%d", 1), 0);
	stack[1] = stack[0];
}

TEST(leaks_a_block_of_the_c_library)
{
	lose_text(100);
}

/* As many are freed as are allocated. */
TEST(leaks_a_block_and_frees_an_older_one)
{
	lose_block(100);
	free(before);
	before = NULL;
}

static void *leak(void *unused)
{
	lose_block(10);
	return unused;
}

TEST(leaks_a_block_of_a_thread)
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, leak, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static void allocate(void)
{
	set_up_block = malloc(10);
}

static void release(void)
{
	free(set_up_block);
}

TEST_FIXTURE(allocate, release);

TEST(frees_what_the_set_up_allocated)
{
	ck_assert_ptr_nonnull(set_up_block);
}

static void __attribute__((noinline)) lose_set_up(int depth)
{
	volatile char stack[1024];

	stack[0] = 0;
	if (depth)
		lose_set_up(depth - 1);
	else
		set_up_block = malloc(10);
	stack[1] = stack[0];
}

static void lose_in_set_up(void)
{
	lose_set_up(100);
	set_up_block = NULL;
}

TEST_FIXTURE(lose_in_set_up, NULL);

TEST(leaks_a_block_of_the_set_up)
{
	ck_assert_ptr_null(set_up_block);
}

static void __attribute__((constructor)) allocate_before(void)
{
	before = malloc(10);
}
