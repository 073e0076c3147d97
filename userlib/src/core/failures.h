/* SPDX-License-Identifier: MIT */
/*
 * Events that the kernel has rejected, until the handler of the program has
 * been called for them.
 */
#ifndef USEREVENTS_CORE_FAILURES_H
#define USEREVENTS_CORE_FAILURES_H

/*
 * struct uev_failure - State of an event, initially all zeros
 * @next, @link: other failures for which the handler must be called
 * @command: command of the event, not owned; valid while @link is set
 * @error: last error of the kernel, 0 if it accepted the event
 */
struct uev_failure {
	struct uev_failure *next;
	struct uev_failure **link;
	const char *command;
	int error;
};

/*
 * uev_failure_set() - Remembers the result of a registration
 * @failure: state of the event
 * @command: its command, until @failure is set to 0
 * @error: a negative errno; 0 if the kernel has the event, or if it is freed
 *
 * The handler is called once for each change. Call it with the lock held.
 */
void uev_failure_set(struct uev_failure *failure, const char *command,
		     int error);

/* uev_failures_report() - Calls the handler; call it without the lock */
void uev_failures_report(void);

/* uev_failures_release() - Removes the handler; call it with the lock held */
void uev_failures_release(void);

#endif
