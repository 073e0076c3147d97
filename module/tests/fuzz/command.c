// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command: splitting, rejected commands, the fields, and both texts that are
 * formatted from them.
 */
#include <malloc.h>
#include <stdlib.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "format/fields.h"
#include "format/parse.h"
#include "format/print_fmt.h"
#include "fuzz.h"
#include "helpers.h"
#include "grammar.h"
#include "limits.h"
#include "tables/grammar.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void check_split(const char *text, int ret,
			const struct event_command *command)
{
	size_t name = strcspn(text, " :");
	const char *space = strchr(text, ' ');
	size_t head = strcspn(text, " ");

	EXPECT(ret == (oracle_event_name(text, name) ? 0 : -EINVAL));
	if (ret)
		return;

	EXPECT(strlen(command->name) == name);
	EXPECT(!memcmp(command->name, text, name));
	EXPECT(same_text(command->args, space ? space + 1 : NULL));
	EXPECT(!command->flags == (text[name] != ':'));
	if (!command->flags)
		return;

	EXPECT(strlen(command->flags) == head - name - 1);
	EXPECT(!memcmp(command->flags, text + name + 1, head - name - 1));
}

static void check_field(const struct event_field *field,
			const struct oracle_field *oracle)
{
	EXPECT(!strcmp(field->type, oracle->type));
	EXPECT(!strcmp(field->name, oracle->name));
	EXPECT(field->kind == ue_field_type_find(field->type));
	EXPECT(field->kind->class == oracle->props.class);
	EXPECT(field->offset == oracle->offset);
	EXPECT(field->size == oracle->props.size);
	EXPECT(field->len ==
	       (oracle->props.class == FIELD_ARRAY ? oracle->props.size : 0));
}

/* Fields start behind the header and have no gaps. */
static void check_layout(const struct event_desc *desc)
{
	u32 end = USER_EVENT_HEADER_SIZE;
	u32 i;

	for (i = 0; i < desc->nr_fields; i++) {
		EXPECT(desc->fields[i].offset == end);
		EXPECT(desc->fields[i].size > 0);
		EXPECT(desc->fields[i].size <= USER_EVENT_FIXED_MAX - end);
		end += desc->fields[i].size;
	}

	EXPECT(desc->fixed_size == end);
}

static void check_locs(const struct event_desc *desc,
		       const struct oracle *oracle)
{
	const struct oracle_field *field;
	const struct event_loc *loc = desc->locs;

	for (field = oracle->fields; field < oracle->fields + oracle->count;
	     field++) {
		if (field->props.class != FIELD_DATA_LOC &&
		    field->props.class != FIELD_REL_LOC)
			continue;

		EXPECT(loc < desc->locs + desc->nr_locs);
		EXPECT(loc->offset == field->offset);
		EXPECT(loc->relative == (field->props.class == FIELD_REL_LOC));
		EXPECT(loc->string == field->props.is_string);
		loc++;
	}

	EXPECT(loc == desc->locs + desc->nr_locs);
}

static void check_desc(const struct event_desc *desc, const char *name,
		       const struct oracle *oracle)
{
	u32 i;

	EXPECT(!strcmp(desc->name, name));
	EXPECT(desc->nr_fields == oracle->count);
	EXPECT(desc->fixed_size == oracle->end);
	for (i = 0; i < desc->nr_fields; i++)
		check_field(&desc->fields[i], &oracle->fields[i]);

	check_layout(desc);
	check_locs(desc, oracle);
}

/*
 * Texts are formatted twice, the first time to compute their length. If both
 * lengths are equal, the text fills its block.
 */
static void check_text(char *text, char *expected)
{
	EXPECT(text);
	EXPECT(malloc_usable_size(text) == strlen(text) + 1);
	EXPECT(!strcmp(text, expected));
	free(expected);
}

/* The text of an event creates the same event, with the same text. */
static void check_listing(const struct event_desc *desc, const char *text,
			  const struct oracle *oracle)
{
	const struct event_command command = {
		.name = desc->name,
		.args = text,
	};
	struct event_desc *again = ue_desc_parse(&command);
	char *same;

	EXPECT(!IS_ERR(again));
	check_desc(again, desc->name, oracle);
	EXPECT(ue_desc_match_text(desc, text));
	same = format_text(ue_desc_text, again);
	EXPECT(!strcmp(same, text));

	kfree(same);
	ue_desc_free(again);
}

static void check_event(const struct event_desc *desc,
			const struct event_command *command,
			const struct oracle *oracle)
{
	char *print_fmt = format_text(ue_desc_print_fmt, desc);
	char *text = format_text(ue_desc_text, desc);

	check_desc(desc, command->name, oracle);
	check_text(print_fmt, oracle_print_fmt(oracle));
	check_text(text, oracle_text(oracle));
	check_listing(desc, text, oracle);
	EXPECT(ue_desc_match_text(desc, command->args));

	kfree(text);
	kfree(print_fmt);
}

/* Processes see this errno. */
static void check_refusal(const struct event_desc *desc)
{
	EXPECT(PTR_ERR(desc) == -EINVAL);
}

static void check_fields(const struct event_command *command)
{
	struct event_desc *desc = ue_desc_parse(command);
	struct oracle oracle;
	bool good = oracle_init(&oracle, command->args ?: "");

	EXPECT(good == !IS_ERR(desc));
	if (good) {
		check_event(desc, command, &oracle);
		ue_desc_free(desc);
	} else {
		check_refusal(desc);
	}

	oracle_destroy(&oracle);
}

static void input(const u8 *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char *cut = fuzz_text(data, size);
	struct event_command command;
	int ret = ue_command_split(cut, &command);

	check_split(text, ret, &command);
	if (!ret)
		check_fields(&command);

	free(cut);
	free(text);
}

static void add_fields(fuzz_add_fn add, const char *fields)
{
	char command[2048];

	snprintf(command, sizeof(command), "e %s", fields);
	fuzz_add_text(add, command);
}

static void seeds(fuzz_add_fn add)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(splits); i++)
		fuzz_add_text(add, splits[i].command);
	for (i = 0; i < ARRAY_SIZE(bad_event_names); i++)
		fuzz_add_text(add, bad_event_names[i].text);
	for (i = 0; i < ARRAY_SIZE(accepted); i++)
		fuzz_add_text(add, accepted[i].command);
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		add_fields(add, refused[i].text);
}

const struct fuzz_target command_target = {
	.name = "command",
	.input = input,
	.seeds = seeds,
};
