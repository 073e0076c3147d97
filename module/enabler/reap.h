/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_MM_REAP_H
#define USER_EVENTS_MM_REAP_H

struct user_event;

int mms_init(void);
void mms_exit(void);

void mms_schedule_reap(void);
void mms_reap_event(struct user_event *event);

#endif /* USER_EVENTS_MM_REAP_H */
