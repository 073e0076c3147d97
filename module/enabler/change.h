/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Enablers of the calling process.
 */
#ifndef USER_EVENTS_ENABLER_CHANGE_H
#define USER_EVENTS_ENABLER_CHANGE_H

#include <linux/types.h>

struct enabler_bit;
struct user_event;
struct user_event_mm;

struct user_event_mm *ue_mm_get_without(unsigned long address, u8 bit);
int ue_mm_add_enabler(struct user_event_mm *known, struct user_event *event,
		      const struct enabler_bit *bit);
int ue_mm_remove_enabler(unsigned long address, u8 bit, bool force);

#endif /* USER_EVENTS_ENABLER_CHANGE_H */
