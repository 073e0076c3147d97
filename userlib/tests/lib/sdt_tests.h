/* SPDX-License-Identifier: MIT */
/*
 * Tests of the probes of lib/sdt_probes.h, the same for C and C++. The file that
 * includes this one has main().
 */
#ifndef SDT_TESTS_H
#define SDT_TESTS_H

#include <errno.h>

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	probes_evaluated = 0;
}

TEST_FIXTURE(set_up, NULL);

/* fields_of() - " s64 arg1; s64 arg2..." of @count arguments */
static const char *command_of(const char *event, int count)
{
	static char text[400];
	int i, length;

	length = snprintf(text, sizeof(text), "%s", event);
	for (i = 1; i <= count; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "%s s64 arg%d", i == 1 ? "" : ";", i);

	return text;
}

TEST(registers_each_count)
{
	static const char *const providers[] = { "sdt", "stap" };
	char event[30];
	int i, count;

	for (i = 0; i < 2; i++) {
		for (count = 0; count <= 12; count++) {
			snprintf(event, sizeof(event), "%s_count%d",
				 providers[i], count);
			ck_assert_str_eq(fake_command(event),
					 command_of(event, count));
		}
	}
	ck_assert_str_eq(fake_command("stap_variable0"), "stap_variable0");
	ck_assert_str_eq(fake_command("stap_variable2"),
			 command_of("stap_variable2", 2));
	ck_assert_str_eq(fake_command("stap_variable12"),
			 command_of("stap_variable12", 12));
	ck_assert_str_eq(fake_command("lttng_count0"), "lttng_count0");
	ck_assert_str_eq(fake_command("lttng_count2"),
			 command_of("lttng_count2", 2));
}

TEST(writes_each_count)
{
	static const int64_t numbers[] = {
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
	};
	const struct fake_record *record = fake_record();
	char event[30];
	int i, count;

	for (i = 0; i <= 12; i++) {
		count = i;
		snprintf(event, sizeof(event), "sdt_count%d", count);
		fake_enable(event, true);
		probe_all_counts();
		fake_enable(event, false);
		ck_assert_str_eq(record->name, event);
		ck_assert_uint_eq(record->size, (size_t)count * 8);
		ck_assert_mem_eq(record->payload, numbers, record->size);
		snprintf(event, sizeof(event), "stap_count%d", count);
		fake_enable(event, true);
		probe_all_counts_stap();
		fake_enable(event, false);
		ck_assert_str_eq(record->name, event);
		ck_assert_uint_eq(record->size, (size_t)count * 8);
		ck_assert_mem_eq(record->payload, numbers, record->size);
	}
}

TEST(evaluates_arguments_once)
{
	probe_all_counts();
	ck_assert_int_eq(probes_evaluated, 0);
	fake_enable("sdt_count1", true);
	probe_all_counts();
	ck_assert_int_eq(probes_evaluated, 1);
}

TEST(extends_integers_by_their_type)
{
	const struct fake_record *record = fake_record();
	const int64_t expected[] = { 1,		 'x', -1, 0xff, -3, 0xffff,
				     0xffffffff, -4,  8,  -5,	-2, PROBE_BLUE };

	ck_assert_str_eq(fake_command("sdt_types"), SDT_TYPES_COMMAND);
	fake_enable("sdt_types", true);
	probe_types();
	ck_assert_uint_eq(record->size, sizeof(expected));
	ck_assert_mem_eq(record->payload, expected, sizeof(expected));
}

/* Bytes of an entry in front of the payload. */
#define HEADER 8

/* text_of() - text number @index of the record, which starts with texts */
static const char *text_of(int index, size_t *length)
{
	const struct fake_record *record = fake_record();
	const uint8_t *word = record->payload + (size_t)index * 4;
	uint32_t place;

	memcpy(&place, word, sizeof(place));
	word = record->payload + (place & 0xffff) - HEADER;
	*length = (place >> 16) - 1;
	ck_assert_uint_le((size_t)(word - record->payload) + *length + 1,
			  record->size);
	ck_assert_int_eq(word[*length], 0);

	return (const char *)word;
}

static void check_text(int index, const char *text)
{
	size_t length;
	const char *found = text_of(index, &length);

	ck_assert_str_eq(found, text);
	ck_assert_uint_eq(length, strlen(text));
}

TEST(writes_floating_point_numbers_as_text)
{
	ck_assert_str_eq(fake_command("sdt_floats"), SDT_FLOATS_COMMAND);
	fake_enable("sdt_floats", true);
	probe_floats(0.1F, 2.5, -3.25L);
	check_text(0, "0.1");
	check_text(1, "2.5");
	check_text(2, "-3.25");
}

TEST(writes_texts_where_the_probe_says_so)
{
	static const char chars[] = { 'a', 'b', 'c' };
	size_t length;

	ck_assert_str_eq(fake_command("sdt_texts"), SDT_TEXTS_COMMAND);
	fake_enable("sdt_texts", true);
	probe_texts("text", chars, sizeof(chars));
	check_text(0, "text");
	check_text(1, "abc");
	check_text(2, "literal");
	probe_texts(NULL, NULL, 3);
	check_text(0, "(null)");
	check_text(1, "(null)");
	/* Nothing is read for a length that is an error. */
	probe_texts("", chars, -1);
	check_text(0, "");
	text_of(1, &length);
	ck_assert_uint_eq(length, 0);
	ck_assert_uint_eq(fake_records(), 3);
}

