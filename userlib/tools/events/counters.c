// SPDX-License-Identifier: MIT
#include "events/counters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "events/state.h"
#include "files.h"
#include "tool.h"

/* Bytes of a key of a text without a fixed length */
#define TEXT_ROOM 256

/* A name for a trigger that never exists: names of counters are not empty. */
#define NO_NAME HIST_PREFIX

static const char letters[] = "0123456789_"
			      "abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* ---- Files ---- */

static char *path_of(const char *tracefs, const char *system, const char *event,
		     const char *file)
{
	return tool_print("%s/events/%s/%s/%s", tracefs, system, event, file);
}

static int read_file(const char *tracefs, const char *system, const char *event,
		     const char *file, char **text)
{
	_cleanup_free_ char *path = path_of(tracefs, system, event, file);

	return files_read(path, text, NULL);
}

static int write_trigger(const char *tracefs, const char *system,
			 const char *event, const char *text)
{
	_cleanup_free_ char *path = path_of(tracefs, system, event, "trigger");

	return files_write(path, text);
}

/* A 32-bit kernel; of others, long has 8 bytes. */
static bool has_short_long(const char *tracefs)
{
	_cleanup_free_ char *path =
		tool_print("%s/events/header_page", tracefs);
	_cleanup_free_ char *text = NULL;
	const char *commit;
	unsigned int size;

	files_read(path, &text, NULL);
	commit = files_value(text, "\tfield: local_t commit;");

	return commit && sscanf(commit, " offset:%*u; size:%u", &size) == 1 &&
	       size == 4;
}

/* ---- Fields ---- */

static const struct uev_format_field *
find_field(const struct uev_schema *schema, const char *name, bool is_common)
{
	const struct uev_format_field *field;
	size_t i;

	for (i = 0; i < uev_schema_field_count(schema); i++) {
		field = uev_schema_field(schema, i);
		if (field->is_common == is_common &&
		    strcmp(field->name, name) == 0)
			return field;
	}

	return NULL;
}

static bool is_text(const struct uev_format_field *field)
{
	return strstr(field->type, "char") &&
	       (field->is_array || field->location);
}

/* Fields of the kernel itself, which are not in the format: the processor */
static void set_type(struct hist_field *field, const struct uev_schema *schema)
{
	const struct uev_format_field *found =
		find_field(schema, field->name, false);

	if (!found)
		found = find_field(schema, field->name, true);
	field->is_text = found && is_text(found);
	field->is_signed = found && found->is_signed;
	field->size = found ? found->size : sizeof(uint32_t);
}

static int read_schema(const char *tracefs, const char *system,
		       const char *event, struct uev_schema **schema)
{
	_cleanup_free_ char *text = NULL;
	int err = read_file(tracefs, system, event, "format", &text);

	*schema = NULL;
	if (!err)
		err = uev_schema_parse(schema, system, text, strlen(text), 0,
				       NULL);

	return err;
}

static int set_types(const char *tracefs, struct counter *counter)
{
	struct uev_schema *schema;
	int err =
		read_schema(tracefs, counter->system, counter->event, &schema);
	size_t i;

	for (i = 0; !err && i < counter->hist.key_count; i++)
		set_type(&counter->hist.keys[i], schema);
	for (i = 0; !err && i < counter->hist.sum_count; i++)
		set_type(&counter->hist.sums[i], schema);
	uev_schema_free(schema);

	return err;
}

/* ---- Search ---- */

void counters_free(struct counters *counters)
{
	size_t i;

	for (i = 0; i < counters->count; i++) {
		free(counters->counters[i].system);
		free(counters->counters[i].event);
		hist_release(&counters->counters[i].hist);
	}
	free(counters->counters);
	*counters = (struct counters){ 0 };
}

/* Adds the counters in a file trigger. @name: as for counters_find() */
static void take_triggers(struct counters *counters, const char *system,
			  const char *event, const char *name, char *text)
{
	size_t first = counters->count, triggers = 0;
	struct hist hist;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		triggers += tool_starts(line, "hist:");
		if (!hist_parse(&hist, line))
			continue;
		if (name && strcmp(hist.name, name) != 0) {
			hist_release(&hist);
			continue;
		}
		*tool_add(counters->counters, counters->count) =
			(struct counter){
				.system = tool_copy(system),
				.event = tool_copy(event),
				.hist = hist,
			};
	}
	for (; first < counters->count; first++)
		counters->counters[first].triggers = triggers;
}

