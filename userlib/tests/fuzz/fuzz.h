/* SPDX-License-Identifier: MIT */
/*
 * A target: what is done with an input that nobody thought of, and what must be
 * true of it.
 */
#ifndef UEV_FUZZ_H
#define UEV_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * struct fuzz_target - a part of the library and how it is tried
 * @name: what it is called
 * @input: tries one input; an expectation that is not met ends the program
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

/* What is not true is a defect, of the library or of the target. */
#define EXPECT(condition)                                          \
	do {                                                       \
		if (!(condition))                                  \
			fuzz_fail(__FILE__, __LINE__, #condition); \
	} while (0)

#endif
