// SPDX-License-Identifier: GPL-2.0-only
/*
 * Classes of intended differences: one function for each row of the tables in
 * Documentation/user_events.rst that the operations can trigger.
 */
#include "classes.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Limits of an event's fields and name. */
#define FIXED_MAX 65527
#define NAME_MAX 255

/* Bytes in front of a payload, and the largest payload that ftrace accepts. */
#define HEADER 8
#define FTRACE_MAX 4064

/* --- text functions ------------------------------------------------------- */

bool streq(const char *a, const char *b)
{
	return !strcmp(a, b);
}

bool starts_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool succeeded(const char *value)
{
	return isdigit((unsigned char)value[0]);
}

static unsigned long number_in(const char *text, const char *label)
{
	const char *at = strstr(text, label);

	return at ? strtoul(at + strlen(label), NULL, 10) : 0;
}

/* Unescapes the text between the quotes at the end of an operation. */
char *unquote(const char *text)
{
	const char *at = strchr(text, '"');
	char *out = malloc(strlen(text) + 1), *to = out;
	unsigned int byte;

	for (at = at ? at + 1 : ""; *at && *at != '"'; at++) {
		if (*at != '\\')
			*to++ = *at;
		else if (*++at == 'n')
			*to++ = '\n';
		else if (sscanf(at, "x%2x", &byte) == 1)
			*to++ = byte, at += 2;
	}
	*to = '\0';

	return out;
}

/* The kernel treats 0xa0 as white space as well. */
static bool is_white(unsigned char c)
{
	return isspace(c) || c == 0xa0;
}

/* First command of a text written to dynamic_events. */
char *command_of_line(char *line)
{
	char *at = strchr(line, ':');

	line[strcspn(line, "#\n")] = '\0';
	if (!at)
		return line;
	for (at++; is_white(*at);)
		at++;

	return at;
}

static bool registers(const struct difference *difference)
{
	return streq(difference->what, "result") &&
	       (starts_with(difference->text, "register ") ||
		starts_with(difference->text, "line \"u:"));
}

static bool deletes_by_line(const struct difference *difference)
{
	return streq(difference->what, "result") &&
	       starts_with(difference->text, "line \"") &&
	       !starts_with(difference->text, "line \"u:");
}

static bool writes(const struct difference *difference)
{
	return starts_with(difference->text, "write ");
}

/* The in-kernel user_events succeeds, the module fails. */
static bool succeeds_only_in_kernel(const struct difference *difference,
				    const char *error)
{
	return succeeded(difference->theirs) && streq(difference->ours, error);
}

/*
 * The module rejects the text of a command; the in-kernel user_events accepts
 * it or fails for another reason.
 */
static bool refused(const struct difference *difference)
{
	return registers(difference) && streq(difference->ours, "EINVAL") &&
	       (succeeded(difference->theirs) ||
		streq(difference->theirs, "ENOMEM") ||
		streq(difference->theirs, "EPERM"));
}

static bool succeeds_only_in_module(const struct difference *difference,
				    const char *error)
{
	return streq(difference->theirs, error) && succeeded(difference->ours);
}

static const char *fields_of(const char *command)
{
	const char *at = strchr(command, ' ');

	return at ? at + 1 : "";
}

/* Skips the sign and the leading zeros of a number. */
static const char *skip_sign(const char *word)
{
	const char *at = word + (*word == '+');

	if (!isdigit((unsigned char)*at))
		return word;
	while (*at == '0' && isdigit((unsigned char)at[1]))
		at++;

	return at;
}

/* Removes the parts of fields that have no meaning. */
static char *normalize_fields(const char *fields)
{
	char *out = malloc(2 * strlen(fields) + 3), *to = out;
	bool gap = false, field = false;

	for (; *fields; fields++) {
		if (gap || field)
			fields = skip_sign(fields);
		if (*fields == ';') {
			gap = false;
			field = to > out;
		} else if (is_white(*fields)) {
			gap = true;
		} else {
			if (field)
				*to++ = ';';
			else if (gap && to > out)
				*to++ = ' ';
			*to++ = *fields;
			field = gap = false;
		}
	}
	*to = '\0';

	return out;
}

