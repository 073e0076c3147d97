// SPDX-License-Identifier: MIT
#include "query/metadata.h"

#include <string.h>

#include "tool.h"

void query_event_name(struct uev_output *to, const struct uev_sample *sample,
		      const struct uev_record_info *info)
{
	if (!info->is_eventheader) {
		format_append_source(to, sample->source);
		return;
	}
	tool_append(to, info->provider, info->provider_size);
	tool_append(to, ":", 1);
	tool_append(to, info->name, info->name_size);
}

static enum query_kind set_text(const struct query_context *context,
				const char *text, size_t size)
{
	if (!text)
		return QUERY_MISSING;
	*context->value = tool_text(text, size);

	return QUERY_VALUE;
}

static enum query_kind set_number(const struct query_context *context,
				  uint64_t number, bool is_there)
{
	if (!is_there)
		return QUERY_MISSING;
	*context->value =
		(struct uev_decoded_value){ .type = UEV_DECODED_UNSIGNED,
					    .u64 = number };

	return QUERY_VALUE;
}

static bool has(const struct query_context *context, uint32_t flag)
{
	return context->record->sample->flags & flag;
}

/* Defines the function that gets a number. */
#define GET_NUMBER(member, of, is_there)                                   \
	static enum query_kind get_##member(                               \
		const struct query_context *context)                       \
	{                                                                  \
		return set_number(context, context->of->member, is_there); \
	}

/* ---- Of the sample ---- */

GET_NUMBER(cpu, record->sample, has(context, UEV_HAS_CPU))
GET_NUMBER(pid, record->sample, has(context, UEV_HAS_TID))
GET_NUMBER(tid, record->sample, has(context, UEV_HAS_TID))
GET_NUMBER(vpid, record->sample, has(context, UEV_HAS_VPID))

static enum query_kind get_time(const struct query_context *context)
{
	enum query_kind kind = set_number(context,
					  context->record->sample->time,
					  has(context, UEV_HAS_TIME));

	return kind == QUERY_VALUE ? QUERY_TIME : kind;
}

static enum query_kind get_comm(const struct query_context *context)
{
	const char *comm = context->record->comm;

	return set_text(context, comm, comm ? strlen(comm) : 0);
}

/* ---- Names ---- */

static enum query_kind get_tracepoint(const struct query_context *context)
{
	if (!context->tracepoint->size)
		format_append_source(context->tracepoint,
				     context->record->sample->source);

	return set_text(context, context->tracepoint->text,
			context->tracepoint->size);
}

static enum query_kind get_event(const struct query_context *context)
{
	if (!context->event->size)
		query_event_name(context->event, context->record->sample,
				 context->info);

	return set_text(context, context->event->text, context->event->size);
}

static enum query_kind get_name(const struct query_context *context)
{
	const char *name = context->record->sample->source->name;

	if (context->info->is_eventheader)
		return set_text(context, context->info->name,
				context->info->name_size);

	return set_text(context, name, strlen(name));
}

static enum query_kind get_provider(const struct query_context *context)
{
	const char *system = context->record->sample->source->system;

	if (context->info->is_eventheader)
		return set_text(context, context->info->provider,
				context->info->provider_size);

	return set_text(context, system, system ? strlen(system) : 0);
}

/* ---- Of the header of EventHeader events ---- */

GET_NUMBER(level, info, context->info->is_eventheader)
GET_NUMBER(opcode, info, context->info->is_eventheader)
GET_NUMBER(id, info, context->info->is_eventheader)
GET_NUMBER(version, info, context->info->is_eventheader)
GET_NUMBER(tag, info, context->info->is_eventheader)

static enum query_kind get_keyword(const struct query_context *context)
{
	enum query_kind kind = set_number(context, context->info->keyword,
					  context->info->is_eventheader);

	if (kind == QUERY_VALUE)
		context->value->type = UEV_DECODED_HEX;

	return kind;
}

static enum query_kind set_uuid(const struct query_context *context,
				const uint8_t *bytes)
{
	if (!context->info->is_eventheader || !bytes)
		return QUERY_MISSING;
	*context->value = tool_uuid(bytes);

	return QUERY_VALUE;
}

static enum query_kind get_activity(const struct query_context *context)
{
	return set_uuid(context, context->info->activity);
}

static enum query_kind get_related(const struct query_context *context)
{
	return set_uuid(context, context->info->related);
}

static const struct member {
	const char *name;
	enum query_kind (*get)(const struct query_context *context);
} members[] = {
	{ "time", get_time },	      { "cpu", get_cpu },
	{ "pid", get_pid },	      { "tid", get_tid },
	{ "vpid", get_vpid },	      { "comm", get_comm },
	{ "event", get_event },	      { "name", get_name },
	{ "provider", get_provider }, { "tracepoint", get_tracepoint },
	{ "level", get_level },	      { "keyword", get_keyword },
	{ "opcode", get_opcode },     { "id", get_id },
	{ "version", get_version },   { "tag", get_tag },
	{ "activity", get_activity }, { "related", get_related },
};

static const struct member *find_member(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(members); i++)
		if (strcmp(members[i].name, name) == 0)
			return &members[i];

	return NULL;
}

bool query_is_metadata(const char *name)
{
	return find_member(name);
}

enum query_kind query_metadata(const struct query_context *context,
			       const char *name)
{
	const struct member *member = find_member(name);

	return member ? member->get(context) : QUERY_MISSING;
}
