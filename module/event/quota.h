/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each user has of the things that are limited per user.
 */
#ifndef USER_EVENTS_EVENT_QUOTA_H
#define USER_EVENTS_EVENT_QUOTA_H

#include <linux/types.h>
#include <linux/uidgid.h>

/**
 * struct user_limits - what a user without CAP_PERFMON can have
 * @events: events, or 0: half of what the machine can have
 * @enablers: enablers, or 0: no limit
 *
 * The administrator can change them at any time.
 */
struct user_limits {
	unsigned int events;
	unsigned int enablers;
};

extern struct user_limits ue_user_limits;

/**
 * struct user_quota - what a user has
 * @node: entry in the table of users
 * @uid: the user; constant
 * @refs: number of events and sets of enablers that refer to it
 * @events: events that the user has created, under event_mutex
 * @enablers: enablers in sets that the user has created, under event_mutex
 *
 * quotas_lock protects @node and @refs.
 */
struct user_quota {
	struct hlist_node node;
	kuid_t uid;
	unsigned int refs;
	unsigned int events;
	unsigned int enablers;
};

struct user_quota *ue_quota_get(void);
void ue_quota_put(struct user_quota *quota);
bool ue_quota_permits(unsigned int used, unsigned int limit);

#endif /* USER_EVENTS_EVENT_QUOTA_H */
