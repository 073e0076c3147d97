// SPDX-License-Identifier: MIT
#include "query/track.h"

#include <string.h>

#include "query/metadata.h"
#include "tool.h"

#define SCOPE "scope_"

/* What the fields of an event can be. */
static bool can_be_track(const struct uev_schema *schema)
{
	const struct uev_format_field *field;
	bool has_type = false, has_slice = false;
	size_t i;

	for (i = 0; (field = uev_schema_field(schema, i)); i++) {
		if (strcmp(field->name, "counter_value") == 0)
			return true;
		has_type |= strcmp(field->name, "track_event_type") == 0;
		has_slice |= strcmp(field->name, "slice_name") == 0;
	}

	return has_type && has_slice;
}

/* struct found - What a record has; the type of a slice as a character */
struct found {
	int64_t type;
	bool has_type;
	bool has_slice;
	bool has_value;
};

static bool get_number(const struct uev_decoded_value *value, int64_t *number)
{
	switch (value->type) {
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_HEX:
		*number = (int64_t)value->u64;
		return true;
	case UEV_DECODED_SIGNED:
		*number = value->i64;
		return true;
	default:
		return false;
	}
}

static bool get_counter(const struct uev_decoded_value *value,
			struct query_track *track)
{
	if (!get_number(value, &track->value))
		return false;
	track->is_large = value->type != UEV_DECODED_SIGNED &&
			  value->u64 > INT64_MAX;

	return true;
}

static bool get_text(const struct uev_decoded_value *value,
		     struct uev_output *to)
{
	if (value->type != UEV_DECODED_TEXT)
		return false;
	to->size = 0;
	tool_put(to, "");
	tool_need(uev_decoded_value_append_text(value, to));

	return true;
}

static void take_scope(struct query_track *track, const struct uev_item *item)
{
	if (!get_number(&item->value, &track->scope_id))
		return;
	track->scope = format_is_named(item, SCOPE "tgid") ? QUERY_SCOPE_PROCESS
		       : format_is_named(item, SCOPE "cpu") ? QUERY_SCOPE_CPU
							    : QUERY_SCOPE_OTHER;
}

static void take_item(struct query_track *track, struct found *found,
		      const struct uev_item *item)
{
	const struct uev_decoded_value *value = &item->value;

	if (format_is_named(item, "track_event_type"))
		found->has_type = get_number(value, &found->type);
	else if (format_is_named(item, "slice_name"))
		found->has_slice = get_text(value, &track->name);
	else if (format_is_named(item, "track_name"))
		track->has_name = get_text(value, &track->track);
	else if (format_is_named(item, "counter_value"))
		found->has_value = get_counter(value, track);
	else if (item->name_size > strlen(SCOPE) &&
		 !memcmp(item->name, SCOPE, strlen(SCOPE)))
		take_scope(track, item);
}

static enum query_track_kind kind_of(const struct found *found)
{
	if (!found->has_type || !found->has_slice)
		return found->has_value ? QUERY_COUNTER : QUERY_NO_TRACK;
	switch (found->type) {
	case 'B':
		return QUERY_SLICE_BEGIN;
	case 'E':
		return QUERY_SLICE_END;
	case 'I':
		return QUERY_SLICE_INSTANT;
	default:
		return QUERY_NO_TRACK;
	}
}

enum query_track_kind query_track_read(struct query_track *track,
				       struct uev_decoder *decoder,
				       const struct format_record *record)
{
	struct found found = { 0 };
	int ret;

	track->kind = QUERY_NO_TRACK;
	if (!record->schema || !can_be_track(record->schema))
		return QUERY_NO_TRACK;
	track->scope = QUERY_SCOPE_THREAD;
	track->has_name = false;
	if (format_start(decoder, record) ||
	    uev_decoder_info(decoder)->is_eventheader)
		return QUERY_NO_TRACK;
	while ((ret = uev_decoder_next(decoder)) > 0)
		if (ret == UEV_ITEM_VALUE)
			take_item(track, &found, uev_decoder_item(decoder));
	if (ret < 0)
		return QUERY_NO_TRACK;
	track->kind = kind_of(&found);
	if (!track->has_name) {
		track->track.size = 0;
		tool_put(&track->track, record->sample->source->name);
	}

	return track->kind;
}

void query_track_key(const struct query_track *track, struct uev_output *to,
		     const struct uev_sample *sample)
{
	const int64_t id = track->scope == QUERY_SCOPE_THREAD
				   ? (int64_t)sample->tid
				   : track->scope_id;
	const char scope = (char)track->scope;

	tool_append(to, &scope, sizeof(scope));
	tool_append(to, &id, sizeof(id));
	format_append_source(to, sample->source);
	tool_append(to, "", 1);
	tool_append(to, track->track.text, track->track.size);
}

void query_track_release(struct query_track *track)
{
	uev_output_release(&track->name);
	uev_output_release(&track->track);
}
