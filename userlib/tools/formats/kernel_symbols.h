/* SPDX-License-Identifier: MIT */
/*
 * user-events: functions of the running kernel and its modules.
 *
 * The kernel hides their addresses (kernel.kptr_restrict), and has others after
 * each boot. A function is named only if the kernel, or the module, was at the
 * same address when the record was written.
 */
#ifndef USER_EVENTS_FORMATS_KERNEL_SYMBOLS_H
#define USER_EVENTS_FORMATS_KERNEL_SYMBOLS_H

#include <stdint.h>

#include <userevents/session.h>

/*
 * kernel_symbols_mapping() - Gets the mapping of the running kernel or of its
 * module at an address
 *
 * The first call reads /proc/kallsyms and /proc/modules.
 *
 * Return: the mapping, valid until kernel_symbols_release(); NULL if unknown
 */
const struct uev_mapping *kernel_symbols_mapping(uint64_t address);

/*
 * kernel_symbols_find() - Finds the function at an address
 * @mapping: the mapping of the kernel at this address, of a file or a session
 * @distance: set to the bytes from the start of the function
 *
 * Return: the name, valid until kernel_symbols_release(); NULL if unknown, or if
 * the running kernel has another mapping at this address
 */
const char *kernel_symbols_find(const struct uev_mapping *mapping,
				uint64_t address, uint64_t *distance);

/* kernel_symbols_check() - Prints once whether the kernel hides addresses */
void kernel_symbols_check(void);

/* Reads these files instead; for tests. */
void kernel_symbols_load(const char *kallsyms, const char *modules);

void kernel_symbols_release(void);

#endif
