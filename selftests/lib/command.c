// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random command strings: valid commands, valid commands with unusual spelling,
 * and commands just outside the valid range.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "harness.h"
#include "random.h"

/* --- vocabulary --- */

static const char *const numbers[] = {
	"u8",		"s8",  "u16", "s16",	       "u32",
	"s32",		"u64", "s64", "char",	       "short",
	"int",		"int", "u32", "unsigned char", "unsigned short",
	"unsigned int",
};

static const unsigned int number_sizes[] = {
	1, 1, 2, 2, 4, 4, 8, 8, 1, 2, 4, 4, 4, 1, 2, 4,
};

static const char *const array_lengths[] = {
	"1",	      "2",    "3",   "4",	 "7",	"8",	 "16",
	"20",	      "64",   "100", "255",	 "256", "511",	 "1023",
	"1024",	      "0x10", "024", "0x400",	 "+5",	"00016", "0x0003",
	"09",	      "1025", "0",   "-1",	 "",	" 4",	 "4 ",
	"4294967296", "1e1",  "0x",  "99999999",
};

static const char *const locs[] = {
	"char[]", "char[16]",	  "char", "unsigned char[]", "u8[]",   "u32",
	"int",	  "unsigned int", "foo",  "char[]x",	     "mychar", "u64[4]",
};

static const char *const struct_sizes[] = {
	"1",	      "2",	    "3",
	"4",	      "8",	    "12",
	"16",	      "20",	    "100",
	"1000",	      "4000",	    "65527",
	"+20",	      "020",	    "65528",
	"65535",      "65536",	    "0",
	"-1",	      "0x14",	    "",
	"20 20",      "2147483647", "2147483648",
	"4294967295", "4294967296", "99999999999999999999",
	"1k",	      "20;",
};

static const char *const odd_types[] = {
	"long",
	"unsigned long",
	"bool",
	"u32[4]",
	"char*",
	"char *",
	"unsigned",
	"unsigned a",
	"signed int",
	"const char",
	"char[4",
	"char[4]x",
	"char[4][4]",
	"char]4[",
	"unsigned char[2]]",
	"char [4]",
	"struct",
	"structs",
	"Struct s",
	"struct  s",
	"__data_loc",
	"__rel_loc",
	"__data_loc  char[]",
	"__rel_loc struct s",
	"__data_locx char",
	"__data_loc __rel_loc",
	"__rel_loc __data_loc",
	"char[__rel_loc]",
	"struct __data_loc",
	"U32",
	"void",
	"float",
	"cpumask_t",
	"__data_loc cpumask_t",
	"__rel_loc cpumask_t",
	"int,",
	"u32:",
	"u64 u64",
	"",
	"u8\t",
	"unsigned\tint",
	"\x01u8",
	"\xc3\xa9",
	"__data_loc \xc3\xa9",
	"struct \xc2\xa0s",
	"__data_loc unsigned char[]",
	"__rel_loc unsigned long",
	"__data_loc unsigned",
	"unsigned int[2]",
	"int u32",
};

static const char *const field_names[] = {
	"a",
	"b",
	"c",
	"id",
	"count",
	"name",
	"value",
	"x1",
	"_",
	"REC",
	"long_name_of_a_field",
	"common_pid",
	"comm",
	"x-y",
	"x.y",
	"9",
	"f(x)",
	"%s",
	"%n%d",
	"\"q\"",
	"\\",
	"#",
	"\xc3\xa9",
	"a,b",
	"a=b",
	"$x",
	"@1",
	"a[4]",
	"*p",
	"a:b",
};

static const char *const odd_field_names[] = {
	"",	"/",	   "a/b",      ".",    "..",   "a\t", "\x7f",
	"a\nb", "\x1b[0m", "\xc2\xa0", "\xa0", "\x85", "...",
};

static const char *const odd_names[] = {
	"",	    ".",    "..",    "/",      "a/b",	 "enable", "filter",
	"...",	    "%s",   "\"q\"", "\\",     "\x01",	 "a\tb",   "\x7f",
	"\xc3\xa9", "\xa0", "-x",    "format", "Enable", "$(x)",   "*",
	"a.0",	    "[a]",  "a,b",   "a;b",    "=",	 "'",	   "~",
};

static const char *const flags[] = {
	":", ":FLAG", ":BPF_ITER", ":A,B=3", "::", ":a:b", ":u32",
};

/* --- growing text --- */

struct text {
	char *at;
	size_t used;
};

static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int added;

	va_start(args, format);
	added = vsnprintf(text->at + text->used, COMMAND_MAX - text->used,
			  format, args);
	va_end(args);
	text->used += added;
	if (text->used >= COMMAND_MAX)
		text->used = COMMAND_MAX - 1;
}

/* --- names --- */

void make_name(char *name, const char *plain)
{
	static const unsigned int lengths[] = { 200, 254, 255, 256, 300, 400 };
	size_t length;

	strcpy(name, plain);
	if (chance(90))
		return;
	if (chance(70)) {
		strcpy(name, PICK(odd_names));
		return;
	}
	length = PICK(lengths);
	while (strlen(name) < length)
		strcat(name, "x");
}

