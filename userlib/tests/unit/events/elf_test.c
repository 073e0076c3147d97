// SPDX-License-Identifier: MIT
/* Definitions in programs: in this one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UEV_PREFIX elf_test
#include <userevents/eventheader.h>
#include <userevents/sdt.h>
#include <userevents/session.h>
#include <userevents/tracepoint.h>

#include "capture/known.h"
#include "events/create.h"
#include "events/elf.h"
#include "lib/elf_image.h"
#include "lib/file_tree.h"
#include "lib/peak_memory.h"
#include "lib/runner.h"
#include "lib/work.h"
#include "tool.h"

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
	DTRACE_PROBE1(elf_test, probe, number);
	DTRACE_PROBE2(elf_test, probe, number, 2.5);
}

static bool has(const struct definitions *definitions, const char *command)
{
	size_t i;

	for (i = 0; i < definitions->count; i++)
		if (strcmp(definitions->definitions[i].command, command) == 0)
			return true;

	return false;
}

/* A program with both forms of a probe registers both. */
TEST(forms_to_record)
{
	const struct capture_known none = { 0 };
	static const char *const patterns[] = { "elf_test_*" };
	const struct capture_options options = {
		.patterns = patterns,
		.pattern_count = 1,
	};
	struct definitions definitions;

	ck_assert_int_eq(capture_known_find(&none, &options, "/proc/self/exe",
					    &definitions),
			 0);
	ck_assert(has(&definitions, "elf_test_probe s64 arg1"));
	ck_assert(has(&definitions,
		      "elf_test_probe s64 arg1; __data_loc char[] arg2"));
	definitions_free(&definitions);
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
	ck_assert_uint_eq(definitions.count, 6);
	definitions_free(&definitions);
}

/* Further forms of a probe are no contradiction. */
TEST(first_forms_to_add)
{
	struct definitions definitions = { 0 };
	FILE *errors = tmpfile();

	ck_assert_ptr_nonnull(errors);
	ck_assert_int_eq(dup2(fileno(errors), STDERR_FILENO), STDERR_FILENO);
	ck_assert_int_eq(events_read_from(&definitions, "/proc/self/exe"),
			 TOOL_OK);
	ck_assert_int_eq(fflush(stderr), 0);
	ck_assert_int_eq(lseek(STDERR_FILENO, 0, SEEK_END), 0);
	ck_assert_uint_eq(definitions.count, 6);
	definitions_free(&definitions);
	fclose(errors);
}

TEST(contradiction_of_a_program)
{
	struct definitions definitions = { 0 };

	ck_assert(
		definitions_add(&definitions, "elf_test_second u8 a", NULL, 0));
	ck_assert_int_eq(events_read_from(&definitions, "/proc/self/exe"),
			 TOOL_USAGE);
	ck_assert_uint_eq(definitions.count, 6);
	definitions_free(&definitions);
}

/* Until it is 0, each call of pread() counts down, and the last one fails. */
static unsigned int reads_left;

ssize_t pread64(int fd, void *buf, size_t nbytes, off64_t offset)
{
	if (reads_left && !--reads_left) {
		errno = EIO;
		return -1;
	}

	return syscall(SYS_pread64, fd, buf, nbytes, offset);
}

/* Each read that fails, up to the one that the file does not need */
TEST(unreadable_files)
{
	unsigned int count = 0;
	int ret;

	do {
		struct definitions definitions = { 0 };

		reads_left = ++count;
		ret = elf_definitions(&definitions, "/proc/self/exe");
		ck_assert(ret == (reads_left ? 0 : -EIO));
		definitions_free(&definitions);
	} while (!reads_left);
	reads_left = 0;
	ck_assert_uint_gt(count, 4);
}

/* One is truncated, and the kernel does not accept the type of the other one. */
static const char *const bad_formats[] = {
	"name: bad\nID: 2\nformat:\n\tfield:u32 number;\toffset:8;",
	"name: bad\nID: 2\nformat:\n\tfield:float number;\toffset:8;\t"
	"size:4;\tsigned:1;\n\nprint fmt: \"\"\n",
};

