/* SPDX-License-Identifier: MIT */
/*
 * user-events: the capabilities that the file of the program gives to users who
 * have none.
 */
#ifndef USER_EVENTS_CAPABILITIES_H
#define USER_EVENTS_CAPABILITIES_H

/*
 * With COLLECT=yes, the file has CAP_PERFMON, so that each member of a group
 * records events. In the module, this capability also replaces the rights of
 * events and the limits of users, which members are not to get.
 *
 * capabilities_lower() - Does without them
 *
 * Root keeps its capabilities, and so does a process that was started without
 * such a file (AT_SECURE).
 */
void capabilities_lower(void);

/* capabilities_raise() - Has them again after capabilities_lower() */
void capabilities_raise(void);

#endif