static bool same_fields(const char *a, const char *b)
{
	char *one = normalize_fields(a), *other = normalize_fields(b);
	bool same = streq(one, other);

	free(one);
	free(other);

	return same;
}

/* Calls @matches for every field until it returns true. */
static bool find_field(const char *fields, bool (*matches)(char *field))
{
	char *copy = strdup(fields), *rest = copy, *field;
	bool found = false;

	while (!found && (field = strsep(&rest, ";"))) {
		while (is_white(*field))
			field++;
		found = *field && matches(field);
	}
	free(copy);

	return found;
}

/* --- classes: registration and deletion ----------------------------------- */

bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

static bool is_field_with_control(char *field)
{
	while (*field && !is_control(*field))
		field++;

	return *field;
}

/* White space in front of a field is not part of the field. */
static bool has_control(const struct difference *difference)
{
	const char *at = difference->command;

	if (!refused(difference))
		return false;
	while (*at && *at != ' ')
		if (is_control(*at++))
			return true;

	return find_field(at, is_field_with_control);
}

static bool has_odd_name(const struct difference *difference)
{
	size_t length = strcspn(difference->command, " ");
	char *name = strndup(difference->command, length);
	/* With several formats, a number is appended to the name. */
	size_t number = number_in(difference->text, "flags=") & 2 ? 5 : 0;
	bool odd;

	name[strcspn(name, ":")] = '\0';
	odd = !*name || streq(name, ".") || streq(name, "..") ||
	      strchr(name, '/') || streq(name, "enable") ||
	      streq(name, "filter") || strlen(name) > NAME_MAX - number;
	free(name);

	return odd && refused(difference);
}

static bool is_odd_field(char *field)
{
	size_t length = strlen(field);
	char *word;

	if (length && field[length - 1] == ' ')
		return true;
	while ((word = strsep(&field, " ")))
		if (streq(word, ".") || streq(word, "..") ||
		    strchr(word, '/') || !*word)
			return true;

	return false;
}

static bool has_odd_field_name(const struct difference *difference)
{
	return refused(difference) &&
	       find_field(fields_of(difference->command), is_odd_field);
}

static bool has_late_loc(char *field)
{
	return strstr(field + 1, "__data_loc") ||
	       strstr(field + 1, "__rel_loc");
}

static bool has_misplaced_loc(const struct difference *difference)
{
	return refused(difference) &&
	       find_field(fields_of(difference->command), has_late_loc);
}

static bool is_mask(char *field)
{
	return starts_with(field, "__data_loc ") && strstr(field, "cpumask_t");
}

static bool has_mask(const struct difference *difference)
{
	return refused(difference) &&
	       find_field(fields_of(difference->command), is_mask);
}

static unsigned long long total;

/* Adds a lower bound of the field's size. */
static bool add_size(char *field)
{
	char *number = strrchr(field, ' ');

	if (starts_with(field, "struct ") && number)
		total += strtoull(number + 1, NULL, 10);
	else if (starts_with(field, "__"))
		total += 4;
	else if (strchr(field, '['))
		total += strtoull(strchr(field, '[') + 1, NULL, 0);
	else
		total += 8;

	return false;
}

static bool is_of_other_size(const struct difference *difference)
{
	total = 0;
	find_field(fields_of(difference->command), add_size);

	return registers(difference) && streq(difference->ours, "EINVAL") &&
	       total > FIXED_MAX;
}

static bool has_other_fields(const struct difference *difference)
{
	return registers(difference) &&
	       succeeds_only_in_kernel(difference, "EADDRINUSE") &&
	       *difference->event_command &&
	       !same_fields(fields_of(difference->event_command),
			    fields_of(difference->command));
}

