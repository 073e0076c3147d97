/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Offsets in bytes of two members of the kernel's private struct
 * ftrace_event_field. The module does not use that structure, but the kernel
 * takes the head of an empty list of fields for one; see user_event_create().
 * ue_layout_check() compares the offsets with the BTF of the running kernel.
 */
#ifndef USER_EVENTS_INTERNALS_EVENT_FIELD_H
#define USER_EVENTS_INTERNALS_EVENT_FIELD_H

/* Behind a list head, two pointers and an int. */
#define EVENT_FIELD_OFFSET (4 * sizeof(long) + sizeof(int))
#define EVENT_FIELD_SIZE (EVENT_FIELD_OFFSET + sizeof(int))

#endif /* USER_EVENTS_INTERNALS_EVENT_FIELD_H */
