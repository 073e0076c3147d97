/* SPDX-License-Identifier: MIT */
/*
 * The command that describes an event to the kernel. Pure: text in, text out.
 */
#ifndef USEREVENTS_CORE_COMMAND_H
#define USEREVENTS_CORE_COMMAND_H

#include <stddef.h>
#include <userevents/userevents.h>

/* A command as the kernel takes it, with its end. */
#define UEV_COMMAND_SIZE (UEV_COMMAND_MAX + 1)

/* Characters of the name of an event: it is the name of a directory. */
#define UEV_NAME_MAX 255

/*
 * struct uev_command - a command that has been checked
 * @text: "name type field; type field size", with one space wherever there may
 *	  be some and nothing behind the last field: some kernels do not know an
 *	  event again that is written in another way
 * @payload_min: bytes of a record that the fields take at least
 */
struct uev_command {
	char text[UEV_COMMAND_SIZE];
	size_t payload_min;
};

/*
 * uev_command_check() - reads a command, and writes it as all kernels want it
 * @command: receives it
 * @text: "name type field; ...", or what a tracepoint macro has made
 *
 * Return: 0; -E2BIG if the text is too long for the kernel or the fields are
 * for any reader; -EINVAL if it says anything that the kernel does not know.
 */
int uev_command_check(struct uev_command *command, const char *text);

/* What the kernel calls a type of enum uev_type; NULL if there is none such. */
const char *uev_type_text(unsigned int type);

#endif
