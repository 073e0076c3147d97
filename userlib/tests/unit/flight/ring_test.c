// SPDX-License-Identifier: MIT
/* user-events flight: the ring of a processor, with files instead of the kernel. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flight/pack.h"
#include "flight/ring.h"
#include "formats/trace_dat_pages.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define PAGE 4096U
#define ROOM (UINT64_C(16) * PAGE)
#define RECORD 4

/* Bytes before the records of a page */
#define HEADER 16

static const struct flight_layout layout = { PAGE, 8 };
static struct flight_ring ring;
static char *path;

static void set_up(void)
{
	file_tree_begin();
	path = tool_print("%s/ring", file_tree_root());
	ck_assert_int_eq(flight_ring_open(&ring, path, ROOM, &layout), 0);
}

static void tear_down(void)
{
	flight_ring_close(&ring);
	free(path);
	file_tree_end();
}

TEST_FIXTURE(set_up, tear_down);

static void reopen(void)
{
	flight_ring_close(&ring);
	ck_assert_int_eq(flight_ring_open(&ring, path, ROOM, &layout), 0);
}

/* A page with records of a number at a time; @size is a multiple of 8. */
static void make_page(uint8_t *page, uint64_t time, size_t size)
{
	const uint32_t entry[] = {
		uev_host_is_big() ? 1U << 27 : 1,
		(uint32_t)time,
	};
	uint64_t commit = size;
	size_t at;

	memset(page, 0, PAGE);
	memcpy(page, &time, sizeof(time));
	memcpy(page + 8, &commit, sizeof(commit));
	for (at = 0; at < size; at += sizeof(entry))
		memcpy(page + HEADER + at, entry, sizeof(entry));
}

static bool is_again;

static void fill_with(const uint8_t *page)
{
	int fd = open(file_tree_root(), O_TMPFILE | O_RDWR, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, page, PAGE), PAGE);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(flight_ring_fill(&ring, fd, is_again), 0);
	close(fd);
}

/* Lets the ring read pages with the times from @first on. */
static void fill(uint64_t first, unsigned int count, size_t size)
{
	uint8_t page[PAGE];

	while (count--) {
		make_page(page, first++, size);
		fill_with(page);
	}
}

/* Expects pages with these times, and no others. */
static void expect(uint64_t position, uint64_t first, uint64_t last)
{
	const uint8_t *page;

	for (; first <= last; first++) {
		page = flight_ring_next(&ring, &position);
		ck_assert_ptr_nonnull(page);
		ck_assert_uint_eq(flight_page_time(page), first);
	}
	ck_assert_ptr_null(flight_ring_next(&ring, &position));
}

TEST(pages_can_be_read_more_than_once)
{
	fill(1, 3, 80);
	expect(0, 1, 3);
	expect(0, 1, 3);
	reopen();
	expect(0, 1, 3);
}

TEST(reader_continues_at_its_position)
{
	uint64_t end;

	fill(1, 3, 80);
	end = flight_ring_end(&ring);
	expect(end, 1, 0);
	fill(4, 2, 80);
	expect(end, 4, 5);
	expect(0, 1, 5);
}

/* Pages of several sizes end at every place of the end of a lap. */
TEST_LOOP(newest_pages_replace_oldest, 64)
{
	size_t size = (size_t)(_i + 1) * 56 / 8 * 8;
	unsigned int count = (unsigned int)(3 * ROOM / size), i;
	uint64_t position = 0, first;
	const uint8_t *page;

	for (i = 0; i < count; i++)
		fill(1 + i, 1, size);
	page = flight_ring_next(&ring, &position);
	first = flight_page_time(page);
	ck_assert_uint_gt(first, 1);
	expect(0, first, count);
	ck_assert_uint_ge((count - first + 1) * (size + HEADER),
			  ROOM - 2 * PAGE);
	reopen();
	expect(0, first, count);
	/* A reader that was too slow */
	expect(1, first, count);
}

/* The kernel has copied a page when the process is killed. */
TEST(page_of_killed_process_is_found)
{
	uint8_t page[PAGE];

	fill(1, 2, 80);
	make_page(page, 3, 80);
	memcpy(ring.body + flight_ring_end(&ring), page, PAGE);
	expect(0, 1, 2);
	reopen();
	expect(0, 1, 3);
	reopen();
	expect(0, 1, 3);
}

/* What was there a lap ago is not taken for such a page. */
TEST(old_page_after_the_end_is_not_found)
{
	unsigned int i;
	uint64_t end;

	for (i = 0; i < 500; i++) {
		fill(1 + i, 1, 8 * (1 + (size_t)i % 97));
		end = flight_ring_end(&ring);
		reopen();
		ck_assert_uint_eq(flight_ring_end(&ring), end);
	}
}

TEST(page_larger_than_its_size_is_left_out)
{
	const uint64_t commit = PAGE;
	uint8_t page[PAGE];

	fill(1, 1, 80);
	make_page(page, 2, 80);
	memcpy(page + 8, &commit, sizeof(commit));
	fill_with(page);
	fill(3, 1, 80);
	ck_assert_uint_eq(flight_ring_used(&ring), 2 * (80 + HEADER));
}

