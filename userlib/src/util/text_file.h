/* SPDX-License-Identifier: MIT */
/*
 * The small files of tracefs, sysfs and procfs, which do not tell their size.
 */
#ifndef USEREVENTS_UTIL_TEXT_FILE_H
#define USEREVENTS_UTIL_TEXT_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads a whole file.
 * @text: set to what is in it and a NUL, which the caller frees
 * @size: set to how much that is, without the NUL; or NULL
 *
 * Return: 0, what open(2) or read(2) answers, -EFBIG, -ENOMEM
 */
int uev_text_file_read(const char *path, char **text, size_t *size);

/* Reads a decimal number from a file. Return: 0 or a negative errno */
int uev_text_file_number(const char *path, uint32_t *number);

#endif
