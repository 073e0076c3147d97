/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_EMIT_RECORD_H
#define USER_EVENTS_EMIT_RECORD_H

#include <linux/types.h>

/**
 * struct event_record - a record as tracers get it
 * @entry: its bytes, starting with a zeroed header; followed by zero bytes up
 *	   to the next multiple of 8, and 8 more
 * @len: number of its bytes, header included
 */
struct event_record {
	const void *entry;
	size_t len;
};

#endif /* USER_EVENTS_EMIT_RECORD_H */
