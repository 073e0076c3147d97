/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_ENABLER_CHECK_H
#define USER_EVENTS_ENABLER_CHECK_H

struct user_event_mm;

int ue_mm_check_words(struct user_event_mm *entry);

#endif /* USER_EVENTS_ENABLER_CHECK_H */
