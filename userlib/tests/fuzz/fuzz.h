/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target: the processing of an input, and the properties that must hold.
 */
#ifndef UEV_FUZZ_H
#define UEV_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * struct fuzz_target - A part of the library with its processing
 * @name: name of the target
 * @input: processes one input; aborts if a property does not hold
 */
struct fuzz_target {
	const char *name;
	void (*input)(const uint8_t *data, size_t size);
};

extern const struct fuzz_target decode_target;
extern const struct fuzz_target event_target;
extern const struct fuzz_target perf_data_target;
extern const struct fuzz_target record_target;
extern const struct fuzz_target schema_target;

void fuzz_fail(const char *file, int line, const char *what)
	__attribute__((__noreturn__));
void *fuzz_alloc(size_t size);
char *fuzz_text(const uint8_t *data, size_t size);

/* A failed expectation is a bug of the library or of the target. */
#define EXPECT(condition)                                          \
	do {                                                       \
		if (!(condition))                                  \
			fuzz_fail(__FILE__, __LINE__, #condition); \
	} while (0)

#endif
