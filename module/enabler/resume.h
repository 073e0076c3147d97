/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lets a process check its words before it returns to user space.
 */
#ifndef USER_EVENTS_ENABLER_RESUME_H
#define USER_EVENTS_ENABLER_RESUME_H

#include <linux/types.h>

struct mm_notice;
struct user_event_mm;

void ue_mm_resume_exit(void);

void ue_mm_request_check(struct user_event_mm *entry);
void ue_mm_request_check_locked(struct user_event_mm *entry);
void ue_mm_task_added_locked(struct user_event_mm *entry);
void ue_mm_check(struct user_event_mm *entry);
void ue_mm_check_now(struct user_event_mm *entry);
bool ue_mm_is_settled_locked(const struct user_event_mm *entry);
void ue_mms_update_start(void);
void ue_mms_update_end(void);
void ue_mm_forget_notices(struct user_event_mm *entry);

#endif /* USER_EVENTS_ENABLER_RESUME_H */
