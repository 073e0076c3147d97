// SPDX-License-Identifier: MIT
/*
 * Batches, on kernels that write them and on others.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <userevents/batch.h>

#include "util/common.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

static const enum fake_abi abis[] = { FAKE_ENABLER, FAKE_STATUS, FAKE_BOTH,
				      FAKE_OLD_MODULE };
static const int abi_count = ARRAY_SIZE(abis);

static struct uev_event event, other;
static struct uev_batch *batch;

static void set_up_on(enum fake_abi abi)
{
	fake_reset(abi);
	uev_event_init(&event, "n u32 a");
	uev_event_init(&other, "o u32 a");
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_enable("n", true);
	fake_enable("o", true);
	ck_assert_int_eq(uev_batch_new(&batch, 0), 0);
}

static void set_up(void)
{
	set_up_on(FAKE_BOTH);
}

static void tear_down(void)
{
	uev_batch_free(batch);
	uev_event_unregister(&event);
	uev_event_unregister(&other);
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_uint_eq(fake_open_files(), 0);
}

TEST_FIXTURE(set_up, tear_down);

static int add(struct uev_event *to, uint32_t number)
{
	const struct iovec vector[] = {
		{ &number, 3 },
		{ (unsigned char *)&number + 3, 1 },
	};

	return uev_batch_add(batch, to, vector, ARRAY_SIZE(vector));
}

static void add_many(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		ck_assert_int_eq(add(i % 2 ? &other : &event, i), 0);
}

static struct uev_stats stats_of(const struct uev_event *of)
{
	struct uev_stats stats;

	ck_assert_int_eq(uev_event_stats(of, &stats, sizeof(stats)), 0);

	return stats;
}

static void ck_last_record(const char *name, uint32_t number)
{
	ck_assert_str_eq(fake_record()->name, name);
	ck_assert_uint_eq(fake_record()->size, sizeof(number));
	ck_assert_mem_eq(fake_record()->payload, &number, sizeof(number));
}

TEST_LOOP(written_on_every_kernel, abi_count)
{
	bool has_batches = abis[_i] >= FAKE_BOTH;

	tear_down();
	set_up_on(abis[_i]);
	add_many(10);
	ck_assert_uint_eq(fake_records(), 0);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 10);
	ck_last_record("o", 9);
	ck_assert_uint_eq(fake_calls(FAKE_BATCH), 1);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), has_batches ? 0 : 10);
	ck_assert_uint_eq(stats_of(&event).written, 5);
	ck_assert_uint_eq(stats_of(&other).written, 5);

	/* An empty batch is not an error. */
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 10);
}

/* A kernel without batches is asked once. */
TEST(kernel_without_batches)
{
	tear_down();
	set_up_on(FAKE_ENABLER);
	add_many(10);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	add_many(10);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 20);
	ck_assert_uint_eq(fake_calls(FAKE_BATCH), 1);
}

TEST(full_batch_is_written)
{
	add_many(UEV_BATCH_MAX);
	ck_assert_uint_eq(fake_records(), 0);
	add_many(1);
	ck_assert_uint_eq(fake_records(), UEV_BATCH_MAX);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), UEV_BATCH_MAX + 1);
}

TEST(full_memory_is_written)
{
	static unsigned char payload[UEV_PAYLOAD_MAX + 1];
	const struct iovec half = { payload, UEV_PAYLOAD_MAX / 2 };
	const struct iovec all = { payload, UEV_PAYLOAD_MAX };
	const struct iovec more = { payload, UEV_PAYLOAD_MAX + 1 };

	ck_assert_int_eq(uev_batch_add(batch, &event, &half, 1), 0);
	ck_assert_int_eq(uev_batch_add(batch, &event, &half, 1), 0);
	ck_assert_uint_eq(fake_records(), 0);
	add_many(1);
	ck_assert_uint_eq(fake_records(), 2);
	ck_assert_int_eq(uev_batch_add(batch, &event, &all, 1), 0);
	ck_assert_uint_eq(fake_records(), 3);
	ck_assert_int_eq(uev_batch_add(batch, &event, &more, 1), -E2BIG);
	ck_assert_int_eq(uev_batch_add(batch, &event, &all, -1), -EINVAL);
	ck_assert_uint_eq(stats_of(&event).oversize, 1);
	ck_assert_uint_eq(stats_of(&event).failed, 1);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 4);
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(stats_of(&event).large, 3);
}

/* They may have no address. */
TEST(empty_pieces)
{
	char text[] = "abc";
	const struct iovec pieces[] = { { NULL, 0 }, { text, 3 }, { NULL, 0 } };

	ck_assert_int_eq(
		uev_batch_add(batch, &event, pieces, ARRAY_SIZE(pieces)), 0);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_record()->size, 3);
	ck_assert_mem_eq(fake_record()->payload, text, 3);
}

