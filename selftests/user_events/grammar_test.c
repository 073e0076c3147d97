// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command: valid and invalid commands, through the ioctl and through
 * dynamic_events, and the format file of valid ones.
 */
#include <unistd.h>

#include "../lib/user_events.h"

/*
 * struct accepted - a valid command
 * @args: text after the event's name, with the separating space
 * @fields: expected fields, each "declaration|offset|size|signed", separated by
 *	    newlines; offsets are relative to the end of the common fields
 * @print_fmt: expected print format
 */
struct accepted {
	const char *args;
	const char *fields;
	const char *print_fmt;
};

static const struct accepted no_fields[] = {
	{ "", "", "\"\"" },    { " ", "", "\"\"" },	{ " ;", "", "\"\"" },
	{ " ;;", "", "\"\"" }, { " ;;;;", "", "\"\"" }, { " ; ;", "", "\"\"" },
	{ "  ", "", "\"\"" },
};

static const struct accepted splitting[] = {
	{ " u32 a", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ "  u32 a", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ "     u32 a", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " ;u32 a", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " ;;u32 a", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " u32 a;", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " u32 a;;", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " u32 a; ", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " u32 a; ;", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " \tu32 a", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " u32 a;u32 b", "u32 a|0|4|0\nu32 b|4|4|0",
	  "\"a=%u b=%u\", REC->a, REC->b" },
	{ " u32 a; u32 b", "u32 a|0|4|0\nu32 b|4|4|0",
	  "\"a=%u b=%u\", REC->a, REC->b" },
	{ " u32 a;   u32 b", "u32 a|0|4|0\nu32 b|4|4|0",
	  "\"a=%u b=%u\", REC->a, REC->b" },
	{ " u32 a;\tu32 b", "u32 a|0|4|0\nu32 b|4|4|0",
	  "\"a=%u b=%u\", REC->a, REC->b" },
	{ " u32 a;;u32 b;", "u32 a|0|4|0\nu32 b|4|4|0",
	  "\"a=%u b=%u\", REC->a, REC->b" },
	{ " u32 a;u32 a", "u32 a|0|4|0\nu32 a|4|4|0",
	  "\"a=%u a=%u\", REC->a, REC->a" },
};

static const struct accepted numbers[] = {
	{ " s64 a", "s64 a|0|8|1", "\"a=%lld\", REC->a" },
	{ " u64 a", "u64 a|0|8|0", "\"a=%llu\", REC->a" },
	{ " s32 a", "s32 a|0|4|1", "\"a=%d\", REC->a" },
	{ " u32 a", "u32 a|0|4|0", "\"a=%u\", REC->a" },
	{ " int a", "int a|0|4|1", "\"a=%d\", REC->a" },
	{ " unsigned int a", "unsigned int a|0|4|0", "\"a=%u\", REC->a" },
	{ " s16 a", "s16 a|0|2|1", "\"a=%d\", REC->a" },
	{ " u16 a", "u16 a|0|2|0", "\"a=%u\", REC->a" },
	{ " short a", "short a|0|2|1", "\"a=%d\", REC->a" },
	{ " unsigned short a", "unsigned short a|0|2|0", "\"a=%u\", REC->a" },
	{ " s8 a", "s8 a|0|1|1", "\"a=%d\", REC->a" },
	{ " u8 a", "u8 a|0|1|0", "\"a=%u\", REC->a" },
	{ " char a", "char a|0|1|1", "\"a=%d\", REC->a" },
	{ " unsigned char a", "unsigned char a|0|1|0", "\"a=%u\", REC->a" },
};

