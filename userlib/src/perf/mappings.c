// SPDX-License-Identifier: MIT
#include "perf/mappings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/sample.h"
#include "util/common.h"

/* Offsets of members of the records. */
#define PID 8
#define MAP_ADDRESS 16
#define MAP_SIZE 24
#define MAP_OFFSET 32
#define MAP_PATH 40
#define MAP2_MAJOR 40
#define MAP2_MINOR 44
#define MAP2_INODE 48
#define MAP2_GENERATION 56
#define MAP2_PROTECTION 64
#define MAP2_FLAGS 68
#define MAP2_PATH 72
#define COMM_TEXT 16
#define FORK_PARENT_PID 12
#define FORK_SIZE 32

#define FIRST_ROOM 16

enum change_kind {
	CHANGE_MAP,
	CHANGE_FORK,
	CHANGE_EXEC,
	CHANGE_EXIT,
};

/*
 * struct change - A change of the mappings of a process
 * @parent: of a new process
 * @mapping: a new mapping, whose path follows the structure in a queue
 */
struct change {
	enum change_kind kind;
	uint32_t pid;
	uint32_t parent;
	struct uev_mapping mapping;
};

/*
 * A mapping, which processes share after a fork.
 * @users: number of processes
 */
struct node {
	struct uev_mapping mapping;
	size_t users;
	size_t memory;
	char path[];
};

/*
 * Mappings of a process.
 * @nodes: ordered by address, without overlaps
 */
struct uev_space {
	struct uev_age use;
	uint32_t pid;
	struct node **nodes;
	size_t count;
	size_t room;
};

/* ---- Processes ---- */

static void put_node(struct uev_mappings *mappings, struct node *node)
{
	if (--node->users)
		return;
	mappings->memory -= node->memory;
	free(node);
}

static void clear_space(struct uev_mappings *mappings, struct uev_space *space)
{
	size_t i;

	for (i = 0; i < space->count; i++)
		put_node(mappings, space->nodes[i]);
	mappings->memory -= space->room * sizeof(struct node *);
	free(space->nodes);
	space->nodes = NULL;
	space->count = 0;
	space->room = 0;
}

static struct uev_space *space_of(const struct uev_mappings *mappings,
				  uint32_t pid)
{
	return uev_id_table_get(&mappings->by_pid, pid);
}

static struct uev_space *oldest_of(const struct uev_mappings *mappings)
{
	return container_of(mappings->by_use.oldest, struct uev_space, use);
}

static void remove_space(struct uev_mappings *mappings, struct uev_space *space)
{
	uev_id_table_remove(&mappings->by_pid, space->pid);
	uev_age_list_remove(&mappings->by_use, &space->use);
	clear_space(mappings, space);
	mappings->memory -= sizeof(*space);
	free(space);
}

/* Return: the space of a process; NULL without memory */
static struct uev_space *need_space(struct uev_mappings *mappings, uint32_t pid)
{
	struct uev_space *space = space_of(mappings, pid);

	if (space) {
		uev_age_list_touch(&mappings->by_use, &space->use);
		return space;
	}
	space = calloc(1, sizeof(*space));
	if (!space)
		return NULL;
	if (uev_id_table_set(&mappings->by_pid, pid, space)) {
		free(space);
		return NULL;
	}
	space->pid = pid;
	mappings->memory += sizeof(*space);
	uev_age_list_add_newest(&mappings->by_use, &space->use);

	return space;
}

/*
 * Returns the oldest process, or NULL. That of the last change stays, and that
 * of the kernel, which has no records of its own.
 */
static struct uev_space *removable_of(const struct uev_mappings *mappings)
{
	struct uev_space *space = oldest_of(mappings);

	if (space->pid == UEV_KERNEL_PID && space->use.newer)
		space = container_of(space->use.newer, struct uev_space, use);

	return space->use.newer ? space : NULL;
}

static void limit_memory(struct uev_mappings *mappings)
{
	struct uev_space *space;

	while (mappings->memory > UEV_MAPPINGS_MEMORY_MAX &&
	       (space = removable_of(mappings)))
		remove_space(mappings, space);
}

void uev_mappings_free(struct uev_mappings *mappings)
{
	while (mappings->by_use.oldest)
		remove_space(mappings, oldest_of(mappings));
	uev_id_table_free(&mappings->by_pid);
	uev_queue_free(&mappings->changes);
}

