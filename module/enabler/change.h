/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Enablers of the calling process.
 */
#ifndef USER_EVENTS_MM_ENABLER_H
#define USER_EVENTS_MM_ENABLER_H

#include <linux/types.h>

struct enabler_bit;
struct user_event;

bool mm_has_enabler(unsigned long address, u8 bit);
int mm_add_enabler(struct user_event *event, const struct enabler_bit *bit);
int mm_remove_enabler(unsigned long address, u8 bit, bool anyway);

#endif /* USER_EVENTS_MM_ENABLER_H */
