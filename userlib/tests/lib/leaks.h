/* SPDX-License-Identifier: MIT */
/*
 * Tells LeakSanitizer which processes can have leaked memory. Each test is a
 * process, and a search for leaks at its end takes longer than most tests. It is
 * only needed if something that was allocated was not freed.
 */
#ifndef LEAKS_H
#define LEAKS_H

#include <stddef.h>

/* leaks_init() - Prepares to count; does nothing without the address sanitizer */
void leaks_init(void);

/*
 * leaks_start() - Counts allocations from now on
 *
 * Called in the process of a test, before its set-up. Other processes, and those
 * in which a test did not free everything, are searched.
 */
void leaks_start(void);

/*
 * leaks_pause() - Leaves out allocations of this thread from now on
 *
 * Only for those that stay reachable, until leaks_resume().
 */
void leaks_pause(void);
void leaks_resume(void);

/* Of the address sanitizer. They also see allocations of the C library. */
int __sanitizer_install_malloc_and_free_hooks(
	void (*malloc_hook)(const volatile void *, size_t),
	void (*free_hook)(const volatile void *));
int __lsan_is_turned_off(void);

#endif
