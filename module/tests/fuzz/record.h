/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event and a record, used by two targets. The input has a length in two
 * bytes, the fields of the event up to a newline, and the payload. As many
 * filling bytes as the length says are inserted between the words of the fixed
 * part and the rest, so a short input can create a long record.
 */
#ifndef USER_EVENTS_TESTS_FUZZ_RECORD_H
#define USER_EVENTS_TESTS_FUZZ_RECORD_H

#include <linux/types.h>

#include "fuzz.h"

struct event_desc;

/**
 * struct fuzz_record - an event and a record
 * @desc: the event, owned
 * @entry: the record with a zeroed header, in a block of exactly its size,
 *	   owned
 * @size: its size
 */
struct fuzz_record {
	struct event_desc *desc;
	u8 *entry;
	size_t size;
};

bool fuzz_record_init(struct fuzz_record *record, const u8 *data, size_t size,
		      u32 max_fill);
void fuzz_record_destroy(struct fuzz_record *record);
void fuzz_record_seeds(fuzz_add_fn add);

#endif /* USER_EVENTS_TESTS_FUZZ_RECORD_H */
