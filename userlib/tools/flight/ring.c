// SPDX-License-Identifier: MIT
#include "flight/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

#define MAGIC UINT64_C(0x676e697265657675)
#define ALIGNMENT 8

/* Pages that must fit, and are free before one is read; see make_room(). */
#define PAGES_MIN 16
#define PAGES_FREE 4

/*
 * struct flight_ring_head - The first page of a file
 * @page_size, @long_size: of the kernel that wrote the pages
 * @first: position of the oldest page
 * @end: position after the newest page. There is the number 0, or a page that
 *       was read by a process that was killed.
 * @has_agains: some pages were read again
 *
 * Positions only grow. A page is never divided: if there is no room for a whole
 * one at the end of the body, it is at the start of the next lap. Stores are in
 * the order of the program, since a process can be killed between two.
 */
struct flight_ring_head {
	uint64_t magic;
	uint64_t page_size;
	uint64_t long_size;
	volatile uint64_t first;
	volatile uint64_t end;
	uint64_t has_agains;
};

/* Returns the position of a page that would be at a position. */
static uint64_t place(const struct flight_ring *ring, uint64_t position)
{
	uint64_t at = position % ring->lap;

	return at + ring->layout.page_size > ring->lap
		       ? position - at + ring->lap
		       : position;
}

static uint8_t *page_at(const struct flight_ring *ring, uint64_t position)
{
	return ring->body + place(ring, position) % ring->lap;
}

