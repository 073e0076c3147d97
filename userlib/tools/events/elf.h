/* SPDX-License-Identifier: MIT */
/*
 * user-events: definitions in programs and shared objects.
 *
 * UEV_TRACE() and UEV_TABLE_ENTRY() of C put the addresses of their events into
 * the section "uev_events". UEV_TRACE() and probes of C++ put the names and types
 * of the fields into ".uev_fields", because their events are registered by
 * constructors.
 */
#ifndef USER_EVENTS_EVENTS_ELF_H
#define USER_EVENTS_EVENTS_ELF_H

#include "events/definitions.h"

/*
 * elf_definitions() - Adds the definitions of an ELF file
 * @definitions: receives those that are valid; errors of others are printed
 * @path: the file, of any architecture
 *
 * A file can be hostile: memory and time are limited, also those of a session that
 * reads each program before it starts.
 *
 * Return: 0, also if it has none; an error of open(2) or pread(2); -ENOEXEC if it
 * is not an ELF file; -EBADMSG if the section is malformed or has too many events;
 * -EFBIG if the file has too many sections; -ENOMEM
 */
int elf_definitions(struct definitions *definitions, const char *path);

#endif
