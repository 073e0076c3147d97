// SPDX-License-Identifier: MIT
/* Functions of ELF files, also of hostile ones. */
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "formats/symbols.h"
#include "lib/elf_image.h"
#include "lib/file_tree.h"
#include "lib/peak_memory.h"
#include "lib/runner.h"
#include "tool.h"

/* A name, in the file and as it is shown */
#define LONG_NAME 500000
#define SHOWN_MAX 2048

#define SPARSE_SIZE (UINT64_C(64) << 30)

/* Memory for a file that is small */
#define SMALL (64U << 20)

static char *paths[64];
static size_t path_count;

/* Of the tables that are written: their type, and the section of their names */
static uint32_t table_type;
static uint32_t table_link;

static void set_up(void)
{
	file_tree_begin();
	path_count = 0;
	table_type = SHT_SYMTAB;
	table_link = 2;
}

static void tear_down(void)
{
	symbols_release();
	file_tree_end();
	while (path_count)
		free(paths[--path_count]);
}

TEST_FIXTURE(set_up, tear_down);

/*
 * Writes a file with a table of symbols and the names of these.
 *
 * @claimed: size of the names in the header, if another
 */
static const char *write_file(struct elf_image *image, const Elf64_Sym *symbols,
			      size_t count, const char *names, size_t size,
			      uint64_t claimed)
{
	size_t entry = image->is_32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	char *bytes = tool_alloc(count * entry), *to = bytes;
	const struct elf_image_section sections[] = {
		{
			.name = ".symtab",
			.type = table_type,
			.link = table_link,
			.entry_size = entry,
			.bytes = bytes,
			.size = count * entry,
		},
		{
			.name = ".strtab",
			.type = SHT_STRTAB,
			.bytes = names,
			.size = size,
			.claimed = claimed,
		},
	};
	char *path = tool_print("/file%zu", path_count);
	size_t i;

	for (i = 0; i < count; i++)
		to = elf_image_symbol(image, to, &symbols[i]);
	image->sections = sections;
	image->section_count = ARRAY_SIZE(sections);
	paths[path_count] = elf_image_write(image, path);
	free(path);
	free(bytes);

	return paths[path_count++];
}

static Elf64_Sym function(uint32_t name, uint64_t address, uint64_t size)
{
	return (Elf64_Sym){
		.st_name = name,
		.st_value = address,
		.st_size = size,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = 1,
	};
}

/* Expects a function at an offset, or none. */
static void expect(const char *path, uint64_t offset, const char *name,
		   uint64_t distance)
{
	uint64_t found = 0;
	const char *symbol = symbols_find(path, offset, &found);

	if (!name) {
		ck_assert_ptr_null(symbol);
		return;
	}
	ck_assert_ptr_nonnull(symbol);
	ck_assert_str_eq(symbol, name);
	ck_assert_uint_eq(found, distance);
}

/* A stripped library has only the symbols that others can link with. */
TEST(tables_of_a_stripped_file)
{
	static const char names[] = "\0first\0";
	struct elf_image image = { .is_32 = false };
	const Elf64_Sym symbols[] = {
		function(0, 0, 0),
		function(1, 0x1100, 0x10),
		/* A name that is not in the file, and none */
		function(sizeof(names), 0x1200, 0x10),
		function(0, 0x1300, 0x10),
	};
	const size_t count = ARRAY_SIZE(symbols);

	table_type = SHT_DYNSYM;
	expect(write_file(&image, symbols, count, names, sizeof(names), 0),
	       0x1105, "first", 5);
	expect(paths[0], 0x1205, NULL, 0);
	expect(paths[0], 0x1305, NULL, 0);
	/* No such section */
	table_link = 9;
	expect(write_file(&image, symbols, count, names, sizeof(names), 0),
	       0x1105, NULL, 0);
	/* No such table */
	table_type = SHT_NOTE;
	table_link = 2;
	expect(write_file(&image, symbols, count, names, sizeof(names), 0),
	       0x1105, NULL, 0);
}

/* Of both sizes and both byte orders */
TEST_LOOP(files_of_all_machines, 4)
{
	static const char names[] = "\0first\0second\0third";
	struct elf_image image = { .is_32 = _i & 1, .is_big = _i & 2 };
	Elf64_Sym symbols[] = {
		function(0, 0, 0),
		function(7, 0x1200, 0x10),
		function(1, 0x1100, 0x10),
		/* Up to the next one */
		function(14, 0x1180, 0),
		function(1, 0x1300, 0x10),
	};
	const char *path;

	symbols[4].st_shndx = SHN_UNDEF;
	path = write_file(&image, symbols, ARRAY_SIZE(symbols), names,
			  sizeof(names), 0);
	expect(path, 0x1100, "first", 0);
	expect(path, 0x110f, "first", 0xf);
	expect(path, 0x1110, NULL, 0);
	expect(path, 0x11ff, "third", 0x7f);
	expect(path, 0x1204, "second", 4);
	expect(path, 0x1304, NULL, 0);
	expect(path, 0x10ff, NULL, 0);
	/* Not code */
	expect(path, 0x100, NULL, 0);
}