static bool is_of_24_bytes(const struct difference *difference)
{
	return registers(difference) &&
	       number_in(difference->text, "size=") == 24;
}

static bool is_of_28_bytes(const struct difference *difference)
{
	return registers(difference) &&
	       number_in(difference->text, "size=") >= 28;
}

/*
 * With several formats, the in-kernel user_events creates another event, if it
 * can.
 */
static bool is_respelled(const struct difference *difference)
{
	bool multi = number_in(difference->text, "flags=") & 2;

	return ((registers(difference) &&
		 streq(difference->theirs, multi ? "EINVAL" : "EADDRINUSE")) ||
		(multi && streq(difference->what, "index"))) &&
	       *difference->event_command &&
	       same_fields(fields_of(difference->event_command),
			   fields_of(difference->command));
}

static bool is_of_less_than_28_bytes(const struct difference *difference)
{
	unsigned long size = number_in(difference->text, "size=");

	return registers(difference) && size >= 20 && size < 28 &&
	       streq(difference->theirs, "EINVAL");
}

static bool has_flags_in_line(const struct difference *difference)
{
	size_t length = strcspn(difference->command, " ");

	return starts_with(difference->text, "line \"u:") &&
	       memchr(difference->command, ':', length) &&
	       streq(difference->theirs, "EINVAL");
}

static bool deletes_without_fields(const struct difference *difference)
{
	const char *fields = fields_of(difference->command);

	return deletes_by_line(difference) &&
	       streq(difference->theirs, "ENOENT") && same_fields(fields, "") &&
	       *difference->event_command;
}

/* The in-kernel user_events created an event although registration failed. */
static bool is_left(const struct difference *difference)
{
	return difference->left && !starts_with(difference->text, "write ");
}

/*
 * The event persists or is deleted explicitly, while the in-kernel one is
 * deleted automatically.
 */
static bool was_joined_by_line(const struct difference *difference)
{
	return difference->joined &&
	       (!*difference->theirs || streq(difference->theirs, "ENOENT") ||
		streq(difference->theirs, "EBUSY")) &&
	       !starts_with(difference->text, "write ");
}

static bool unregisters_too_large(const struct difference *difference)
{
	return starts_with(difference->text, "unregister ") &&
	       streq(difference->theirs, "EINVAL") &&
	       streq(difference->ours, "E2BIG");
}

static bool deletes_respelled(const struct difference *difference)
{
	return deletes_by_line(difference) &&
	       streq(difference->theirs, "ENOENT") &&
	       *fields_of(difference->command) &&
	       same_fields(fields_of(difference->event_command),
			   fields_of(difference->command));
}

static bool deletes_by_other_system(const struct difference *difference)
{
	return deletes_by_line(difference) &&
	       streq(difference->theirs, "ENOENT") &&
	       starts_with(difference->command, "user_events_multi/");
}

static bool deletes_unprivileged(const struct difference *difference)
{
	return starts_with(difference->text, "delete ") &&
	       strstr(difference->text, " unprivileged ") &&
	       succeeds_only_in_kernel(difference, "EPERM");
}

static bool maps_writable(const struct difference *difference)
{
	return starts_with(difference->text, "map ") &&
	       strstr(difference->text, "writable") &&
	       streq(difference->ours, "EACCES");
}

/* --- classes: text --- */

/* Copies a text without the digits after a bracket. */
static char *without_lengths(const char *text)
{
	char *out = malloc(strlen(text) + 1), *to = out;

	while (*text) {
		*to++ = *text;
		if (*text++ == '[')
			text += strspn(text, "-0123456789");
	}
	*to = '\0';

	return out;
}

static bool differs_in_lengths(const struct difference *difference)
{
	char *theirs = without_lengths(difference->theirs);
	char *ours = without_lengths(difference->ours);
	bool same = streq(theirs, ours);

	free(theirs);
	free(ours);

	return streq(difference->what, "format") && same;
}