/* ---- Mappings of a process ---- */

/* Returns the index of the first mapping that ends after @address. */
static size_t find_index(const struct uev_space *space, uint64_t address)
{
	size_t low = 0;
	size_t high = space->count;
	size_t middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (space->nodes[middle]->mapping.end <= address)
			low = middle + 1;
		else
			high = middle;
	}

	return low;
}

static int make_room(struct uev_mappings *mappings, struct uev_space *space,
		     size_t count)
{
	size_t room = space->room ? space->room : FIRST_ROOM;
	struct node **nodes;

	if (count <= space->room)
		return 0;
	while (room < count)
		room *= 2;
	nodes = realloc(space->nodes, room * sizeof(struct node *));
	if (!nodes)
		return -ENOMEM;
	mappings->memory += (room - space->room) * sizeof(struct node *);
	space->nodes = nodes;
	space->room = room;

	return 0;
}

static struct node *new_node(struct uev_mappings *mappings,
			     const struct uev_mapping *mapping)
{
	size_t size = strlen(mapping->path) + 1;
	struct node *node = malloc(sizeof(*node) + size);

	if (!node)
		return NULL;
	node->mapping = *mapping;
	node->mapping.path = memcpy(node->path, mapping->path, size);
	node->users = 1;
	node->memory = sizeof(*node) + size;
	mappings->memory += node->memory;

	return node;
}

static void drop_at(struct uev_mappings *mappings, struct uev_space *space,
		    size_t at, size_t count)
{
	size_t i;

	for (i = at; i < at + count; i++)
		put_node(mappings, space->nodes[i]);
	space->count -= count;
	memmove(space->nodes + at, space->nodes + at + count,
		(space->count - at) * sizeof(struct node *));
}

/* Makes room for it before. */
static void insert_at(struct uev_space *space, size_t at, struct node *node)
{
	memmove(space->nodes + at + 1, space->nodes + at,
		(space->count - at) * sizeof(struct node *));
	space->nodes[at] = node;
	space->count++;
}

/* Returns the part of a mapping from @start to @end; NULL without memory. */
static struct node *part_of(struct uev_mappings *mappings,
			    const struct node *node, uint64_t start,
			    uint64_t end)
{
	struct uev_mapping part = node->mapping;

	part.offset += start - part.start;
	part.start = start;
	part.end = end;

	return new_node(mappings, &part);
}

/*
 * Removes what is mapped from @start to @end, with room for one mapping more.
 * Return: the index of the first mapping after it
 */
static size_t unmap(struct uev_mappings *mappings, struct uev_space *space,
		    uint64_t start, uint64_t end)
{
	size_t first = find_index(space, start);
	size_t last = first;
	struct node *before = NULL;
	struct node *after = NULL;
	struct node *node;

	for (; last < space->count; last++) {
		node = space->nodes[last];
		if (node->mapping.start >= end)
			break;
		if (node->mapping.start < start)
			before = part_of(mappings, node, node->mapping.start,
					 start);
		if (node->mapping.end > end)
			after = part_of(mappings, node, end, node->mapping.end);
	}
	drop_at(mappings, space, first, last - first);
	if (before)
		insert_at(space, first++, before);
	if (after)
		insert_at(space, first, after);

	return first;
}

int uev_mappings_add(struct uev_mappings *mappings, uint32_t pid,
		     const struct uev_mapping *mapping)
{
	struct uev_space *space = need_space(mappings, pid);
	struct node *node;

	if (!space)
		return -ENOMEM;
	/* Also for the two parts of a mapping. */
	if (make_room(mappings, space, space->count + 2))
		return -ENOMEM;
	node = new_node(mappings, mapping);
	if (!node)
		return -ENOMEM;
	insert_at(space, unmap(mappings, space, mapping->start, mapping->end),
		  node);
	/* Twice, if it is inside of another one. */
	while (space->count > UEV_MAPPINGS_PER_PROCESS_MAX)
		drop_at(mappings, space, space->count - 1, 1);
	limit_memory(mappings);

	return 0;
}

