// SPDX-License-Identifier: GPL-2.0-only
#include "format/validator.h"

#include <linux/errno.h>
#include <linux/string.h>

#include "format/fields.h"
#include "limits.h"

/*
 * An empty string: it is checked as a string that ends just before @start. Some
 * readers take the length 0 for "up to the NUL", so a NUL must follow between
 * @start and the end of the record. The bytes of the header are unknown here, but
 * behind them, the word of the string has two NUL bytes: its size.
 *
 * Return: number of NUL bytes to append to the record, or -EFAULT.
 */
static int empty_string_check(const char *record, size_t start, size_t len)
{
	if (start > USER_EVENT_HEADER_SIZE && record[start - 1])
		return -EFAULT;

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
 * ue_record_validate - Checks each word of a record that points at other bytes
 * @desc: the event; its fixed part fits into @len
 * @record: the entry, starting with its header, which is ignored
 * @len: bytes of the entry, header included
 *
 * Return: 0 if the record is valid; 1 if it is valid with a NUL byte appended;
 *	   -EFAULT if a word points outside the record, or at a string that does
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
