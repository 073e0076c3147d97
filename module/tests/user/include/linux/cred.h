/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_CRED_H
#define USER_EVENTS_TESTS_LINUX_CRED_H

typedef struct {
	unsigned int val;
} kuid_t;

#endif /* USER_EVENTS_TESTS_LINUX_CRED_H */
