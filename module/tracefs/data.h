/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_DATA_FILE_H
#define USER_EVENTS_DATA_FILE_H

#include "event/refs.h"

struct user_event_group;

/**
 * struct data_file - an open user_events_data
 * @group: the registry
 * @refs: the events that can be written through this file
 */
struct data_file {
	struct user_event_group *group;
	struct event_refs refs;
};

#endif /* USER_EVENTS_DATA_FILE_H */
