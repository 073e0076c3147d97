/* SPDX-License-Identifier: MIT */
/*
 * user-events: an event that is really registered, written and read back.
 */
#ifndef USER_EVENTS_DOCTOR_SELFTEST_H
#define USER_EVENTS_DOCTOR_SELFTEST_H

#include <stdbool.h>

#include "doctor/doctor.h"

/*
 * doctor_selftest() - tries user_events on this machine, and adds what it finds
 *
 * Reads once through an instance of ftrace of its own, and once through perf.
 * Leaves nothing behind; signals that end a program wait until it is over.
 *
 * Return: whether the event came through both.
 */
bool doctor_selftest(struct doctor *doctor);

#endif
