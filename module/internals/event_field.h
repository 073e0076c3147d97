/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where two members of the kernel's private struct ftrace_event_field are, in
 * bytes. The module has none of these structures, but the kernel takes the head
 * of an empty list of fields for one; see user_event_create(). ue_layout_check()
 * compares the numbers with what the running kernel says about itself.
 */
#ifndef USER_EVENTS_INTERNALS_EVENT_FIELD_H
#define USER_EVENTS_INTERNALS_EVENT_FIELD_H

/* Behind the links of a list, two pointers and a number. */
#define EVENT_FIELD_OFFSET (4 * sizeof(long) + sizeof(int))
#define EVENT_FIELD_SIZE (EVENT_FIELD_OFFSET + sizeof(int))

#endif /* USER_EVENTS_INTERNALS_EVENT_FIELD_H */