static int take_event(struct counters *counters, const char *tracefs,
		      const char *system, const char *event, const char *name)
{
	size_t first = counters->count;
	_cleanup_free_ char *text = NULL;
	int err = read_file(tracefs, system, event, "trigger", &text);

	if (!err)
		take_triggers(counters, system, event, name, text);
	for (; !err && first < counters->count; first++)
		err = set_types(tracefs, &counters->counters[first]);

	/* The event can have been deleted. */
	return err == -ENOENT || err == -ENODEV ? 0 : err;
}

static int compare_counters(const void *a, const void *b)
{
	return strcmp(((const struct counter *)a)->hist.name,
		      ((const struct counter *)b)->hist.name);
}

int counters_find(struct counters *counters, const char *tracefs,
		  const char *name)
{
	_cleanup_(events_free) struct events events = { 0 };
	size_t i;
	int err = events_read(&events, tracefs);

	*counters = (struct counters){ 0 };
	if (err)
		return err;
	for (i = 0; !err && i < events.count; i++)
		err = take_event(counters, tracefs, events.events[i].system,
				 events.events[i].name, name);
	if (err)
		counters_free(counters);
	tool_sort(counters->counters, counters->count, compare_counters);

	return err;
}

char *counter_event(const struct counter *counter)
{
	const struct event event = { .system = counter->system,
				     .name = counter->event };

	return events_name(&event);
}

/* ---- Start ---- */

/* The kernel gives another meaning to these, and takes others apart. */
static bool is_plain(const char *name)
{
	static const char *const special[] = {
		"hitcount",	    "stacktrace", "common_stacktrace",
		"common_timestamp", "common_cpu",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(special); i++)
		if (strcmp(name, special[i]) == 0)
			return false;

	return *name && !name[strspn(name, letters)] &&
	       !(*name >= '0' && *name <= '9');
}

static char *describe_fields(const struct uev_schema *schema)
{
	struct uev_output list = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < uev_schema_field_count(schema); i++)
		if (!uev_schema_field(schema, i)->is_common)
			tool_list_add(&list, "%s",
				      uev_schema_field(schema, i)->name);

	return list.size ? list.text : tool_copy("none");
}

static char *report_unknown(const struct uev_schema *schema, const char *name)
{
	_cleanup_free_ char *fields = describe_fields(schema);

	if (uev_schema_is_eventheader(schema))
		return tool_print("%s: the kernel does not see the fields of "
				  "EventHeader events, but \"user-events stat "
				  "--by\" does",
				  name);

	return tool_print("%s: no such field; fields: %s", name, fields);
}

/*
 * Tests a number. The kernel converts each to an unsigned long first.
 *
 * Return: what is wrong, for free(); or NULL
 */
static char *check_number(const struct uev_format_field *field, bool is_sum,
			  bool is_short)
{
	bool is_struct = tool_starts(field->type, "struct ");
	bool is_number = !is_struct && !field->is_array && !field->location &&
			 field->size && field->size <= 8 &&
			 !(field->size & (field->size - 1));

	if (!is_number)
		return tool_print(is_sum ? "%s: not a number"
					 : "%s: neither a number nor a text",
				  field->name);
	if (is_short && (field->size == 8 || (is_sum && field->is_signed)))
		return tool_print("%s: this kernel counts only 32 bits of it",
				  field->name);

	return NULL;
}

/*
 * struct plan - The trigger that is made of a request
 * @room: bytes of the keys
 * @text: the first key that is a text behind __rel_loc; or NULL
 * @fields: "keys=...:vals=..."
 */
struct plan {
	const struct counter_request *request;
	const struct uev_schema *schema;
	bool has_short_long;
	size_t room;
	const char *text;
	struct uev_output fields;
};

