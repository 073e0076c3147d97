// SPDX-License-Identifier: MIT
#include "perf/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16

/* Name of a source until it is known. Not freed. */
static const char no_name[] = "";

static void free_source(struct uev_source *source)
{
	free((char *)source->system);
	if (source->name != no_name)
		free((char *)source->name);
	free((char *)source->format);
	free(source);
}

void uev_source_table_free(struct uev_source_table *table)
{
	uint32_t i;

	for (i = 0; i < table->count; i++)
		free_source(table->sources[i]);
	free(table->sources);
	*table = (struct uev_source_table){ 0 };
}

static int make_room(struct uev_source_table *table)
{
	uint32_t room = table->room ? table->room * 2 : FIRST_ROOM;
	struct uev_source **sources;

	if (table->count < table->room)
		return 0;
	if (table->count >= UEV_SOURCES_MAX)
		return -ENOMEM;

	sources = realloc(table->sources, room * sizeof(struct uev_source *));
	if (!sources)
		return -ENOMEM;
	table->sources = sources;
	table->room = room;

	return 0;
}

struct uev_source *uev_source_table_add(struct uev_source_table *table,
					uint32_t id)
{
	struct uev_source *source;

	if (make_room(table))
		return NULL;
	source = malloc(sizeof(*source));
	if (!source)
		return NULL;

	*source = (struct uev_source){
		.name = no_name,
		.id = id,
		.index = table->count,
	};
	table->sources[table->count++] = source;

	return source;
}

void uev_source_table_drop_last(struct uev_source_table *table)
{
	table->count--;
	free_source(table->sources[table->count]);
}

struct uev_source *uev_source_table_at(const struct uev_source_table *table,
				       uint32_t index)
{
	return index < table->count ? table->sources[index] : NULL;
}

/* Copies text and appends a NUL. */
static char *copy_of(const char *text, size_t length)
{
	char *copy = malloc(length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';

	return copy;
}

int uev_source_set_system(struct uev_source *source, const char *system,
			  size_t length)
{
	if (!source->system)
		source->system = copy_of(system, length);

	return source->system ? 0 : -ENOMEM;
}

int uev_source_set_name(struct uev_source *source, const char *name,
			size_t length)
{
	char *copy;

	if (*source->name)
		return 0;
	copy = copy_of(name, length);
	if (!copy)
		return -ENOMEM;
	if (source->name != no_name)
		free((char *)source->name);
	source->name = copy;

	return 0;
}

int uev_source_set_format(struct uev_source *source, const char *format,
			  size_t length)
{
	if (source->format)
		return 0;
	source->format = copy_of(format, length);
	if (!source->format)
		return -ENOMEM;
	source->format_size = length;

	return 0;
}