static const struct accepted arrays[] = {
	{ " char[20] a", "char a[20]|0|20|1", "\"a=%s\", REC->a" },
	{ " char[1] a", "char a[1]|0|1|1", "\"a=%s\", REC->a" },
	{ " char[1024] a", "char a[1024]|0|1024|1", "\"a=%s\", REC->a" },
	{ " char[0x14] a", "char a[20]|0|20|1", "\"a=%s\", REC->a" },
	{ " char[024] a", "char a[20]|0|20|1", "\"a=%s\", REC->a" },
	{ " char[+5] a", "char a[5]|0|5|1", "\"a=%s\", REC->a" },
	{ " char[000004] a", "char a[4]|0|4|1", "\"a=%s\", REC->a" },
	{ " char[4]x a", "char a[4]|0|4|1", "\"a=%s\", REC->a" },
	{ " char[4][5] a", "char a[4]|0|4|1", "\"a=%s\", REC->a" },
	{ " unsigned char[3] k", "unsigned char k[3]|0|3|0",
	  "\"k=%s\", REC->k" },
	{ " unsigned char[1024] k", "unsigned char k[1024]|0|1024|0",
	  "\"k=%s\", REC->k" },
	{ " char[3] a;char[5] b;u8 c",
	  "char a[3]|0|3|1\nchar b[5]|3|5|1\nu8 c|8|1|0",
	  "\"a=%s b=%s c=%u\", REC->a, REC->b, REC->c" },
};

static const struct accepted locations[] = {
	{ " __data_loc char[] a", "__data_loc char[] a|0|4|1",
	  "\"a=%s\", __get_str(a)" },
	{ " __data_loc unsigned char[] a", "__data_loc unsigned char[] a|0|4|1",
	  "\"a=%s\", __get_str(a)" },
	{ " __data_loc u8[] a", "__data_loc u8[] a|0|4|1",
	  "\"a=%llu\", REC->a" },
	{ " __data_loc char a", "__data_loc char a|0|4|1",
	  "\"a=%llu\", __get_str(a)" },
	{ " __data_loc foo a", "__data_loc foo a|0|4|1", "\"a=%llu\", REC->a" },
	{ " __data_loc unsigned foo a", "__data_loc unsigned foo a|0|4|1",
	  "\"a=%llu\", REC->a" },
	{ " __rel_loc char[] a", "__rel_loc char a[]|0|4|1",
	  "\"a=%s\", __get_rel_str(a)" },
	{ " __rel_loc unsigned char[] a", "__rel_loc unsigned char a[]|0|4|1",
	  "\"a=%s\", __get_rel_str(a)" },
	{ " __rel_loc u8[] a", "__rel_loc u8 a[]|0|4|1", "\"a=%llu\", REC->a" },
	{ " __rel_loc char a", "__rel_loc char a|0|4|1",
	  "\"a=%llu\", __get_rel_str(a)" },
	{ " __rel_loc foo a", "__rel_loc foo a|0|4|1", "\"a=%llu\", REC->a" },
	{ " __rel_loc char[] a;__data_loc char[] b;u16 c",
	  "__rel_loc char a[]|0|4|1\n__data_loc char[] b|4|4|1\nu16 c|8|2|0",
	  "\"a=%s b=%s c=%u\", __get_rel_str(a), __get_str(b), REC->c" },
	/* Only types must not contain them elsewhere: names can. */
	{ " u32 __data_loc", "u32 __data_loc|0|4|0",
	  "\"__data_loc=%u\", REC->__data_loc" },
	{ " u32 a__rel_loc", "u32 a__rel_loc|0|4|0",
	  "\"a__rel_loc=%u\", REC->a__rel_loc" },
};

static const struct accepted structs[] = {
	{ " struct s a 20", "struct s a|0|20|1", "\"a=%llu\", REC->a" },
	{ " struct s a +20", "struct s a|0|20|1", "\"a=%llu\", REC->a" },
	{ " struct s a 020", "struct s a|0|20|1", "\"a=%llu\", REC->a" },
	{ " struct s a 1", "struct s a|0|1|1", "\"a=%llu\", REC->a" },
	{ " struct s a 1025", "struct s a|0|1025|1", "\"a=%llu\", REC->a" },
	{ " struct s a 3;u64 b;struct t c 7;u8 d",
	  "struct s a|0|3|1\nu64 b|3|8|0\nstruct t c|11|7|1\nu8 d|18|1|0",
	  "\"a=%llu b=%llu c=%llu d=%u\", REC->a, REC->b, REC->c, REC->d" },
};

