// SPDX-License-Identifier: MIT
/* Mappings of processes: overlaps, forks, exec(), limits and malformed data. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>

#include "lib/fake_alloc.h"
#include "lib/perf_image.h"
#include "lib/runner.h"
#include "util/bytes.h"
#include "perf/mappings.h"

static struct uev_mappings mappings;
static struct image image;

static void teardown(void)
{
	uev_mappings_free(&mappings);
}

TEST_FIXTURE(NULL, teardown);

static const struct uev_attr attr = {
	.sample_type = PERF_SAMPLE_TIME,
	.sample_id_all = true,
};

static const char *read_image(void)
{
	const char *reason;

	image_set16(&image, 6, (uint16_t)image.size);
	ck_assert_int_eq(uev_mappings_read(&mappings, &attr, image.bytes,
					   image.size, image.big, &reason),
			 0);

	return reason;
}

static void begin(uint32_t type, uint16_t misc)
{
	bool big = image.big;

	image.size = 0;
	image.big = big;
	image_header(&image, type, 0);
	image_set16(&image, 4, misc);
}

/* A MMAP2, with a build ID instead of an inode if @misc says so. */
static const char *map(uint64_t time, uint32_t pid, uint64_t start,
		       uint64_t size, const char *path, uint16_t misc)
{
	begin(PERF_RECORD_MMAP2, misc);
	image_u32(&image, pid);
	image_u32(&image, pid);
	image_u64(&image, start);
	image_u64(&image, size);
	image_u64(&image, 0x1000);
	image_u32(&image, 8);
	image_u32(&image, 1);
	image_u64(&image, 77);
	image_u64(&image, 78);
	image_u32(&image, 5);
	image_u32(&image, 2);
	image_bytes(&image, path, strlen(path));
	image_zeros(&image, 8 - strlen(path) % 8);
	image_u64(&image, time);

	return read_image();
}

static void task(uint32_t type, uint64_t time, uint32_t pid, uint32_t parent)
{
	begin(type, 0);
	image_u32(&image, pid);
	image_u32(&image, parent);
	image_u32(&image, pid);
	image_u32(&image, parent);
	image_u64(&image, time);
	image_u64(&image, time);
	ck_assert_ptr_null(read_image());
}

static void comm(uint64_t time, uint32_t pid, uint16_t misc)
{
	begin(PERF_RECORD_COMM, misc);
	image_u32(&image, pid);
	image_u32(&image, pid);
	image_bytes(&image, "name\0\0\0", 8);
	image_u64(&image, time);
	ck_assert_ptr_null(read_image());
}

/* Returns the path at an address, or "". */
static const char *path_at(uint32_t pid, uint64_t address)
{
	const struct uev_mapping *found =
		uev_mappings_find(&mappings, pid, address);

	if (!found)
		return "";
	ck_assert_uint_le(found->start, address);
	ck_assert_uint_lt(address, found->end);

	return found->path;
}

TEST_LOOP(has_all_members, 2)
{
	const struct uev_mapping *found;

	image.big = _i;
	ck_assert_ptr_null(map(5, 7, 0x4000, 0x2000, "/a/file", 0));
	uev_mappings_advance(&mappings, 4, 7);
	ck_assert_str_eq(path_at(7, 0x4000), "");
	uev_mappings_advance(&mappings, 5, 7);
	ck_assert_str_eq(path_at(7, 0x3fff), "");
	ck_assert_str_eq(path_at(7, 0x4000), "/a/file");
	ck_assert_str_eq(path_at(7, 0x5fff), "/a/file");
	ck_assert_str_eq(path_at(7, 0x6000), "");
	ck_assert_str_eq(path_at(8, 0x4000), "");
	found = uev_mappings_find(&mappings, 7, 0x4000);
	ck_assert_uint_eq(found->start, 0x4000);
	ck_assert_uint_eq(found->end, 0x6000);
	ck_assert_uint_eq(found->offset, 0x1000);
	ck_assert_uint_eq(found->major, 8);
	ck_assert_uint_eq(found->minor, 1);
	ck_assert_uint_eq(found->inode, 77);
	ck_assert_uint_eq(found->generation, 78);
	ck_assert_uint_eq(found->protection, 5);
	ck_assert_uint_eq(found->flags, 2);

	map(6, 7, 0x4000, 0x2000, "/a/file", PERF_RECORD_MISC_MMAP_BUILD_ID);
	uev_mappings_advance(&mappings, 6, 7);
	found = uev_mappings_find(&mappings, 7, 0x4000);
	ck_assert_uint_eq(found->inode, 0);
	ck_assert_uint_eq(found->protection, 5);
	image.big = false;
}

/* The same numbers in each run */
static unsigned int next_number(unsigned int *state)
{
	*state = *state * 1103515245U + 12345U;

	return *state >> 16;
}

