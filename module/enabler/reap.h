/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_ENABLER_REAP_H
#define USER_EVENTS_ENABLER_REAP_H

struct user_event;

int ue_mms_init(void);
void ue_mms_exit(void);

void ue_mms_schedule_reap(void);
void ue_mms_reap_event(struct user_event *event);

#endif /* USER_EVENTS_ENABLER_REAP_H */
