// SPDX-License-Identifier: MIT
#include "flight/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "files.h"
#include "flight/pack.h"
#include "flight/ring.h"
#include "flight/snapshot.h"
#include "tool.h"

/* Files of the kernel, and names of their rings */
static const struct {
	const char *file;
	const char *ring;
} buffers[FLIGHT_RINGS] = {
	{ "trace_pipe_raw", "cpu" },
	{ "snapshot_raw", "snapshot" },
};

/* ---- The layout and the processors ---- */

/* Returns the number after a word of a line; 0 without it */
static size_t number_after(const char *text, const char *field,
			   const char *word)
{
	const char *line = strstr(text, field);
	const char *at = line ? strstr(line, word) : NULL;

	return at ? strtoul(at + strlen(word), NULL, 10) : 0;
}

int flight_layout_read(struct flight_layout *layout, const char *tracefs)
{
	_cleanup_free_ char *path =
		tool_print("%s/events/header_page", tracefs);
	_cleanup_free_ char *text = NULL;
	int ret = files_read(path, &text, NULL);

	if (ret)
		return ret;
	layout->long_size = number_after(text, " commit;", "size:");
	layout->page_size = number_after(text, " data;", "offset:") +
			    number_after(text, " data;", "size:");

	return (layout->long_size == 4 || layout->long_size == 8) &&
			       layout->page_size >= 4096
		       ? 0
		       : -EBADMSG;
}

static int compare_cpus(const void *one, const void *other)
{
	uint32_t a = ((const struct flight_cpu *)one)->number;
	uint32_t b = ((const struct flight_cpu *)other)->number;

	return a < b ? -1 : a > b;
}

/* The instance can be gone; then those that have rings */
static int find_cpus(struct flight_pages *pages)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	const struct flight *flight = pages->flight;
	bool has_instance = flight->condition != FLIGHT_GONE;
	_cleanup_free_ char *path = has_instance
					    ? flight_path(flight, "per_cpu")
					    : tool_copy(flight->directory);
	int ret = files_names(path, &names);
	uint64_t number;
	size_t i;

	if (ret)
		return ret;
	for (i = 0; i < names.count; i++)
		if (tool_starts(names.names[i], "cpu") &&
		    tool_number(names.names[i] + 3, 0, UINT16_MAX, &number))
			*tool_add(pages->cpus, pages->cpu_count) =
				(struct flight_cpu){
					.number = (uint32_t)number,
				};
	tool_sort(pages->cpus, pages->cpu_count, compare_cpus);

	return 0;
}

/* Since Linux 6.8, others can change the size of the pages of their instance. */
static void read_page_size(struct flight_pages *pages)
{
	_cleanup_free_ char *path =
		flight_path(pages->flight, "buffer_subbuf_size_kb");
	_cleanup_free_ char *line = files_line(path);
	size_t size = line ? strtoul(line, NULL, 10) << 10 : 0;

	if (size)
		pages->layout.page_size = size;
}

int flight_pages_open(struct flight_pages *pages, const struct flight *flight)
{
	int ret;

	*pages = (struct flight_pages){ .flight = flight, .fd = -1 };
	ret = flight_layout_read(&pages->layout, flight->tracefs);
	if (!ret && flight->is_foreign)
		read_page_size(pages);
	if (!ret)
		ret = find_cpus(pages);
	if (!ret) {
		pages->fd = memfd_create("user-events", MFD_CLOEXEC);
		ret = pages->fd < 0 ? -errno : 0;
	}
	if (ret)
		flight_pages_close(pages);

	return ret;
}

void flight_pages_close(struct flight_pages *pages)
{
	free(pages->cpus);
	if (pages->flight && pages->fd >= 0)
		close(pages->fd);
	*pages = (struct flight_pages){ 0 };
}

/* ---- From the kernel into the rings ---- */

static char *ring_path(const struct flight *flight, int buffer, uint32_t cpu)
{
	return tool_print("%s/%s%u", flight->directory, buffers[buffer].ring,
			  (unsigned int)cpu);
}

static int open_raw(const struct flight *flight, int buffer, uint32_t cpu)
{
	_cleanup_free_ char *path = flight_path(flight, "per_cpu/cpu%u/%s",
						(unsigned int)cpu,
						buffers[buffer].file);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		fd = -errno;

	return fd;
}

