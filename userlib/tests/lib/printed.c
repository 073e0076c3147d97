// SPDX-License-Identifier: MIT
#include "lib/printed.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

void printed_begin(FILE *stream)
{
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fflush(stream), 0);
	ck_assert_int_eq(dup2(fileno(file), fileno(stream)), fileno(stream));
	fclose(file);
}

char *printed_text(FILE *stream)
{
	struct stat file;
	char *text;

	ck_assert_int_eq(fflush(stream), 0);
	ck_assert_int_eq(fstat(fileno(stream), &file), 0);
	text = calloc(1, (size_t)file.st_size + 1);
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(pread(fileno(stream), text, (size_t)file.st_size, 0),
			 file.st_size);

	return text;
}
