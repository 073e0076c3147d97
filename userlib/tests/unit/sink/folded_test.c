// SPDX-License-Identifier: MIT
/* Folded stacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "files.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "pipe/pipe.h"
#include "sink/formats.h"
#include "tool.h"

#define USER ((uint64_t)PERF_CONTEXT_USER)

static char *path;
static struct sink sink;
static struct uev_decoder *decoder;
static struct uev_source source = { .system = "user_events", .name = "e" };

static void setup(void)
{
	struct sink_options options = { 0 };

	file_tree_begin();
	path = tool_print("%s/out", file_tree_root());
	options.path = path;
	ck_assert_int_eq(uev_decoder_new(&decoder), 0);
	ck_assert_int_eq(sink_open(&sink, &sink_folded, &options), 0);
}

static void teardown(void)
{
	free(path);
	uev_decoder_free(decoder);
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

/* Files without symbols; the first address is the innermost call. */
static const struct uev_mapping *find(const void *data, uint32_t pid,
				      uint64_t address)
{
	static const struct uev_mapping mappings[] = {
		{ .start = 0x1000, .end = 0x2000, .path = "/nowhere/a;b" },
		{ .start = 0x2000, .end = 0x3000, .path = "/nowhere/lib c" },
	};
	size_t i;

	(void)data;
	(void)pid;
	for (i = 0; i < ARRAY_SIZE(mappings); i++)
		if (mappings[i].start <= address && address < mappings[i].end)
			return &mappings[i];

	return NULL;
}

static void add(const char *comm, const uint64_t *stack, size_t count)
{
	const struct uev_sample sample = {
		.source = &source,
		.stack = stack,
		.stack_size = (uint32_t)count,
	};
	const struct format_record record = {
		.sample = &sample,
		.comm = comm,
		.mapping = find,
	};

	ck_assert_int_eq(sink_folded.record(sink.data, decoder, &record), 0);
}

static char *finish(void)
{
	char *text;

	ck_assert_int_eq(pipe_end_sink(&sink, true), TOOL_OK);
	ck_assert_int_eq(files_read(path, &text, NULL), 0);

	return text;
}

TEST(lines)
{
	static const uint64_t one[] = { USER, 0x1001, 0x2001, 0x5001 };
	static const uint64_t other[] = { USER, 0x2002, 0x5002 };
	char *text;

	add("name", other, ARRAY_SIZE(other));
	add("name", one, ARRAY_SIZE(one));
	add("name", one, ARRAY_SIZE(one));
	add("a b;c\n", one, 2);
	add(NULL, NULL, 0);
	text = finish();
	ck_assert_str_eq(text, "[unknown] 1\n"
			       "a_b:c\\n;[a:b] 1\n"
			       "name;[unknown];[lib c] 1\n"
			       "name;[unknown];[lib c];[a:b] 2\n");
	free(text);
}

TEST(nothing)
{
	char *text = finish();

	ck_assert_str_eq(text, "");
	free(text);
}

/* The sum of the lines is the number of records, in bounded memory. */
TEST(many_stacks)
{
	const unsigned int count = 60000;
	char comm[1001], *text, *at, *end;
	unsigned long sum = 0;
	unsigned int i;

	memset(comm, 'x', sizeof(comm) - 1);
	comm[sizeof(comm) - 1] = '\0';
	for (i = 0; i < count; i++) {
		snprintf(comm, sizeof(comm), "%u", i % 50000);
		comm[strlen(comm)] = 'x';
		add(comm, NULL, 0);
	}
	text = finish();
	for (at = text; *at; at = end + 1) {
		at = strchr(at, ' ');
		sum += strtoul(at, &end, 10);
	}
	ck_assert_uint_eq(sum, count);
	free(text);
}