TEST(best_name_of_an_address)
{
	static const char names[] = "\0weak_name\0_under\0b_name\0a_name\0name";
	struct elf_image image = { 0 };
	Elf64_Sym symbols[] = {
		function(1, 0x1100, 8),	 function(11, 0x1100, 8),
		function(18, 0x1100, 8), function(25, 0x1100, 8),
		function(32, 0x1100, 8),
	};
	const char *path;

	symbols[0].st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
	path = write_file(&image, symbols, ARRAY_SIZE(symbols), names,
			  sizeof(names), 0);
	expect(path, 0x1101, "a_name", 1);
}

/* Symbols share a name, which is in memory once and is shortened. */
TEST(a_long_name_of_many_symbols)
{
	struct elf_image image = { 0 };
	char *names = tool_alloc(LONG_NAME + 2);
	Elf64_Sym symbols[1000];
	const char *path, *name;
	uint64_t distance;
	size_t i, before;

	memset(names + 1, 'x', LONG_NAME);
	for (i = 0; i < ARRAY_SIZE(symbols); i++)
		symbols[i] = function(1, 0x1000 + 8 * i, 8);
	path = write_file(&image, symbols, ARRAY_SIZE(symbols), names,
			  LONG_NAME + 2, 0);
	before = peak_memory();
	name = symbols_find(path, 0x1009, &distance);
	ck_assert_uint_lt(peak_memory() - before, SMALL);
	ck_assert_ptr_nonnull(name);
	ck_assert_uint_eq(distance, 1);
	ck_assert_uint_le(strlen(name), SHOWN_MAX);
	ck_assert_str_eq(name + strlen(name) - strlen(UEV_SHORTENED),
			 UEV_SHORTENED);
	ck_assert_int_eq(memcmp(name, names + 1, SHOWN_MAX / 2), 0);
	free(names);
}

/* A file takes no place on the disk for the largest names. */
TEST(sparse_names)
{
	static const char names[] = "\0name";
	struct elf_image image = { 0 };
	const Elf64_Sym symbol = function(1, 0x1000, 8);
	size_t before = peak_memory();

	expect(write_file(&image, &symbol, 1, names, sizeof(names),
			  SPARSE_SIZE),
	       0x1000, NULL, 0);
	expect(write_file(&image, &symbol, 1, names, sizeof(names),
			  UINT64_C(1) << 30),
	       0x1000, NULL, 0);
	ck_assert_uint_lt(peak_memory() - before, SMALL);
}

TEST_LOOP(sparse_symbols, 2)
{
	/* Entries of one byte would be as many symbols. */
	static const uint64_t entry_sizes[] = { sizeof(Elf64_Sym), 1 };
	const struct elf_image_section sections[] = {
		{
			.name = ".strtab",
			.type = SHT_STRTAB,
			.bytes = "\0name",
			.size = 6,
		},
		{
			.name = ".symtab",
			.type = SHT_SYMTAB,
			.link = 1,
			.entry_size = entry_sizes[_i],
			.claimed = SPARSE_SIZE,
		},
	};
	const struct elf_image image = {
		.sections = sections,
		.section_count = ARRAY_SIZE(sections),
	};
	size_t before = peak_memory();

	paths[path_count++] = elf_image_write(&image, "/symbols");
	expect(paths[0], 0x1000, NULL, 0);
	ck_assert_uint_lt(peak_memory() - before, SMALL);
}

TEST(sparse_sections)
{
	static const char names[] = "\0name";
	struct elf_image image = { .claimed_sections = UINT32_C(4000000) };
	const Elf64_Sym symbol = function(1, 0x1000, 8);
	size_t before = peak_memory();

	expect(write_file(&image, &symbol, 1, names, sizeof(names), 0), 0x1000,
	       NULL, 0);
	ck_assert_uint_lt(peak_memory() - before, SMALL);
}

/* The sections of a file can be the same bytes. */
TEST(names_that_do_not_end)
{
	static const char names[] = { 0, 'n', 'a', 'm', 'e' };
	struct elf_image image = { 0 };
	const Elf64_Sym symbols[] = {
		function(1, 0x1000, 8),
		function(5, 0x1010, 8),
		function(UINT32_MAX, 0x1020, 8),
	};
	const char *path = write_file(&image, symbols, ARRAY_SIZE(symbols),
				      names, sizeof(names), 0);

	expect(path, 0x1010, NULL, 0);
	expect(path, 0x1020, NULL, 0);
}

TEST(not_elf)
{
	char *path = tool_print("%s/text", file_tree_root());

	file_tree_file("/text", "\177ELF");
	expect(path, 0x1000, NULL, 0);
	expect("/nowhere/none", 0x1000, NULL, 0);
	expect("/dev/null", 0x1000, NULL, 0);
	free(path);
}
