/* SPDX-License-Identifier: MIT */
/*
 * user-events decode with any input, for the fuzzer and for the test of its
 * corpus: the output is valid for any file.
 */
#ifndef DECODE_FUZZ_H
#define DECODE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct sink_ops;

/*
 * decode_fuzz_directory() - Returns the output directory, created by the caller
 * decode_fuzz_one() - Decodes a file to all formats and checks them; aborts on
 * a failed check
 * Return: number of records
 */
void decode_fuzz_directory(const char *path);
unsigned long decode_fuzz_one(const uint8_t *input, size_t size);

/*
 * decode_fuzz_to() - Decodes a file to one format
 * @path: output path
 * @problems: set to the number of problems of the file
 * Return: number of records
 */
unsigned long decode_fuzz_to(const struct sink_ops *format,
			     const uint8_t *bytes, size_t size,
			     const char *path, unsigned long *problems);

/* Returns the NUL-terminated content of a file, for free(). */
char *decode_fuzz_read(const char *path, size_t *size);

#endif
