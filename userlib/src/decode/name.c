// SPDX-License-Identifier: MIT
/* Provider, level and keyword in the name of a tracepoint. */
#include <userevents/decode.h>

#include <errno.h>
#include <string.h>

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';

	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;

	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_value(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/*
 * Parses a letter and a number of at most @max hexadecimal digits.
 * Return: the rest, or NULL.
 */
static const char *read_hex(const char *at, char letter, size_t max,
			    uint64_t *number)
{
	size_t i;

	if (*at++ != letter)
		return NULL;

	*number = 0;
	for (i = 0; digit_of(at[i]) >= 0; i++) {
		if (i == max)
			return NULL;
		*number = *number << 4 | (uint64_t)digit_of(at[i]);
	}

	return i ? at + i : NULL;
}

static int read_options(struct uev_eventheader_name *parts, const char *at)
{
	char last = '@'; /* before 'A' */

	parts->options = at;
	while (*at > last && *at <= 'Z') {
		last = *at++;
		if (last == 'G')
			parts->group = at;
		while (is_value(*at))
			at++;
		if (last == 'G')
			parts->group_size = (size_t)(at - parts->group);
	}
	parts->options_size = (size_t)(at - parts->options);

	return *at ? -EINVAL : 0;
}

int uev_eventheader_name_parse(struct uev_eventheader_name *parts,
			       const char *name)
{
	const char *at = strrchr(name, '_');
	uint64_t level;

	*parts = (struct uev_eventheader_name){ .provider = name };

	if (!at || at == name ||
	    strnlen(name, UEV_EVENTHEADER_NAME_MAX + 1) >
		    UEV_EVENTHEADER_NAME_MAX)
		return -EINVAL;
	parts->provider_size = (size_t)(at - name);
	if (strcspn(name, " :") < parts->provider_size)
		return -EINVAL;

	at = read_hex(at + 1, 'L', 2, &level);
	if (!at)
		return -EINVAL;
	parts->level = (uint8_t)level;

	at = read_hex(at, 'K', 16, &parts->keyword);
	return at ? read_options(parts, at) : -EINVAL;
}
