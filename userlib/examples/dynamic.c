// SPDX-License-Identifier: MIT
/*
 * Writes EventHeader events whose shape is known only at run time: each line of
 * standard input is an event with its fields.
 *
 *	dynamic PROVIDER
 *
 * A line is EVENT NAME=VALUE NAME=VALUE...; numeric values become numbers, all
 * others text. "{" and "}" start and end a struct:
 *
 *	Login user=alice { from port=22 } attempts=3
 *
 * Enable user_events:PROVIDER_L4K1 to trace them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/eventheader-dynamic.h>

#define BLANKS " \t\n"
#define KEYWORD 1

/* The builder keeps the first error, which is checked at the end. */
static void add_value(struct uev_builder *builder, const char *name,
		      const char *value)
{
	char *end;
	int64_t number;

	errno = 0;
	number = strtoimax(value, &end, 0);
	if (*value && !*end && !errno)
		uev_add_i64(builder, name, number);
	else
		uev_add_zutf8(builder, name, value);
}

static void build(struct uev_builder *builder, char *line)
{
	char *rest, *word = strtok_r(line, BLANKS, &rest);

	uev_builder_begin(builder, word ? word : "", 0);
	while ((word = strtok_r(NULL, BLANKS, &rest))) {
		char *value = strchr(word, '=');

		if (value) {
			*value = '\0';
			add_value(builder, word, value + 1);
		} else if (!strcmp(word, "{")) {
			uev_begin_struct(builder, strtok_r(NULL, BLANKS, &rest),
					 0);
		} else if (!strcmp(word, "}")) {
			uev_end_struct(builder);
		} else {
			uev_add_null(builder, word, UEV_FORMAT_STRING_UTF);
		}
	}
}

static int write_lines(struct uev_event_set *set, struct uev_builder *builder)
{
	char *line = NULL;
	size_t size = 0;
	unsigned long number = 0;
	int err, last = 0;

	while (getline(&line, &size, stdin) >= 0) {
		number++;
		build(builder, line);
		err = uev_builder_write(builder, set, NULL, NULL);
		if (err) {
			fprintf(stderr, "line %lu: %s\n", number,
				uev_strerror(err));
			last = err;
		}
	}
	free(line);
	return last;
}

int main(int argc, char **argv)
{
	struct uev_dynamic_provider *provider = NULL;
	struct uev_builder *builder = NULL;
	struct uev_event_set *set;
	int err;

	if (argc != 2) {
		fprintf(stderr, "usage: dynamic PROVIDER\n");
		return EXIT_FAILURE;
	}
	err = uev_dynamic_provider_new(&provider, argv[1], NULL);
	if (!err)
		err = uev_dynamic_provider_event_set(
			provider, UEV_LEVEL_INFORMATION, KEYWORD, &set);
	if (!err)
		err = uev_builder_new(&builder);
	if (!err)
		err = write_lines(set, builder);
	else
		fprintf(stderr, "%s: %s\n", argv[1], uev_strerror(err));
	uev_builder_free(builder);
	uev_dynamic_provider_free(provider);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
