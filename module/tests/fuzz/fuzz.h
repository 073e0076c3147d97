/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzz target: a function that runs with arbitrary input, and checks the
 * result.
 */
#ifndef USER_EVENTS_TESTS_FUZZ_H
#define USER_EVENTS_TESTS_FUZZ_H

#include <linux/types.h>

/* Adds one seed of a target. */
typedef void (*fuzz_add_fn)(const void *bytes, size_t size);

/**
 * struct fuzz_target - a fuzz target
 * @name: its name
 * @input: runs one input; a failed expectation aborts
 * @seeds: adds the inputs from the tables of the tests
 */
struct fuzz_target {
	const char *name;
	void (*input)(const u8 *data, size_t size);
	void (*seeds)(fuzz_add_fn add);
};

extern const struct fuzz_target btf_target;
extern const struct fuzz_target command_target;
extern const struct fuzz_target field_type_target;
extern const struct fuzz_target match_target;
extern const struct fuzz_target print_record_target;
extern const struct fuzz_target validator_target;

void fuzz_run(const struct fuzz_target *target, const u8 *data, size_t size);
void fuzz_fail(const char *file, int line, const char *what)
	__attribute__((__noreturn__));
void *fuzz_alloc(size_t size);
char *fuzz_text(const u8 *data, size_t size);
void fuzz_add_text(fuzz_add_fn add, const char *text);

/* A failure is a bug in the module or in the target. */
#define EXPECT(condition)                                          \
	do {                                                       \
		if (!(condition))                                  \
			fuzz_fail(__FILE__, __LINE__, #condition); \
	} while (0)

#endif /* USER_EVENTS_TESTS_FUZZ_H */
