/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that a record does not point outside itself. Pure.
 */
#ifndef USER_EVENTS_FORMAT_VALIDATOR_H
#define USER_EVENTS_FORMAT_VALIDATOR_H

#include <linux/types.h>

struct event_desc;

int ue_record_validate(const struct event_desc *desc, const void *record,
		       size_t len);

#endif /* USER_EVENTS_FORMAT_VALIDATOR_H */
