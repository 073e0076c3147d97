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

/* Formats other than text */
#define DECODE_FUZZ_FORMATS 6

/*
 * decode_fuzz_directory() - Returns the output directory, created by the caller
 * decode_fuzz_one() - Decodes a file to all formats and checks them; aborts on
 * a failed check
 * Return: number of records
 * decode_fuzz_turn() - The same, to text and one of the others in turn, for
 * tests of thousands of files
 */
void decode_fuzz_directory(const char *path);
unsigned long decode_fuzz_one(const uint8_t *input, size_t size);
void decode_fuzz_turn(const uint8_t *input, size_t size, unsigned int turn);

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
