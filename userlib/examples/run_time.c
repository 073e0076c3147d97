// SPDX-License-Identifier: MIT
/*
 * Writes an event whose fields are known only at run time, from the command
 * line.
 *
 *	run_time NAME=VALUE...
 *
 * The event "run_time" has a field for each NAME: a number if VALUE is one,
 * otherwise text.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <userevents/tracepoint-dynamic.h>

static bool is_number(const char *text, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 0);

	return !errno && *text && !*end;
}

/* Splits "name=value" and determines the type of the value. */
static const char *read_field(char *argument, struct uev_field *field)
{
	char *value = strchr(argument, '=');
	int64_t number;

	if (!value)
		return NULL;
	*value++ = '\0';
	*field = (struct uev_field){
		.name = argument,
		.type = is_number(value, &number) ? UEV_TYPE_S64
						  : UEV_TYPE_STRING,
	};

	return value;
}

static int write_values(struct uev_record *record, const char *const *values,
			size_t count)
{
	int64_t number;
	size_t i;

	for (i = 0; i < count; i++) {
		if (is_number(values[i], &number))
			uev_record_set_signed(record, i, number);
		else
			uev_record_set_string(record, i, values[i]);
	}

	/* Prints the first error. */
	return uev_record_write(record);
}

int main(int argc, char **argv)
{
	struct uev_field fields[UEV_FIELDS_MAX];
	const char *values[UEV_FIELDS_MAX];
	size_t count = (size_t)argc - 1, i;
	struct uev_tracepoint *tracepoint;
	struct uev_record *record = NULL;
	int err;

	for (i = 0; i < count && i < UEV_FIELDS_MAX; i++) {
		values[i] = read_field(argv[i + 1], &fields[i]);
		if (!values[i]) {
			fprintf(stderr, "usage: run_time NAME=VALUE...\n");
			return 2;
		}
	}

	err = uev_tracepoint_new(&tracepoint, "run_time", fields, count, 0);
	if (!err)
		err = uev_record_new(&record, tracepoint);
	for (i = 0; i < 20 && !err; i++) {
		if (uev_enabled(uev_tracepoint_event(tracepoint)))
			err = write_values(record, values, count);
		usleep(100000);
	}
	if (err)
		fprintf(stderr, "run_time: %s\n", uev_strerror(err));

	uev_record_free(record);
	if (uev_tracepoint_free(tracepoint))
		err = 1;

	return err ? 1 : 0;
}
