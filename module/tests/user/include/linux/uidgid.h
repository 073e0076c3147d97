/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_UIDGID_H
#define USER_EVENTS_TESTS_LINUX_UIDGID_H

typedef struct {
	unsigned int val;
} kuid_t;

typedef struct {
	unsigned int val;
} kgid_t;

#endif /* USER_EVENTS_TESTS_LINUX_UIDGID_H */
