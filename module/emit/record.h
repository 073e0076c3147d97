/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_EMIT_RECORD_H
#define USER_EVENTS_EMIT_RECORD_H

#include <linux/types.h>

/**
 * struct event_record - an entry as readers get it
 * @entry: its bytes from the header on, which is zero; zero bytes follow it up
 *	   to the next multiple of 8, and 8 more
 * @len: number of its bytes, the header included
 */
struct event_record {
	const void *entry;
	size_t len;
};

#endif /* USER_EVENTS_EMIT_RECORD_H */