static const struct accepted layout[] = {
	{ " u8 a;u64 b;u16 c;u32 d",
	  "u8 a|0|1|0\nu64 b|1|8|0\nu16 c|9|2|0\nu32 d|11|4|0",
	  "\"a=%u b=%llu c=%u d=%u\", REC->a, REC->b, REC->c, REC->d" },
	{ " u32 \"q\"", "u32 \"q\"|0|4|0", "\"\"q\"=%u\", REC->\"q\"" },
	{ " u32 1", "u32 1|0|4|0", "\"1=%u\", REC->1" },
	{ " u32 u32", "u32 u32|0|4|0", "\"u32=%u\", REC->u32" },
	{ " u32 struct", "u32 struct|0|4|0", "\"struct=%u\", REC->struct" },
};

/* The common fields of every kernel; some kernels have more. */
static const char known_fields[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
	"\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n";

/* Expected content of the whole format file. */
static char *expected_format(const char *event, const struct accepted *row)
{
	char *out = NULL, *fields = strdup(row->fields), *next = fields, *line;
	size_t size;
	FILE *file = open_memstream(&out, &size);

	EXPECT_EQ(strncmp(common_fields(), known_fields, strlen(known_fields)),
		  0);
	fprintf(file, "name: %s\nID: %u\nformat:\n%s\n", event, event_id(event),
		common_fields());
	while (row->fields[0] && (line = strsep(&next, "\n"))) {
		const char *declaration = strsep(&line, "|");
		const char *offset = strsep(&line, "|");
		const char *bytes = strsep(&line, "|");

		fprintf(file,
			"\tfield:%s;\toffset:%lu;\tsize:%s;\tsigned:%s;\n",
			declaration,
			common_fields_size() + strtoul(offset, NULL, 10), bytes,
			line);
	}
	fprintf(file, "\nprint fmt: %s\n", row->print_fmt);
	fclose(file);

	return out;
}

static void check_format(const char *event, const struct accepted *row)
{
	char *format = tfs_read("events/user_events/%s/format", event);

	if (!format) {
		FAIL("cannot read format: %s", harness_errno(errno));
		return;
	}
	EXPECT_STREQ(format, expected_format(event, row));
	free(format);
}

static void check_accepted(const struct accepted *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const char *event = uniq(text("%zu", i));
		const char *command = text("%s%s", event, rows[i].args);
		char *line;
		int fd = data_open();

		harness_context("ioctl, \"NAME%s\"", rows[i].args);
		ASSERT_OK(reg(fd, command, NULL));
		check_format(event, &rows[i]);
		line = find_line(tfs_read("dynamic_events"),
				 text("u:%s", event));
		EXPECT_TRUE(line);
		close(fd);
		EXPECT_OK(del_event(event));

		harness_context("dynamic_events, \"u:NAME%s\"", rows[i].args);
		ASSERT_OK(dynevent_write(text("u:%s", command)));
		check_format(event, &rows[i]);
		EXPECT_TRUE(line && dynevent_listed(line));
		EXPECT_OK(dynevent_write(text("-:%s", event)));

		/* The listed line creates the same event again. */
		if (!line)
			continue;
		harness_context("listed as \"%s\"", line);
		ASSERT_OK(dynevent_write(line));
		check_format(event, &rows[i]);
		EXPECT_OK(del_event(event));
	}
}

TEST(accepts_commands_without_fields)
{
	check_accepted(no_fields, ARRAY_SIZE(no_fields));
}

TEST(splits_fields)
{
	check_accepted(splitting, ARRAY_SIZE(splitting));
}