/* Returns the bytes of the buffer of a processor. */
static uint64_t buffer_size(const struct flight *flight, uint32_t cpu)
{
	_cleanup_free_ char *path = flight_path(
		flight, "per_cpu/cpu%u/buffer_size_kb", (unsigned int)cpu);
	_cleanup_free_ char *line = files_line(path);
	uint64_t kib = line ? strtoull(line, NULL, 10) : 0;

	return kib << 10;
}

/* A ring that does not exist, of an instance that is gone, stays closed. */
static int fill_ring(const struct flight_pages *pages, struct flight_ring *ring,
		     int buffer, uint32_t cpu)
{
	const struct flight *flight = pages->flight;
	bool has_instance = flight->condition != FLIGHT_GONE;
	_cleanup_free_ char *path = ring_path(flight, buffer, cpu);
	int ret = 0, fd;

	if (has_instance || access(path, F_OK) == 0)
		ret = flight_ring_open(ring, path, buffer_size(flight, cpu),
				       &pages->layout);
	if (ret || !has_instance)
		return ret;
	fd = open_raw(flight, buffer, cpu);
	if (fd < 0)
		return fd;
	ret = flight_ring_fill(ring, fd, flight->condition == FLIGHT_EARLIER);
	close(fd);

	return ret;
}

static bool has_buffer(const struct flight *flight, int buffer)
{
	return !buffer || flight->on;
}

static void close_rings(struct flight_ring *rings)
{
	int i;

	for (i = 0; i < FLIGHT_RINGS; i++)
		flight_ring_close(&rings[i]);
}

/* The snapshot first, which is older. Return: 0 or -errno */
static int fill_rings(const struct flight_pages *pages,
		      struct flight_ring *rings, uint32_t cpu)
{
	int ret = 0, i;

	for (i = FLIGHT_RINGS - 1; i >= 0 && !ret; i--)
		if (has_buffer(pages->flight, i))
			ret = fill_ring(pages, &rings[i], i, cpu);
	if (ret)
		close_rings(rings);

	return ret;
}

/* ---- From the rings into the file ---- */

/* Returns the older one of the next pages; NULL at the end */
static const uint8_t *next_page(struct flight_cpu *cpu,
				const struct flight_ring *rings)
{
	const uint8_t *page, *oldest = NULL;
	uint64_t position, next = 0;
	int i, from = 0;

	for (i = 0; i < FLIGHT_RINGS; i++) {
		if (!rings[i].head)
			continue;
		position = cpu->positions[i];
		page = flight_ring_next(&rings[i], &position);
		if (!page || (oldest && flight_page_time(page) >=
						flight_page_time(oldest)))
			continue;
		oldest = page;
		next = position;
		from = i;
	}
	if (oldest)
		cpu->positions[from] = next;

	return oldest;
}

static void skip_pages(struct flight_cpu *cpu, const struct flight_ring *rings)
{
	int i;

	for (i = 0; i < FLIGHT_RINGS; i++)
		if (rings[i].head)
			cpu->positions[i] = flight_ring_end(&rings[i]);
}

static int copy_from_rings(const struct flight_pages *pages,
			   struct flight_cpu *cpu, struct flight_pack *pack,
			   bool wants_copy)
{
	struct flight_ring rings[FLIGHT_RINGS] = { 0 };
	const uint8_t *page;
	int ret = fill_rings(pages, rings, cpu->number);

	if (ret)
		return ret;
	if (!wants_copy)
		skip_pages(cpu, rings);
	while ((page = next_page(cpu, rings)))
		flight_pack_add(pack, page);
	close_rings(rings);

	return 0;
}

/* The records of an instance of others have no other place. */
static int take_from_kernel(const struct flight_pages *pages,
			    const struct flight_cpu *cpu,
			    struct flight_pack *pack)
{
	_cleanup_free_ uint8_t *page = tool_alloc(pages->layout.page_size);
	int fd = open_raw(pages->flight, 0, cpu->number), ret;
	ssize_t got;

