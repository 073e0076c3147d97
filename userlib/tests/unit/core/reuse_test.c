// SPDX-License-Identifier: MIT
/*
 * Memory of registrations: a program that registers and unregisters events of
 * many names, as one with plugins does, does not grow.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/tracepoint-dynamic.h>

#include "core/writers.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

#define NAMES 10000

/* Names that the fake kernel has room for, more than are kept. */
#define KERNEL_NAMES 50

/* Rounds of these names, and records of one. */
#define ROUNDS 20

/* Growth of the second half of the names. */
#define GROWTH_MAX 10000

static void register_name(unsigned int number, bool is_enabled)
{
	const struct uev_field field = { .name = "a", .type = UEV_TYPE_U64 };
	struct uev_tracepoint *tracepoint;
	char name[32];

	snprintf(name, sizeof(name), "name_%u", number);
	ck_assert_int_eq(uev_tracepoint_new(&tracepoint, name, &field, 1, 0),
			 0);
	if (is_enabled)
		fake_enable(name, true);
	ck_assert_int_eq(uev_tracepoint_free(tracepoint), 0);
}

TEST(names_do_not_accumulate)
{
	size_t before = 0;
	unsigned int i;

	fake_reset(FAKE_ENABLER);
	fake_load(false);
	for (i = 0; i < NAMES; i++) {
		if (i == NAMES / 2)
			before = fake_alloc_bytes();
		register_name(i, false);
	}
	ck_assert_uint_le(fake_alloc_bytes(), before + GROWTH_MAX);
	ck_assert_int_eq(uev_shutdown(), 0);
}

/* A rejected event leaves nothing, either. */
TEST(rejected_names_do_not_accumulate)
{
	struct uev_event event;
	size_t before = 0;
	char command[32];
	unsigned int i;

	fake_reset(FAKE_ENABLER);
	fake_load(false);
	for (i = 0; i < NAMES; i++) {
		if (i == NAMES / 2)
			before = fake_alloc_bytes();
		snprintf(command, sizeof(command), "name_%u", i);
		uev_event_init(&event, command);
		ck_assert_int_eq(uev_event_register(&event, UEV_PERSIST), 0);
		ck_assert_int_eq(uev_event_register(&event, 0), -EALREADY);
		ck_assert_int_eq(uev_event_unregister(&event), 0);
	}
	ck_assert_uint_le(fake_alloc_bytes(), before + GROWTH_MAX);
	ck_assert_int_eq(uev_shutdown(), 0);
}

static const enum fake_abi abis[] = { FAKE_ENABLER, FAKE_STATUS };

/* Counters of the process have the records of all events that there were. */
TEST_LOOP(counts_all_records, 2)
{
	uint64_t number = 1;
	const struct iovec payload = { &number, sizeof(number) };
	struct uev_event event;
	struct uev_stats stats;
	char command[32];
	unsigned int i;

	fake_reset(abis[_i]);
	for (i = 0; i < ROUNDS * KERNEL_NAMES; i++) {
		snprintf(command, sizeof(command), "name_%u u64 a",
			 i % KERNEL_NAMES);
		uev_event_init(&event, command);
		ck_assert_int_eq(uev_event_register(&event, 0), 0);
		fake_enable(strtok(command, " "), true);
		ck_assert(uev_enabled(&event));
		ck_assert_int_eq(uev_event_writev(&event, &payload, 1), 0);
		ck_assert_int_eq(uev_event_unregister(&event), 0);
	}
	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.written, ROUNDS * KERNEL_NAMES);
	ck_assert_uint_eq(fake_records(), ROUNDS * KERNEL_NAMES);
	ck_assert_int_eq(uev_shutdown(), 0);
	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.written, 0);
}

static struct uev_event shared;
static bool is_over;

/* Writes too little for the other events. */
static void *write_all_the_time(void *result)
{
	uint8_t byte = 1;
	const struct iovec payload = { &byte, sizeof(byte) };
	int *err = result;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED) && !*err)
		if (uev_enabled(&shared))
			*err = uev_event_writev(&shared, &payload, 1);

	return NULL;
}

/*
 * A writer that is interrupted does not write into an event that was registered
 * meanwhile.
 */