/* After a boot, the kernel returns a page that was read in two parts. */
TEST(pages_that_are_read_again_replace_the_first_ones)
{
	uint64_t position = 0, time;

	fill(10, 1, 80);
	fill(20, 2, 80);
	is_again = true;
	fill(20, 1, 160);
	is_again = false;
	fill(30, 1, 80);
	for (time = 10; time <= 30; time += 10)
		ck_assert_uint_eq(
			flight_page_time(flight_ring_next(&ring, &position)),
			time);
	ck_assert_ptr_null(flight_ring_next(&ring, &position));
	reopen();
	position = 0;
	ck_assert_uint_eq(flight_page_time(flight_ring_next(&ring, &position)),
			  10);
	ck_assert_uint_eq(flight_page_used(flight_ring_next(&ring, &position),
					   &layout),
			  160 + HEADER);
}

TEST(another_file_is_rejected)
{
	struct flight_ring other;
	char *text = tool_print("%s/other", file_tree_root());
	char *bytes = tool_alloc(ROOM * 2);

	memset(bytes, 'x', ROOM * 2);
	file_tree_bytes("/other", bytes, ROOM * 2);
	ck_assert_int_eq(flight_ring_open(&other, text, ROOM, &layout),
			 -EBADMSG);
	ck_assert_ptr_null(other.head);
	free(bytes);
	free(text);
}

TEST(file_of_another_layout_is_rejected)
{
	const struct flight_layout others = { PAGE, 4 };
	struct flight_ring other;

	ck_assert_int_eq(flight_ring_open(&other, path, ROOM, &others),
			 -EBADMSG);
}

TEST(file_that_cannot_grow_is_an_error)
{
	char *text = tool_print("%s/missing/ring", file_tree_root());
	struct flight_ring other;

	ck_assert_int_eq(flight_ring_open(&other, text, ROOM, &layout),
			 -ENOENT);
	free(text);
}

/* ---- Pages for a reader ---- */

static void reject(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	(void)offset;
	ck_abort_msg("%s", reason);
}

/* Packs all pages of the ring. Return: a file with whole pages */
static int pack_all(uint64_t *size)
{
	struct flight_pack pack = {
		.fd = open(file_tree_root(), O_TMPFILE | O_RDWR, 0600),
		.layout = layout,
	};
	uint64_t position = 0;
	const uint8_t *page;

	while ((page = flight_ring_next(&ring, &position)))
		flight_pack_add(&pack, page);
	ck_assert_int_eq(flight_pack_flush(&pack), 0);
	free(pack.page);
	*size = pack.offset;

	return pack.fd;
}

static struct dat_pages open_pages(int fd, uint64_t size)
{
	return (struct dat_pages){
		.fd = fd,
		.big = uev_host_is_big(),
		.long_size = 8,
		.page_size = PAGE,
		.end = size,
	};
}

/* Times are those of entries, and a page can start where another one ends. */
TEST(pages_that_are_not_full_are_joined)
{
	struct dat_problems problems = { .report = reject };
	struct dat_pages pages;
	uint64_t size, time;
	unsigned int i;
	int fd;

	for (i = 0; i < 100; i++)
		fill((UINT64_C(1) << 40) + i, 1, 16);
	fd = pack_all(&size);
	ck_assert_uint_eq(size, PAGE);
	pages = open_pages(fd, size);
	dat_pages_begin(&pages, &problems);
	for (i = 0; i < 200; i++) {
		time = (UINT64_C(1) << 40) + i / 2;
		ck_assert(pages.has_record);
		ck_assert_uint_eq(pages.size, RECORD);
		ck_assert_uint_eq(pages.time, time);
		dat_pages_next(&pages, &problems);
	}
	ck_assert(!pages.has_record);
	ck_assert_uint_eq(problems.corrupt, 0);
	dat_pages_end(&pages);
	close(fd);
}

TEST(page_after_missing_records_is_not_joined)
{
	struct dat_problems problems = { .report = reject };
	struct dat_pages pages;
	uint8_t page[PAGE];
	uint64_t size, commit = 16 | 1U << 31 | 1U << 30, missing = 7;
	int fd;

	fill(1, 1, 16);
	make_page(page, 2, 16);
	memcpy(page + 8, &commit, sizeof(commit));
	memcpy(page + HEADER + 16, &missing, sizeof(missing));
	fill_with(page);
	fill(3, 1, 16);
	fd = pack_all(&size);
	ck_assert_uint_eq(size, 3 * PAGE);
	pages = open_pages(fd, size);
	dat_pages_begin(&pages, &problems);
	while (pages.has_record)
		dat_pages_next(&pages, &problems);
	ck_assert_uint_eq(pages.lost, missing);
	dat_pages_end(&pages);
	close(fd);
}