static bool is_too_big(const struct difference *difference)
{
	return streq(difference->what, "text") && *difference->ours &&
	       streq(difference->theirs, "\\n[LINE TOO BIG]\\n");
}

static bool is_dump(const struct difference *difference)
{
	return is_too_big(difference) ||
	       (streq(difference->what, "text") && *difference->ours &&
		starts_with(difference->theirs, "\\n00000000: "));
}

/* The module's text without the leading numbers and without its last line. */
static bool is_numbered(const struct difference *difference)
{
	const char *theirs = difference->theirs, *ours = difference->ours;

	if (!streq(difference->what, "all status"))
		return false;
	while (isdigit((unsigned char)*ours)) {
		const char *end = strstr(ours, "\\n");
		size_t length;

		ours += strspn(ours, "0123456789") + 1;
		length = end ? (size_t)(end + 2 - ours) : 0;
		if (!length || strncmp(theirs, ours, length))
			return false;
		theirs += length;
		ours += length;
	}

	return !strncmp(theirs, ours, strlen(theirs)) &&
	       starts_with(ours + strlen(theirs), "Max: ");
}

/* Equal except for dots instead of control characters, or cut. */
static bool has_dots(const struct difference *difference)
{
	const char *theirs = difference->theirs, *ours = difference->ours;
	unsigned int byte;

	if (is_too_big(difference))
		return true;

	while (*theirs && *ours) {
		if (*ours == '.' && starts_with(theirs, "\\n")) {
			theirs += 2;
		} else if (*ours == '.' &&
			   sscanf(theirs, "\\x%2x", &byte) == 1 &&
			   (byte < ' ' || byte == 0x7f)) {
			theirs += 4;
		} else if (*theirs != *ours) {
			return false;
		} else {
			theirs++;
		}
		ours++;
	}

	return streq(difference->what, "text") && !*theirs && !*ours;
}

/* --- classes: records --- */

static bool reads_record(const struct difference *difference)
{
	return streq(difference->what, "ftrace") ||
	       streq(difference->what, "perf");
}

/* Of long records, a part is printed, with a checksum of the written bytes. */
static bool differs_in_filling(const struct difference *difference)
{
	size_t size = number_in(difference->text, " size=");
	size_t theirs = strtoul(difference->theirs, NULL, 10);
	size_t same = strcspn(difference->theirs, ":") + 2 + 2 * size;
	const char *sum = strstr(difference->theirs, "...");

	if (sum)
		same = sum - difference->theirs + 3 + 16 + 3;

	return reads_record(difference) && theirs >= size &&
	       theirs == strtoul(difference->ours, NULL, 10) &&
	       !strncmp(difference->theirs, difference->ours, same);
}

static bool has_no_fields(const struct difference *difference)
{
	return writes(difference) && streq(difference->what, "result") &&
	       succeeds_only_in_module(difference, "EFAULT") &&
	       !strstr(fields_of(difference->event_command), " ");
}

/*
 * struct place - a field of the event that was written
 * @string: it is a string, or a location of one
 * @loc: it is a location relative to the start of the record
 */
struct place {
	size_t offset;
	bool string;
	bool loc;
};

/*
 * Sufficient for the types of the generated records, which have no other
 * spelling.
 */
static size_t size_of(const char *field)
{
	static const struct {
		const char *type;
		size_t size;
	} types[] = {
		{ "u64 ", 8 },	 { "s64 ", 8 },
		{ "u16 ", 2 },	 { "s16 ", 2 },
		{ "u8 ", 1 },	 { "s8 ", 1 },
		{ "short ", 2 }, { "unsigned short ", 2 },
		{ "char ", 1 },	 { "unsigned char ", 1 },
	};
	const char *number = strrchr(field, ' ');
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (starts_with(field, types[i].type))
			return types[i].size;
	if (starts_with(field, "char[") || starts_with(field, "unsigned char["))
		return strtoul(strchr(field, '[') + 1, NULL, 10);
	if (starts_with(field, "struct ") && number)
		return strtoul(number, NULL, 10);

	return 4;
}

