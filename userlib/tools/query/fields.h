/* SPDX-License-Identifier: MIT */
/*
 * user-events: values of a record, selected by name.
 *
 * A name is that of a field of the record; if the record has no such field, of
 * its metadata: time, cpu, pid, tid, vpid, comm, event, name, provider,
 * tracepoint, level, keyword, opcode, id, version, tag, activity, related.
 * "meta.NAME" is always the metadata. "a.b" is a member of a struct, and "a[0]"
 * an element of an array. A name of other characters is quoted with `.
 */
#ifndef USER_EVENTS_QUERY_FIELDS_H
#define USER_EVENTS_QUERY_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/decode.h>

#include "formats/format.h"
#include "query/metadata.h"

/*
 * struct query_compound - A struct or an array that is being copied
 * @json: its JSON
 * @open: number of structs and arrays that have not ended; 0: complete
 */
struct query_compound {
	struct uev_output json;
	size_t open;
};

struct query_step;

/*
 * struct query_field - A name, and its value in the current record
 * @name: the name as given
 * @steps: its @step_count parts
 * @kind: what the record has
 * @value: for QUERY_VALUE; valid until the next record
 * @compound: for QUERY_COMPOUND
 * @clock: for QUERY_TIME, which has nanoseconds in @value: its clock; NULL if
 *        that has no dates
 * @is_known: a record had it
 * @depth: number of structs and arrays around the current item that belong to
 *        the name
 */
struct query_field {
	char *name;
	struct query_step *steps;
	size_t step_count;
	enum query_kind kind;
	struct uev_decoded_value value;
	struct query_compound compound;
	const struct uev_clock *clock;
	bool is_known;
	size_t depth;
};

/* struct query_fields - Any number of names; initialized to zeros */
struct query_fields {
	struct query_field *fields;
	size_t count;
	struct uev_output event;
	struct uev_output tracepoint;
	struct uev_output part;
};

/*
 * query_fields_add() - Adds a name
 * @text: starts with the name
 * @size: set to the bytes of the name
 * @reason: set to what is wrong with it
 * Return: its index; -1 for a syntax error at @size
 */
ptrdiff_t query_fields_add(struct query_fields *fields, const char *text,
			   size_t *size, const char **reason);

/* Tests whether no record had a field, and it is not one of the metadata. */
bool query_field_is_unknown(const struct query_field *field);

/*
 * query_fields_read() - Gets the values of a record
 * @decoder: any decoder; it is started with the record
 * Return: 0 or an error of uev_decoder_next(), and the values before the error
 *         are set
 */
int query_fields_read(struct query_fields *fields, struct uev_decoder *decoder,
		      const struct format_record *record);

/*
 * query_fields_join() - Appends the values of a record, separated by commas
 *
 * Of several values, those with a comma or a quote are quoted as in CSV, so
 * that different values have different texts.
 *
 * @has_all: set to whether the record has them all
 * Return: as query_fields_read()
 */
int query_fields_join(struct query_fields *fields, struct uev_decoder *decoder,
		      const struct format_record *record, struct uev_output *to,
		      bool *has_all);

/*
 * query_compound_take() - Takes the next item of a record; @open of the compound
 * is 0 before the first
 * Return: whether a field is complete: a value, which is @item, or a struct or
 *         an array, which ends with @item and is in @json
 */
bool query_compound_take(struct query_compound *compound,
			 const struct uev_item *item);

/* Test for the start, and the end, of a struct or an array. */
bool query_item_begins(const struct uev_item *item);
bool query_item_ends(const struct uev_item *item);

void query_fields_release(struct query_fields *fields);

#endif
