// SPDX-License-Identifier: MIT
/* Corpus of the fuzzer: each line is an input in hexadecimal. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "lib/fake_sys_perf.h"
#include "fuzz/perf_fuzz.h"
#include "lib/runner.h"

#define CORPUS "tests/fuzz/corpus/perf_data"

static int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Turns a line into bytes where it is. Return: how many */
static size_t bytes_of(char *line)
{
	uint8_t *bytes = (uint8_t *)line;
	size_t size;

	for (size = 0; line[2 * size] > ' '; size++)
		bytes[size] = (uint8_t)(digit(line[2 * size]) << 4 |
					digit(line[2 * size + 1]));

	return size;
}

TEST_FIXTURE(fake_perf_begin, fake_perf_end);

TEST(corpus)
{
	FILE *file = fopen(CORPUS, "r");
	char *line = NULL;
	size_t room = 0;
	int inputs = 0;

	ck_assert_ptr_nonnull(file);
	while (getline(&line, &room, file) > 0) {
		if (*line == '#')
			continue;
		perf_fuzz_one((const uint8_t *)line, bytes_of(line));
		inputs++;
	}
	free(line);
	fclose(file);
	ck_assert_int_gt(inputs, 10);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}
