// SPDX-License-Identifier: MIT
/*
 * The work of reading perf.data is proportional to its size, whatever its
 * header says.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <userevents/session.h>

#include "lib/fake_sys_perf.h"
#include "lib/perf_image.h"
#include "lib/runner.h"
#include "lib/work.h"
#include "perf/losses.h"

/* Limits of reads and of basic blocks for each byte of a file. */
#define READS_PER_BYTE 3
#define WORK_PER_BYTE 100

#define ATTRS 500
#define IDS (2 * ATTRS)

static struct image image;
static unsigned long problems, overlaps;

static void count_problem(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	ck_assert_uint_le(offset, image.size);
	problems++;
	overlaps += !!strstr(reason, "sections of the file overlap");
}

/* Starts a file with IDS numbers at the end of its header. */
static size_t begin_file(void)
{
	uint64_t id;

	image.size = 0;
	image.big = false;
	image_bytes(&image, "PERFILE2", 8);
	image_u64(&image, 104);
	image_u64(&image, 112 + 16);
	image_zeros(&image, 104 - 24);
	for (id = 0; id < IDS; id++)
		image_u64(&image, id);

	return 104;
}

/* Adds ATTRS attributes, with the IDs of either the same section or their own */
static void put_attrs(size_t ids, size_t size, size_t step)
{
	size_t data, i;

	image_set64(&image, 24, image.size);
	image_set64(&image, 32, ATTRS * (112 + 16));
	for (i = 0; i < ATTRS; i++) {
		image_attr(&image, PERF_TYPE_TRACEPOINT, IMAGE_FIRST,
			   IMAGE_SAMPLE_TYPE);
		image_u64(&image, ids + i * step);
		image_u64(&image, size);
	}
	data = image.size;
	image_sample(&image, 1, 100, 0, "text");
	image_set64(&image, 40, data);
	image_set64(&image, 48, image.size - data);
}

/* Adds 256 features with the same section. */
static void put_features(size_t section, size_t size)
{
	size_t i;

	memset(image.bytes + IMAGE_FEATURES, 0xff, 32);
	for (i = 0; i < 256; i++) {
		image_u64(&image, section);
		image_u64(&image, size);
	}
}

/* Reads the image. Return: number of records */
static unsigned long read_image(void)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = count_problem,
	};
	int fd = memfd_create("perf.data", 0);
	uint64_t before = work_count();
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	unsigned long records = 0;

	ck_assert_int_eq(write(fd, image.bytes, image.size), image.size);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, fd, &options), 0);
	while (uev_perf_reader_next(reader, &record) > 0)
		records++;
	uev_perf_reader_close(reader);
	close(fd);
	ck_assert_uint_gt(work_count(), before);
	ck_assert_uint_le(work_count() - before, image.size * WORK_PER_BYTE);
	ck_assert_uint_le(fake_perf.bytes_read, image.size * READS_PER_BYTE);

	return records;
}

TEST_FIXTURE(fake_perf_begin, fake_perf_end);

/* Reading back and forth does not read more than is needed. */
TEST(each_attribute_has_ids)
{
	size_t ids = begin_file();

	put_attrs(ids, 16, 16);
	ck_assert_uint_eq(read_image(), 1);
	ck_assert_uint_eq(problems, 0);
}

TEST(all_attributes_have_the_same_ids)
{
	size_t ids = begin_file();

	put_attrs(ids, IDS * 8, 0);
	read_image();
	ck_assert_uint_gt(overlaps, ATTRS / 2);
}

/* The tracing data and other sections that are read contain all of the file. */
TEST(all_features_have_the_same_section)
{
	size_t ids = begin_file();

	put_attrs(ids, 16, 16);
	put_features(0, image.size);
	ck_assert_uint_eq(read_image(), 1);
	ck_assert_uint_gt(overlaps, 200);
}

/* Basic blocks without optimization; more than the logarithm of the number */
#define WORK_PER_LOSS 300
#define LOSSES (UEV_LOSSES_MAX - 2)

/* Losses with falling times, and then a new first one again and again */
TEST(losses_are_inserted_in_any_order)
{
	struct uev_loss loss = { .reason = UEV_LOSS_PERF_BUFFER, .count = 1 };
	struct uev_losses losses = { 0 };
	uint64_t before = work_count();
	uint64_t i;

	for (i = 0; i < LOSSES; i++) {
		loss.to = 2 * LOSSES - i;
		ck_assert_int_eq(uev_losses_add(&losses, &loss), 0);
	}
	for (i = 0; i < LOSSES; i++) {
		loss.to = i / 2;
		loss.count = 1 + i % 2;
		ck_assert_int_eq(uev_losses_add(&losses, &loss), 0);
		if (i % 2 == 0)
			continue;
		ck_assert(uev_losses_take(&losses, i / 2, &loss));
		ck_assert_uint_eq(loss.count, 1);
		ck_assert(uev_losses_take(&losses, i / 2, &loss));
		ck_assert_uint_eq(loss.count, 2);
		ck_assert(!uev_losses_take(&losses, i / 2, &loss));
	}
	for (i = 0; i < LOSSES; i++) {
		if (!uev_losses_take(&losses, UINT64_MAX, &loss))
			break;
		ck_assert_uint_eq(loss.to, LOSSES + 1 + i);
	}
	ck_assert_uint_eq(i, LOSSES);
	ck_assert_uint_le(work_count() - before,
			  UINT64_C(3) * LOSSES * WORK_PER_LOSS);
	uev_losses_free(&losses);
}

/* The last one is of any event, processor and reason then. */
TEST(losses_beyond_the_limit_are_added_to_the_last)
{
	const struct uev_source source = { .name = "alpha" };
	struct uev_loss loss = {
		.source = &source,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU,
		.reason = UEV_LOSS_PERF_BUFFER,
	};
	struct uev_losses losses = { 0 };
	uint64_t i, last = 0;

	for (i = 1; i <= UEV_LOSSES_MAX + 2; i++) {
		loss.from = i <= UEV_LOSSES_MAX ? i : 1;
		loss.to = i;
		loss.count = i <= UEV_LOSSES_MAX ? 1 : 10;
		ck_assert_int_eq(uev_losses_add(&losses, &loss), 0);
	}
	for (i = 1; i < UEV_LOSSES_MAX; i++) {
		ck_assert(uev_losses_take(&losses, UINT64_MAX, &loss));
		ck_assert_uint_eq(loss.count, 1);
		ck_assert_uint_gt(loss.to, last);
		last = loss.to;
	}
	ck_assert(uev_losses_take(&losses, UINT64_MAX, &loss));
	ck_assert_uint_eq(loss.count, 21);
	ck_assert_uint_eq(loss.from, 1);
	ck_assert_uint_eq(loss.to, UEV_LOSSES_MAX + 2);
	ck_assert_ptr_null(loss.source);
	ck_assert_uint_eq(loss.flags, UEV_HAS_TIME);
	ck_assert_str_eq(loss.reason, "unknown");
	ck_assert(!uev_losses_take(&losses, UINT64_MAX, &loss));
	uev_losses_free(&losses);
}
