/* SPDX-License-Identifier: MIT */
/*
 * user-events decode against any bytes, for the fuzzer and for the test that
 * goes through what it found: whatever a file is, what is made of it is in order.
 */
#ifndef DECODE_FUZZ_H
#define DECODE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct format_ops;

/*
 * decode_fuzz_directory() - where it writes; made by the caller
 * decode_fuzz_one() - decodes a file to all formats, and reads these; ends the
 * process when something is not as it should be
 * Return: how many records there were
 */
void decode_fuzz_directory(const char *path);
unsigned long decode_fuzz_one(const uint8_t *input, size_t size);

/*
 * decode_fuzz_to() - decodes a file to one format
 * @path: what to write
 * @problems: set to how many things were wrong with the file
 * Return: how many records there were
 */
unsigned long decode_fuzz_to(const struct format_ops *format,
			     const uint8_t *bytes, size_t size,
			     const char *path, unsigned long *problems);

/* What is in a file, with a NUL behind it, to be released with free(). */
char *decode_fuzz_read(const char *path, size_t *size);

#endif
