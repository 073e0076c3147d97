/* SPDX-License-Identifier: MIT */
/* user-events doctor: findings and the verdict, as text and as JSON. */
#ifndef USER_EVENTS_DOCTOR_PRINT_H
#define USER_EVENTS_DOCTOR_PRINT_H

#include "doctor/doctor.h"
#include "doctor/selftest.h"

/* Tests whether events can be written, and recorded with ftrace and perf. */
bool selftest_works(const struct selftest_verdict *verdict);

void doctor_print_findings(const struct doctor *doctor);
void doctor_print_verdict(const struct selftest_verdict *verdict);

/* @verdict: NULL: of a kernel that is not running */
void doctor_print_json(const struct doctor *doctor,
		       const struct selftest_verdict *verdict);

#endif