/* Records of a disabled event are skipped, wherever they are. */
TEST_LOOP(disabled_event, 2)
{
	fake_enable(_i ? "n" : "o", false);
	add_many(9);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), _i ? 4 : 5);
	ck_assert_uint_eq(stats_of(&event).written, _i ? 0 : 5);
	ck_assert_uint_eq(stats_of(&event).skipped, _i ? 5 : 0);
	ck_assert_uint_eq(stats_of(&other).written, _i ? 4 : 0);
	ck_assert_uint_eq(stats_of(&other).skipped, _i ? 0 : 4);
}

/* Only the record that fails is lost, and its error is returned. */
TEST(failing_record)
{
	add_many(5);
	fake_fail(FAKE_BATCH, 0, 1, -EFAULT);
	fake_fail(FAKE_WRITE, 0, 1, -EFAULT);
	ck_assert_int_eq(uev_batch_write(batch), -EFAULT);
	ck_assert_uint_eq(fake_records(), 4);
	ck_last_record("n", 4);
	ck_assert_uint_eq(stats_of(&event).failed, 1);
	ck_assert_uint_eq(stats_of(&event).written, 2);
	ck_assert_uint_eq(stats_of(&other).written, 2);

	add_many(5);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 9);
}

/*
 * What tracers did with a record is told of each record of an event that asks,
 * as without a batch.
 */
TEST_LOOP(reported_records, 2)
{
	const int error = _i ? -E2BIG : -ENOSPC;

	ck_assert_int_eq(uev_event_unregister(&other), 0);
	ck_assert_int_eq(uev_event_register(&other, UEV_REPORT), 0);
	add(&event, 1);
	add(&event, 2);
	add(&other, 3);
	add(&other, 4);
	fake_fail(FAKE_WRITE, 0, 1, error);
	ck_assert_int_eq(uev_batch_write(batch), error);
	ck_last_record("o", 4);
	ck_assert_uint_eq(fake_calls(FAKE_BATCH), 1);
	ck_assert_uint_eq(fake_records(), 3);
	ck_assert_uint_eq(stats_of(&event).written, 2);
	ck_assert_uint_eq(stats_of(&other).lost, 1);
	ck_assert_uint_eq(stats_of(&other).written, 1);
	ck_assert_uint_eq(stats_of(&other).failed, 0);

	fake_enable("o", false);
	add(&other, 5);
	ck_assert_int_eq(uev_batch_write(batch), -EAGAIN);
	ck_assert_uint_eq(stats_of(&other).skipped, 1);
}

/* The error of a batch that was written because it was full is not lost. */
TEST(failing_full_batch)
{
	add_many(UEV_BATCH_MAX);
	fake_fail(FAKE_BATCH, 0, 1, -EINVAL);
	fake_fail(FAKE_WRITE, 0, 1, -EINVAL);
	add_many(1);
	ck_assert_uint_eq(fake_records(), UEV_BATCH_MAX - 1);
	ck_assert_int_eq(uev_batch_write(batch), -EINVAL);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), UEV_BATCH_MAX);
}

TEST(unregistered_event)
{
	add_many(5);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(add(&event, 5), 0);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 2);
	ck_last_record("o", 3);
}

/* Events that the kernel does not have are skipped. */
TEST(pending_events)
{
	tear_down();
	fake_reset(FAKE_BOTH);
	fake_load(false);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_batch_new(&batch, 0), 0);
	add_many(4);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 0);
	ck_assert_uint_eq(fake_calls(FAKE_BATCH), 0);
	ck_assert_uint_eq(stats_of(&event).skipped, 2);
}

/* Records are written to the new file, and the next ones together. */
TEST(closed_file)
{
	add_many(4);
	fake_close_all();
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 4);
	ck_assert_uint_eq(stats_of(&event).failed, 0);
	add_many(4);
	ck_assert_int_eq(uev_batch_write(batch), 0);
	ck_assert_uint_eq(fake_records(), 8);
	/* The first of the old file, and the next batch */
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), 5);
}

TEST(no_memory)
{
	struct uev_batch *none = batch;

	ck_assert_int_eq(uev_batch_new(&none, SIZE_MAX), -ENOMEM);
	ck_assert_ptr_null(none);
	none = batch;
	fake_alloc_fail(0);
	ck_assert_int_eq(uev_batch_new(&none, 0), -ENOMEM);
	ck_assert(fake_alloc_end());
	ck_assert(fake_alloc_kept_errno());
	ck_assert_ptr_null(none);
	uev_batch_free(none);
}