TEST_LOOP(recorded_events_that_cannot_be_added, ARRAY_SIZE(bad_formats))
{
	static const char good[] = "name: good\nID: 1\nformat:\n\t"
				   "field:u32 number;\toffset:8;\tsize:4;\t"
				   "signed:0;\n\nprint fmt: \"\"\n";
	static const uint64_t raw;
	const struct uev_source sources[] = {
		{ .system = "user_events",
		  .name = "good",
		  .format = good,
		  .format_size = strlen(good),
		  .id = 1 },
		{ .system = "user_events",
		  .name = "bad",
		  .format = bad_formats[_i],
		  .format_size = strlen(bad_formats[_i]),
		  .id = 2,
		  .index = 1 },
	};
	_cleanup_free_ char *path = NULL;
	struct definitions definitions = { 0 };
	struct uev_perf_writer *writer;
	size_t i;

	file_tree_begin();
	path = tool_print("%s/perf.data", file_tree_root());
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		const struct uev_sample sample = {
			.source = &sources[i],
			.raw = &raw,
			.raw_size = sizeof(raw),
			.flags = UEV_HAS_TIME,
		};

		ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	ck_assert_int_eq(events_read_from(&definitions, path), TOOL_USAGE);
	ck_assert_uint_eq(definitions.count, 1);
	ck_assert(has(&definitions, "good u32 number"));
	definitions_free(&definitions);
	file_tree_end();
}

static const char *const without_events[] = { "program", "perf.data" };

