/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assembles a record from the values of its fields. Pure.
 */
#ifndef USER_EVENTS_FORMAT_ASSEMBLY_H
#define USER_EVENTS_FORMAT_ASSEMBLY_H

#include <linux/types.h>

struct event_desc;
struct event_field;

/**
 * struct record_assembly - a record that is being assembled
 * @desc: its event
 * @entry: its bytes, starting with the header, which is zero
 * @room: bytes of @entry that the record can have
 * @len: bytes of the record so far, header included
 */
struct record_assembly {
	const struct event_desc *desc;
	u8 *entry;
	size_t room;
	size_t len;
};

int ue_assembly_start(struct record_assembly *to, const struct event_desc *desc,
		      void *entry, size_t room);
const struct event_field *ue_assembly_find(const struct record_assembly *to,
					   const char *name);
int ue_assembly_number(struct record_assembly *to,
		       const struct event_field *field, u64 value);
int ue_assembly_bytes(struct record_assembly *to,
		      const struct event_field *field, const void *bytes,
		      size_t size);
int ue_assembly_end(struct record_assembly *to);

#endif /* USER_EVENTS_FORMAT_ASSEMBLY_H */