	if (fd < 0)
		return fd;
	while ((got = read(fd, page, pages->layout.page_size)) > 0 ||
	       (got < 0 && errno == EINTR))
		if (got > 0 && flight_page_used(page, &pages->layout) <=
				       pages->layout.page_size)
			flight_pack_add(pack, page);
	ret = got < 0 && errno != EAGAIN ? -errno : 0;
	close(fd);

	return ret;
}

/* Return: 1 if there were pages; 0; -errno */
static int move_cpu(struct flight_pages *pages, struct flight_cpu *cpu,
		    struct flight_pack *pack, bool wants_copy)
{
	int ret;

	cpu->offset = pack->offset;
	ret = pages->flight->is_foreign
		      ? take_from_kernel(pages, cpu, pack)
		      : copy_from_rings(pages, cpu, pack, wants_copy);
	if (!ret)
		ret = flight_pack_flush(pack);
	cpu->end = pack->offset;

	return ret ? ret : cpu->end > cpu->offset;
}

static int move_all(struct flight_pages *pages, bool wants_copy)
{
	struct flight_pack pack = {
		.fd = pages->fd,
		.layout = pages->layout,
	};
	int ret = ftruncate(pages->fd, 0) ? -errno : 0, found = 0;
	size_t i;

	lseek(pages->fd, 0, SEEK_SET);
	for (i = 0; i < pages->cpu_count && ret >= 0; i++) {
		ret = move_cpu(pages, &pages->cpus[i], &pack, wants_copy);
		found |= ret > 0;
	}
	free(pack.page);

	return ret < 0 ? ret : found;
}

/* A recorder can be stopped, and another one started, since it was read. */
static bool is_replaced(const struct flight *flight)
{
	return (flight->condition == FLIGHT_RECORDING ||
		flight->condition == FLIGHT_STOPPED) &&
	       flight_inode(flight->instance) != flight->inode;
}

int flight_pages_move(struct flight_pages *pages, bool wants_copy)
{
	const struct flight *flight = pages->flight;
	bool has_snapshot;
	int lock, ret;

	if (flight->is_foreign)
		return is_replaced(flight) ? -ENOENT
					   : move_all(pages, wants_copy);
	lock = flight_lock(flight);
	if (lock < 0)
		return lock;
	if (is_replaced(flight)) {
		close(lock);
		return -ENOENT;
	}
	/* One that is taken meanwhile is read the next time. */
	has_snapshot = flight->condition != FLIGHT_GONE &&
		       flight_snapshot_is_taken(flight);
	ret = move_all(pages, wants_copy);
	if (ret >= 0 && has_snapshot)
		flight_snapshot_renew(flight);
	close(lock);

	return ret;
}

/* ---- Numbers ---- */

static uint64_t used_by(const struct flight_pages *pages, int buffer,
			uint32_t cpu)
{
	_cleanup_free_ char *path = ring_path(pages->flight, buffer, cpu);
	struct flight_ring ring;
	uint64_t used = 0;

	if (access(path, F_OK) == 0 &&
	    flight_ring_open(&ring, path, 0, &pages->layout) == 0) {
		used = flight_ring_used(&ring);
		flight_ring_close(&ring);
	}

	return used;
}

uint64_t flight_pages_used(struct flight_pages *pages)
{
	int lock = flight_lock(pages->flight), buffer;
	uint64_t used = 0;
	size_t i;

	if (lock < 0)
		return 0;
	for (i = 0; i < pages->cpu_count; i++)
		for (buffer = 0; buffer < FLIGHT_RINGS; buffer++)
			used += used_by(pages, buffer, pages->cpus[i].number);
	close(lock);

	return used;
}

void flight_stats_read(struct flight_stats *stats, const struct flight *flight,
		       uint32_t cpu)
{
	_cleanup_free_ char *path =
		flight_path(flight, "per_cpu/cpu%u/stats", (unsigned int)cpu);
	_cleanup_free_ char *text = NULL;

	*stats = (struct flight_stats){ .cpu = cpu };
	if (flight->condition == FLIGHT_GONE || files_read(path, &text, NULL))
		return;
	stats->bytes = files_value_number(text, "bytes: ");
	stats->overwritten = files_value_number(text, "overrun: ");
	stats->read = files_value_number(text, "read events: ");
	stats->lost = files_value_number(text, "commit overrun: ") +
		      files_value_number(text, "dropped events: ");
}
