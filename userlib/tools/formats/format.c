// SPDX-License-Identifier: MIT
#include "formats/format.h"

#include "formats/append.h"
#include "formats/stack.h"
#include "tool.h"

static struct uev_json_sample json_sample(const struct format_record *record)
{
	const struct uev_sample *from = record->sample;
	struct uev_json_sample sample = UEV_JSON_SAMPLE_INIT;

	sample.time = from->time;
	sample.cpu = from->cpu;
	sample.pid = (int32_t)from->pid;
	sample.tid = (int32_t)from->tid;
	sample.vpid = (int32_t)from->vpid;
	if (from->flags & UEV_HAS_TIME && record->clock) {
		sample.flags |= UEV_HAS_WALL_TIME;
		sample.time = uev_clock_wall(record->clock, from->time);
	} else if (from->flags & UEV_HAS_TIME) {
		sample.flags |= UEV_HAS_TIME;
	}
	sample.flags |= from->flags &
			(UEV_HAS_CPU | UEV_HAS_TID | UEV_HAS_VPID);

	return sample;
}

/* Items that the decoder does not have without a schema. */
static void insert_name(struct uev_output *to, size_t at, uint32_t flags,
			const struct uev_source *source)
{
	_cleanup_(uev_output_release) struct uev_output rest = UEV_OUTPUT_INIT;
	_cleanup_(uev_output_release) struct uev_output name = UEV_OUTPUT_INIT;
	bool is_compact = flags & UEV_JSON_COMPACT;

	format_append_source(&name, source);
	/* After the bracket. */
	tool_append(&rest, to->text + at + 1, to->size - at - 1);
	to->size = at;
	format_print(to, is_compact ? "{\"n\":" : "{ \"n\": ");
	tool_put_quoted(to, name.text, name.size);
	tool_append(to, ",", 1);
	tool_append(to, rest.text, rest.size);
}

int format_append_json(struct uev_output *to, struct uev_decoder *decoder,
		       const struct format_record *record, uint32_t flags,
		       uint32_t meta)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_json_sample sample = json_sample(record);
	size_t before = to->size;
	int ret;

	options.flags = flags | UEV_JSON_PARTIAL | UEV_JSON_OPEN;
	options.meta = meta;
	/* The next call returns an error of the start again. */
	format_start(decoder, record);
	ret = uev_decoder_append_json(decoder, &options, &sample, to);
	tool_need(ret);
	if (to->size == before)
		return ret;
	if (!record->schema)
		insert_name(to, before, flags, record->sample->source);
	if (meta)
		stack_append_json(to, record, flags & UEV_JSON_COMPACT);
	tool_need(flags & UEV_JSON_COMPACT ? uev_output_append(to, "}", 1)
					   : uev_output_append(to, " }", 2));

	return ret;
}

int format_check_rest(struct uev_decoder *decoder)
{
	int ret;

	do
		ret = uev_decoder_next(decoder);
	while (ret > 0);

	return ret;
}

int format_check(struct uev_decoder *decoder,
		 const struct format_record *record)
{
	format_start(decoder, record);

	return format_check_rest(decoder);
}
