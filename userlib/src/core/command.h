/* SPDX-License-Identifier: MIT */
/* The command that describes an event to the kernel. Without side effects. */
#ifndef USEREVENTS_CORE_COMMAND_H
#define USEREVENTS_CORE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <userevents/userevents.h>

/* Size of a command for the kernel, with its NUL. */
#define UEV_COMMAND_SIZE (UEV_COMMAND_MAX + 1)

/* Maximum length of the name of an event, which is the name of a directory. */
#define UEV_NAME_MAX 255

/*
 * struct uev_command - A command that has been checked
 * @text: "name type field; type field size", with single spaces and nothing
 *        after the last field, because some kernels compare the text
 * @payload_min: minimum bytes of a record that the fields take
 * @has_types: it was described by types, so the library lays its records out
 */
struct uev_command {
	char text[UEV_COMMAND_SIZE];
	size_t payload_min;
	bool has_types;
};

/*
 * uev_command_check() - Parses a command and writes it in the form for all
 * kernels
 * @command: receives it
 * @text: "name type field; ...", or the output of a tracepoint macro
 *
 * Return: 0; -E2BIG if the text is too long for the kernel or the fields are
 * too large for all tracers; -EINVAL if it is invalid.
 */
int uev_command_check(struct uev_command *command, const char *text);

/*
 * uev_command_relative() - Replaces __data_loc by __rel_loc
 * @relative: receives the command: UEV_COMMAND_SIZE bytes
 * @text: text of a command
 *
 * Async-signal-safe.
 */
void uev_command_relative(char *relative, const char *text);

/* Tests whether a type of enum uev_type exists. */
bool uev_type_is_known(unsigned int type);

#endif
