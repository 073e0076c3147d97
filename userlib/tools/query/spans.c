// SPDX-License-Identifier: MIT
#include "query/spans.h"

enum query_part query_activity_part(const struct uev_record_info *info)
{
	if (!info->is_eventheader)
		return QUERY_NO_PART;
	if (info->opcode == UEV_OPCODE_ACTIVITY_START)
		return QUERY_START;

	return info->opcode == UEV_OPCODE_ACTIVITY_STOP ? QUERY_STOP
							: QUERY_NO_PART;
}

static enum query_part part_of_track(struct query_spans *spans,
				     struct uev_decoder *decoder,
				     const struct format_record *record)
{
	switch (query_track_read(&spans->track, decoder, record)) {
	case QUERY_SLICE_BEGIN:
		return QUERY_START;
	case QUERY_SLICE_END:
		return QUERY_STOP;
	default:
		spans->track.kind = QUERY_NO_TRACK;
		return QUERY_NO_PART;
	}
}

static enum query_part part_of(struct query_spans *spans,
			       struct uev_decoder *decoder,
			       const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	enum query_part part;

	spans->track.kind = QUERY_NO_TRACK;
	if (!spans->start) {
		part = part_of_track(spans, decoder, record);
		if (part != QUERY_NO_PART)
			return part;
	}
	format_start(decoder, record);
	if (!spans->start)
		return query_activity_part(uev_decoder_info(decoder));
	spans->event_text.size = 0;
	query_event_name(&spans->event_text, sample, uev_decoder_info(decoder));
	if (query_event_matches(spans->start, sample, spans->event_text.text))
		return QUERY_START;

	return query_event_matches(spans->stop, sample, spans->event_text.text)
		       ? QUERY_STOP
		       : QUERY_NO_PART;
}

/* The provider separates activities and threads of different programs. */
static void set_activity_key(struct query_spans *spans,
			     const struct uev_decoder *decoder,
			     const struct uev_sample *sample)
{
	const struct uev_record_info *info = uev_decoder_info(decoder);
	struct uev_output *key = &spans->key_text;

	if (info->activity)
		tool_append(key, info->activity, UEV_ACTIVITY_SIZE);
	else
		tool_append(key, &sample->tid, sizeof(sample->tid));
	tool_append(key, info->provider, info->provider_size);
}

/* Return: whether the record has a key */
static bool set_key(struct query_spans *spans, struct uev_decoder *decoder,
		    const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	bool has_all;

	spans->key_text.size = 0;
	if (!(sample->flags & UEV_HAS_TIME))
		return false;
	if (spans->key.count) {
		query_fields_join(&spans->key, decoder, record,
				  &spans->key_text, &has_all);
		return has_all;
	}
	if (spans->start)
		tool_append(&spans->key_text, &sample->tid,
			    sizeof(sample->tid));
	else if (spans->track.kind)
		query_track_key(&spans->track, &spans->key_text, sample);
	else
		set_activity_key(spans, decoder, sample);

	return true;
}

static struct query_text text_of(const struct uev_output *output)
{
	return (struct query_text){ output->text, output->size };
}

static void take_start(struct query_spans *spans, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	spans->kept.size = 0;
	spans->begin(spans->data, &spans->kept, decoder, record);
	query_pairs_start(&spans->pairs, text_of(&spans->key_text),
			  text_of(&spans->kept), record->sample->time);
}

static void take_stop(struct query_spans *spans,
		      const struct format_record *record)
{
	struct query_text kept;
	uint64_t duration;

	if (query_pairs_stop(&spans->pairs, text_of(&spans->key_text),
			     record->sample->time, &kept, &duration))
		spans->end(spans->data, kept, duration, record);
}

enum query_part query_spans_take(struct query_spans *spans,
				 struct uev_decoder *decoder,
				 const struct format_record *record)
{
	enum query_part part = part_of(spans, decoder, record);

	if (part == QUERY_NO_PART)
		return part;
	spans->starts += part == QUERY_START;
	spans->stops += part == QUERY_STOP;
	if (!set_key(spans, decoder, record))
		spans->skipped++;
	else if (part == QUERY_START)
		take_start(spans, decoder, record);
	else
		take_stop(spans, record);

	return part;
}

void query_spans_name(const struct query_spans *spans, struct uev_output *to,
		      const struct uev_decoder *decoder,
		      const struct uev_sample *sample)
{
	if (spans->track.kind)
		tool_append(to, spans->track.name.text, spans->track.name.size);
	else
		query_event_name(to, sample, uev_decoder_info(decoder));
}

void query_spans_end(struct query_spans *spans)
{
	spans->left += query_pairs_clear(&spans->pairs);
}

/* ---- Options ---- */

const struct tool_option query_spans_options[] = {
	{ "start", 0, "EVENT",
	  "pair EVENT, a pattern as of --event, with that of --stop",
	  SET_TEXT(struct query_spans, start, "@event") },
	{ "stop", 0, "EVENT", "the event that ends what --start starts",
	  SET_TEXT(struct query_spans, stop, "@event") },
	{ "key", 0, "FIELD[,...]",
	  "pair events with equal fields (default: of the same thread)",
	  SET_BY(struct query_spans, key, query_take_fields,
		 QUERY_GROUP_FIELDS) },
	{ 0 },
};

int query_spans_check(const struct query_spans *spans,
		      const struct tool_command *command)
{
	if (!spans->start != !spans->stop)
		return tool_usage(command,
				  "--start and --stop: one requires the other");
	if (spans->key.count && !spans->start)
		return tool_usage(command,
				  "--key: requires --start and --stop");

	return TOOL_OK;
}

static int report_pattern(const char *option, const char *pattern)
{
	tool_error("%s: %s: no such event", option, pattern);

	return TOOL_NOT_FOUND;
}

int query_spans_report(const struct query_spans *spans,
		       const struct query_select *select, bool is_live)
{
	int status = TOOL_OK;

	if (spans->start && !is_live && select->taken &&
	    !query_select_is_full(select)) {
		if (!spans->starts)
			status = report_pattern("--start", spans->start);
		if (!spans->stops)
			status = report_pattern("--stop", spans->stop);
	}
	if (!status && (spans->starts || spans->stops))
		status = query_fields_report(&spans->key, "--key", select);

	return status;
}

void query_spans_release(struct query_spans *spans)
{
	query_pairs_release(&spans->pairs);
	query_fields_release(&spans->key);
	query_track_release(&spans->track);
	uev_output_release(&spans->key_text);
	uev_output_release(&spans->event_text);
	uev_output_release(&spans->kept);
}
