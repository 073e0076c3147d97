/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_TIME64_H
#define USER_EVENTS_TESTS_LINUX_TIME64_H

struct timespec64 {
	long long tv_sec;
	long tv_nsec;
};

#endif /* USER_EVENTS_TESTS_LINUX_TIME64_H */