/* The next field of a command, which is split in place. */
static bool next_place(char **rest, size_t *offset, struct place *place,
		       char **field)
{
	*field = strsep(rest, ";");
	if (!*field)
		return false;
	*field += strspn(*field, " ");
	place->offset = *offset;
	place->string = strstr(*field, "char[") ||
			(strstr(*field, "_loc ") && strstr(*field, "char"));
	place->loc = starts_with(*field, "__data_loc ");
	*offset += size_of(*field);

	return true;
}

/* The word at an offset of the record that the operation wrote. */
static bool written_word(const struct difference *difference, size_t offset,
			 uint32_t *word)
{
	const char *at = strstr(difference->text, " size=");
	unsigned char bytes[4];
	unsigned int i;

	at = at ? strchr(at + 1, ' ') : NULL;
	if (!at || strlen(at + 1) < 2 * (offset + sizeof(bytes)))
		return false;
	for (i = 0; i < sizeof(bytes); i++)
		if (sscanf(at + 1 + 2 * (offset + i), "%2hhx", &bytes[i]) != 1)
			return false;
	memcpy(word, bytes, sizeof(*word));

	return true;
}

/* A string that lies within the common fields. */
static bool lies_in_common_fields(const struct difference *difference)
{
	char *copy = strdup(fields_of(difference->event_command));
	char *rest = copy, *field;
	struct place place;
	size_t offset = 0;
	bool found = false;
	uint32_t word;

	while (!found && next_place(&rest, &offset, &place, &field))
		found = place.loc && place.string &&
			written_word(difference, place.offset, &word) &&
			(word & 0xffff) + (word >> 16) <= HEADER;
	free(copy);

	return found && writes(difference);
}

static bool has_string(const struct difference *difference)
{
	return strstr(difference->event_command, "_loc ") &&
	       strstr(difference->event_command, "char") && writes(difference);
}

/*
 * The in-kernel user_events does not validate records that are too large for
 * ftrace.
 */
static bool is_too_large(const struct difference *difference)
{
	return writes(difference) && streq(difference->what, "result") &&
	       strstr(difference->event_command, "_loc ") &&
	       number_in(difference->text, " size=") > FTRACE_MAX &&
	       succeeds_only_in_kernel(difference, "EFAULT");
}

/* One additional byte, which is 0, and padding. */
static bool has_added_nul(const struct difference *difference)
{
	size_t theirs = strtoul(difference->theirs, NULL, 10);
	size_t ours = strtoul(difference->ours, NULL, 10);

	return has_string(difference) && reads_record(difference) &&
	       ours > theirs && ours <= theirs + 8 &&
	       strlen(difference->ours) > 2 &&
	       streq(difference->ours + strlen(difference->ours) - 2, "00");
}

/* Whether the first field of a filter is a string. */
static bool filters_string(const struct difference *difference)
{
	const char *name = difference->command;
	char *copy = strdup(fields_of(difference->event_command));
	char *rest = copy, *field;
	struct place place;
	size_t offset = 0;
	bool found = false;

	name += strspn(name, "!(");
	while (!found && next_place(&rest, &offset, &place, &field)) {
		const char *at = strrchr(field, ' ');

		found = place.string && at &&
			!strncmp(at + 1, name, strcspn(name, " )"));
	}
	free(copy);

	return found && starts_with(difference->text, "filter ") &&
	       (streq(difference->theirs, "EINVAL") ||
		streq(difference->ours, "EINVAL"));
}

/* --- table of classes --- */

/* clang-format off */
#define CLASS(generation_, reach_, matches_, name_) \
	{ .name = (name_), .generation = (generation_), .reach = (reach_), .matches = (matches_) }

