// SPDX-License-Identifier: MIT
/* Functions of the kernel, from files like those in /proc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/kernel_symbols.h"
#include "lib/runner.h"
#include "tool.h"

#define TEXT 0xffffffff81000000
#define MODULE 0xffffffffc0436000

static const char symbols[] = "0000000000000000 A fixed_percpu_data\n"
			      "ffffffff81000000 T _stext\n"
			      "ffffffff81000000 T _text\n"
			      "ffffffff81001000 t local\n"
			      "ffffffff81001000 W weak_one\n"
			      "ffffffff81001000 T global\n"
			      "ffffffff81001000 T __global\n"
			      "ffffffff81002000 D data_in_between\n"
			      "ffffffff81003000 T last\n"
			      "ffffffff81004000 T _etext\n"
			      "ffffffff82000000 D data\n"
			      "ffffffffc0437000 t mod_write\t[a_module]\n"
			      "ffffffffc0436000 t mod_open\t[a_module]\n"
			      "ffffffffc0440000 t next_open\t[next]\n"
			      "ffffffffc0500000 t of_a_program\t[bpf]\n"
			      "malformed\n"
			      "ffffffff81003500\n";

/* Of ARM without CONFIG_KALLSYMS_ALL: _text is before _stext. */
static const char without_text[] = "ffffffff81000000 T _stext\n"
				   "ffffffff81001000 T global\n"
				   "ffffffff81004000 T _etext\n";

static const char hidden[] = "0000000000000000 A fixed_percpu_data\n"
			     "0000000000000000 T _text\n"
			     "0000000000000000 T _etext\n"
			     "0000000000000000 t mod_write\t[a_module]\n";

/* In any order, and the first one reaches into the next one */
static const char modules[] = "before 8192 0 - Live 0xffffffffc0435000\n"
			      "next 4096 0 - Live 0xffffffffc0440000\n"
			      "a_module 36864 1 - Live 0xffffffffc0436000 (O)\n"
			      "hidden 4096 0 - Live 0x0000000000000000\n"
			      "malformed\n";

static void write_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void load(const char *text)
{
	char kallsyms[] = "/tmp/kernel_symbols.XXXXXX";
	char list[] = "/tmp/kernel_symbols.XXXXXX";

	write_file(kallsyms, text);
	write_file(list, modules);
	kernel_symbols_load(kallsyms, list);
	unlink(kallsyms);
	unlink(list);
}

static void set_up(void)
{
	load(symbols);
}

TEST_FIXTURE(set_up, kernel_symbols_release);

/* Return: "name+distance", or "" */
static const char *find(uint64_t start, const char *path, uint64_t address)
{
	const struct uev_mapping mapping = { .start = start,
					     .end = UINT64_MAX,
					     .path = path };
	static char text[64];
	uint64_t distance;
	const char *name = kernel_symbols_find(&mapping, address, &distance);

	text[0] = '\0';
	if (name)
		snprintf(text, sizeof(text), "%s+%lu", name,
			 (unsigned long)distance);

	return text;
}

static const struct row {
	uint64_t start;
	const char *path;
	uint64_t address;
	const char *found;
} rows[] = {
	{ TEXT, "[kernel.kallsyms]_text", TEXT + 0x1000, "global+0" },
	{ TEXT, "[kernel.kallsyms]_stext", TEXT + 0x2fff, "global+8191" },
	{ TEXT, "[kernel.kallsyms]_text", TEXT + 0x3001, "last+1" },
	/* Not code, or of another kernel, or of none */
	{ TEXT, "[kernel.kallsyms]_text", TEXT + 0x4000, "" },
	{ TEXT, "[kernel.kallsyms]_text", TEXT - 1, "" },
	{ TEXT + 0x200000, "[kernel.kallsyms]_text", TEXT + 0x1000, "" },
	{ TEXT, "/a/program", TEXT + 0x1000, "" },
	{ TEXT, "[a_module]", TEXT + 0x1000, "" },
	{ MODULE, "[a_module]", MODULE + 0x1010, "mod_write+16" },
	{ MODULE, "[a_module]", MODULE, "mod_open+0" },
	{ MODULE, "/lib/modules/6.1.0/updates/a-module.ko", MODULE,
	  "mod_open+0" },
	{ MODULE, "/lib/modules/6.1.0/a_module.ko.xz", MODULE, "mod_open+0" },
	{ MODULE, "/lib/modules/6.1.0/b_module.ko", MODULE, "" },
	{ MODULE, "/lib/modules/6.1.0/a_module_2.ko", MODULE, "" },
	{ MODULE, "[b_module]", MODULE, "" },
	{ MODULE, "[kernel.kallsyms]_text", MODULE, "" },
	{ MODULE + 0x1000, "[a_module]", MODULE + 0x1010, "" },
	{ MODULE + 0xa000, "[next]", MODULE + 0xa010, "next_open+16" },
	/* Behind the module, and not of a module */
	{ MODULE, "[a_module]", MODULE + 36864, "" },
	{ 0xffffffffc0500000, "[bpf]", 0xffffffffc0500000, "" },
};

