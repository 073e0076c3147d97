/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_TRACEPOINT_DEFS_H
#define USER_EVENTS_TESTS_LINUX_TRACEPOINT_DEFS_H

struct tracepoint {
	const char *name;
};

#endif /* USER_EVENTS_TESTS_LINUX_TRACEPOINT_DEFS_H */
