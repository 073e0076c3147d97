// SPDX-License-Identifier: GPL-2.0-only
#include "format/validator.h"

#include <linux/errno.h>
#include <linux/string.h>

#include "format/fields.h"
#include "limits.h"

/*
 * A word that says "0 bytes" is checked as if the string ended just before the
 * place. Readers take the length 0 for "up to the NUL", so there must be one
 * between the place and the end, and what the header will hold is not known.
 *
 * Return: number of NUL bytes that are missing behind the record, or -EFAULT.
 */
static int empty_string_check(const char *record, size_t start, size_t len)
{
	if (start > USER_EVENT_HEADER_SIZE && record[start - 1])
		return -EFAULT;

	if (start < USER_EVENT_HEADER_SIZE)
		start = USER_EVENT_HEADER_SIZE;

	return memchr(record + start, '\0', len - start) ? 0 : 1;
}

static int string_check(const char *record, size_t end)
{
	if (end <= USER_EVENT_HEADER_SIZE || record[end - 1])
		return -EFAULT;

	return 0;
}

static int loc_check(const struct event_loc *loc, const char *record,
		     size_t len)
{
	size_t start, size;
	u32 word;

	memcpy(&word, record + loc->offset, sizeof(word));
	start = word & 0xffff;
	size = word >> 16;

	if (loc->relative)
		start += loc->offset + sizeof(word);

	if (start > len || size > len - start)
		return -EFAULT;

	if (!loc->string)
		return 0;

	if (!size)
		return empty_string_check(record, start, len);

	return string_check(record, start + size);
}

/**
 * ue_record_validate - Checks every word of a record that points at other bytes
 * @desc: the event; its fixed part fits into @len
 * @record: the entry from its header on; the header may be anything
 * @len: bytes of the entry, the header included
 *
 * Return: 0; 1 if the record is sound once a NUL byte stands behind it;
 *	   -EFAULT if a word points outside the record or at a string that does
 *	   not end with a NUL.
 */
int ue_record_validate(const struct event_desc *desc, const void *record,
		       size_t len)
{
	int missing = 0;
	int ret;
	u32 i;

	for (i = 0; i < desc->nr_locs; i++) {
		ret = loc_check(&desc->locs[i], record, len);
		if (ret < 0)
			return ret;

		missing |= ret;
	}

	return missing;
}
