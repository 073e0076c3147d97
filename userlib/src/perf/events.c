// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "perf/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/sample.h"

/*
 * Memory limit, more than a machine with thousands of processors and events
 * requires.
 */
#define MEMORY_MAX (256 * 1024 * 1024)

/* Memory of an ID in a table that is at least a quarter full. */
#define MEMORY_OF_ID 64

/* Memory of an event or a source besides its texts. */
#define MEMORY_OF_EVENT 320

#define FIRST_ROOM 16

void uev_perf_events_free(struct uev_perf_events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		free(events->events[i]);
	free(events->events);
	uev_id_table_free(&events->by_id);
	uev_id_table_free(&events->without_ids);
	uev_id_table_free(&events->tracepoints);
	uev_source_table_free(&events->sources);
	*events = (struct uev_perf_events){ 0 };
}

static int charge_memory(struct uev_perf_events *events, size_t memory)
{
	if (memory > MEMORY_MAX - events->memory)
		return -ENOSPC;
	events->memory += memory;

	return 0;
}

static int make_room(struct uev_perf_events *events)
{
	size_t room = events->room ? events->room * 2 : FIRST_ROOM;
	struct uev_perf_event **grown;

	if (events->count < events->room)
		return 0;

	grown = realloc(events->events, room * sizeof(struct uev_perf_event *));
	if (!grown)
		return -ENOMEM;
	events->events = grown;
	events->room = room;

	return 0;
}

static int add_source(struct uev_perf_events *events, uint32_t id,
		      struct uev_source **source)
{
	if (events->sources.count >= UEV_SOURCES_MAX)
		return -ENOSPC;
	*source = uev_source_table_add(&events->sources, id);

	return *source ? 0 : -ENOMEM;
}

/* Events that differ only in filters or processes share a source. */
static int find_tracepoint(struct uev_perf_events *events, uint32_t id,
			   struct uev_source **source)
{
	int ret;

	*source = uev_id_table_get(&events->tracepoints, id);
	if (*source)
		return 0;

	ret = charge_memory(events, MEMORY_OF_EVENT);
	if (!ret)
		ret = add_source(events, id, source);
	if (!ret)
		ret = uev_id_table_set(&events->tracepoints, id, *source);

	return ret;
}

int uev_perf_events_add(struct uev_perf_events *events,
			const struct uev_attr *attr,
			struct uev_perf_event **event)
{
	struct uev_source *source;
	int ret;

	*event = NULL;
	ret = charge_memory(events, MEMORY_OF_EVENT);
	if (!ret && attr->type == PERF_TYPE_TRACEPOINT)
		ret = find_tracepoint(events, (uint32_t)attr->config, &source);
	else if (!ret)
		ret = add_source(events, 0, &source);
	if (!ret)
		ret = make_room(events);
	if (ret)
		return ret;

	*event = malloc(sizeof(**event));
	if (!*event)
		return -ENOMEM;
	**event = (struct uev_perf_event){ .attr = *attr, .source = source };
	events->events[events->count++] = *event;

	return attr->type == PERF_TYPE_TRACEPOINT
		       ? uev_id_table_set(&events->without_ids, attr->config,
					  *event)
		       : 0;
}

int uev_perf_events_add_id(struct uev_perf_events *events,
			   struct uev_perf_event *event, uint64_t id)
{
	uint64_t tracepoint = event->attr.config;
	int ret = charge_memory(events, MEMORY_OF_ID);

	event->has_ids = true;
	events->last = NULL;
	if (uev_id_table_get(&events->without_ids, tracepoint) == event)
		uev_id_table_remove(&events->without_ids, tracepoint);

	return ret ? ret : uev_id_table_set(&events->by_id, id, event);
}

int uev_perf_events_name(struct uev_perf_event *event, const char *name,
			 size_t length)
{
	const char *colon = memchr(name, ':', length);
	const char *end = name + length;
	int ret;

	if (event->attr.type != PERF_TYPE_TRACEPOINT || !colon)
		return uev_source_set_name(event->source, name, length);

	ret = uev_source_set_system(event->source, name,
				    (size_t)(colon - name));
	if (ret)
		return ret;
	/* After another colon follow modifiers of the recording. */
	name = colon + 1;
	colon = memchr(name, ':', (size_t)(end - name));
	if (colon)
		end = colon;

	return uev_source_set_name(event->source, name, (size_t)(end - name));
}

/* Returns the rest of the line that starts with @key. */
static const char *value_of(const char *format, size_t size, const char *key,
			    size_t *length)
{
	size_t key_length = strlen(key);
	const char *end = format + size;
	const char *line_end;

	for (; format < end; format = line_end + 1) {
		line_end = memchr(format, '\n', (size_t)(end - format));
		if (!line_end)
			line_end = end;
		*length = (size_t)(line_end - format);
		if (*length > key_length && !memcmp(format, key, key_length)) {
			*length -= key_length;
			return format + key_length;
		}
	}

	return NULL;
}

/* Parses a number that is alone on its line; 0 if it is invalid. */
static uint32_t number_of(const char *text, size_t length)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		number = number * 10 + (uint64_t)(text[i] - '0');
		if (number > UINT32_MAX)
			return 0;
	}

	return (uint32_t)number;
}

int uev_perf_events_format(struct uev_perf_events *events, const char *system,
			   const char *format, size_t size)
{
	struct uev_source *source;
	const char *name;
	const char *id;
	size_t name_length;
	size_t id_length;
	int ret;

	name = value_of(format, size, "name: ", &name_length);
	id = value_of(format, size, "ID: ", &id_length);
	if (!name || !id || !number_of(id, id_length))
		return 0;

	ret = charge_memory(events, size + name_length);
	if (!ret)
		ret = find_tracepoint(events, number_of(id, id_length),
				      &source);
	if (!ret)
		ret = uev_source_set_system(source, system, strlen(system));
	if (!ret)
		ret = uev_source_set_name(source, name, name_length);
	if (!ret)
		ret = uev_source_set_format(source, format, size);

	return ret;
}

/*
 * Pipes of perf 4.14 have attributes without IDs. All records of a
 * tracepoint start with its ID.
 */
static struct uev_perf_event *
find_without_id(const struct uev_perf_events *events, const void *sample,
		size_t size, bool big)
{
	const struct uev_attr *attr = &events->events[0]->attr;
	struct uev_sample record;

	if (events->count == 1)
		return events->events[0]->has_ids ? NULL : events->events[0];
	if (!events->without_ids.count ||
	    uev_sample_read(&record, attr, sample, size, big) ||
	    record.raw_size < sizeof(uint16_t))
		return NULL;

	return uev_id_table_get(&events->without_ids,
				uev_get16(record.raw, big));
}

/* Records of an event often follow one another. */
static struct uev_perf_event *find_by_id(struct uev_perf_events *events,
					 uint64_t id)
{
	if (!events->last || events->last_id != id) {
		events->last = uev_id_table_get(&events->by_id, id);
		events->last_id = id;
	}

	return events->last;
}

struct uev_perf_event *uev_perf_events_of_sample(struct uev_perf_events *events,
						 const void *sample,
						 size_t size, bool big)
{
	struct uev_perf_event *event = NULL;
	uint64_t id;

	if (!events->count)
		return NULL;
	if (uev_sample_id(&events->events[0]->attr, sample, size, big, &id))
		event = find_by_id(events, id);
	else if (events->count == 1)
		event = events->events[0];

	return event ? event : find_without_id(events, sample, size, big);
}
