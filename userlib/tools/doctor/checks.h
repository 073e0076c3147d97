/* SPDX-License-Identifier: MIT */
/*
 * user-events doctor: its checks, each in the file of its topic. They add
 * findings, and set the results that later checks use.
 */
#ifndef USER_EVENTS_DOCTOR_CHECKS_H
#define USER_EVENTS_DOCTOR_CHECKS_H

#include "doctor/context.h"
#include "doctor/finding.h"

void doctor_check_kernel(struct doctor *doctor);
void doctor_check_lockdown(struct doctor *doctor);
void doctor_check_secure_boot(struct doctor *doctor);
void doctor_check_user(struct doctor *doctor);
void doctor_check_tracefs(struct doctor *doctor);
void doctor_check_module(struct doctor *doctor);
void doctor_check_files(struct doctor *doctor);
void doctor_check_limits(struct doctor *doctor);
void doctor_check_tracing_on(struct doctor *doctor);
void doctor_check_perf(struct doctor *doctor);
void doctor_check_container(struct doctor *doctor);

/* For a kernel that is not running */
void doctor_check_options(struct doctor *doctor);
void doctor_check_symbols(struct doctor *doctor);

#endif
