// SPDX-License-Identifier: MIT
/* Tracepoints whose fields are defined at run time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/tracepoint-dynamic.h>

#include "core/command.h"
#include "util/alloc.h"

/*
 * struct uev_tracepoint - An event and its fields
 * @event: the event, with @command
 * @count: number of fields
 * @types: types of the fields
 * @names: start of their names in @command
 * @command: in the form of a macro, see uev_command_check()
 */
struct uev_tracepoint {
	struct uev_event event;
	size_t count;
	uint8_t types[UEV_FIELDS_MAX];
	const char *names[UEV_FIELDS_MAX];
	char command[];
};

/*
 * struct uev_record - Values of the fields
 * @tracepoint: the tracepoint; not owned
 * @error: the first error, or 0
 * @values: one value per field
 */
struct uev_record {
	struct uev_tracepoint *tracepoint;
	int error;
	struct uev_value values[];
};

/* Range of a type. */
static const struct {
	int64_t min;
	uint64_t max;
} ranges[] = {
	[UEV_TYPE_S8] = { INT8_MIN, INT8_MAX },
	[UEV_TYPE_U8] = { 0, UINT8_MAX },
	/* Accepts both signed and unsigned bytes. */
	[UEV_TYPE_CHAR] = { INT8_MIN, UINT8_MAX },
	[UEV_TYPE_S16] = { INT16_MIN, INT16_MAX },
	[UEV_TYPE_U16] = { 0, UINT16_MAX },
	[UEV_TYPE_S32] = { INT32_MIN, INT32_MAX },
	[UEV_TYPE_U32] = { 0, UINT32_MAX },
	[UEV_TYPE_S64] = { INT64_MIN, INT64_MAX },
	[UEV_TYPE_U64] = { 0, UINT64_MAX },
};

/* Appends a part of the command; @to is advanced. */
static char *put_text(char *to, const char *text)
{
	size_t size = strlen(text) + 1;

	memcpy(to, text, size);

	return to + size;
}

static void describe(struct uev_tracepoint *tracepoint, const char *name,
		     const struct uev_field *fields)
{
	char *at = tracepoint->command;
	size_t i;

	*at++ = UEV_DESCRIBED;
	at = put_text(at, name);
	for (i = 0; i < tracepoint->count; i++) {
		tracepoint->types[i] = (uint8_t)fields[i].type;
		*at++ = (char)fields[i].type;
		tracepoint->names[i] = at;
		at = put_text(at, fields[i].name);
	}
	*at = '\0';
}

/* Returns the size of the command; 0 for an invalid field. */
static size_t command_size(const char *name, const struct uev_field *fields,
			   size_t count)
{
	size_t size = 1 + strlen(name) + 1 + 1;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!fields[i].name || fields[i].reserved ||
		    !uev_type_is_known(fields[i].type))
			return 0;
		size += 1 + strlen(fields[i].name) + 1;
	}

	return size;
}

int uev_tracepoint_new(struct uev_tracepoint **tracepoint, const char *name,
		       const struct uev_field *fields, size_t count,
		       unsigned int flags)
{
	struct uev_tracepoint *made;
	size_t size;
	int err;

	*tracepoint = NULL;
	if (!name || count > UEV_FIELDS_MAX || (count && !fields))
		return -EINVAL;
	size = command_size(name, fields, count);
	if (!size)
		return -EINVAL;
	made = uev_calloc(1, sizeof(*made) + size);
	if (!made)
		return -ENOMEM;
	made->count = count;
	describe(made, name, fields);
	uev_event_init(&made->event, made->command);
	err = uev_event_register(&made->event, flags | UEV_SHARE_NAME);
	if (err) {
		free(made);
		return err;
	}
	*tracepoint = made;

	return 0;
}

int uev_tracepoint_free(struct uev_tracepoint *tracepoint)
{
	int err;

	if (!tracepoint)
		return 0;
	err = uev_event_unregister(&tracepoint->event);
	if (err)
		return err;
	free(tracepoint);

	return 0;
}

struct uev_event *uev_tracepoint_event(struct uev_tracepoint *tracepoint)
{
	return &tracepoint->event;
}

