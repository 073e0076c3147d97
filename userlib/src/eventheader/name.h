/* SPDX-License-Identifier: MIT */
/*
 * Names of EventHeader: of providers, groups, events and fields, and the
 * command that registers a tracepoint.
 */
#ifndef USEREVENTS_EVENTHEADER_NAME_H
#define USEREVENTS_EVENTHEADER_NAME_H

#include <stddef.h>
#include <stdint.h>

#include <userevents/eventheader-types.h>

/* Size of the longest command, including its NUL. */
#define EVENTHEADER_COMMAND_SIZE \
	(UEV_EVENTHEADER_NAME_MAX + sizeof(" " UEV_EVENTHEADER_TYPES))

int uev_eventheader_check_provider(const char *name, const char *group);
int uev_eventheader_check_name(const char *name, size_t *length);
size_t uev_eventheader_command(char *command, const char *provider,
			       const char *group, unsigned int level,
			       uint64_t keyword);

#endif