/* Return: what is wrong, for free(); or NULL */
static char *add_key(struct plan *plan, const char *name)
{
	const struct uev_format_field *field =
		find_field(plan->schema, name, false);
	const char *common = field ? NULL : hist_common_name(name);
	char *reason = NULL;
	size_t room = 8;

	if (!field && !common)
		return report_unknown(plan->schema, name);
	if (field && !is_plain(name))
		return tool_print("%s: the kernel accepts no such name as a "
				  "key",
				  name);
	if (field && is_text(field))
		room = field->location ? TEXT_ROOM
				       : ((size_t)field->size + 7) / 8 * 8;
	else if (field)
		reason = check_number(field, false, plan->has_short_long);
	if (field && is_text(field) && field->location == UEV_LOCATION_REL_LOC)
		plan->text = name;
	plan->room += room;
	if (plan->fields.size)
		tool_put(&plan->fields, ",");
	else
		tool_put(&plan->fields, "keys=");
	tool_put(&plan->fields, common ? common : name);

	return reason;
}

static char *add_sum(struct plan *plan, const char *name)
{
	const struct uev_format_field *field =
		find_field(plan->schema, name, false);

	if (!field)
		return report_unknown(plan->schema, name);
	if (!is_plain(name))
		return tool_print("%s: the kernel does not add up a field of "
				  "this name",
				  name);
	tool_put(&plan->fields, ",");
	tool_put(&plan->fields, name);

	return check_number(field, true, plan->has_short_long);
}

static char *make_plan(struct plan *plan)
{
	const struct counter_request *request = plan->request;
	char *reason = NULL;
	size_t i;

	for (i = 0; !reason && i < request->keys.count; i++)
		reason = add_key(plan, request->keys.names[i]);
	if (!reason && plan->room > HIST_KEY_ROOM)
		return tool_print("keys: too large: %zu bytes, at most %d",
				  plan->room, HIST_KEY_ROOM);
	tool_put(&plan->fields, ":vals=hitcount");
	for (i = 0; !reason && i < request->sums.count; i++)
		reason = add_sum(plan, request->sums.names[i]);

	return reason;
}

/*
 * Before Linux 5.17, a text behind __rel_loc is a number, of its offset and size.
 * To delete a trigger that does not exist succeeds, but only with a valid
 * condition, and only texts have patterns.
 *
 * Return: whether the kernel knows that it is a text
 */
static bool knows_text(const char *tracefs, const struct plan *plan)
{
	const struct counter_request *request = plan->request;
	_cleanup_free_ char *text = tool_print("!hist:keys=%s:name=" NO_NAME
					       " if %s ~ \"*\"",
					       plan->text, plan->text);
	int err = write_trigger(tracefs, request->system, request->event, text);

	return err != -EINVAL;
}

static int write_counter(const char *tracefs, const struct plan *plan)
{
	const struct counter_request *request = plan->request;
	_cleanup_free_ char *size =
		request->entries
			? tool_print(":size=%" PRIu64, request->entries)
			: tool_copy("");
	_cleanup_free_ char *base =
		request->base ? tool_print(HIST_BASE "%" PRIu64, request->base)
			      : tool_copy("");
	_cleanup_free_ char *text = tool_print(
		"hist:%s%s:name=" HIST_PREFIX "%s%s%s%s", plan->fields.text,
		size, request->name, base, request->filter ? " if " : "",
		request->filter ? request->filter : "");

	return write_trigger(tracefs, request->system, request->event, text);
}

static int start_counter(const char *tracefs, struct plan *plan, char **reason)
{
	*reason = make_plan(plan);
	if (!*reason && plan->text && !knows_text(tracefs, plan))
		*reason = tool_print("%s: this kernel reads texts of __rel_loc "
				     "fields as numbers; Linux 5.17 and later "
				     "count them",
				     plan->text);

	return *reason ? -EINVAL : write_counter(tracefs, plan);
}

/* Return: whether there is a counter of this name; or an error */
static int counter_exists(const char *tracefs, const char *name)
{
	_cleanup_(counters_free) struct counters counters;
	int err = counters_find(&counters, tracefs, name);

	return err ? err : counters.count > 0;
}