TEST_LOOP(functions, ARRAY_SIZE(rows))
{
	const struct row *row = &rows[_i];

	ck_assert_str_eq(find(row->start, row->path, row->address), row->found);
}

TEST(mappings)
{
	const struct uev_mapping *mapping = kernel_symbols_mapping(TEXT);

	ck_assert_str_eq(mapping->path, "[kernel.kallsyms]_text");
	ck_assert_uint_eq(mapping->start, TEXT);
	ck_assert_uint_eq(mapping->end, TEXT + 0x4000);
	ck_assert_uint_eq(mapping->offset, TEXT);
	mapping = kernel_symbols_mapping(MODULE + 36863);
	ck_assert_str_eq(mapping->path, "[a_module]");
	ck_assert_uint_eq(mapping->start, MODULE);
	ck_assert_uint_eq(mapping->end, MODULE + 36864);
	ck_assert_ptr_null(kernel_symbols_mapping(MODULE + 36864));
	ck_assert_ptr_null(kernel_symbols_mapping(TEXT + 0x4000));
	ck_assert_ptr_null(kernel_symbols_mapping(0));
}

/* Returns what the function prints to standard error, up to a newline. */
static const char *check_prints(void)
{
	static char text[256];
	FILE *file = tmpfile();
	int before = dup(STDERR_FILENO);

	ck_assert_ptr_nonnull(file);
	dup2(fileno(file), STDERR_FILENO);
	kernel_symbols_check();
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(file);
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);

	return text;
}

TEST(hidden_addresses)
{
	ck_assert_str_eq(check_prints(), "");
	load(hidden);
	ck_assert_ptr_null(kernel_symbols_mapping(TEXT));
	ck_assert_ptr_null(kernel_symbols_mapping(0));
	ck_assert_str_eq(find(0, "[kernel.kallsyms]_text", 0), "");
	ck_assert_ptr_nonnull(strstr(check_prints(), "hides its addresses"));
	ck_assert_str_eq(check_prints(), "");
}

TEST(kernel_without_text)
{
	const struct uev_mapping *mapping;

	load(without_text);
	ck_assert_str_eq(check_prints(), "");
	mapping = kernel_symbols_mapping(TEXT);
	ck_assert_str_eq(mapping->path, "[kernel.kallsyms]_stext");
	ck_assert_uint_eq(mapping->start, TEXT);
	ck_assert_uint_eq(mapping->offset, TEXT);
	ck_assert_str_eq(find(TEXT, "[kernel.kallsyms]_stext", TEXT + 0x1001),
			 "global+1");
	ck_assert_str_eq(find(0, "[kernel.kallsyms]_stext", TEXT + 0x1001), "");
}

TEST(missing_files)
{
	kernel_symbols_load("/nowhere", "/nowhere");
	ck_assert_ptr_null(kernel_symbols_mapping(TEXT));
	ck_assert_ptr_null(kernel_symbols_mapping(0));
	ck_assert_str_eq(find(TEXT, "[kernel.kallsyms]_text", TEXT), "");
	ck_assert_str_eq(check_prints(), "");
}