TEST_LOOP(writers_keep_their_event, 2)
{
	pthread_t writers[3];
	int errors[3] = { 0 };
	unsigned int i, number;

	fake_reset(abis[_i]);
	is_over = false;
	uev_event_init(&shared, "shared u8 a");
	for (i = 0; i < 3; i++)
		pthread_create(&writers[i], NULL, write_all_the_time,
			       &errors[i]);
	for (i = 0; i < ROUNDS; i++) {
		ck_assert_int_eq(uev_event_register(&shared, 0), 0);
		fake_enable("shared", true);
		ck_assert_int_eq(uev_event_unregister(&shared), 0);
		for (number = 0; number < KERNEL_NAMES; number++)
			register_name(number, true);
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (i = 0; i < 3; i++) {
		pthread_join(writers[i], NULL);
		ck_assert_int_eq(errors[i], 0);
	}
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST(grace_waits_for_writers)
{
	struct uev_grace grace, other;
	uint32_t *one, *two;

	ck_assert(!uev_writers_exist());
	uev_grace_start(&grace);
	ck_assert(uev_grace_is_over(&grace));
	one = uev_writer_enter();
	ck_assert(uev_writers_exist());
	uev_grace_start(&grace);
	ck_assert(!uev_grace_is_over(&grace));
	/* A signal handler that writes */
	two = uev_writer_enter();
	uev_writer_leave(two);
	ck_assert(!uev_grace_is_over(&grace));
	uev_writer_leave(one);
	ck_assert(uev_grace_is_over(&grace));

	/* Later writers are not waited for. */
	one = uev_writer_enter();
	ck_assert(uev_grace_is_over(&grace));
	uev_grace_start(&other);
	ck_assert(!uev_grace_is_over(&other));
	uev_writer_leave(one);
	ck_assert(!uev_writers_exist());
}

static void count(uint32_t *counter, int by)
{
	__atomic_fetch_add(counter, (uint32_t)by, __ATOMIC_SEQ_CST);
}

/*
 * A writer is interrupted while it enters. It then enters in a later phase, in
 * which its counter was already 0, and finds the data.
 */
TEST(grace_waits_for_interrupted_writers)
{
	const uint32_t previous = (uev_writers.phase + 1) & 1;
	uint32_t *other = &uev_writers.counts[1].of[previous];
	uint32_t *interrupted = &uev_writers.counts[0].of[previous];
	struct uev_grace grace;

	count(other, 1);
	uev_grace_start(&grace);
	ck_assert(!uev_grace_is_over(&grace));
	count(interrupted, 1);
	uev_grace_start(&grace);
	count(other, -1);
	ck_assert(!uev_grace_is_over(&grace));
	count(interrupted, -1);
	ck_assert(uev_grace_is_over(&grace));
}

/* A grace ends although there is a writer at any time. */
TEST(grace_ends_beside_writers)
{
	uint32_t *writer = uev_writer_enter(), *next;
	struct uev_grace grace;
	unsigned int i, rounds;

	for (i = 0; i < 10; i++) {
		uev_grace_start(&grace);
		for (rounds = 0; !uev_grace_is_over(&grace); rounds++) {
			ck_assert_uint_lt(rounds, 4);
			next = uev_writer_enter();
			uev_writer_leave(writer);
			writer = next;
		}
		/* The first writer had to leave. */
		ck_assert_uint_gt(rounds, 0);
	}
	uev_writer_leave(writer);
}

/* Registers names beside writers, of which there is one at any time. */
static void register_beside_writers(unsigned int from, unsigned int to)
{
	uint32_t *writer = uev_writer_enter(), *next;

	for (; from < to; from++) {
		next = uev_writer_enter();
		uev_writer_leave(writer);
		writer = next;
		register_name(from, false);
	}
	uev_writer_leave(writer);
}

TEST(names_do_not_accumulate_beside_writers)
{
	size_t before;

	fake_reset(FAKE_ENABLER);
	fake_load(false);
	register_beside_writers(0, NAMES / 2);
	before = fake_alloc_bytes();
	register_beside_writers(NAMES / 2, NAMES);
	ck_assert_uint_le(fake_alloc_bytes(), before + GROWTH_MAX);
	ck_assert_int_eq(uev_shutdown(), 0);
}

/* Return: 0 if names do not accumulate in a child. */
static int live_as_child(void)
{
	size_t before;
	unsigned int i;

	for (i = 0; i < 200; i++)
		register_name(i, false);
	before = fake_alloc_bytes();
	for (; i < 400; i++)
		register_name(i, false);

	return fake_alloc_bytes() > before + GROWTH_MAX;
}

/* A child does not have the threads that were writing. */
TEST(children_have_no_other_writers)
{
	uint32_t *writer;
	pid_t child;
	int status;

	fake_reset(FAKE_ENABLER);
	fake_load(false);
	writer = uev_writer_enter();
	child = fork();
	if (!child)
		_exit(live_as_child());
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert(uev_writers_exist());
	uev_writer_leave(writer);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST(keeps_what_an_interrupted_writer_uses)
{
	uint32_t *writer;
	size_t before;
	unsigned int i;

	fake_reset(FAKE_ENABLER);
	fake_load(false);
	for (i = 0; i < 200; i++)
		register_name(i, false);
	writer = uev_writer_enter();
	before = fake_alloc_bytes();
	for (; i < 400; i++)
		register_name(i, false);
	/* Nothing that was retired since is reused. */
	ck_assert_uint_gt(fake_alloc_bytes(), before + 100 * 500);
	uev_writer_leave(writer);
	before = fake_alloc_bytes();
	for (; i < 600; i++)
		register_name(i, false);
	ck_assert_uint_le(fake_alloc_bytes(), before + GROWTH_MAX);
	ck_assert_int_eq(uev_shutdown(), 0);
}