int counter_start(const char *tracefs, const struct counter_request *request,
		  char **reason)
{
	struct plan plan = { .request = request };
	struct uev_schema *schema = NULL;
	int err;

	*reason = NULL;
	if (!files_exist("%s/events/%s/%s/trigger", tracefs, request->system,
			 request->event))
		return -ENOENT;
	if (!files_exist("%s/events/%s/%s/hist", tracefs, request->system,
			 request->event))
		return -EOPNOTSUPP;
	err = counter_exists(tracefs, request->name);
	if (err)
		return err < 0 ? err : -EEXIST;
	err = read_schema(tracefs, request->system, request->event, &schema);
	if (!err) {
		plan.schema = schema;
		plan.has_short_long = has_short_long(tracefs);
		err = start_counter(tracefs, &plan, reason);
	}
	uev_output_release(&plan.fields);
	uev_schema_free(schema);

	return err;
}

/* ---- Read and stop ---- */

/*
 * Finds a counter of the same event again: other triggers can have been added or
 * removed meanwhile.
 */
static int find_again(struct counters *counters, const char *tracefs,
		      const struct counter *counter)
{
	int err;

	*counters = (struct counters){ 0 };
	err = take_event(counters, tracefs, counter->system, counter->event,
			 counter->hist.name);
	if (err || counters->count == 1)
		return err;
	counters_free(counters);

	return -ENOENT;
}

/* Tests for the same fields; the filter and whether it is paused can differ. */
static bool is_same(const struct hist *one, const struct hist *other)
{
	size_t size = strcspn(one->line, " ");

	return strncmp(one->line, other->line, size) == 0 &&
	       other->line[size] == ' ';
}

static int read_once(const char *tracefs, const struct counter *counter,
		     struct hist_values *values)
{
	_cleanup_(counters_free) struct counters now;
	_cleanup_free_ char *text = NULL;
	int err = find_again(&now, tracefs, counter);

	if (!err && !is_same(&counter->hist, &now.counters[0].hist))
		err = -ENOENT;
	if (!err)
		err = read_file(tracefs, counter->system, counter->event,
				"hist", &text);
	if (!err)
		err = hist_read(values, &now.counters[0].hist,
				now.counters[0].triggers, text);

	return err == -ENODEV ? -ENOENT : err;
}

uint64_t counter_too_large(const char *tracefs, const char *name)
{
	_cleanup_(events_free) struct events events = { 0 };
	const struct event *event;
	uint64_t count = 0;
	size_t i, j;

	if (!events_read_losses(&events, tracefs))
		return 0;
	for (i = 0; i < events.count; i++) {
		event = &events.events[i];
		if (strcmp(event->name, name) != 0)
			continue;
		for (j = 0; j < event->loss_count; j++)
			if (strcmp(event->losses[j].reason,
				   "ftrace_too_large") == 0)
				count += event->losses[j].count;
	}

	return count;
}

/* Of those since the start; a new event of this name counts from 0. */
static void set_too_large(struct hist_values *values, const char *tracefs,
			  const struct counter *counter)
{
	uint64_t count = counter_too_large(tracefs, counter->event);

	values->too_large =
		count < counter->hist.base ? count : count - counter->hist.base;
}

int counter_read(const char *tracefs, const struct counter *counter,
		 struct hist_values *values)
{
	int err = read_once(tracefs, counter, values);

	/* Triggers can change between two files. */
	if (err == -EBADMSG)
		err = read_once(tracefs, counter, values);
	if (!err)
		set_too_large(values, tracefs, counter);

	return err;
}

int counter_stop(const char *tracefs, const struct counter *counter)
{
	_cleanup_(counters_free) struct counters now = { 0 };
	_cleanup_free_ char *trigger = state_trigger(counter->hist.line);
	_cleanup_free_ char *text = tool_print("!%s", trigger);
	int err = write_trigger(tracefs, counter->system, counter->event, text);

	if (err)
		return err == -ENODEV ? -ENOENT : err;
	/* The kernel does not tell whether it has deleted a trigger. */
	err = find_again(&now, tracefs, counter);

	return err == -ENOENT ? 0 : err ? err : -EBUSY;
}
