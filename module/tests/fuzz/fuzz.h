/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A target: what is done with an input that nobody thought of, and what must be
 * true of it.
 */
#ifndef USER_EVENTS_TESTS_FUZZ_H
#define USER_EVENTS_TESTS_FUZZ_H

#include <linux/types.h>

/* Takes one seed of a target. */
typedef void (*fuzz_add_fn)(const void *bytes, size_t size);

/**
 * struct fuzz_target - a part of the pure layer and how it is tried
 * @name: what it is called
 * @input: tries one input; an expectation that is not met ends the program
 * @seeds: gives the inputs that the tables of tests make
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
extern const struct fuzz_target status_bits_target;
extern const struct fuzz_target validator_target;

void fuzz_run(const struct fuzz_target *target, const u8 *data, size_t size);
void fuzz_fail(const char *file, int line, const char *what)
	__attribute__((__noreturn__));
void *fuzz_alloc(size_t size);
char *fuzz_text(const u8 *data, size_t size);
void fuzz_add_text(fuzz_add_fn add, const char *text);

/* What is not true is a defect, of the module or of the target. */
#define EXPECT(condition)                                          \
	do {                                                       \
		if (!(condition))                                  \
			fuzz_fail(__FILE__, __LINE__, #condition); \
	} while (0)

#endif /* USER_EVENTS_TESTS_FUZZ_H */