const struct uev_mapping *uev_mappings_find(const struct uev_mappings *mappings,
					    uint32_t pid, uint64_t address)
{
	const struct uev_space *space = space_of(mappings, pid);
	const struct uev_mapping *mapping;
	size_t at;

	if (!space)
		return NULL;
	at = find_index(space, address);
	if (at == space->count)
		return NULL;
	mapping = &space->nodes[at]->mapping;

	return mapping->start <= address ? mapping : NULL;
}

/* ---- Changes ---- */

/* A child has the mappings of its parent. */
static void apply_fork(struct uev_mappings *mappings, uint32_t parent,
		       uint32_t pid)
{
	const struct uev_space *from = space_of(mappings, parent);
	struct uev_space *to = space_of(mappings, pid);
	size_t i;

	if (to)
		clear_space(mappings, to);
	if (!from || !from->count)
		return;
	to = need_space(mappings, pid);
	if (!to || make_room(mappings, to, from->count))
		return;
	for (i = 0; i < from->count; i++) {
		to->nodes[i] = from->nodes[i];
		to->nodes[i]->users++;
	}
	to->count = from->count;
	limit_memory(mappings);
}

static void apply_change(struct uev_mappings *mappings,
			 const struct change *change)
{
	struct uev_space *space = space_of(mappings, change->pid);

	switch (change->kind) {
	case CHANGE_MAP:
		(void)uev_mappings_add(mappings, change->pid, &change->mapping);
		break;
	case CHANGE_FORK:
		apply_fork(mappings, change->parent, change->pid);
		break;
	case CHANGE_EXEC:
		if (space)
			clear_space(mappings, space);
		break;
	default:
		/* Other threads of the process can still have records. */
		if (!space)
			break;
		uev_age_list_remove(&mappings->by_use, &space->use);
		uev_age_list_add_oldest(&mappings->by_use, &space->use);
	}
}

static bool is_over_limit(const struct uev_mappings *mappings)
{
	return mappings->changes.count > UEV_MAPPINGS_PENDING_MAX ||
	       (mappings->changes.count &&
		uev_queue_memory(&mappings->changes) > UEV_MAPPINGS_QUEUE_MAX);
}

static void apply_queued(struct uev_mappings *mappings,
			 const struct uev_sample *queued)
{
	struct change change;

	memcpy(&change, queued->raw, sizeof(change));
	change.mapping.path = (const char *)queued->raw + sizeof(change);
	apply_change(mappings, &change);
}

static int queue_change(struct uev_mappings *mappings,
			const struct change *change, uint64_t time)
{
	const char *path = change->mapping.path ? change->mapping.path : "";
	uint8_t raw[sizeof(*change) + UEV_MAPPING_PATH_MAX];
	size_t size = strlen(path) + 1;
	const struct uev_sample queued = {
		.flags = UEV_HAS_TIME,
		.time = time,
		.raw = raw,
		.raw_size = (uint32_t)(sizeof(*change) + size),
	};

	memcpy(raw, change, sizeof(*change));
	memcpy(raw + sizeof(*change), path, size);

	return uev_queue_push(&mappings->changes, &queued, 0);
}

void uev_mappings_advance(struct uev_mappings *mappings, uint64_t time,
			  uint32_t pid)
{
	const struct uev_sample *queued;
	struct uev_space *space;

	while ((queued = uev_queue_pop(&mappings->changes, time)))
		apply_queued(mappings, queued);
	space = space_of(mappings, pid);
	if (space)
		uev_age_list_touch(&mappings->by_use, &space->use);
}

/* ---- Records ---- */

/*
 * A record.
 * @size: without its end that all records have
 * @time: if @has_time
 */
struct record {
	const uint8_t *bytes;
	size_t size;
	bool big;
	uint16_t misc;
	bool has_time;
	uint64_t time;
};

static uint32_t u32_at(const struct record *record, size_t offset)
{
	return uev_get32(record->bytes + offset, record->big);
}

static uint64_t u64_at(const struct record *record, size_t offset)
{
	return uev_get64(record->bytes + offset, record->big);
}

/* Without a time, a change is applied at once. */
static int add_change(struct uev_mappings *mappings,
		      const struct record *record, const struct change *change)
{
	int ret;

	if (!record->has_time) {
		apply_change(mappings, change);
		return 0;
	}
	ret = queue_change(mappings, change, record->time);
	while (!ret && is_over_limit(mappings))
		apply_queued(mappings,
			     uev_queue_pop(&mappings->changes, UINT64_MAX));

	return ret;
}