/* Each byte is compared with a table of the last mapping there. */
TEST(newer_mappings_replace_older_ones)
{
	static const char *expected[64];
	static char paths[2000][8];
	unsigned int start, size, i, j, state = 1;
	const struct uev_mapping *found;

	for (i = 0; i < 2000; i++) {
		start = next_number(&state) % 60;
		size = 1 + next_number(&state) % (64 - start);
		snprintf(paths[i], sizeof(paths[i]), "/%u", i);
		map(i, 7, start, size, paths[i], 0);
		for (j = start; j < start + size; j++)
			expected[j] = paths[i];
		uev_mappings_advance(&mappings, i, 7);
		for (j = 0; j < 64; j++) {
			ck_assert_str_eq(path_at(7, j),
					 expected[j] ? expected[j] : "");
			found = uev_mappings_find(&mappings, 7, j);
			/* The part of a file stays the same. */
			if (found && found->start == start)
				ck_assert_uint_eq(found->offset, 0x1000);
		}
	}
}

TEST(parts_have_their_offsets)
{
	map(1, 7, 0x1000, 0x3000, "/whole", 0);
	map(2, 7, 0x2000, 0x1000, "/inner", 0);
	uev_mappings_advance(&mappings, 2, 7);
	ck_assert_uint_eq(uev_mappings_find(&mappings, 7, 0x1fff)->offset,
			  0x1000);
	ck_assert_uint_eq(uev_mappings_find(&mappings, 7, 0x3000)->offset,
			  0x3000);
	ck_assert_uint_eq(uev_mappings_find(&mappings, 7, 0x3000)->start,
			  0x3000);
}

TEST(a_child_has_those_of_its_parent)
{
	map(1, 7, 0x1000, 0x1000, "/parent", 0);
	task(PERF_RECORD_FORK, 2, 8, 7);
	map(3, 7, 0x1000, 0x1000, "/later", 0);
	map(4, 8, 0x2000, 0x1000, "/own", 0);
	/* A thread is not a process. */
	task(PERF_RECORD_FORK, 5, 7, 7);
	uev_mappings_advance(&mappings, 5, 7);
	ck_assert_str_eq(path_at(7, 0x1000), "/later");
	ck_assert_str_eq(path_at(7, 0x2000), "");
	ck_assert_str_eq(path_at(8, 0x1000), "/parent");
	ck_assert_str_eq(path_at(8, 0x2000), "/own");

	task(PERF_RECORD_EXIT, 6, 7, 1);
	/* A process with the same ID, of an unknown parent. */
	task(PERF_RECORD_FORK, 7, 8, 99);
	uev_mappings_advance(&mappings, 7, 8);
	ck_assert_str_eq(path_at(7, 0x1000), "/later");
	ck_assert_str_eq(path_at(8, 0x1000), "");
}

/* Its other threads can have records, and it remains in the list of all. */
TEST(exit_of_the_only_process)
{
	map(1, 7, 0x1000, 0x1000, "/first", 0);
	task(PERF_RECORD_EXIT, 2, 99, 1);
	task(PERF_RECORD_EXIT, 3, 7, 1);
	map(4, 8, 0x1000, 0x1000, "/second", 0);
	uev_mappings_advance(&mappings, 4, 7);
	ck_assert_str_eq(path_at(7, 0x1000), "/first");
	ck_assert_str_eq(path_at(8, 0x1000), "/second");
	ck_assert_ptr_eq(mappings.by_use.oldest->newer, mappings.by_use.newest);
}

TEST(exec_removes_all)
{
	map(1, 7, 0x1000, 0x1000, "/before", 0);
	comm(2, 7, 0);
	uev_mappings_advance(&mappings, 2, 7);
	ck_assert_str_eq(path_at(7, 0x1000), "/before");
	comm(3, 7, PERF_RECORD_MISC_COMM_EXEC);
	/* Of a processor whose records are read later. */
	map(4, 7, 0x5000, 0x1000, "/after", 0);
	uev_mappings_advance(&mappings, 4, 7);
	ck_assert_str_eq(path_at(7, 0x1000), "");
	ck_assert_str_eq(path_at(7, 0x5000), "/after");
}

TEST(has_those_of_the_kernel)
{
	ck_assert_ptr_null(map(0, UEV_KERNEL_PID, 0xffffffff81000000, 0x1000,
			       "[kernel.kallsyms]_text",
			       PERF_RECORD_MISC_KERNEL));
	ck_assert_ptr_null(map(1, 7, 0x1000, 0x1000, "/program", 0));
	uev_mappings_advance(&mappings, 1, 7);
	ck_assert_str_eq(path_at(UEV_KERNEL_PID, 0xffffffff81000fff),
			 "[kernel.kallsyms]_text");
	ck_assert_str_eq(path_at(7, 0xffffffff81000fff), "");
	ck_assert_str_eq(path_at(UEV_KERNEL_PID, 0x1000), "");
}

TEST(ignores_data)
{
	ck_assert_ptr_null(
		map(1, 7, 0x1000, 0x1000, "/data", PERF_RECORD_MISC_MMAP_DATA));
	uev_mappings_advance(&mappings, 1, 7);
	ck_assert_uint_eq(mappings.by_pid.count, 0);
}

