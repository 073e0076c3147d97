/* SPDX-License-Identifier: MIT */
/* user-events: deletion of events, and who uses those that stay. */
#ifndef USER_EVENTS_EVENTS_DELETE_H
#define USER_EVENTS_EVENTS_DELETE_H

#include "events/events.h"

/*
 * events_delete() - Deletes the selected events, after events_details() with
 * EVENTS_USES
 *
 * Return: TOOL_OK, or TOOL_FAILED if one stays, and the reason is printed
 */
int events_delete(const struct events *events);

#endif