/* Returns the offset of the part of a variable size, or the size. */
static size_t shortest_of(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
		return MAP_PATH;
	case PERF_RECORD_MMAP2:
		return MAP2_PATH;
	case PERF_RECORD_COMM:
		return COMM_TEXT;
	default:
		return FORK_SIZE;
	}
}

/* Reads what only MMAP2 has. Instead of these, it can have a build ID. */
static void read_mmap2(const struct record *record, struct uev_mapping *mapping)
{
	mapping->protection = u32_at(record, MAP2_PROTECTION);
	mapping->flags = u32_at(record, MAP2_FLAGS);
	if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		return;
	mapping->major = u32_at(record, MAP2_MAJOR);
	mapping->minor = u32_at(record, MAP2_MINOR);
	mapping->inode = u64_at(record, MAP2_INODE);
	mapping->generation = u64_at(record, MAP2_GENERATION);
}

static int read_map(struct uev_mappings *mappings, const struct record *record,
		    bool is_mmap2, const char **reason)
{
	size_t path =
		shortest_of(is_mmap2 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP);
	struct change change = { .kind = CHANGE_MAP };
	struct uev_mapping *mapping = &change.mapping;
	char text[UEV_MAPPING_PATH_MAX];
	size_t length;

	if (record->size < path) {
		*reason = "mapping record too short";
		return 0;
	}
	change.pid = u32_at(record, PID);
	if (record->misc & PERF_RECORD_MISC_MMAP_DATA)
		return 0;
	mapping->start = u64_at(record, MAP_ADDRESS);
	mapping->end = mapping->start + u64_at(record, MAP_SIZE);
	mapping->offset = u64_at(record, MAP_OFFSET);
	length = strnlen((const char *)record->bytes + path,
			 record->size - path);
	if (mapping->end <= mapping->start || length >= UEV_MAPPING_PATH_MAX) {
		*reason = "malformed mapping record";
		return 0;
	}
	if (is_mmap2)
		read_mmap2(record, mapping);
	memcpy(text, record->bytes + path, length);
	text[length] = '\0';
	mapping->path = text;

	return add_change(mappings, record, &change);
}

/* A new or exited thread of the same process changes nothing. */
static int read_task(struct uev_mappings *mappings, const struct record *record,
		     bool is_fork, const char **reason)
{
	/* Exits of threads are not told apart from those of the last one. */
	struct change change = { .kind = is_fork ? CHANGE_FORK : CHANGE_EXIT };

	if (record->size < FORK_SIZE) {
		*reason = is_fork ? "fork record too short"
				  : "exit record too short";
		return 0;
	}
	change.pid = u32_at(record, PID);
	change.parent = u32_at(record, FORK_PARENT_PID);
	if (is_fork && change.pid == change.parent)
		return 0;

	return add_change(mappings, record, &change);
}

static int read_comm(struct uev_mappings *mappings, const struct record *record,
		     const char **reason)
{
	struct change change = { .kind = CHANGE_EXEC };

	if (record->size < COMM_TEXT) {
		*reason = "comm record too short";
		return 0;
	}
	if (!(record->misc & PERF_RECORD_MISC_COMM_EXEC))
		return 0;
	change.pid = u32_at(record, PID);

	return add_change(mappings, record, &change);
}

int uev_mappings_read(struct uev_mappings *mappings,
		      const struct uev_attr *attr, const uint8_t *bytes,
		      size_t size, bool big, const char **reason)
{
	size_t trailer = uev_sample_id_size(attr);
	uint32_t type = uev_get32(bytes, big);
	size_t shortest = shortest_of(type);
	struct record record = {
		.bytes = bytes,
		.size = size,
		.big = big,
		.misc = uev_get16(bytes + 4, big),
	};

	*reason = NULL;
	/* Files of other writers can lack the end. */
	if (size >= shortest + trailer) {
		record.size = size - trailer;
		record.has_time = uev_sample_id_time(attr, bytes + record.size,
						     big, &record.time);
	}
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return read_map(mappings, &record, type == PERF_RECORD_MMAP2,
				reason);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return read_task(mappings, &record, type == PERF_RECORD_FORK,
				 reason);
	default:
		return read_comm(mappings, &record, reason);
	}
}