TEST(accepts_numbers)
{
	check_accepted(numbers, ARRAY_SIZE(numbers));
}

TEST(accepts_arrays)
{
	check_accepted(arrays, ARRAY_SIZE(arrays));
}

TEST(accepts_locations)
{
	check_accepted(locations, ARRAY_SIZE(locations));
}

TEST(accepts_structs)
{
	check_accepted(structs, ARRAY_SIZE(structs));
}

/* The largest possible total size of the fields. */
TEST(accepts_largest_event)
{
	const unsigned int most = ENTRY_MAX - common_fields_size();
	const struct accepted rows[] = {
		{ text(" struct s a %u", most), text("struct s a|0|%u|1", most),
		  "\"a=%llu\", REC->a" },
		{ text(" struct s a %u;u32 b", most - 4),
		  text("struct s a|0|%u|1\nu32 b|%u|4|0", most - 4, most - 4),
		  "\"a=%llu b=%u\", REC->a, REC->b" },
	};

	check_accepted(rows, ARRAY_SIZE(rows));
}

TEST(lays_fields_out_in_order)
{
	check_accepted(layout, ARRAY_SIZE(layout));
}

static bool differs_as_words(const char *command)
{
	return strstr(command, "  ") || strpbrk(command, "\t\v\f\r") ||
	       command[strlen(command) - 1] == ' ';
}

/*
 * Expects that every command is rejected, through both interfaces, and that no
 * object is created.
 */
static void check_rejected(const char *const *args, size_t count)
{
	const char *status = tfs_read("user_events_status");
	const char *list = tfs_read("dynamic_events");
	int fd = data_open();
	size_t i;

	for (i = 0; i < count; i++) {
		const char *event = uniq(text("%zu", i));
		const char *command = text("%s%s", event, args[i]);

		harness_context("ioctl, \"NAME%s\"", args[i]);
		EXPECT_ERRNO(reg(fd, command, NULL), EINVAL);
		EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
		/* dynamic_events ends the command at the newline. */
		if (strchr(command, '\n'))
			continue;
		/* After the kernel has split the line, the spacing is lost. */
		if (differs_as_words(command) && !has_whole_lines())
			continue;
		harness_context("dynamic_events, \"u:NAME%s\"", args[i]);
		EXPECT_ERRNO(dynevent_write(text("u:%s", command)), EINVAL);
		EXPECT_FALSE(tfs_exists("events/user_events/%s", event));
	}
	harness_context(NULL);
	EXPECT_STREQ(tfs_read("user_events_status"), status);
	EXPECT_STREQ(tfs_read("dynamic_events"), list);
}

TEST(rejects_invalid_spacing)
{
	static const char *const args[] = {
		" u32  a",	  " u32 a ",
		" u32 a  ",	  " u32 a ;u32 b",
		" u32 a; u32 b ", " unsigned  int a",
		" u32\ta",	  " u32\t a",
		" struct  s a 4", " struct s  a 4",
		" struct s a  4", " struct s a 4 ",
		" u32",		  " u32;",
		" u32;u32 a",	  " a",
		"\tu32 a",	  "\nu32 a",
		"\vu32 a",
	};

	check_rejected(args, ARRAY_SIZE(args));
}

TEST(rejects_invalid_types)
{
	static const char *const args[] = {
		" long a",
		" unsigned long a",
		" long long a",
		" bool a",
		" size_t a",
		" float a",
		" double a",
		" void a",
		" uint32_t a",
		" U32 a",
		" u33 a",
		" u320 a",
		" u32[4] a",
		" u8[4] a",
		" s8[4] a",
		" int[4] a",
		" char* a",
		" char * a",
		" const char a",
		" signed char a",
		" signed int a",
		" volatile u32 a",
		" unsigned a",
		" unsigned long",
		" unsigned u32 a",
		" unsigned unsigned a",
		" unsigned s32 a",
		" union u a 4",
		" enum e a 4",
		" aa a",
		" __data_loc",
		" __data_loc a",
		" __data_loc_ char[] a",
		" __dyn_loc char[] a",
		" xu32 a",
	};

	check_rejected(args, ARRAY_SIZE(args));
}

