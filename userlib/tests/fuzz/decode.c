// SPDX-License-Identifier: MIT
/*
 * Target: files of perf and trace-cmd, decoded by user-events and checked by
 * tests/fuzz/decode_fuzz.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "decode_fuzz.h"
#include "fuzz.h"

/* Output goes to memory by default, because there are many writes. */
static void choose_directory(void)
{
	static char directory[256];
	const char *parent = getenv("TMPDIR");
	int size;

	if (*directory)
		return;

	size = snprintf(directory, sizeof(directory), "%s/user-events-XXXXXX",
			parent ? parent : "/dev/shm");
	EXPECT(size > 0 && (size_t)size < sizeof(directory));
	EXPECT(mkdtemp(directory));
	decode_fuzz_directory(directory);
}

static void input(const uint8_t *data, size_t size)
{
	choose_directory();
	decode_fuzz_one(data, size);
}

const struct fuzz_target decode_target = {
	.name = "decode",
	.input = input,
};
