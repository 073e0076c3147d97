/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The owner, group and mode of an event.
 */
#ifndef USER_EVENTS_EVENT_RIGHTS_H
#define USER_EVENTS_EVENT_RIGHTS_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct seq_file;

/* Bits of a mode, for each of owner, group and others. */
#define RIGHT_REGISTER 02
#define RIGHT_PERF 04

/**
 * struct event_rights - who may use an event
 * @uid: owner, who may also delete it
 * @gid: group
 * @mode: RIGHT_REGISTER: register the event, and write its records then;
 *	  RIGHT_PERF: attach perf without its records
 * @is_set: set by an administrator
 */
struct event_rights {
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
	bool is_set;
};

void ue_rights_init(struct event_rights *rights);
int ue_rights_parse(struct event_rights *rights, const char *flags);
bool ue_rights_permit(const struct event_rights *rights, umode_t right);
void ue_rights_show(struct seq_file *m, const struct event_rights *rights);

#endif /* USER_EVENTS_EVENT_RIGHTS_H */