TEST_LOOP(files_without_events_to_add, ARRAY_SIZE(without_events))
{
	_cleanup_free_ char *path = NULL;
	struct definitions definitions = { 0 };
	struct uev_perf_writer *writer;

	file_tree_begin();
	file_tree_link("/program", "/bin/true");
	path = tool_print("%s/%s", file_tree_root(), without_events[_i]);
	if (_i) {
		ck_assert_int_eq(uev_perf_writer_open(&writer, path, NULL), 0);
		ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	}
	ck_assert_int_eq(events_read_from(&definitions, path), TOOL_NOT_FOUND);
	ck_assert_uint_eq(definitions.count, 0);
	file_tree_end();
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

/* ---- Files that are made to be read for long, or with much memory ---- */

#define POINTERS_ADDRESS 0x100000
#define EVENTS_ADDRESS 0x200000
#define COMMANDS_ADDRESS 0x1000000

/* In struct uev_event of a machine with 64 bits: the pointer is at 8. */
#define EVENT_SIZE 16

/* A command with its NUL */
#define COMMAND_SIZE 32

/* Memory for a file that is small */
#define SMALL (64U << 20)

enum {
	POINTERS,
	EVENTS,
	COMMANDS,
	FIXED_SECTIONS
};

/*
 * struct program - A program with events
 * @sections: those of the events, and @more others
 */
struct program {
	struct elf_image image;
	struct elf_image_section *sections;
	char *bytes[FIXED_SECTIONS];
};

/*
 * Makes a program with @count events of the commands that @format prints with the
 * number of the event.
 */
static void begin_program(struct program *program, size_t count,
			  const char *format, size_t more)
{
	static const struct {
		const char *name;
		uint64_t address;
		size_t size;
	} fixed[] = {
		[POINTERS] = { "uev_events", POINTERS_ADDRESS, 8 },
		[EVENTS] = { ".data", EVENTS_ADDRESS, EVENT_SIZE },
		[COMMANDS] = { ".rodata", COMMANDS_ADDRESS, COMMAND_SIZE },
	};
	size_t i;

	*program = (struct program){ 0 };
	program->sections = tool_alloc((FIXED_SECTIONS + more) *
				       sizeof(*program->sections));
	program->image.sections = program->sections;
	program->image.section_count = FIXED_SECTIONS + more;
	for (i = 0; i < FIXED_SECTIONS; i++) {
		program->bytes[i] = tool_alloc(count * fixed[i].size);
		program->sections[i] = (struct elf_image_section){
			.name = fixed[i].name,
			.type = SHT_PROGBITS,
			.flags = SHF_ALLOC,
			.address = fixed[i].address,
			.bytes = program->bytes[i],
			.size = count * fixed[i].size,
		};
	}
	for (i = 0; i < count; i++) {
		elf_image_number(&program->image,
				 program->bytes[POINTERS] + i * 8,
				 EVENTS_ADDRESS + i * EVENT_SIZE, 8);
		elf_image_number(&program->image,
				 program->bytes[EVENTS] + i * EVENT_SIZE + 8,
				 COMMANDS_ADDRESS + i * COMMAND_SIZE, 8);
		snprintf(program->bytes[COMMANDS] + i * COMMAND_SIZE,
			 COMMAND_SIZE, format, (int)i);
	}
}

/* Return: that of elf_definitions() */
static int read_program(struct program *program,
			struct definitions *definitions)
{
	char *path;
	size_t i;
	int ret;

	file_tree_begin();
	path = elf_image_write(&program->image, "/program");
	ret = elf_definitions(definitions, path);
	free(path);
	file_tree_end();
	for (i = 0; i < FIXED_SECTIONS; i++)
		free(program->bytes[i]);
	free(program->sections);

	return ret;
}

TEST(many_events)
{
	struct definitions definitions = { 0 };
	struct program program;

	begin_program(&program, 2000, "event_%d u32 number", 0);
	ck_assert_int_eq(read_program(&program, &definitions), 0);
	ck_assert_uint_eq(definitions.count, 2000);
	ck_assert(has(&definitions, "event_1999 u32 number"));
	definitions_free(&definitions);
}

/* Each is compared with all others. */
TEST(too_many_events)
{
	struct definitions definitions = { 0 };
	struct program program;

	begin_program(&program, 20000, "event_%d u32 number", 0);
	ck_assert_int_eq(read_program(&program, &definitions), -EBADMSG);
	ck_assert_uint_lt(definitions.count, 10000);
	definitions_free(&definitions);
}

/* Events of other files do not count. */
TEST(many_references_after_many_events)
{
	struct definitions definitions = { 0 };
	struct program program;

	begin_program(&program, 2000, "event_%d u32 number", 0);
	ck_assert_int_eq(read_program(&program, &definitions), 0);
	begin_program(&program, 20000, "event_0 u32 number", 0);
	ck_assert_int_eq(read_program(&program, &definitions), 0);
	ck_assert_uint_eq(definitions.count, 2000);
	definitions_free(&definitions);
}

/* Each would be printed. */
TEST(too_many_contradictions)
{
	struct definitions definitions = { 0 };
	struct program program;

	begin_program(&program, 1000, "event u32 number%d", 0);
	ck_assert_int_eq(read_program(&program, &definitions), -EBADMSG);
	ck_assert_uint_eq(definitions.count, 1);
	definitions_free(&definitions);
}

/* A pointer is in one of the sections. */
TEST(many_sections_and_pointers)
{
	struct definitions definitions = { 0 };
	const size_t count = 4000;
	struct program program;
	uint64_t before;
	size_t i;

	begin_program(&program, count, "event", count);
	/* In front of those that have the events */
	for (i = 0; i < count; i++) {
		program.sections[count + FIXED_SECTIONS - 1 - i] =
			i < FIXED_SECTIONS
				? program.sections[FIXED_SECTIONS - 1 - i]
				: (struct elf_image_section){
					  .name = "",
					  .type = SHT_PROGBITS,
					  .flags = SHF_ALLOC,
					  .address = 8 * i,
					  .bytes = "12345678",
					  .size = 8,
				  };
	}
	for (i = 0; i < FIXED_SECTIONS; i++)
		program.sections[i] = program.sections[FIXED_SECTIONS];
	before = work_count();
	ck_assert_int_eq(read_program(&program, &definitions), 0);
	ck_assert(work_is_bounded(before, count * sizeof(Elf64_Shdr), 100));
	ck_assert_uint_eq(definitions.count, 1);
	definitions_free(&definitions);
}

TEST_LOOP(sparse_relocations, 2)
{
	/* Entries of one byte would be as many relocations. */
	static const uint64_t entry_sizes[] = { sizeof(Elf64_Rela), 1 };
	struct definitions definitions = { 0 };
	struct program program;
	size_t before = peak_memory();

	begin_program(&program, 1, "event_%d", 1);
	program.sections[FIXED_SECTIONS] = (struct elf_image_section){
		.name = ".rela.dyn",
		.type = SHT_RELA,
		.flags = SHF_ALLOC,
		.entry_size = entry_sizes[_i],
		.claimed = UINT64_C(1) << 30,
	};
	ck_assert_int_eq(read_program(&program, &definitions), -EBADMSG);
	ck_assert_uint_lt(peak_memory() - before, SMALL);
	definitions_free(&definitions);
}

/* The linker keeps them with --emit-relocs. */
TEST(relocations_that_are_not_loaded)
{
	struct definitions definitions = { 0 };
	struct program program;

	begin_program(&program, 1, "event_%d", 1);
	program.sections[FIXED_SECTIONS] = (struct elf_image_section){
		.name = ".rela.debug_info",
		.type = SHT_RELA,
		.entry_size = sizeof(Elf64_Rela),
		.claimed = UINT64_C(1) << 30,
	};
	ck_assert_int_eq(read_program(&program, &definitions), 0);
	ck_assert_uint_eq(definitions.count, 1);
	definitions_free(&definitions);
}

/* A section without a place on the disk has no events either. */
TEST_LOOP(sparse_contents, FIXED_SECTIONS)
{
	struct definitions definitions = { 0 };
	struct program program;
	struct elf_image_section section;
	size_t before = peak_memory();

	begin_program(&program, 1, "event_%d", 0);
	section = program.sections[_i];
	section.claimed = UINT64_C(1) << 30;
	program.sections[_i] = program.sections[FIXED_SECTIONS - 1];
	program.sections[FIXED_SECTIONS - 1] = section;
	ck_assert_int_eq(read_program(&program, &definitions), -EBADMSG);
	ck_assert_uint_lt(peak_memory() - before, SMALL);
	definitions_free(&definitions);
}

TEST(sparse_sections)
{
	struct definitions definitions = { 0 };
	struct program program;
	size_t before = peak_memory();

	begin_program(&program, 1, "event_%d", 0);
	program.image.claimed_sections = 4000000;
	ck_assert_int_eq(read_program(&program, &definitions), -EFBIG);
	ck_assert_uint_lt(peak_memory() - before, SMALL);
	definitions_free(&definitions);
}

/* Other sizes and byte orders have the pointers at other places. */
TEST(relocated_pointers)
{
	struct definitions definitions = { 0 };
	char relocations[2 * sizeof(Elf64_Rela)], *to = relocations;
	struct program program;

	begin_program(&program, 1, "event_%d", 1);
	program.image.is_big = true;
	memset(program.bytes[POINTERS], 0xff, 8);
	memset(program.bytes[EVENTS], 0xff, EVENT_SIZE);
	/* Not sorted */
	to = elf_image_relocation(&program.image, to, EVENTS_ADDRESS + 8,
				  COMMANDS_ADDRESS);
	elf_image_relocation(&program.image, to, POINTERS_ADDRESS,
			     EVENTS_ADDRESS);
	program.sections[FIXED_SECTIONS] = (struct elf_image_section){
		.name = ".rela.dyn",
		.type = SHT_RELA,
		.flags = SHF_ALLOC,
		.entry_size = sizeof(Elf64_Rela),
		.bytes = relocations,
		.size = sizeof(relocations),
	};
	ck_assert_int_eq(read_program(&program, &definitions), 0);
	ck_assert(has(&definitions, "event_0"));
	definitions_free(&definitions);
}
