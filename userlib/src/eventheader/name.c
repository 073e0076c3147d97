// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "eventheader/name.h"

#define DIGITS "0123456789"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* The last code point of UTF-8. */
#define LAST_CODE_POINT 0x10ffff

/*
 * uev_eventheader_check_provider() - Checks the names of a provider and its
 * group
 * @name: name of the provider
 * @group: group of the provider, "" or NULL for none
 *
 * Return: 0; -EINVAL for an invalid character or an empty name; -ENAMETOOLONG.
 */
int uev_eventheader_check_provider(const char *name, const char *group)
{
	size_t name_length, group_length;

	if (!name || !name[0])
		return -EINVAL;
	if (!group)
		group = "";
	name_length = strlen(name);
	group_length = strlen(group);
	if (strspn(name, UPPER LOWER DIGITS "_") != name_length)
		return -EINVAL;
	if (strspn(group, LOWER DIGITS) != group_length)
		return -EINVAL;
	if (name_length > UEV_EVENTHEADER_PROVIDER_MAX ||
	    group_length > UEV_EVENTHEADER_PROVIDER_MAX - name_length)
		return -ENAMETOOLONG;
	return 0;
}

/*
 * Returns the size of the character at @text, 0 if it is invalid. The NUL at
 * the end of the text is not a continuation byte.
 */
static size_t character(const unsigned char *text)
{
	/* The first code point of that size. */
	static const uint32_t first[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code;
	size_t size, i;

	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc0 || text[0] >= 0xf8)
		return 0;
	size = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	code = text[0] & (0x7fU >> size);
	for (i = 1; i < size; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3fU);
	}
	if (code < first[size] || code > LAST_CODE_POINT ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return size;
}

static bool is_utf8(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t size;

	while (*at) {
		size = character(at);
		if (!size)
			return false;
		at += size;
	}
	return true;
}

/*
 * Tests whether @text, which follows a ';', is name=value;name=value. A ';' in
 * a value is written twice.
 */
static bool is_attributes(const char *text)
{
	for (;;) {
		size_t length = strcspn(text, ";=");

		if (!length || text[length] != '=')
			return false;
		text += length + 1;
		for (;;) {
			text += strcspn(text, ";");
			if (!*text)
				return true;
			if (text[1] != ';')
				break;
			text += 2;
		}
		text++;
	}
}

/* Checks the rest of a name that is not plain, from @at on. */
static __attribute__((__noinline__)) int
check_rest(const char *name, const char *at, size_t *length)
{
	at += strcspn(at, ";");
	if (*at && !is_attributes(at + 1))
		return -EINVAL;
	if (!is_utf8(name))
		return -EILSEQ;
	*length = strlen(name);
	return 0;
}

/*
 * uev_eventheader_check_name() - Checks the name of an event or field
 * @name: "name;attribute=value"
 * @length: set to its size without NUL if it is valid
 *
 * Return: 0; -EINVAL for malformed attributes; -EILSEQ if it is not UTF-8.
 */
int uev_eventheader_check_name(const char *name, size_t *length)
{
	const char *at = name;

	if (!name)
		return -EINVAL;
	/* Nearly all names consist of letters and end here. */
	while ((signed char)*at > 0 && *at != ';')
		at++;
	*length = (size_t)(at - name);
	return *at ? check_rest(name, at, length) : 0;
}

/*
 * uev_eventheader_command() - Builds the command of a tracepoint
 * @command: EVENTHEADER_COMMAND_SIZE bytes
 * @provider: passed uev_eventheader_check_provider(), as has @group
 * @level: 1 to 255
 *
 * Return: length of the command without NUL.
 */
size_t uev_eventheader_command(char *command, const char *provider,
			       const char *group, unsigned int level,
			       uint64_t keyword)
{
	const char *option = group && group[0] ? "G" : "";
	int length = snprintf(command, EVENTHEADER_COMMAND_SIZE,
			      "%s_L%xK%" PRIx64 "%s%s %s", provider, level,
			      keyword, option, group ? group : "",
			      UEV_EVENTHEADER_TYPES);

	return (size_t)length;
}
