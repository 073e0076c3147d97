// SPDX-License-Identifier: MIT
#include "perf/ring.h"

#include <string.h>
#include <linux/perf_event.h>

#include "util/sys_perf.h"

int uev_ring_map(struct uev_ring *ring, int fd, size_t size, bool overwrite)
{
	size_t page_size = uev_sys_perf_page_size();
	void *map;
	int ret;

	/*
	 * A read-only ring has no read position, so the kernel does not wait.
	 */
	ret = uev_sys_perf_map(fd, page_size + size, !overwrite, &map);
	if (ret)
		return ret;
	*ring = (struct uev_ring){
		.map = map,
		.page_size = page_size,
		.size = size,
		.overwrite = overwrite,
	};

	return 0;
}

void uev_ring_unmap(struct uev_ring *ring)
{
	if (ring->map)
		uev_sys_perf_unmap(ring->map,
				   ring->page_size + (size_t)ring->size);
	ring->map = NULL;
}

static void copy(const struct uev_ring *ring, uint64_t position, uint8_t *to,
		 size_t size)
{
	const uint8_t *data = (const uint8_t *)ring->map + ring->page_size;
	size_t begin = (size_t)(position & (ring->size - 1));
	size_t first = (size_t)ring->size - begin;

	if (first > size)
		first = size;
	memcpy(to, data + begin, first);
	memcpy(to + first, data, size - first);
}

/* Copies the record at @position. Return: its size, or 0 */
static size_t copy_record(const struct uev_ring *ring, uint64_t position,
			  uint64_t left, uint8_t *record)
{
	struct perf_event_header header;

	copy(ring, position, (uint8_t *)&header, sizeof(header));
	if (header.size < sizeof(header) || header.size > left)
		return 0;
	copy(ring, position, record, header.size);
	/*
	 * Uses the checked header, because the kernel could have changed the
	 * other.
	 */
	memcpy(record, &header, sizeof(header));

	return header.size;
}

/* The position of a 32-bit kernel wraps. */
static uint64_t distance(uint64_t from, uint64_t to)
{
	return sizeof(long) == 4 ? (uint32_t)(to - from) : to - from;
}

static int read_forward(struct uev_ring *ring, uint64_t head, uint8_t *record,
			uint64_t *corrupt,
			int (*each)(void *data, const uint8_t *record,
				    size_t size),
			void *data)
{
	uint64_t left = distance(ring->position, head);
	size_t size;
	int ret = 0;

	if (left > ring->size) {
		(*corrupt)++;
		left = 0;
	}

	while (left) {
		size = copy_record(ring, head - left, left, record);
		if (!size) {
			(*corrupt)++;
			left = 0;
			break;
		}
		ret = each(data, record, size);
		if (ret)
			break;
		left -= size;
	}
	ring->position = head - left;

	return ret;
}

/*
 * The newest record is at the head. Older ones follow, up to a partly
 * overwritten one.
 */
static int read_backward(struct uev_ring *ring, uint64_t head, uint8_t *record,
			 uint64_t *corrupt,
			 int (*each)(void *data, const uint8_t *record,
				     size_t size),
			 void *data)
{
	uint64_t left = distance(head, ring->position);
	bool written_over = left > ring->size;
	uint64_t at = head;
	size_t size;
	int ret = 0;

	if (written_over)
		left = ring->size;
	ring->position = head;

	while (left && !ret) {
		size = copy_record(ring, at, left, record);
		if (!size) {
			*corrupt += !written_over;
			break;
		}
		ret = each(data, record, size);
		at += size;
		left -= size;
	}

	return ret;
}

int uev_ring_read(struct uev_ring *ring, uint8_t *record, uint64_t *corrupt,
		  int (*each)(void *data, const uint8_t *record, size_t size),
		  void *data)
{
	struct perf_event_mmap_page *page = ring->map;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	int ret;

	if (ring->overwrite)
		return read_backward(ring, head, record, corrupt, each, data);

	ret = read_forward(ring, head, record, corrupt, each, data);
	__atomic_store_n(&page->data_tail, ring->position, __ATOMIC_RELEASE);

	return ret;
}
