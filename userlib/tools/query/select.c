// SPDX-License-Identifier: MIT
#include "query/select.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "events/definitions.h"
#include "events/events.h"
#include "events/payload.h"
#include "util/tracefs.h"

#define ID_LIMIT (UINT64_C(1) << 31)

/* Prints an error with a caret at @offset. */
static void report_text(const char *option, const char *text, size_t offset,
			const char *reason)
{
	_cleanup_free_ char *mark = definition_mark(text, offset);

	tool_error("%s: %s", option, reason);
	fputs(mark, stderr);
}

/* ---- Options ---- */

static int take_where(void *member, const struct tool_argument *argument)
{
	struct query_select *select = member;
	const char *reason;
	size_t offset;

	if (select->where) {
		tool_error("--where: given twice");
		tool_hint("join the conditions with &&");
		return TOOL_USAGE;
	}
	select->where = argument->text;
	select->expression = query_expression_parse(
		select->where, &select->fields, &offset, &reason);
	if (select->expression)
		return TOOL_OK;
	report_text("--where", select->where, offset, reason);

	return TOOL_USAGE;
}

static int take_when(void *when, const struct tool_argument *argument)
{
	if (query_when_parse(argument->text, when))
		return TOOL_OK;

	return tool_invalid(argument, "a time, such as \"2026-01-31 23:59\", "
				      "23:59:59, 12.345 or +1.5");
}

int query_fields_parse(struct query_fields *fields, const char *option,
		       const char *list)
{
	const char *reason = "expected a comma";
	size_t at = 0, size;

	for (;;) {
		if (query_fields_add(fields, list + at, &size, &reason) < 0) {
			at += size;
			break;
		}
		at += size;
		if (!list[at])
			return TOOL_OK;
		if (list[at] != ',')
			break;
		at++;
	}
	report_text(option, list, at, reason);

	return TOOL_USAGE;
}

int query_take_fields(void *fields, const struct tool_argument *argument)
{
	_cleanup_free_ char *option =
		tool_print("--%s", argument->option->name);

	return query_fields_parse(fields, option, argument->text);
}

void query_ids_add(struct query_ids *ids, uint32_t id)
{
	*tool_add(ids->ids, ids->count) = id;
}

int query_take_ids(void *ids, const struct tool_argument *argument)
{
	_cleanup_free_ char *list = tool_copy(argument->text);
	char *rest = list, *one;
	uint64_t id;

	while ((one = strsep(&rest, ","))) {
		if (!tool_number(one, 0, ID_LIMIT, &id))
			return tool_invalid(argument, "a list of IDs");
		query_ids_add(ids, (uint32_t)id);
	}

	return TOOL_OK;
}

void query_list_add(struct query_list *list, const char *text)
{
	*tool_add(list->texts, list->count) = text;
}

int query_take_text(void *list, const struct tool_argument *argument)
{
	query_list_add(list, argument->text);

	return TOOL_OK;
}

static int take_keyword(void *keyword, const struct tool_argument *argument)
{
	uint64_t *mask = keyword;

	return payload_number(argument->text, 64, false, mask) || !*mask
		       ? tool_invalid(argument, "a mask of bits, such as 0x3")
		       : TOOL_OK;
}

static int take_limit(void *limit, const struct tool_argument *argument)
{
	return tool_number(argument->text, 1, UINT64_MAX - 1, limit)
		       ? TOOL_OK
		       : tool_invalid(argument, "a number of records");
}

