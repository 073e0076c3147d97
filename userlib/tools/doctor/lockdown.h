/* SPDX-License-Identifier: MIT */
/* user-events: what lockdown and Secure Boot forbid. */
#ifndef USER_EVENTS_DOCTOR_LOCKDOWN_H
#define USER_EVENTS_DOCTOR_LOCKDOWN_H

#include <stdbool.h>

#include "doctor/context.h"
#include "doctor/finding.h"

/*
 * struct lockdown - What the kernel forbids
 * @tracing: tracing is disabled
 * @unsigned_modules: only modules with a trusted signature can be loaded
 * @signed_modules: the same, and the key that signs modules is not trusted
 */
struct lockdown {
	bool tracing;
	bool unsigned_modules;
	bool signed_modules;
};

/*
 * lockdown_examine() - Adds findings on lockdown and Secure Boot
 * @config: configuration of the kernel, or NULL
 * @needs_module: the module is neither loaded nor built in
 */
void lockdown_examine(struct doctor *doctor, struct lockdown *lockdown,
		      const struct doctor_context *context, const char *config,
		      bool needs_module);

#endif