static uint64_t shortened_records(void)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));

	return stats.shortened;
}

/* ends_with_mark() - whether a text has @length bytes with the mark */
static bool ends_with_mark(int index, size_t expected)
{
	const size_t mark = strlen(UEV_SHORTENED);
	size_t length;
	const char *text = text_of(index, &length);

	return length == expected &&
	       !memcmp(text + length - mark, UEV_SHORTENED, mark);
}

/* Size of a record of sdt_texts without the characters of its texts */
#define TEXTS_FIXED (3 * (4 + 1) + 8)

TEST(shortens_texts_that_do_not_fit)
{
	const size_t rest = UEV_PAYLOAD_MAX - TEXTS_FIXED - strlen("literal");
	const struct fake_record *record = fake_record();
	const uint64_t before = shortened_records();
	static char large[20001];
	size_t i, length;

	fake_enable("sdt_texts", true);
	memset(large, 'x', sizeof(large) - 1);
	large[rest - 5] = '\0';
	probe_texts(large, "12345", 5);
	ck_assert_uint_eq(record->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(shortened_records(), before);
	/* One byte too many: only the long text is shortened. */
	probe_texts(large, "123456", 6);
	ck_assert_uint_eq(record->size, UEV_PAYLOAD_MAX);
	ck_assert(ends_with_mark(0, rest - 6));
	check_text(1, "123456");
	ck_assert_uint_eq(shortened_records(), before + 1);
	/* Texts that are too long become equally long. */
	memset(large, 'x', sizeof(large) - 1);
	probe_texts(large, large, 9000);
	ck_assert(ends_with_mark(0, rest / 2));
	ck_assert(ends_with_mark(1, rest / 2));
	check_text(2, "literal");
	ck_assert_uint_le(record->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(shortened_records(), before + 2);
	/* No half of a character, whose two bytes end at every offset */
	for (i = 1; i + 2 < sizeof(large); i += 2)
		memcpy(large + i, "\xc3\xa9", 2);
	for (i = 0; i < 4; i++) {
		probe_texts(large, "123456", (int)i);
		ck_assert_str_eq(text_of(0, &length) + length - 3,
				 UEV_SHORTENED);
		ck_assert_int_eq(text_of(0, &length)[length - 4], '\xa9');
	}
	ck_assert_uint_eq(shortened_records(), before + 6);
	ck_assert_uint_eq(fake_records(), 7);
}

/*
 * An argument that points to characters is not text: they need not be readable.
 */
TEST(writes_addresses)
{
	const struct fake_record *record = fake_record();
	static int number;
	const int64_t expected[] = { 0x1234, (int64_t)(uintptr_t)&number,
				     1,	     2,
				     3,	     (int64_t)(uintptr_t)&probe_types,
				     0,	     1 };

	ck_assert_str_eq(fake_command("sdt_addresses"),
			 command_of("sdt_addresses", 8));
	fake_enable("sdt_addresses", true);
	probe_addresses((struct probe_object *)(uintptr_t)0x1234, &number,
			(char *)(uintptr_t)1, (const char *)(uintptr_t)2,
			(char **)(uintptr_t)3);
	ck_assert_uint_eq(record->size, sizeof(expected));
	ck_assert_mem_eq(record->payload, expected, sizeof(expected));
}

/* Both places of the name write. */
TEST(has_one_type_for_all_integers_and_pointers)
{
	const struct fake_record *record = fake_record();
	int64_t expected[] = { -3, 1 };

	ck_assert_str_eq(fake_command("sdt_move"), command_of("sdt_move", 2));
	fake_enable("sdt_move", true);
	probe_move_in(-3, (const char *)(uintptr_t)1);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(record->size, sizeof(expected));
	ck_assert_mem_eq(record->payload, expected, sizeof(expected));
	probe_move_out(70000, true);
	expected[0] = 70000;
	ck_assert_uint_eq(fake_records(), 2);
	ck_assert_uint_eq(record->size, sizeof(expected));
	ck_assert_mem_eq(record->payload, expected, sizeof(expected));
	ck_assert_int_eq(uev_name_status("sdt_move"), 0);
}

TEST_FIXTURE(NULL, NULL);

/* Forms that have no type in common are two events of the kernel. */
TEST(records_each_form)
{
	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_int_eq(uev_name_status("sdt_form"), 0);
	fake_enable("sdt_form", true);
	fake_enable("sdt_form.0", true);
	probe_form_two(7);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(fake_record()->size, 16);
	probe_form_one(7.5);
	ck_assert_uint_eq(fake_records(), 2);
	check_text(0, "7.5");
}

static int form_error;

static void note_failure(const char *name, const char *command, int error,
			 void *data)
{
	(void)command;
	(void)data;
	if (!strcmp(name, "sdt_form"))
		form_error = error;
}

TEST_FIXTURE(set_up, NULL);

/* Before Linux 6.9, the kernel has one form. */
TEST(reports_form_that_kernel_rejects)
{
	fake_enable("sdt_form", true);
	probe_form_two(7);
	probe_form_one(7.5);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_int_eq(uev_name_status("sdt_form"), -EADDRINUSE);
	uev_set_failure_handler(note_failure, NULL);
	ck_assert_int_eq(form_error, -EADDRINUSE);
}

#endif