int uev_tracepoint_field(const struct uev_tracepoint *tracepoint,
			 const char *name)
{
	size_t i;

	for (i = 0; i < tracepoint->count; i++)
		if (!strcmp(tracepoint->names[i], name))
			return (int)i;

	return -ENOENT;
}

/* Sets all fields to 0 or empty. */
static void clear(struct uev_record *record)
{
	size_t i;

	record->error = 0;
	for (i = 0; i < record->tracepoint->count; i++)
		record->values[i] = (struct uev_value){
			.type = record->tracepoint->types[i],
		};
}

int uev_record_new(struct uev_record **record,
		   struct uev_tracepoint *tracepoint)
{
	size_t size = tracepoint->count * sizeof((*record)->values[0]);

	*record = uev_malloc(sizeof(**record) + size);
	if (!*record)
		return -ENOMEM;
	(*record)->tracepoint = tracepoint;
	clear(*record);

	return 0;
}

void uev_record_free(struct uev_record *record)
{
	free(record);
}

/* Keeps the first error, which the caller might not have checked. */
static int fail(struct uev_record *record, int err)
{
	if (!record->error)
		record->error = err;

	return err;
}

/*
 * Returns the value of a field, NULL if it does not exist or its type is not
 * from @first to @last.
 */
static struct uev_value *field_of(struct uev_record *record, size_t field,
				  uint32_t first, uint32_t last)
{
	struct uev_value *value = &record->values[field];

	if (field >= record->tracepoint->count)
		return NULL;

	return value->type >= first && value->type <= last ? value : NULL;
}

int uev_record_set_signed(struct uev_record *record, size_t field,
			  int64_t number)
{
	struct uev_value *value;

	if (number >= 0)
		return uev_record_set_unsigned(record, field, (uint64_t)number);
	value = field_of(record, field, UEV_TYPE_S8, UEV_TYPE_U64);
	if (!value)
		return fail(record, -EINVAL);
	if (number < ranges[value->type].min)
		return fail(record, -ERANGE);
	value->number = (uint64_t)number;

	return 0;
}

int uev_record_set_unsigned(struct uev_record *record, size_t field,
			    uint64_t number)
{
	struct uev_value *value =
		field_of(record, field, UEV_TYPE_S8, UEV_TYPE_U64);

	if (!value)
		return fail(record, -EINVAL);
	if (number > ranges[value->type].max)
		return fail(record, -ERANGE);
	value->number = number;

	return 0;
}

int uev_record_set_double(struct uev_record *record, size_t field,
			  double number)
{
	struct uev_value *value =
		field_of(record, field, UEV_TYPE_F32, UEV_TYPE_F64);

	if (!value)
		return fail(record, -EINVAL);
	*value = value->type == UEV_TYPE_F64 ? uev_value_double(number)
					     : uev_value_float((float)number);

	return 0;
}

int uev_record_set_string(struct uev_record *record, size_t field,
			  const char *string)
{
	struct uev_value *value =
		field_of(record, field, UEV_TYPE_STRING, UEV_TYPE_STRING);

	if (!value)
		return fail(record, -EINVAL);
	*value = uev_value_string(string);

	return 0;
}

int uev_record_set_data(struct uev_record *record, size_t field,
			const void *data, size_t size)
{
	struct uev_value *value =
		field_of(record, field, UEV_TYPE_STRING, UEV_TYPE_UUID);

	if (!value || value->type == UEV_TYPE_F32 ||
	    value->type == UEV_TYPE_F64 ||
	    (value->type == UEV_TYPE_UUID && size != UEV_UUID_SIZE))
		return fail(record, -EINVAL);
	value->data = data;
	value->number = size;
	value->has_end = false;

	return 0;
}

int uev_record_write(struct uev_record *record)
{
	struct uev_tracepoint *tracepoint = record->tracepoint;
	int err = record->error;

	if (!err)
		err = uev_tracepoint_write(&tracepoint->event, record->values,
					   tracepoint->count);
	else if (uev_enabled(&tracepoint->event))
		uev_event_count(&tracepoint->event, UEV_COUNTER_FAILED);
	clear(record);

	return err;
}
