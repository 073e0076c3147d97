// SPDX-License-Identifier: MIT
/*
 * Plugin of libtraceevent: perf, trace-cmd and others print the names and values
 * of EventHeader events, as user-events decode --json does. Like the tool, it ends
 * the program if there is no memory for names.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include <userevents/decode.h>

#include "names.h"
#include "tool.h"

#define FIRST_FIELD "eventheader_flags"

/* Any ID: the name tells which event it is. */
#define ANY_ID (-1)

#define EXPORTED __attribute__((__visibility__("default")))

/* What was registered with a handle of the program */
struct registered {
	struct registered *next;
	const struct tep_handle *tep;
	struct event_names names;
};

/* libtraceevent, too, has static variables for plugins, without a lock. */
static struct registered *all;

/* What the decoder needs of the format. NULL: not an EventHeader event */
static const struct uev_schema *schema_of(struct event_name *name,
					  const struct tep_event *event)
{
	_cleanup_free_ char *format = NULL;
	const struct tep_format_field *first = event->format.fields;

	if (name->schema || !first || strcmp(first->name, FIRST_FIELD))
		return name->schema;
	format = tool_print("name: %s\nID: %d\nformat:\n"
			    "\tfield:u8 %s;\toffset:%d;\tsize:1;\tsigned:0;\n",
			    event->name, event->id, FIRST_FIELD, first->offset);
	(void)uev_schema_parse(&name->schema, event->system, format,
			       strlen(format), 0, NULL);

	return name->schema;
}

/* Return: 0 if it has printed the record; 1: libtraceevent prints its fields */
static int print(struct trace_seq *s, struct tep_record *record,
		 struct tep_event *event, void *context)
{
	const struct uev_schema *schema = schema_of(context, event);
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_output json = UEV_OUTPUT_INIT;
	struct uev_decoder *decoder;
	bool has_json;

	if (!schema || record->size < 0 || uev_decoder_new(&decoder))
		return 1;

	options.flags = UEV_JSON_PARTIAL;
	options.meta |= UEV_META_OPTIONS;
	/* An error of the start is in the JSON, too. */
	(void)uev_decoder_start(decoder, schema, record->data,
				(size_t)record->size);
	(void)uev_decoder_append_json(decoder, &options, NULL, &json);
	has_json = json.size;
	if (has_json)
		trace_seq_puts(s, json.text);
	uev_output_release(&json);
	uev_decoder_free(decoder);

	return !has_json;
}

/*
 * A handler needs the name of its event: unloaders of other plugins, and programs
 * that find events by name, compare it with theirs.
 */
EXPORTED int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct registered *registered = tool_alloc(sizeof(*registered));
	size_t i;

	registered->tep = tep;
	event_names_find(&registered->names);
	for (i = 0; i < registered->names.count; i++) {
		struct event_name *event = &registered->names.array[i];

		tep_register_event_handler(tep, ANY_ID, event->system,
					   event->name, print, event);
	}
	registered->next = all;
	all = registered;

	return 0;
}

static struct registered *take(const struct tep_handle *tep)
{
	struct registered **at, *registered;

	for (at = &all; *at && (*at)->tep != tep; at = &(*at)->next)
		;
	registered = *at;
	if (registered)
		*at = registered->next;

	return registered;
}

EXPORTED int TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	struct registered *registered = take(tep);
	size_t i;

	if (!registered)
		return 0;
	for (i = 0; i < registered->names.count; i++) {
		struct event_name *event = &registered->names.array[i];

		/* Fails if another plugin has replaced the handler. */
		(void)tep_unregister_event_handler(tep, ANY_ID, event->system,
						   event->name, print, event);
	}
	event_names_free(&registered->names);
	free(registered);

	return 0;
}
