/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of the status bits, which processes map.
 */
#ifndef USER_EVENTS_TRACEFS_STATUS_PAGE_H
#define USER_EVENTS_TRACEFS_STATUS_PAGE_H

struct user_event_group;
struct vm_area_struct;

int ue_status_page_init(struct user_event_group *group, unsigned int pages);
void ue_status_page_exit(struct user_event_group *group);
int ue_status_page_mmap(struct user_event_group *group,
			struct vm_area_struct *vma);

#endif /* USER_EVENTS_TRACEFS_STATUS_PAGE_H */