TEST(rejects_malformed_records)
{
	static char path[UEV_MAPPING_PATH_MAX + 1];

	memset(path, 'x', UEV_MAPPING_PATH_MAX);
	ck_assert_ptr_nonnull(map(1, 7, 0x1000, 0x1000, path, 0));
	path[UEV_MAPPING_PATH_MAX - 1] = '\0';
	ck_assert_ptr_null(map(1, 7, 0x1000, 0x1000, path, 0));
	/* Empty, and beyond the last address. */
	ck_assert_ptr_nonnull(map(1, 7, 0x1000, 0, "/a", 0));
	ck_assert_ptr_nonnull(map(1, 7, 0x1000, UINT64_MAX, "/a", 0));

	begin(PERF_RECORD_MMAP2, 0);
	image_zeros(&image, 56);
	ck_assert_ptr_nonnull(strstr(read_image(), "mapping record"));
	begin(PERF_RECORD_MMAP, 0);
	image_zeros(&image, 24);
	ck_assert_ptr_nonnull(strstr(read_image(), "mapping record"));
	begin(PERF_RECORD_EXIT, 0);
	image_zeros(&image, 16);
	ck_assert_ptr_nonnull(strstr(read_image(), "exit record"));
	begin(PERF_RECORD_FORK, 0);
	image_zeros(&image, 16);
	ck_assert_ptr_nonnull(strstr(read_image(), "fork record"));
	begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	ck_assert_ptr_nonnull(strstr(read_image(), "comm record"));
}

/* Of one process, of all, and of those that are not applied yet. */
TEST(memory_is_limited)
{
	uint64_t i;

	map(0, UEV_KERNEL_PID, 0x1000, 0x1000, "[kernel.kallsyms]_text",
	    PERF_RECORD_MISC_KERNEL);
	for (i = 0; i < 2 * UEV_MAPPINGS_PER_PROCESS_MAX; i++)
		map(0, 7, i * 0x1000, 0x1000, "/a", 0);
	uev_mappings_advance(&mappings, 0, 7);
	ck_assert_str_eq(path_at(7, 0), "/a");
	for (i = 0; i < 20000; i++) {
		task(PERF_RECORD_FORK, 1, (uint32_t)i + 100, 7);
		uev_mappings_advance(&mappings, 1, 7);
		ck_assert_uint_le(mappings.memory, UEV_MAPPINGS_MEMORY_MAX);
	}
	/* In use, and newest */
	ck_assert_str_eq(path_at(7, 0), "/a");
	ck_assert_str_eq(path_at(20099, 0), "/a");
	ck_assert_str_eq(path_at(100, 0), "");
	ck_assert_str_eq(path_at(UEV_KERNEL_PID, 0x1000),
			 "[kernel.kallsyms]_text");

	for (i = 0; i < 2 * UEV_MAPPINGS_PENDING_MAX; i++)
		map(2 + i, 7, 0, 0x1000, "/b", 0);
	ck_assert_uint_le(mappings.changes.count, UEV_MAPPINGS_PENDING_MAX);
	ck_assert_str_eq(path_at(7, 0), "/b");
}

/* A mapping inside of another one makes three of one. */
TEST_LOOP(parts_are_limited, 2)
{
	const uint32_t pid = _i ? 7 : UEV_KERNEL_PID;
	static char path[UEV_MAPPING_PATH_MAX];
	uint64_t i, start;

	memset(path, 'x', sizeof(path) - 1);
	map(0, 8, 0x1000, 0x1000, "/other", 0);
	map(0, pid, 0, UINT64_C(1) << 40, path, 0);
	for (i = 1; i <= 4 * UEV_MAPPINGS_PER_PROCESS_MAX; i++) {
		start = i % 2 ? i * 0x2000 : (UINT64_C(1) << 40) - i * 0x2000;
		map(0, pid, start, 0x1000, "/inner", 0);
		uev_mappings_advance(&mappings, 0, pid);
		ck_assert_uint_le(mappings.memory, UEV_MAPPINGS_MEMORY_MAX / 2);
	}
	ck_assert_str_eq(path_at(pid, 0x1fff), path);
	ck_assert_str_eq(path_at(pid, 0x2000), "/inner");
	ck_assert_str_eq(path_at(8, 0x1000), "/other");
}

TEST(without_memory)
{
	const struct uev_mapping mapping = { .start = 1,
					     .end = 9,
					     .path = "/a" };
	const struct uev_mapping inner = { .start = 3, .end = 5, .path = "/b" };
	unsigned int after;
	int ret;

	for (after = 0;; after++) {
		fake_alloc_fail(after);
		ret = uev_mappings_add(&mappings, 7, &mapping);
		if (!fake_alloc_end())
			break;
		ck_assert_int_eq(ret, -ENOMEM);
		ck_assert_str_eq(path_at(7, 1), "");
	}
	ck_assert_uint_ge(after, 3);
	for (after = 0;; after++) {
		fake_alloc_fail(after);
		ret = uev_mappings_add(&mappings, 7, &inner);
		if (!fake_alloc_end())
			break;
		/* Never a wrong one. */
		ck_assert_str_ne(path_at(7, 4), ret ? "/b" : "/a");
		ck_assert_int_eq(uev_mappings_add(&mappings, 7, &mapping), 0);
	}
	ck_assert_str_eq(path_at(7, 4), "/b");
}
