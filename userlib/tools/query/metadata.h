/* SPDX-License-Identifier: MIT */
/* user-events: values of a record besides its fields, by name. */
#ifndef USER_EVENTS_QUERY_METADATA_H
#define USER_EVENTS_QUERY_METADATA_H

#include <stdbool.h>

#include <userevents/decode.h>

#include "formats/format.h"
#include "memory.h"

/* Kinds of values that a record has for a name. */
enum query_kind {
	QUERY_MISSING = 0,
	QUERY_VALUE,
	QUERY_COMPOUND, /* a struct or an array */
	QUERY_TIME, /* the time of the record, in nanoseconds of its clock */
};

/*
 * struct query_context - A record, and where its values go
 * @info: of the decoder of the record
 * @value: set for QUERY_VALUE and QUERY_TIME
 * @event: "PROVIDER:NAME" of the record, once it was needed
 * @tracepoint: "SYSTEM:NAME" of its tracepoint, once it was needed
 */
struct query_context {
	const struct format_record *record;
	const struct uev_record_info *info;
	struct uev_decoded_value *value;
	struct uev_output *event;
	struct uev_output *tracepoint;
};

/*
 * query_metadata() - Gets a value of a record besides its fields
 * @name: its name
 * Return: QUERY_VALUE, QUERY_TIME, or QUERY_MISSING if the record has no such
 *         value or the name is unknown
 */
enum query_kind query_metadata(const struct query_context *context,
			       const char *name);

/* Tests whether a name is one of the metadata. */
bool query_is_metadata(const char *name);

/*
 * query_event_name() - Appends "PROVIDER:NAME" of an EventHeader event, or the
 * name of the tracepoint with its system
 */
void query_event_name(struct uev_output *to, const struct uev_sample *sample,
		      const struct uev_record_info *info);

/* query_event_category() - Appends the part of that name before the colon */
static inline void query_event_category(struct uev_output *to,
					const struct uev_sample *sample,
					const struct uev_record_info *info)
{
	if (info->is_eventheader)
		tool_append(to, info->provider, info->provider_size);
	else
		tool_put(to,
			 sample->source->system ? sample->source->system : "");
}

#endif
