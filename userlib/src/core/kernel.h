/* SPDX-License-Identifier: MIT */
/* The kernel's user_events: an open user_events_data and its interface. */
#ifndef USEREVENTS_CORE_KERNEL_H
#define USEREVENTS_CORE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sys.h"

enum uev_abi {
	UEV_ABI_NONE, /* nothing is open */
	UEV_ABI_ENABLER, /* the kernel writes to the program's words */
	UEV_ABI_STATUS, /* the kernel writes to a page that all processes map */
};

/*
 * struct uev_kernel - user_events as opened by a process
 * @abi: the interface
 * @fd: user_events_data
 * @id: its identity, because the program can close it and open another file
 *        with the same number
 * @cookie: what only this open file has, or 0 if the kernel has no cookies
 * @page: user_events_status, for UEV_ABI_STATUS; written by the kernel
 * @path: path of the open file, or of the one with the reported error; empty if
 *        no path was used
 */
struct uev_kernel {
	enum uev_abi abi;
	int fd;
	struct uev_file_id id;
	uint64_t cookie;
	const uint8_t *page;
	char path[256];
};

/*
 * struct uev_word - Arguments and results of a registration with the kernel
 * @address: the word of which an enabler sets a bit
 * @enable_bit: number of that bit
 * @enable_size: size of the word, at whose multiple it is
 * @command: from uev_command_check()
 * @flags: UEV_PERSIST, UEV_MULTI_FORMAT
 * @index: out: write index, the first bytes of a record
 * @bit: out: number of the bit in @page, for UEV_ABI_STATUS
 * @error: out: of a list of words, 0 or a negative errno
 */
struct uev_word {
	void *address;
	const char *command;
	uint16_t flags;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint32_t index;
	uint32_t bit;
	int error;
};

/* Maximum number of words of a list. */
#define UEV_WORDS_MAX 64

/*
 * uev_kernel_find() - Opens user_events at the usual paths or at one path
 * @kernel: filled in; on error @path is the last one that was tried
 * @path: a directory, user_events_data itself, or the socket of a broker that
 *        passes it; NULL for the usual paths
 * @lowest: lowest number of the file, unless the limit of open files is lower
 *
 * Return: 0; -ENXIO if no tracefs is mounted; -ENOPKG if tracefs has no
 * user_events; -ESHUTDOWN if the module is about to be replaced; or another
 * error. On error no file is open.
 */
int uev_kernel_find(struct uev_kernel *kernel, const char *path, int lowest);

/*
 * uev_kernel_adopt() - Uses files that another process or the program has
 * opened
 * @kernel: filled in
 * @data: user_events_data, open for writing; still owned by the caller
 * @status: user_events_status, open for reading; -1 if it should be located
 * @lowest: as for uev_kernel_find()
 *
 * Return: 0 or a negative errno.
 */
int uev_kernel_adopt(struct uev_kernel *kernel, int data, int status,
		     int lowest);

/* What happened to the open file. */
enum uev_kernel_state {
	UEV_KERNEL_OPEN, /* nothing */
	UEV_KERNEL_CLOSED, /* the program has closed it */
	UEV_KERNEL_MUST_CLOSE, /* the module is about to be replaced */
};

enum uev_kernel_state uev_kernel_state(const struct uev_kernel *kernel);

/*
 * uev_kernel_reopen() - Opens user_events again after the program has closed it
 * @kernel: the closed file; its number is not used again
 * @path: as for uev_kernel_find()
 *
 * Events of the closed file are still registered, and can be unregistered with
 * the new one. It is therefore opened even if the module is about to be
 * replaced.
 *
 * Return: as uev_kernel_find().
 */
int uev_kernel_reopen(struct uev_kernel *kernel, const char *path);

/*
 * uev_kernel_reopen_same() - The same at the path of the closed file only
 *
 * Async-signal-safe.
 */
int uev_kernel_reopen_same(struct uev_kernel *kernel);

/* uev_kernel_close() - Frees everything; another file stays open */
void uev_kernel_close(struct uev_kernel *kernel);

/*
 * uev_kernel_header() - Returns the bytes of a recorded entry in front of the
 * payload
 *
 * Set when user_events is opened for the first time, and then the same until
 * uev_kernel_forget_header(), because the formats and the records of registered
 * events depend on it. Async-signal-safe; needs no lock.
 *
 * Return: the size; 0 if the kernel does not tell it; -1 before.
 */
int uev_kernel_header(void);
void uev_kernel_forget_header(void);

int uev_kernel_register(const struct uev_kernel *kernel, struct uev_word *word);

/*
 * uev_kernel_register_list() - Registers several words with one call
 *
 * A word with an error, such as all if the kernel has no lists, is not registered,
 * and uev_kernel_register() tells the reason.
 */
void uev_kernel_register_list(const struct uev_kernel *kernel,
			      struct uev_word *words, size_t count);

/*
 * uev_kernel_unregister() - Unregisters a word, and clears its bit
 * @word: only @address and @enable_bit are used
 *
 * After a return value of 0 the kernel does not access the word any more.
 */
int uev_kernel_unregister(const struct uev_kernel *kernel,
			  const struct uev_word *word);

/* Unregisters words in the same way, and sets @error. */
void uev_kernel_unregister_list(const struct uev_kernel *kernel,
				struct uev_word *words, size_t count);

#endif
