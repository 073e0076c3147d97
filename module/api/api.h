/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_API_API_H
#define USER_EVENTS_API_API_H

struct user_event_group;

int ue_api_init(struct user_event_group *group);
void ue_api_exit(void);

int ue_api_provide_memory(void);
void ue_api_free_memory(void);

#endif /* USER_EVENTS_API_API_H */