static struct diff_class classes[] = {
	CLASS(STATUS, THE_EVENT, is_of_24_bytes, "structure of 24 bytes (Linux 5.18 to 6.0)"),
	CLASS(STATUS, THE_EVENT, is_of_28_bytes, "structure of 28 bytes and more"),
	CLASS(STATUS, THE_EVENT, has_other_fields, "registering a name again with other fields"),
	CLASS(BOTH, THE_EVENT, has_odd_name, "names that no directory can have, or that are taken: enable and filter"),
	CLASS(BOTH, THE_EVENT, has_control, "control characters"),
	CLASS(BOTH, THE_EVENT, has_odd_field_name, "names of fields that are empty, . or .., or have a /"),
	CLASS(BOTH, THE_EVENT, has_misplaced_loc, "__data_loc and __rel_loc anywhere but at the start of a type"),
	CLASS(BOTH, THE_EVENT, has_mask, "__data_loc with a type that contains cpumask_t"),
	CLASS(BOTH, THIS_LINE, differs_in_lengths, "length of an array in format"),
	CLASS(STATUS, THE_EVENT, deletes_unprivileged, "deleting"),
	CLASS(BOTH, THE_EVENT, deletes_respelled, "fields given when deleting through dynamic_events"),
	CLASS(STATUS, THE_EVENT, deletes_by_other_system, "user_events_multi when deleting through dynamic_events"),
	CLASS(STATUS, THIS_OPERATION, has_no_fields, "record of an event without fields"),
	CLASS(BOTH, THIS_OPERATION, is_too_large, "record too large for ftrace, with a word that points outside"),
	CLASS(BOTH, THIS_OPERATION, lies_in_common_fields, "a string that ends before the payload"),
	CLASS(BOTH, THIS_LINE, has_added_nul, "an empty string behind which the record ends"),
	CLASS(BOTH, THIS_LINE, differs_in_filling, "bytes that fill a record up"),
	CLASS(STATUS, THIS_LINE, maps_writable, "writable mapping of the status page"),
	CLASS(STATUS, THIS_LINE, is_dump, "text in trace"),
	CLASS(STATUS, THE_EVENT, filters_string, "filters on strings"),
	CLASS(ENABLER, THE_EVENT, is_of_less_than_28_bytes, "structure of less than 28 bytes"),
	CLASS(ENABLER, THE_EVENT, is_respelled, RESPELLED),
	CLASS(ENABLER, THE_EVENT, has_flags_in_line, "u: in dynamic_events"),
	CLASS(ENABLER, THE_EVENT, is_left,
	      "registration that fails for its address"),
	CLASS(ENABLER, THE_EVENT, was_joined_by_line, "u: for an event that would not stay"),
	CLASS(ENABLER, THE_EVENT, deletes_without_fields, "deleting through dynamic_events without fields"),
	CLASS(ENABLER, THIS_LINE, unregisters_too_large, "structure of DIAG_IOCSUNREG that cannot be read, or is too large"),
	CLASS(ENABLER, THIS_LINE, is_numbered, "text of user_events_status"),
	CLASS(ENABLER, THIS_LINE, has_dots, "text in trace"),
};

/* Not a row of a table: limits in section "The command" of the document. */
struct diff_class limits =
	CLASS(BOTH, THE_EVENT, is_of_other_size, "(the grammar: The command)");
/* clang-format on */

struct diff_class *class_next(const struct diff_class *class,
			      enum generation generation)
{
	unsigned int i = class ? class - classes + 1 : 0;

	while (i < ARRAY_SIZE(classes) && !(classes[i].generation & generation))
		i++;

	return i < ARRAY_SIZE(classes) ? &classes[i] : NULL;
}

struct diff_class *class_by_name(const char *name)
{
	struct diff_class *class = NULL;

	while ((class = class_next(class, BOTH)))
		if (streq(class->name, name))
			return class;

	return &limits;
}

struct diff_class *class_of(const struct difference *difference,
			    enum generation generation)
{
	struct diff_class *class = NULL;

	while ((class = class_next(class, generation)))
		if (class->matches(difference))
			return class;

	return limits.matches(difference) ? &limits : NULL;
}