static uint64_t after(const struct flight_ring *ring, uint64_t position)
{
	size_t used = flight_page_used(page_at(ring, position), &ring->layout);

	return place(ring, position) +
	       (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool is_valid(const struct flight_ring *ring, const uint8_t *page)
{
	return flight_page_time(page) &&
	       flight_page_used(page, &ring->layout) <= ring->layout.page_size;
}

/* As flight_ring_next(), of all pages. @before: set to the position of the page */
static const uint8_t *next_page(const struct flight_ring *ring,
				uint64_t *position, uint64_t *before)
{
	const uint8_t *page;

	if (*position < ring->head->first)
		*position = ring->head->first;
	if (*position >= ring->head->end)
		return NULL;
	page = page_at(ring, *position);
	if (!is_valid(ring, page))
		return NULL;
	*before = *position;
	*position = after(ring, *position);

	return page;
}

/* ---- The end ---- */

/*
 * Frees the place of the page that is read next, and of the number 0 after it.
 * Each of them can be after an unused end of a lap, so this takes less than four
 * pages.
 */
static void make_room(struct flight_ring *ring)
{
	uint64_t until = ring->head->end + PAGES_FREE * ring->layout.page_size;

	while (ring->head->first < ring->head->end &&
	       until - ring->head->first > ring->lap)
		ring->head->first = after(ring, ring->head->first);
}

static void clear_page(struct flight_ring *ring, uint64_t position)
{
	memset(page_at(ring, position), 0, sizeof(uint64_t));
	atomic_signal_fence(memory_order_seq_cst);
}

/* Adds the page that is at the end of the ring. */
static void publish_end(struct flight_ring *ring)
{
	uint64_t end = ring->head->end;

	if (!is_valid(ring, page_at(ring, end))) {
		clear_page(ring, end);
		return;
	}
	end = after(ring, end);
	clear_page(ring, end);
	ring->head->end = end;
}

/* Marks the page that is at the end of the ring. */
static void mark_again(struct flight_ring *ring)
{
	uint8_t *page = page_at(ring, ring->head->end);

	ring->head->has_agains = true;
	flight_page_set_commit(page,
			       flight_page_commit(page, &ring->layout) |
				       FLIGHT_PAGE_AGAIN,
			       &ring->layout);
}

/* Return: number of bytes, 0 without more pages, or -errno */
static ssize_t read_page(struct flight_ring *ring, int fd)
{
	ssize_t got;

	make_room(ring);
	do {
		got = read(fd, page_at(ring, ring->head->end),
			   ring->layout.page_size);
	} while (got < 0 && errno == EINTR);

	return got >= 0 ? got : errno == EAGAIN ? 0 : -errno;
}

static void find_agains(struct flight_ring *ring)
{
	uint64_t position = 0, before;
	const uint8_t *page;

	ring->again_count = 0;
	while (ring->head->has_agains &&
	       (page = next_page(ring, &position, &before))) {
		if (!(flight_page_commit(page, &ring->layout) &
		      FLIGHT_PAGE_AGAIN))
			continue;
		*tool_add(ring->agains, ring->again_count) =
			(struct flight_again){
				.position = before,
				.time = flight_page_time(page),
			};
	}
}

int flight_ring_fill(struct flight_ring *ring, int fd, bool is_again)
{
	ssize_t got;

	while ((got = read_page(ring, fd)) > 0) {
		if (is_again)
			mark_again(ring);
		is_again = false;
		publish_end(ring);
	}
	find_agains(ring);

	return (int)got;
}

/* ---- The file ---- */

static int create_ring(struct flight_ring *ring, int fd, uint64_t room)
{
	size_t page_size = ring->layout.page_size;
	uint64_t least = PAGES_MIN * page_size;
	int ret;

	ring->lap = (room > least ? room : least) + PAGES_FREE * page_size;
	ring->lap = (ring->lap + page_size - 1) / page_size * page_size;
	/* Without the space, the kernel could not copy a page that it removes. */
	ret = posix_fallocate(fd, 0, (off_t)(ring->lap + page_size));

	return -ret;
}

static int map_ring(struct flight_ring *ring, int fd)
{
	void *memory;

	ring->size = (size_t)ring->lap + ring->layout.page_size;
	memory = mmap(NULL, ring->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		      0);
	if (memory == MAP_FAILED)
		return -errno;
	ring->head = memory;
	ring->body = (uint8_t *)memory + ring->layout.page_size;

	return 0;
}

/* Completes a new file, and the work of a process that was killed. */
static int check_head(struct flight_ring *ring)
{
	struct flight_ring_head *head = ring->head;

	if (!head->magic) {
		head->page_size = ring->layout.page_size;
		head->long_size = ring->layout.long_size;
		head->magic = MAGIC;
	}
	if (head->magic != MAGIC || head->first > head->end ||
	    head->end - head->first > ring->lap ||
	    head->page_size != ring->layout.page_size ||
	    head->long_size != ring->layout.long_size)
		return -EBADMSG;
	make_room(ring);
	publish_end(ring);
	find_agains(ring);

	return 0;
}

static int open_file(struct flight_ring *ring, int fd, uint64_t room)
{
	size_t page_size = ring->layout.page_size;
	struct stat about;
	int ret = 0;

	if (fstat(fd, &about))
		return -errno;
	/* A process can be killed while it creates the file. */
	if ((uint64_t)about.st_size < (PAGES_MIN + PAGES_FREE + 1) * page_size)
		ret = create_ring(ring, fd, room);
	else
		ring->lap = (uint64_t)about.st_size / page_size * page_size -
			    page_size;
	if (!ret)
		ret = map_ring(ring, fd);

	return ret ? ret : check_head(ring);
}

int flight_ring_open(struct flight_ring *ring, const char *path, uint64_t room,
		     const struct flight_layout *layout)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int ret;

	*ring = (struct flight_ring){ .layout = *layout };
	if (fd < 0)
		return -errno;
	ret = open_file(ring, fd, room);
	close(fd);
	if (ret)
		flight_ring_close(ring);

	return ret;
}

void flight_ring_close(struct flight_ring *ring)
{
	if (ring->head)
		munmap(ring->head, ring->size);
	free(ring->agains);
	*ring = (struct flight_ring){ 0 };
}

/* ---- Reading ---- */

uint64_t flight_ring_end(const struct flight_ring *ring)
{
	return ring->head->end;
}

uint64_t flight_ring_used(const struct flight_ring *ring)
{
	return ring->head->end - ring->head->first;
}

/* Tests whether a page was read again later. */
static bool is_superseded(const struct flight_ring *ring, uint64_t position,
			  uint64_t time)
{
	size_t i;

	for (i = 0; i < ring->again_count; i++)
		if (ring->agains[i].position > position &&
		    ring->agains[i].time <= time)
			return true;

	return false;
}

const uint8_t *flight_ring_next(const struct flight_ring *ring,
				uint64_t *position)
{
	const uint8_t *page;
	uint64_t before;

	do {
		page = next_page(ring, position, &before);
	} while (page && is_superseded(ring, before, flight_page_time(page)));

	return page;
}
