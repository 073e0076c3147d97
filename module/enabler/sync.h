/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Updates the words of enablers.
 */
#ifndef USER_EVENTS_ENABLER_SYNC_H
#define USER_EVENTS_ENABLER_SYNC_H

struct user_event;

void ue_enablers_update(struct user_event *event);
void ue_mm_sync_exit(void);

#endif /* USER_EVENTS_ENABLER_SYNC_H */
