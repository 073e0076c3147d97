/* SPDX-License-Identifier: MIT */
/*
 * Small files of tracefs, sysfs and procfs, whose size is unknown before
 * reading.
 */
#ifndef USEREVENTS_UTIL_TEXT_FILE_H
#define USEREVENTS_UTIL_TEXT_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads a whole file.
 * @text: set to its NUL-terminated content, which the caller frees
 * @size: set to its size without the NUL; or NULL
 *
 * Return: 0; an error of open(2) or read(2); -EFBIG; -ENOMEM
 */
int uev_text_file_read(const char *path, char **text, size_t *size);

/* Reads a file of /proc/PID, as uev_text_file_read(). */
int uev_text_file_of_process(uint32_t pid, const char *name, char **text,
			     size_t *size);

/* Reads a decimal number from a file. Return: 0 or a negative errno */
int uev_text_file_number(const char *path, uint32_t *number);

#endif