TEST(rejects_invalid_arrays)
{
	static const char *const args[] = {
		" char[] a",
		" char[0] a",
		" char[00] a",
		" char[0x0] a",
		" char[1025] a",
		" char[9999] a",
		" char[-1] a",
		" char[ 4] a",
		" char[4 ] a",
		" char[aa] a",
		" char[4a] a",
		" char[4",
		" char[4 a",
		" char[ a",
		" char] a",
		" char[0000004] a",
		" char[4]xxxxxx a",
		" char[99999999999] a",
		" unsigned char[] a",
		" unsigned char[0] a",
		" unsigned char[1025] a",
		" unsigned short[4] a",
		" char a[4]x 4",
	};

	check_rejected(args, ARRAY_SIZE(args));
}

TEST(rejects_invalid_structs)
{
	static const char *const args[] = {
		" struct a",
		" struct s a",
		" struct s a ",
		" struct s",
		" struct s a 0",
		" struct s a 0x14",
		" struct s a -1",
		" struct s a 4x",
		" struct s a 4 4",
		" struct s a b",
		" struct s a 65535",
		" struct s a 65536",
		" struct s a 2147483647",
		" struct s a 2147483648",
		" struct s a 4294967294",
		" struct s a 4294967295",
		" struct s a 4294967296",
		" struct s a 4294967316",
		" struct s a 18446744073709551616",
		" u32 a 4",
		" int a 4",
		" char[4] a 4",
		" unsigned int a 4",
		" __data_loc char[] a 4",
		" __data_loc struct s a",
		" __rel_loc struct s a",
		" __data_loc struct s a 4",
	};

	check_rejected(args, ARRAY_SIZE(args));
}

/*
 * Neither a field nor the sum of all fields can exceed the range of the
 * offsets.
 */
TEST(rejects_fields_that_are_too_large)
{
	const unsigned int most = ENTRY_MAX - common_fields_size();
	const char *const args[] = {
		text(" struct s a %u", most + 1),
		text(" struct s a %u;u32 b", most - 3),
		text(" u32 b;struct s a %u", most - 3),
		text(" u8 b;struct s a %u", most),
		text(" struct s a %u;u8 b", most),
		" struct s a 40000;struct s b 40000",
		text(" struct s a %u;struct s b %u", most / 2 + 1,
		     most / 2 + 1),
		text(" struct s a %u;struct s b %u;struct s c %u", most, most,
		     most),
		" struct s a 2147483640;struct s b 2147483640;u32 c",
	};

	check_rejected(args, ARRAY_SIZE(args));
}

/* Readers of format search for these words, which would mislead them. */
TEST(rejects_misplaced_location_words)
{
	static const char *const args[] = {
		" struct __data_loc a 4",	    " struct __rel_loc a 4",
		" struct x__data_loc a 4",	    " struct x__rel_loc[] a 4",
		" __data_loc __data_loc a",	    " __data_loc __rel_loc a",
		" __rel_loc __data_loc a",	    " __rel_loc x__rel_loc[] a",
		" __data_loc unsigned __rel_loc a", " char[4]__data_loc a",
	};

	check_rejected(args, ARRAY_SIZE(args));
}

TEST(rejects_invalid_field_names)
{
	static const char *const args[] = {
		" u32 ",	" u32 ;u32 a",
		" u32 a;u32 ",	" u32 a\t",
		" u32 a\x01",	" u32 \x7f",
		" u32 a\nb",	" u32 a\v",
		" struct s  4", " u32 a/b",
		" u32 /",	" u32 .",
		" u32 ..",	" u32 b;u32 .",
		" char[4] a/b", " __rel_loc char[] ",
	};

	check_rejected(args, ARRAY_SIZE(args));
}

