/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TRACEFS_IOCTL_H
#define USER_EVENTS_TRACEFS_IOCTL_H

struct event_refs;
struct user_event_group;
struct user_prefix;
struct user_reg_list;

long ue_ioctl(struct user_event_group *group, struct event_refs *refs,
	      unsigned int command, unsigned long argument);
long ue_ioctl_list(struct user_event_group *group, struct event_refs *refs,
		   const struct user_reg_list __user *argument);
long ue_set_prefix(struct event_refs *refs,
		   const struct user_prefix __user *argument);

#endif /* USER_EVENTS_TRACEFS_IOCTL_H */
