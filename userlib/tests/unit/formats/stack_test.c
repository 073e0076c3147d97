// SPDX-License-Identifier: MIT
/* Stacks as text and JSON, with functions of this program. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <linux/perf_event.h>

#include "formats/demangle.h"
#include "formats/kernel_symbols.h"
#include "formats/stack.h"
#include "formats/symbols.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define USER ((uint64_t)PERF_CONTEXT_USER)
#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)

static char *own_path;
static struct uev_output output;

/* Its symbol is found at its address. */
__attribute__((noinline)) void a_function_of_the_test(void)
{
	__asm__ volatile("nop");
}

/* void stack_test::call<int>(unsigned int) const */
__attribute__((noinline)) void
a_method(void) __asm__("_ZNK10stack_test4callIiEEvj");
void a_method(void)
{
	__asm__ volatile("nop");
}

static void set_up(void)
{
	own_path = realpath("/proc/self/exe", NULL);
	kernel_symbols_load("/nowhere", "/nowhere");
}

static void tear_down(void)
{
	kernel_symbols_release();
	symbols_release();
	free(own_path);
	uev_output_release(&output);
}

TEST_FIXTURE(set_up, tear_down);

/* Finds the mapping of an address of this program. */
static struct uev_mapping own_mapping(uint64_t address)
{
	struct uev_mapping mapping = { .path = own_path };
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096];

	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &mapping.start,
			   &mapping.end, &mapping.offset) == 3 &&
		    mapping.start <= address && address < mapping.end)
			break;
	fclose(maps);

	return mapping;
}

/* Of another boot */
static const struct uev_mapping kernel_mapping = {
	.start = 0xffffffff81234000,
	.end = 0xffffffff81235000,
	.path = "[kernel.kallsyms]_text",
};

static const struct uev_mapping *find(const void *data, uint32_t pid,
				      uint64_t address)
{
	const struct uev_mapping *mapping = data;

	if (pid == UEV_KERNEL_PID)
		return address == kernel_mapping.start ? &kernel_mapping : NULL;
	ck_assert_uint_eq(pid, 7);

	return address >= mapping->start && address < mapping->end ? mapping
								   : NULL;
}

static const char *text_of(const uint64_t *stack, uint32_t size,
			   const struct uev_mapping *mapping)
{
	const struct uev_sample sample = { .pid = 7,
					   .stack = stack,
					   .stack_size = size };
	const struct format_record record = { .sample = &sample,
					      .mapping = find,
					      .mapping_data = mapping };

	output.size = 0;
	stack_append_text(&output, &record);

	return output.size ? output.text : "";
}

TEST(has_functions_and_files)
{
	uint64_t address = (uint64_t)(uintptr_t)a_function_of_the_test + 1;
	struct uev_mapping mapping = own_mapping(address);
	const uint64_t stack[] = { USER, address, 1 };
	char *wanted = tool_print("\n\t%16lx a_function_of_the_test+0x1 (%s)"
				  "\n\t               1 [unknown] ([unknown])",
				  (unsigned long)address, own_path);

	ck_assert_str_eq(text_of(stack, 3, &mapping), wanted);
	free(wanted);
	ck_assert_str_eq(text_of(NULL, 0, &mapping), "");
	/* Not a path of a file. */
	mapping.path = "[vdso]";
	ck_assert_ptr_nonnull(
		strstr(text_of(stack, 2, &mapping), " [unknown] ([vdso])"));
	/* A name can be any bytes. */
	mapping.path = "a\n\033[1m";
	ck_assert_ptr_nonnull(
		strstr(text_of(stack, 2, &mapping), "(a\\n\\x1b[1m)"));
}

#ifdef TOOL_HAS_IBERTY
TEST(has_functions_of_cxx)
{
	uint64_t address = (uint64_t)(uintptr_t)a_method;
	struct uev_mapping mapping = own_mapping(address);
	const uint64_t stack[] = { USER, address, address };
	char *line = tool_print("\n\t%16lx stack_test::call<int>+0x0 (%s)",
				(unsigned long)address, own_path);
	char *wanted = tool_print("%s%s", line, line);

	ck_assert_str_eq(text_of(stack, 3, &mapping), wanted);
	free(wanted);
	free(line);
}

/*
 * Each argument is a pair of the previous one, "S1_" of the first one, so the
 * name takes 2^17 times the text.
 */