bool name_is_path_safe(const char *name)
{
	return *name && strcmp(name, ".") && strcmp(name, "..") &&
	       !strchr(name, '/') && strcmp(name, "enable") &&
	       strcmp(name, "filter") && strlen(name) <= NAME_MAX;
}

/* --- commands of any kind --- */

static void add_type(struct text *text, bool *is_struct)
{
	*is_struct = false;
	switch (random_below(20)) {
	case 0 ... 9:
		add(text, "%s", PICK(numbers));
		break;
	case 10 ... 12:
		add(text, "%schar[%s]", chance(30) ? "unsigned " : "",
		    array_lengths[random_below(chance(60) ? 15 : 32)]);
		break;
	case 13 ... 15:
		add(text, "%s %s", chance(50) ? "__data_loc" : "__rel_loc",
		    PICK(locs));
		break;
	case 16 ... 17:
		add(text, "struct %s", chance(90) ? "my_s" : "s[3]");
		*is_struct = true;
		break;
	default:
		add(text, "%s", PICK(odd_types));
	}
}

static void add_field(struct text *text)
{
	static const char *const gaps[] = { "  ", "\t", "", " \t", "\n" };
	bool is_struct;

	add_type(text, &is_struct);
	add(text, "%s", chance(97) ? " " : PICK(gaps));
	if (chance(97))
		add(text, "%s", PICK(field_names));
	else
		add(text, "%s", PICK(odd_field_names));

	if (chance(is_struct ? 95 : 2))
		add(text, " %s",
		    struct_sizes[random_below(chance(65) ? 12 : 29)]);
	if (chance(2))
		add(text, " ");
}

static unsigned int field_count(void)
{
	static const unsigned char counts[] = { 0, 1, 1, 1, 2, 2, 3, 4, 6 };

	return chance(97) ? PICK(counts) : 10 + random_below(40);
}

/* Bytes that are separators or special characters in some context. */
static char odd_byte(void)
{
	static const char bytes[] = " \t\n\r\v;:/.#[]\"'%\\-+*0123xyu_\x7f\x01"
				    "\x80\xa0\xff";

	return bytes[random_below(sizeof(bytes) - 1)];
}

static void damage(char *text)
{
	size_t length = strlen(text);
	size_t at = length ? random_below(length) : 0;

	switch (random_below(4)) {
	case 0:
		if (length)
			memmove(text + at, text + at + 1, length - at);
		break;
	case 1:
		if (length < COMMAND_MAX - 1)
			memmove(text + at + 1, text + at, length - at + 1);
		if (!length)
			strcpy(text, "x");
		break;
	case 2:
		if (length)
			text[at] = odd_byte();
		break;
	default:
		if (length < COMMAND_MAX - 1) {
			memmove(text + at + 1, text + at, length - at + 1);
			text[at] = odd_byte();
		}
	}
}

/*
 * Extends a text to one of the lengths at which the kernel's handling changes.
 */
static void extend(char *text)
{
	static const unsigned int lengths[] = { 509, 510, 511, 512, 513, 600 };
	size_t length = PICK(lengths);
	size_t used = strlen(text);

	if (used + 8 < length) {
		strcpy(text + used, used ? "; u8 " : "n u8 ");
		used = strlen(text);
		memset(text + used, 'z', length - used);
		text[length] = '\0';
	}
}

void make_command(char *out, const char *name)
{
	static const char *const separators[] = { ";",	 ";;",	" ;",  ";\t",
						  ";  ", "; ;", ";\n", "" };
	static const char *const suffixes[] = { ";",  "; ", ";;", " ",
						" ;", "\n", ";\t" };
	static const char *const prefixes[] = {
		"  ", " ;", ";", "\t", "", " ; "
	};
	struct text text = { .at = out };
	unsigned int count = field_count();
	unsigned int i;

	out[0] = '\0';
	add(&text, "%s%s", name, chance(96) ? "" : PICK(flags));
	if (count || chance(30))
		add(&text, "%s", chance(95) ? " " : PICK(prefixes));
	for (i = 0; i < count; i++) {
		if (i)
			add(&text, "%s", chance(80) ? "; " : PICK(separators));
		add_field(&text);
	}
	if (chance(12))
		add(&text, "%s", PICK(suffixes));

	while (chance(7))
		damage(out);
	if (chance(2))
		extend(out);
}

/* --- commands with known fields --- */

static void set_number(struct field *field)
{
	unsigned int i = random_below(ARRAY_SIZE(numbers));

	field->kind = KIND_NUMBER;
	field->size = number_sizes[i];
	strcpy(field->type, numbers[i]);
}

static void set_array(struct field *field)
{
	static const unsigned int lengths[] = { 1, 2, 3, 5, 8, 16, 33, 100 };

	field->kind = KIND_ARRAY;
	field->size = PICK(lengths);
	sprintf(field->type, "%schar[%u]", chance(30) ? "unsigned " : "",
		field->size);
}

