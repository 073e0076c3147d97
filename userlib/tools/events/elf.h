/* SPDX-License-Identifier: MIT */
/*
 * user-events: definitions in programs and shared objects.
 *
 * UEV_TRACE() and UEV_TABLE_ENTRY() of C put the addresses of their events into
 * the section "uev_events". UEV_TRACE() of C++ puts the names and types of the
 * fields into ".uev_fields", because its events are registered by constructors.
 */
#ifndef USER_EVENTS_EVENTS_ELF_H
#define USER_EVENTS_EVENTS_ELF_H

#include "events/definitions.h"

/*
 * elf_definitions() - Adds the definitions of an ELF file
 * @definitions: receives those that are valid; errors of others are printed
 * @path: the file, of any architecture
 *
 * Return: 0, also if it has none; an error of open(2); -ENOEXEC if it is not an
 * ELF file; -EBADMSG if the section is malformed; -EOPNOTSUPP if the program was
 * built without libelf
 */
int elf_definitions(struct definitions *definitions, const char *path);

#endif
