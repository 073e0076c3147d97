/* SPDX-License-Identifier: MIT */
/*
 * user-events: slices and counters of plain fields.
 *
 * They have the names of fields that Perfetto reads in the events of any kernel:
 * track_event_type ('B', 'E' or 'I') and slice_name, or counter_value; optionally
 * track_name, and one scope_... field. UEV_SLICE_BEGIN() and UEV_COUNTER() write
 * them. An end ends the last slice of the same event, track and scope.
 */
#ifndef USER_EVENTS_QUERY_TRACK_H
#define USER_EVENTS_QUERY_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "formats/record.h"
#include "query/metadata.h"
#include "memory.h"

enum query_track_kind {
	QUERY_NO_TRACK = 0,
	QUERY_SLICE_BEGIN,
	QUERY_SLICE_END,
	QUERY_SLICE_INSTANT,
	QUERY_COUNTER,
};

enum query_scope {
	QUERY_SCOPE_THREAD = 0, /* the thread of the record */
	QUERY_SCOPE_PROCESS, /* scope_tgid */
	QUERY_SCOPE_CPU, /* scope_cpu */
	QUERY_SCOPE_OTHER, /* another number of the program */
};

/*
 * struct query_track - A slice or counter; initialized to zeros, released with
 * query_track_release()
 * @name: name of the slice
 * @track: name of the track: of track_name, or that of the event
 * @has_name: it is of track_name
 * @scope: what @scope_id is
 * @value: of the counter
 * @is_large: @value is one of uint64_t that int64_t does not have
 */
struct query_track {
	enum query_track_kind kind;
	struct uev_output name;
	struct uev_output track;
	bool has_name;
	enum query_scope scope;
	int64_t scope_id;
	int64_t value;
	bool is_large;
};

/*
 * query_track_read() - Reads a record
 * @decoder: any decoder; it is started with the record if that can have a slice
 *
 * Return: the kind; QUERY_NO_TRACK for all other records, and malformed ones
 */
enum query_track_kind query_track_read(struct query_track *track,
				       struct uev_decoder *decoder,
				       const struct format_record *record);

/*
 * query_track_name() - Appends the name of a slice, or of the track if it has none
 * or is a counter; of any other record, that of query_event_name()
 */
static inline void query_track_name(const struct query_track *track,
				    struct uev_output *to,
				    const struct uev_sample *sample,
				    const struct uev_record_info *info)
{
	/* An end has no name, and one that is not matched is an instant. */
	const struct uev_output *name =
		track->name.size && track->kind != QUERY_COUNTER
			? &track->name
			: &track->track;

	if (track->kind)
		tool_append(to, name->text, name->size);
	else
		query_event_name(to, sample, info);
}

/*
 * query_track_key() - Appends what an end has in common with its beginning
 */
void query_track_key(const struct query_track *track, struct uev_output *to,
		     const struct uev_sample *sample);

void query_track_release(struct query_track *track);

#endif
