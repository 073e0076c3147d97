/* SPDX-License-Identifier: MIT */
/*
 * Sources of a session or a reader. Their addresses and known members never
 * change, because callers keep pointers to them.
 */
#ifndef USEREVENTS_PERF_SOURCES_H
#define USEREVENTS_PERF_SOURCES_H

#include <stdint.h>

#include <userevents/session.h>

/* Maximum number of sources. Only a malicious file has more. */
#define UEV_SOURCES_MAX 65536

/* Zeros are an empty table. */
struct uev_source_table {
	struct uev_source **sources;
	uint32_t count;
	uint32_t room;
};

void uev_source_table_free(struct uev_source_table *table);

/*
 * Adds a source of which only @id is known.
 *
 * Return: the source; NULL without memory or beyond UEV_SOURCES_MAX
 */
struct uev_source *uev_source_table_add(struct uev_source_table *table,
					uint32_t id);

/* Removes the source that was added last. */
void uev_source_table_drop_last(struct uev_source_table *table);

/* Source number @index, or NULL. */
struct uev_source *uev_source_table_at(const struct uev_source_table *table,
				       uint32_t index);

/*
 * Set members that are not known yet. The texts have the given lengths and are
 * copied.
 *
 * Return: 0 or -ENOMEM
 */
int uev_source_set_system(struct uev_source *source, const char *system,
			  size_t length);
int uev_source_set_name(struct uev_source *source, const char *name,
			size_t length);
int uev_source_set_format(struct uev_source *source, const char *format,
			  size_t length);

#endif
