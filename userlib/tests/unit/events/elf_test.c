// SPDX-License-Identifier: MIT
/* Definitions in programs: in this one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UEV_PREFIX elf_test
#include <userevents/eventheader.h>
#include <userevents/tracepoint.h>

#include "events/elf.h"
#include "lib/runner.h"

/* Errors are printed there, to keep the output of the tests clean. */
static void setup(void)
{
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
}

TEST_FIXTURE(setup, NULL);

UEV_PROVIDER(provider, "Elf_Test");
UEV_PROVIDER_GROUP(grouped, "Elf_Test", "group1");

static void trace(int number)
{
	UEV_EVENTHEADER(provider, UEV_LEVEL_ERROR, 0x1, "Event",
			UEV_EH_I32("number", number));
	UEV_EVENTHEADER(provider, 255, 0xfedcba9876543210, "Other");
	UEV_EVENTHEADER(grouped, UEV_LEVEL_VERBOSE, 0x2, "Event");
	UEV_TRACE(first, number, number, text, "text");
	UEV_TRACE(second);
}

static bool has(const struct definitions *definitions, const char *command)
{
	size_t i;

	for (i = 0; i < definitions->count; i++)
		if (strcmp(definitions->definitions[i].command, command) == 0)
			return true;

	return false;
}

TEST(definitions_of_a_program)
{
	struct definitions definitions = { 0 };

	trace(1);
	ck_assert_int_eq(elf_definitions(&definitions, "/proc/self/exe"), 0);
	ck_assert(has(&definitions,
		      "elf_test_first s32 number; __data_loc char[] text"));
	ck_assert(has(&definitions, "elf_test_second"));
	ck_assert(has(&definitions, "Elf_Test_L2K1 " UEV_EVENTHEADER_TYPES));
	ck_assert(has(&definitions,
		      "Elf_Test_LffKfedcba9876543210 " UEV_EVENTHEADER_TYPES));
	ck_assert(has(&definitions,
		      "Elf_Test_L5K2Ggroup1 " UEV_EVENTHEADER_TYPES));
	/* Twice is the same. */
	ck_assert_int_eq(elf_definitions(&definitions, "/proc/self/exe"), 0);
	ck_assert_uint_eq(definitions.count, 5);
	definitions_free(&definitions);
}

TEST(files_without_definitions)
{
	struct definitions definitions = { 0 };

	ck_assert_int_eq(elf_definitions(&definitions, "/bin/true"), 0);
	ck_assert_int_eq(elf_definitions(&definitions, "/etc/passwd"),
			 -ENOEXEC);
	ck_assert_int_eq(elf_definitions(&definitions, "/dev/null"), -ENOEXEC);
	ck_assert_int_eq(elf_definitions(&definitions, "/nowhere/none"),
			 -ENOENT);
	ck_assert_uint_eq(definitions.count, 0);
}

static char *read_self(size_t *size)
{
	FILE *file = fopen("/proc/self/exe", "r");
	char *bytes = NULL;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
	fclose(file);

	return bytes;
}

/* Reads a file with these bytes. Return: that of elf_definitions() */
static int read_bytes(const char *bytes, size_t size)
{
	char path[] = "/tmp/elf_test.XXXXXX";
	struct definitions definitions = { 0 };
	int fd = mkstemp(path);
	int ret;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	ret = elf_definitions(&definitions, path);
	definitions_free(&definitions);
	close(fd);
	unlink(path);

	return ret;
}

static bool is_expected(int ret)
{
	return !ret || ret == -EBADMSG || ret == -ENOEXEC;
}

/* The section headers are at the end. */
TEST(truncated_files)
{
	size_t size, part;
	char *bytes = read_self(&size);

	for (part = 0; part < 16; part++)
		ck_assert(is_expected(read_bytes(bytes, size * part / 16)));
	ck_assert_int_eq(read_bytes(bytes, 3), -ENOEXEC);
	free(bytes);
}

/* Section headers, relocations, pointers and texts: ASan finds bad reads. */
TEST(damaged_files)
{
	size_t size, at, length;
	char *bytes = read_self(&size);
	char *saved = malloc(size);

	ck_assert_ptr_nonnull(saved);
	memcpy(saved, bytes, size);
	for (at = 64; at < size; at += size / 64) {
		length = size - at < size / 64 ? size - at : size / 64;
		memset(bytes + at, 0xff, length);
		ck_assert(is_expected(read_bytes(bytes, size)));
		memset(bytes + at, 0x01, length);
		ck_assert(is_expected(read_bytes(bytes, size)));
		memcpy(bytes + at, saved + at, length);
	}
	free(saved);
	free(bytes);
}