static void set_struct(struct field *field)
{
	static const unsigned int sizes[] = { 1, 2, 3, 4, 7, 8, 12, 16, 60 };

	field->kind = KIND_STRUCT;
	field->size = PICK(sizes);
	strcpy(field->type, "struct my_s");
}

static void set_loc(struct field *field)
{
	field->kind = chance(50) ? KIND_DATA_LOC : KIND_REL_LOC;
	field->size = sizeof(uint32_t);
	sprintf(field->type, "%s %s",
		field->kind == KIND_DATA_LOC ? "__data_loc" : "__rel_loc",
		chance(60) ? "char[]" : PICK(locs));
	field->string = strstr(field->type, "char");
}

static void set_field(struct field *field, unsigned int number)
{
	switch (random_below(10)) {
	case 0 ... 4:
		set_number(field);
		break;
	case 5:
		set_array(field);
		break;
	case 6:
		set_struct(field);
		break;
	default:
		set_loc(field);
	}
	sprintf(field->name, "f%u", number);
}

void make_valid_command(struct command *command, char *out, const char *name)
{
	struct text text = { .at = out };
	unsigned int i;

	memset(command, 0, sizeof(*command));
	command->count = random_below(6);
	out[0] = '\0';
	add(&text, "%s", name);
	for (i = 0; i < command->count; i++) {
		struct field *field = &command->fields[i];

		set_field(field, i);
		field->offset = command->size;
		command->size += field->size;
		add(&text, "%s%s %s", i ? "; " : " ", field->type, field->name);
		if (field->kind == KIND_STRUCT)
			add(&text, " %u", field->size);
	}
}

/* --- changes of commands --- */

/* Replaces @old bytes at @at; does nothing if the result would be too long. */
static void splice(char *text, char *at, size_t old, const char *new)
{
	size_t length = strlen(text);

	if (length - old + strlen(new) >= COMMAND_MAX)
		return;
	memmove(at + strlen(new), at + old, strlen(at + old) + 1);
	memcpy(at, new, strlen(new));
}

static char *random_match(char *text, const char *what)
{
	unsigned int found = 0, wanted;
	char *at;

	for (at = text; (at = strstr(at, what)); at += strlen(what))
		found++;
	if (!found)
		return NULL;
	wanted = random_below(found);
	for (at = strstr(text, what); wanted--;)
		at = strstr(at + strlen(what), what);

	return at;
}

struct rewrite {
	const char *from;
	const char *to;
};

static void rewrite(char *text, const struct rewrite *rewrites, size_t count)
{
	const struct rewrite *one = &rewrites[random_below(count)];
	char *fields = strchr(text, ' ');
	char *at;

	if (!*one->from) {
		splice(text, text + strlen(text), 0, one->to);
		return;
	}
	at = fields ? random_match(fields, one->from) : NULL;
	if (at)
		splice(text, at, strlen(one->from), one->to);
}

void respell_command(char *text)
{
	static const struct rewrite rewrites[] = {
		{ "; ", ";" },	  { ";", "; " },     { ";", ";;" },
		{ ";", " ;" },	  { ";", " ; " },    { " ", "  " },
		{ " ", "\t" },	  { ";", ";\t" },    { "", ";" },
		{ "", " " },	  { "", "; " },	     { "", " ;" },
		{ "", ";;" },	  { "[", "[0" },     { "[16", "[0x10" },
		{ "[8", "[010" }, { " 20", " +20" }, { " 8", " 08" },
		{ ";", "; ; " },  { "", "\t" },
	};
	static const char *const after_name[] = { ":", ":FLAG", ":A:B" };
	char *end;

	do
		rewrite(text, rewrites, ARRAY_SIZE(rewrites));
	while (chance(30));

	if (chance(4)) {
		end = strchr(text, ' ') ?: text + strlen(text);
		splice(text, end, 0, PICK(after_name));
	}
}

void alter_command(char *text)
{
	static const struct rewrite rewrites[] = {
		{ "u32", "s32" },
		{ "int", "u32" },
		{ "char[", "u8[" },
		{ "char[]", "char[1]" },
		{ "char", "unsigned char" },
		{ "__rel_loc", "__data_loc" },
		{ " a", " aa" },
		{ " f", " g" },
		{ "", "; u8 z" },
		{ "", "x" },
		{ "; ", " " },
		{ "my_s", "my_t" },
		{ "8", "9" },
		{ "2", "3" },
		{ " ", " u8 y; " },
		{ "", " 4" },
		{ "s16", "u16" },
		{ "u8", "u16" },
	};
	char *cut;

	if (chance(15)) {
		cut = strrchr(text, ';') ?: strchr(text, ' ');
		if (cut)
			*cut = '\0';
		return;
	}
	rewrite(text, rewrites, ARRAY_SIZE(rewrites));
}