TEST(rejects_invalid_names)
{
	static const char *const names[] = {
		"",
		" ",
		" u32 a",
		":",
		":flag",
		":f u32 a",
		".",
		"..",
		"/",
		"a/b",
		"/a",
		"a/",
		"../a",
		"a/../b",
		"\t",
		"a\tb",
		"a\x01",
		"\x1f"
		"a",
		"\x7f",
		"a\x7f"
		"b",
		"a\vb",
		"..:flag",
		".:flag",
	};
	const char *status = tfs_read("user_events_status");
	const char *list = tfs_read("dynamic_events");
	int fd = data_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		harness_context("name \"%s\"", names[i]);
		EXPECT_ERRNO(reg(fd, names[i], NULL), EINVAL);
		/*
		 * dynamic_events skips leading space, so these create an event.
		 */
		if (names[i][0] == ' ' || names[i][0] == '\t')
			continue;
		EXPECT_ERRNO(dynevent_write(text("u:%s", names[i])), EINVAL);
		EXPECT_ERRNO(dynevent_write(text("u:%s u32 a", names[i])),
			     EINVAL);
	}
	harness_context("name with a newline");
	EXPECT_ERRNO(reg(fd, PREFIX "a\nb", NULL), EINVAL);
	EXPECT_ERRNO(reg(fd, "\n", NULL), EINVAL);
	harness_context(NULL);
	EXPECT_STREQ(tfs_read("user_events_status"), status);
	EXPECT_STREQ(tfs_read("dynamic_events"), list);
}

TEST(accepts_unusual_names)
{
	static const char *const tags[] = {
		"-",  "a.b",	"...",	  "a,b",   "a=b",      "a;b",  "\"q\"",
		"\\", "%s%n",	"{a}",	  "$HOME", "\xc3\xa9", "a[4]", "*",
		"~",  "enable", "filter", "(a)",   "a..b",     "!a",   "@",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		const char *event = uniq(tags[i]);
		const struct accepted row = {
			.fields = "u32 a|0|4|0",
			.print_fmt = "\"a=%u\", REC->a",
		};
		uint32_t record[2] = { 0, 5 };
		int fd = data_open();

		harness_context("name \"%s\"", event);
		ASSERT_OK(reg(fd, text("%s u32 a", event), NULL));
		check_format(event, &row);
		EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", event)));
		enable(event, true);
		EXPECT_EQ(write(fd, record, sizeof(record)), 8);
		EXPECT_STREQ(trace_text(event), text("%s: a=0x5 (5)", event));
		enable(event, false);
		close(fd);
		EXPECT_OK(del_event(event));
	}
}

/* Lines of dynamic_events are not limited to 512 characters. */
TEST(accepts_long_line)
{
	const char *event = uniq("long");
	char line[4096], fields[65536], print_fmt[65536];
	struct accepted row = { .fields = fields, .print_fmt = print_fmt };
	size_t used = 0, field = 0, names = 1, i;

	strcpy(print_fmt, "\"");
	for (i = 0; i < 300; i++) {
		used += sprintf(line + used, "u32 f%zu;", i);
		field += sprintf(fields + field, "%su32 f%zu|%zu|4|0",
				 i ? "\n" : "", i, 4 * i);
		names += sprintf(print_fmt + names, "%sf%zu=%%u", i ? " " : "",
				 i);
	}
	names += sprintf(print_fmt + names, "\"");
	for (i = 0; i < 300; i++)
		names += sprintf(print_fmt + names, ", REC->f%zu", i);

	ASSERT_GT(used, 512);
	ASSERT_OK(dynevent_write(text("u:%s %s", event, line)));
	check_format(event, &row);
	EXPECT_OK(dynevent_write(text("-:%s", event)));
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
