// SPDX-License-Identifier: GPL-2.0-only
#include "format/parse.h"

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "format/fields.h"
#include "limits.h"

/*
 * Types of two words. The first prefix that matches is used, and the next word
 * belongs to the type, too.
 */
static const char *const type_prefixes[] = {
	"unsigned ",
	"struct ",
	"__data_loc unsigned ",
	"__data_loc ",
	"__rel_loc unsigned ",
	"__rel_loc ",
};

/*
 * Definitions are listed one per line and split at white space, so their texts
 * have no control characters.
 */
static bool has_control_character(const char *text)
{
	for (; *text; text++)
		if (iscntrl(*text))
			return true;

	return false;
}

/* Tracers use names as parts of paths. */
static bool is_name_character(char c)
{
	return c != '/' && !iscntrl(c);
}

static bool ends_event_name(char c)
{
	return !c || c == ' ' || c == ':';
}

/* Most characters need the first two tests only. */
static bool is_event_name_character(char c)
{
	return ((unsigned char)c > ':' && c != 0x7f) ||
	       (is_name_character(c) && !ends_event_name(c));
}

/* Not empty, "." or "..". */
static bool is_file_name(const char *name)
{
	return name[0] != '.' ? name[0] : name[1] && strcmp(name, "..");
}

static bool name_is_valid(const char *name)
{
	const char *c;

	for (c = name; *c; c++)
		if (!is_name_character(*c))
			return false;

	return is_file_name(name);
}

/* The name of an event becomes a directory beside these two files. */
static bool event_name_is_valid(const char *name, size_t len)
{
	return is_file_name(name) && len <= USER_EVENT_NAME_MAX &&
	       (len != strlen("enable") ||
		(strcmp(name, "enable") && strcmp(name, "filter")));
}

/* Ends a text before @at and returns what is behind it. */
static char *cut(char *at)
{
	*at = '\0';
	return at + 1;
}

/**
 * ue_command_split - Splits a command into name, flags and fields
 * @text: the command; split in place
 * @command: set to the pieces
 *
 * The first space ends the name, and the first ':' in the name starts the
 * flags. The fields are not checked.
 *
 * Return: 0, or -EINVAL if tracefs cannot have a directory of that name.
 */
int ue_command_split(char *text, struct event_command *command)
{
	size_t len;
	char *end;

	for (end = text; is_event_name_character(*end);)
		end++;
	if (!ends_event_name(*end))
		return -EINVAL;

	command->name = text;
	command->flags = NULL;
	command->args = NULL;
	text = end;
	if (*end == ':') {
		command->flags = cut(end);
		text = strchr(command->flags, ' ');
	}
	if (text && *text)
		command->args = cut(text);

	len = end - command->name;
	command->name_key = ue_name_key(command->name, len);

	return event_name_is_valid(command->name, len) ? 0 : -EINVAL;
}

/* Splits the type off and returns the text behind it. */
static char *split_type(char *text, const char **type)
{
	size_t skip = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(type_prefixes) && !skip; i++)
		skip = str_has_prefix(text, type_prefixes[i]);

	*type = text;
	text = strchr(text + skip, ' ');
	if (text)
		*text++ = '\0';

	return text;
}

/*
 * Size and length follow from the type, except for a struct, whose size stands
 * behind the name.
 */
static int field_measure(struct event_field *field, const char *size)
{
	int len;

	field->len = 0;
	if (!size != (field->kind->class != FIELD_STRUCT))
		return -EINVAL;

	switch (field->kind->class) {
	case FIELD_STRUCT:
		return kstrtou32(size, 10, &field->size) ? -EINVAL : 0;
	case FIELD_ARRAY:
		len = ue_field_type_array_len(field->type);
		if (len < 0)
			return len;
		field->len = len;
		field->size = len;
		return 0;
	default:
		field->size = field->kind->size;
		return 0;
	}
}

static int field_parse(char *text, struct event_field *field)
{
	const char *size;
	char *rest;

	if (has_control_character(text))
		return -EINVAL;

	rest = split_type(text, &field->type);
	if (!rest)
		return -EINVAL;

	field->name = strsep(&rest, " ");
	size = strsep(&rest, " ");
	if (rest)
		return -EINVAL;

	if (!name_is_valid(field->name))
		return -EINVAL;

	field->kind = ue_field_type_find(field->type);
	if (!field->kind)
		return -EINVAL;

	return field_measure(field, size);
}

static void desc_add_loc(struct event_desc *desc,
			 const struct event_field *field)
{
	struct event_loc *loc;

	if (!ue_field_type_is_loc(field->kind))
		return;

	loc = &desc->locs[desc->nr_locs++];
	loc->offset = field->offset;
	loc->relative = field->kind->class == FIELD_REL_LOC;
	loc->string = ue_field_type_is_dyn_string(field->kind, field->type);
}

static int desc_add_field(struct event_desc *desc, char *text)
{
	struct event_field *field = &desc->fields[desc->nr_fields];
	int ret;

	ret = field_parse(text, field);
	if (ret)
		return ret;

	if (!field->size ||
	    field->size > USER_EVENT_FIXED_MAX - desc->fixed_size)
		return -EINVAL;

	field->offset = desc->fixed_size;
	desc->fixed_size += field->size;
	desc->nr_fields++;
	desc_add_loc(desc, field);

	return 0;
}

static u32 count_pieces(const char *args)
{
	u32 pieces = 1;

	while ((args = strchr(args, ';'))) {
		pieces++;
		args++;
	}

	return pieces;
}

/*
 * One allocation: the description, a field and a loc word for each piece, and
 * copies of the texts that the fields point into.
 */
static struct event_desc *desc_alloc(const struct event_command *command,
				     char **args_copy)
{
	const char *args = command->args ?: "";
	size_t pieces = count_pieces(args);
	size_t name_size = strlen(command->name) + 1;
	size_t args_size = strlen(args) + 1;
	struct event_desc *desc;
	char *text;

	desc = kvmalloc(struct_size(desc, fields, pieces) +
				pieces * sizeof(*desc->locs) + name_size +
				args_size,
			GFP_KERNEL_ACCOUNT);
	if (!desc)
		return NULL;

	desc->nr_fields = 0;
	desc->nr_locs = 0;
	desc->locs = (struct event_loc *)&desc->fields[pieces];
	text = (char *)&desc->locs[pieces];

	desc->name = memcpy(text, command->name, name_size);
	desc->name_key = command->name_key;
	*args_copy = memcpy(text + name_size, args, args_size);
	desc->fixed_size = USER_EVENT_HEADER_SIZE;

	return desc;
}

/**
 * ue_desc_parse - Parses the fields of a command
 * @command: the command; not referenced by the result
 *
 * Fields are separated by ';', and empty fields are skipped. Exactly one space
 * separates the words of a field. The caller checks the flags.
 *
 * Return: a description to be freed with ue_desc_free(), or
 *	   ERR_PTR(-EINVAL): the fields are not valid, or larger than
 *	   USER_EVENT_FIXED_MAX bytes;
 *	   ERR_PTR(-ENOMEM).
 */
struct event_desc *ue_desc_parse(const struct event_command *command)
{
	struct event_desc *desc;
	char *rest;
	char *piece;
	int ret;

	desc = desc_alloc(command, &rest);
	if (!desc)
		return ERR_PTR(-ENOMEM);

	while ((piece = strsep(&rest, ";"))) {
		piece = skip_spaces(piece);
		if (!*piece)
			continue;

		ret = desc_add_field(desc, piece);
		if (ret) {
			ue_desc_free(desc);
			return ERR_PTR(ret);
		}
	}

	return desc;
}