const struct tool_option query_select_options[] = {
	{ "where", 0, "EXPRESSION",
	  "select by fields, such as 'size > 0 && path ~ \"*.so\"'",
	  SET_WITH(take_where, NULL) },
	{ "since", 0, "TIME",
	  "select records from TIME on: [YYYY-MM-DD ]HH:MM[:SS], seconds of the clock of the records, or +SECONDS after the first one",
	  SET_BY(struct query_select, since, take_when, NULL) },
	{ "until", 0, "TIME", "select records up to TIME",
	  SET_BY(struct query_select, until, take_when, NULL) },
	{ "tid", 0, "TID[,TID...]", "select records of these threads",
	  SET_BY(struct query_select, tids, query_take_ids, NULL) },
	{ "comm", 0, "PATTERN", "select records of threads with such a name",
	  SET_BY(struct query_select, comms, query_take_text, NULL) },
	{ "event", 0, "PATTERN",
	  "select events by their name, of EventHeader events PROVIDER:NAME",
	  SET_BY(struct query_select, events, query_take_text, "@event") },
	{ "level", 'l', "LEVEL",
	  "select EventHeader events up to LEVEL, 1 to 255 or critical to verbose (default: 255)",
	  SET_BY(struct query_select, level, events_take_level,
		 EVENTS_LEVELS) },
	{ "keyword", 0, "MASK",
	  "select EventHeader events with a keyword of MASK",
	  SET_BY(struct query_select, keyword, take_keyword, NULL) },
	{ "count", 'n', "N", "stop after N records",
	  SET_BY(struct query_select, limit, take_limit, NULL) },
	{ 0 },
};

bool query_select_is_set(const struct query_select *select)
{
	return select->where || select->since.kind != QUERY_NO_TIME ||
	       select->until.kind != QUERY_NO_TIME || select->pids.count ||
	       select->tids.count || select->comms.count ||
	       select->events.count || select->level != UINT8_MAX ||
	       select->keyword || select->limit != UINT64_MAX;
}

/* ---- Tests ---- */

void query_select_begin(struct query_select *select)
{
	select->is_resolved = false;
}

/* Return: whether the range is known */
static bool resolve(struct query_select *select,
		    const struct format_record *record)
{
	if (select->is_resolved)
		return true;
	select->resolved_since = select->since;
	select->resolved_until = select->until;
	select->is_resolved =
		query_when_resolve(&select->resolved_since, record) &&
		query_when_resolve(&select->resolved_until, record);
	select->has_no_dates |= !select->is_resolved;

	return select->is_resolved;
}

static bool is_in_time(struct query_select *select,
		       const struct format_record *record)
{
	uint64_t time = record->sample->time;

	if (select->since.kind == QUERY_NO_TIME &&
	    select->until.kind == QUERY_NO_TIME)
		return true;
	if (!(record->sample->flags & UEV_HAS_TIME) || !resolve(select, record))
		return false;

	return (select->since.kind == QUERY_NO_TIME ||
		time >= select->resolved_since.time) &&
	       (select->until.kind == QUERY_NO_TIME ||
		time <= select->resolved_until.time);
}

static bool has_id(const struct query_ids *ids, const struct uev_sample *sample,
		   uint32_t id)
{
	size_t i;

	for (i = 0; i < ids->count; i++)
		if (sample->flags & UEV_HAS_TID && ids->ids[i] == id)
			return true;

	return !ids->count;
}

static bool matches_one(const struct query_list *patterns, const char *text)
{
	size_t i;

	for (i = 0; i < patterns->count && text; i++)
		if (fnmatch(patterns->texts[i], text, 0) == 0)
			return true;

	return !patterns->count;
}

/* EventHeader tracepoints have level and keyword in their name. */
static bool is_in_level(const struct query_select *select,
			const struct format_record *record)
{
	struct uev_eventheader_name parts;

	if ((select->level == UINT8_MAX && !select->keyword) ||
	    !record->schema || !uev_schema_is_eventheader(record->schema) ||
	    uev_eventheader_name_parse(&parts, record->sample->source->name))
		return true;

	return parts.level <= select->level &&
	       (!select->keyword || parts.keyword & select->keyword);
}

bool query_event_matches(const char *pattern, const struct uev_sample *sample,
			 const char *name)
{
	const struct uev_source *source = sample->source;

	return uev_tracefs_matches(pattern,
				   source->system ? source->system : "",
				   source->name) ||
	       fnmatch(pattern, name, 0) == 0;
}

