/* SPDX-License-Identifier: MIT */
/*
 * The kernel's user_events, once it has been found: an open user_events_data,
 * and which of the two interfaces is behind it.
 */
#ifndef USEREVENTS_CORE_KERNEL_H
#define USEREVENTS_CORE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum uev_abi {
	UEV_ABI_NONE, /* nothing is open */
	UEV_ABI_ENABLER, /* the kernel writes to the program's words */
	UEV_ABI_STATUS, /* the kernel writes to a page that all map */
};

/*
 * struct uev_kernel - user_events as a process has it open
 * @abi: the interface
 * @fd: user_events_data
 * @page: user_events_status, for UEV_ABI_STATUS; the kernel changes it
 * @path: what was opened, or what could not be and why that was not; empty if
 *	  no path had to do with it
 */
struct uev_kernel {
	enum uev_abi abi;
	int fd;
	const uint8_t *page;
	char path[256];
};

/*
 * struct uev_word - what the kernel is told of an event, and says
 * @address: the word, whose bit 0 an enabler sets
 * @command: as from uev_command_check()
 * @flags: UEV_PERSIST, UEV_MULTI_FORMAT
 * @index: out: what a record begins with
 * @bit: out: the number of the bit in @page, for UEV_ABI_STATUS
 */
struct uev_word {
	uint32_t *address;
	const char *command;
	unsigned int flags;
	uint32_t index;
	uint32_t bit;
};

/*
 * uev_kernel_find() - looks in all places that are usual, or in one
 * @kernel: filled in; @path says what was tried last if it fails
 * @path: a directory, or user_events_data itself; NULL for the usual ones
 *
 * Return: 0; -ENOTSUP if there is no tracefs; -ENOENT if there is one, without
 * user_events; or why what is there cannot be used. Nothing is open then.
 */
int uev_kernel_find(struct uev_kernel *kernel, const char *path);

/*
 * uev_kernel_adopt() - uses what another process or the program has opened
 * @kernel: filled in
 * @data: user_events_data, to write; stays the caller's
 * @status: user_events_status, to read; -1 if there is none, and it is looked
 *	    for if it is needed
 */
int uev_kernel_adopt(struct uev_kernel *kernel, int data, int status);

/*
 * uev_kernel_reopen() - opens anew what was closed behind the library's back
 * @kernel: what is not open any more; its number is not used again
 * @path: as for uev_kernel_find()
 */
int uev_kernel_reopen(struct uev_kernel *kernel, const char *path);

/* uev_kernel_close() - gives everything back */
void uev_kernel_close(struct uev_kernel *kernel);

int uev_kernel_register(const struct uev_kernel *kernel, struct uev_word *word);

/* The word is not touched any more when this has returned 0. */
int uev_kernel_unregister(const struct uev_kernel *kernel, uint32_t *address);

#endif
