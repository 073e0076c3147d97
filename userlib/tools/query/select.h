/* SPDX-License-Identifier: MIT */
/* user-events: selection of records by the options of several commands. */
#ifndef USER_EVENTS_QUERY_SELECT_H
#define USER_EVENTS_QUERY_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/format.h"
#include "query/expression.h"
#include "query/fields.h"
#include "query/when.h"
#include "ui/options.h"
#include "tool.h"

/* struct query_list - Arguments of an option that can be repeated */
struct query_list {
	const char **texts;
	size_t count;
};

/* struct query_ids - IDs of processes or threads */
struct query_ids {
	uint32_t *ids;
	size_t count;
};

/*
 * struct query_select - What to select; initialized with QUERY_SELECT_INIT,
 * released with query_select_release()
 * @where: text of the condition; NULL: none
 * @since, @until: range of times, with both ends
 * @level: maximum level of EventHeader events
 * @keyword: EventHeader events must have one of these bits; 0: no condition
 * @limit: maximum number of records
 * @taken: number of selected records
 * @tested: number of records of which the condition was tested
 * @resolved_since, @resolved_until: the range, for the current file
 * @is_resolved: these are set
 * @has_event: for each of @events, a record matched it
 * @has_no_dates: a date was needed, and the records have none
 */
struct query_select {
	const char *where;
	struct query_when since;
	struct query_when until;
	struct query_ids pids;
	struct query_ids tids;
	struct query_list comms;
	struct query_list events;
	unsigned int level;
	uint64_t keyword;
	uint64_t limit;
	uint64_t taken;
	uint64_t tested;

	struct query_expression *expression;
	struct query_fields fields;
	struct uev_output name;
	struct query_when resolved_since;
	struct query_when resolved_until;
	bool is_resolved;
	bool *has_event;
	bool has_no_dates;
};

#define QUERY_SELECT_INIT                                \
	{                                                \
		.level = UINT8_MAX, .limit = UINT64_MAX, \
	}

/* Completion of lists of fields by which records are grouped, and of columns */
#define QUERY_GROUP_FIELDS "cpu pid tid comm event level"
#define QUERY_COLUMN_FIELDS "time " QUERY_GROUP_FIELDS " fields"

/*
 * The options of a selection, of a struct query_select; and --pid, which those of
 * a session have, too
 */
extern const struct tool_option query_select_options[];
#define QUERY_SELECT_PID(type, select)                                  \
	{                                                               \
		"pid", 'p', "PID[,PID...]",                             \
			"select records of these processes",            \
			SET_BY(type, select.pids, query_take_ids, NULL) \
	}

/* Tests whether an option was given. */
bool query_select_is_set(const struct query_select *select);

/* query_select_begin() - Starts the records of a file, or of a session */
void query_select_begin(struct query_select *select);

/*
 * query_select_test() - Tests whether a record is selected, and counts it
 * @decoder: any decoder; is possibly started with the record
 *
 * A malformed record is selected if its fields were needed. No record is
 * selected after the limit.
 */
bool query_select_test(struct query_select *select, struct uev_decoder *decoder,
		       const struct format_record *record);

/* Tests whether the limit was reached. */
bool query_select_is_full(const struct query_select *select);

/*
 * query_select_report() - Prints why the selection was not as expected: a field
 * that no record has, types that cannot be compared, and missing dates
 * Return: TOOL_OK; TOOL_NOT_FOUND for such a field; TOOL_FAILED without dates
 */
int query_select_report(const struct query_select *select);

/*
 * query_select_report_events() - Prints patterns of events that no record
 * matched
 * Return: TOOL_OK; TOOL_NOT_FOUND if there are any
 */
int query_select_report_events(const struct query_select *select);

/*
 * query_fields_report() - Prints names of fields that no selected record had
 * @option: the option with the names
 * Return: TOOL_OK, also if not all records were read; TOOL_NOT_FOUND
 */
int query_fields_report(const struct query_fields *fields, const char *option,
			const struct query_select *select);

/*
 * query_event_matches() - Tests the name of an event
 * @pattern: of the tracepoint, "[SYSTEM:]NAME", or of @name
 * @name: as of query_event_name()
 */
bool query_event_matches(const char *pattern, const struct uev_sample *sample,
			 const char *name);

/* query_list_add() - Adds an argument */
void query_list_add(struct query_list *list, const char *text);

/* query_ids_add() - Adds an ID */
void query_ids_add(struct query_ids *ids, uint32_t id);

/*
 * query_fields_parse() - Adds a list of fields, separated by commas
 * Return: TOOL_OK; TOOL_USAGE, and the error is printed
 */
int query_fields_parse(struct query_fields *fields, const char *option,
		       const char *list);

/* Values of options: a struct query_list, query_ids and query_fields */
int query_take_text(void *list, const struct tool_argument *argument);
int query_take_ids(void *ids, const struct tool_argument *argument);
int query_take_fields(void *fields, const struct tool_argument *argument);

void query_select_release(struct query_select *select);

#endif