static bool has_event(struct query_select *select, struct uev_decoder *decoder,
		      const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	size_t i, count = select->events.count;
	bool is_selected = false;

	if (!count)
		return true;
	if (!select->has_event)
		select->has_event = tool_alloc(count * sizeof(bool));
	format_start(decoder, record);
	select->name.size = 0;
	query_event_name(&select->name, sample, uev_decoder_info(decoder));
	for (i = 0; i < count; i++) {
		if ((is_selected && select->has_event[i]) ||
		    !query_event_matches(select->events.texts[i], sample,
					 select->name.text))
			continue;
		select->has_event[i] = true;
		is_selected = true;
	}

	return is_selected;
}

static bool passes_where(struct query_select *select,
			 struct uev_decoder *decoder,
			 const struct format_record *record)
{
	if (!select->expression)
		return true;
	select->tested++;
	if (query_fields_read(&select->fields, decoder, record))
		return true;

	return query_expression_test(select->expression);
}

bool query_select_test(struct query_select *select, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	/* The first record of a part can be one that is not selected. */
	bool is_in_range = is_in_time(select, record);
	/* Knows events of records that the other options do not select. */
	bool is_selected = !query_select_is_full(select) &&
			   has_event(select, decoder, record) && is_in_range &&
			   has_id(&select->pids, sample, sample->pid) &&
			   has_id(&select->tids, sample, sample->tid) &&
			   matches_one(&select->comms, record->comm) &&
			   is_in_level(select, record) &&
			   passes_where(select, decoder, record);

	select->taken += is_selected;

	return is_selected;
}

bool query_select_is_full(const struct query_select *select)
{
	return select->taken >= select->limit;
}

int query_select_report(const struct query_select *select)
{
	const char *name = NULL;
	_cleanup_free_ char *reason = NULL;
	size_t offset;

	if (select->has_no_dates) {
		tool_error("--since, --until: the records have no dates");
		tool_hint("use seconds of their clock, or +SECONDS after the "
			  "first record");
		return TOOL_FAILED;
	}
	if (!select->expression)
		return TOOL_OK;
	if (query_expression_mismatch(select->expression, &offset))
		report_text("--where", select->where, offset,
			    "the types of some records cannot be "
			    "compared");
	if (select->tested && !query_select_is_full(select))
		name = query_expression_unknown(select->expression, &offset);
	if (!name)
		return TOOL_OK;
	reason = tool_print("no record has the field \"%s\"", name);
	report_text("--where", select->where, offset, reason);

	return TOOL_NOT_FOUND;
}

int query_select_report_events(const struct query_select *select)
{
	int status = TOOL_OK;
	size_t i;

	if (query_select_is_full(select))
		return TOOL_OK;
	for (i = 0; i < select->events.count; i++) {
		if (select->has_event && select->has_event[i])
			continue;
		tool_error("%s: no such event", select->events.texts[i]);
		status = TOOL_NOT_FOUND;
	}

	return status;
}

int query_fields_report(const struct query_fields *fields, const char *option,
			const struct query_select *select)
{
	int status = TOOL_OK;
	size_t i;

	if (!select->taken || query_select_is_full(select))
		return TOOL_OK;
	for (i = 0; i < fields->count; i++) {
		if (!query_field_is_unknown(&fields->fields[i]))
			continue;
		tool_error("%s: no record has the field \"%s\"", option,
			   fields->fields[i].name);
		status = TOOL_NOT_FOUND;
	}

	return status;
}

void query_select_release(struct query_select *select)
{
	query_expression_free(select->expression);
	query_fields_release(&select->fields);
	uev_output_release(&select->name);
	free(select->pids.ids);
	free(select->tids.ids);
	free(select->comms.texts);
	free(select->events.texts);
	free(select->has_event);
}