TEST(limits_names_of_cxx)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[400] = "_Z1fI1aIiiE";
	char *text;
	size_t i;

	ck_assert_ptr_null(demangle("a_function"));
	ck_assert_ptr_null(demangle("_Z"));
	ck_assert_ptr_null(demangle(""));
	text = demangle("_Z1fIiEvv");
	ck_assert_str_eq(text, "f<int>");
	free(text);
	for (i = 1; i < 34; i += 2)
		sprintf(name + strlen(name), "1aIS%c_S%c_E", digits[i],
			digits[i]);
	strcat(name, "Evv");
	ck_assert_ptr_null(demangle(name));
}

/* The search for a pack in such a type takes 2^32 steps and prints nothing. */
TEST(limits_packs_of_cxx)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[400] = "_Z1fIDp1aI1bIiiE";
	size_t i;

	for (i = 2; i < 34; i++)
		sprintf(name + strlen(name), "S1_IS%c_S%c_E", digits[i],
			digits[i]);
	strcat(name, "EEvv");
	ck_assert_ptr_null(demangle(name));
}
#endif

TEST(kernel_is_not_of_the_process)
{
	struct uev_mapping mapping = { .start = 0,
				       .end = UINT64_MAX,
				       .path = "//anon" };
	const uint64_t stack[] = { KERNEL, 0xffffffff81000000,
				   kernel_mapping.start, USER, 0x1000 };

	ck_assert_str_eq(text_of(stack, 5, &mapping),
			 "\n\tffffffff81000000 [unknown] ([kernel])"
			 "\n\tffffffff81234000 [unknown] ([kernel.kallsyms])"
			 "\n\t            1000 [unknown] (//anon)");
}

static const struct {
	bool is_compact;
	const char *before, *after;
} objects[] = {
	{ true, "{\"a\":1",
	  "{\"a\":1,\"stack\":[{\"address\":\"0x10\",\"file\":\"//anon\"},"
	  "{\"address\":\"0x20\",\"file\":\"//anon\"}]" },
	{ false, "{ \"a\": 1",
	  "{ \"a\": 1, \"stack\": [ { \"address\": \"0x10\", \"file\": "
	  "\"//anon\" }, { \"address\": \"0x20\", \"file\": \"//anon\" } ]" },
};

TEST_LOOP(json_is_a_member, ARRAY_SIZE(objects))
{
	const struct uev_mapping mapping = { .end = UINT64_MAX,
					     .path = "//anon" };
	const uint64_t stack[] = { USER, 0x10, 0x20 };
	struct uev_sample sample = { .pid = 7,
				     .stack = stack,
				     .stack_size = 3 };
	const struct format_record record = { .sample = &sample,
					      .mapping = find,
					      .mapping_data = &mapping };
	const char *before = objects[_i].before;

	tool_need(uev_output_append(&output, before, strlen(before)));
	stack_append_json(&output, &record, objects[_i].is_compact);
	ck_assert_str_eq(output.text, objects[_i].after);
	sample.stack_size = 0;
	stack_append_json(&output, &record, objects[_i].is_compact);
	ck_assert_str_eq(output.text, objects[_i].after);
}

/* A pipe would block, and a device can have an effect. */
TEST(opens_only_regular_files)
{
	uint64_t distance;
	char *fifo;

	file_tree_begin();
	fifo = tool_print("%s/fifo", file_tree_root());
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	ck_assert_ptr_null(symbols_find(fifo, 0, &distance));
	ck_assert_ptr_null(symbols_find("/dev/zero", 0, &distance));
	ck_assert_ptr_null(symbols_find(file_tree_root(), 0, &distance));
	ck_assert_ptr_null(symbols_find("/nowhere", 0, &distance));
	ck_assert_ptr_null(symbols_find("/proc/self/maps", 0, &distance));
	file_tree_end();
	free(fifo);
}

/* Each path takes memory, of which a trace can name any number. */
TEST(keeps_the_last_files)
{
	uint64_t address = (uint64_t)(uintptr_t)a_function_of_the_test;
	struct uev_mapping mapping = own_mapping(address);
	uint64_t offset = address - mapping.start + mapping.offset;
	uint64_t distance;
	char *path;
	int i;

	for (i = 0; i < 600; i++) {
		path = tool_print("/nowhere/%d", i);
		ck_assert_ptr_null(symbols_find(path, 0, &distance));
		free(path);
		if (i % 100 == 0)
			ck_assert_str_eq(symbols_find(own_path, offset,
						      &distance),
					 "a_function_of_the_test");
	}
	ck_assert_uint_eq(distance, 0);
}
