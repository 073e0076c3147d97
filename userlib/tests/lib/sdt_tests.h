/* SPDX-License-Identifier: MIT */
/*
 * Tests of the probes of lib/sdt_probes.h, the same for C and C++. The file that
 * includes this one has main().
 */
#ifndef SDT_TESTS_H
#define SDT_TESTS_H

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	probes_evaluated = 0;
}

/* fields_of() - " s32 arg1; s32 arg2..." of @count arguments */
static const char *command_of(const char *event, int count)
{
	static char text[400];
	int i, length;

	length = snprintf(text, sizeof(text), "%s", event);
	for (i = 1; i <= count; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "%s s32 arg%d", i == 1 ? "" : ";", i);

	return text;
}

START_TEST(registers_each_count)
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
}
END_TEST

START_TEST(writes_each_count)
{
	static const int32_t numbers[] = {
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
		ck_assert_uint_eq(record->size, (size_t)count * 4);
		ck_assert_mem_eq(record->payload, numbers, record->size);
		snprintf(event, sizeof(event), "stap_count%d", count);
		fake_enable(event, true);
		probe_all_counts_stap();
		fake_enable(event, false);
		ck_assert_str_eq(record->name, event);
		ck_assert_uint_eq(record->size, (size_t)count * 4);
		ck_assert_mem_eq(record->payload, numbers, record->size);
	}
}
END_TEST

START_TEST(evaluates_arguments_once)
{
	probe_all_counts();
	ck_assert_int_eq(probes_evaluated, 0);
	fake_enable("sdt_count1", true);
	probe_all_counts();
	ck_assert_int_eq(probes_evaluated, 1);
}
END_TEST

START_TEST(has_type_of_each_argument)
{
	const struct fake_record *record = fake_record();
	const struct {
		int32_t yes;
		int32_t letter;
		int8_t s8;
		uint8_t u8;
		int16_t s16;
		uint16_t u16;
		uint32_t u32;
		int64_t s64;
		uint64_t u64;
		uint32_t color;
		float f;
		double d;
	} __attribute__((__packed__))
	expected = { 1, 'x', -1, 2, -3, 4, 7, -5, 6, PROBE_BLUE, 1.0F, 2.0 };

	ck_assert_str_eq(fake_command("sdt_types"), SDT_TYPES_COMMAND);
	fake_enable("sdt_types", true);
	probe_types();
	ck_assert_uint_eq(record->size, sizeof(expected));
	ck_assert_mem_eq(record->payload, &expected, sizeof(expected));
}
END_TEST

/* check_text() - text number @index of the record */
static void check_text(int index, const char *text, size_t length)
{
	const struct fake_record *record = fake_record();
	const uint8_t *word = record->payload + (size_t)index * 4;
	uint32_t place;

	memcpy(&place, word, sizeof(place));
	ck_assert_uint_eq(place >> 16, length + 1);
	word += 4 + (place & 0xffff);
	ck_assert_mem_eq(word, text, length);
	ck_assert_int_eq(word[length], 0);
}

START_TEST(writes_texts)
{
	static char large[UEV_SDT_TEXT_MAX + 1];

	ck_assert_str_eq(fake_command("sdt_texts"), SDT_TEXTS_COMMAND);
	fake_enable("sdt_texts", true);
	probe_texts("text");
	check_text(0, "text", 4);
	check_text(1, "array", 5);
	check_text(2, "ray", 3);
	check_text(3, "literal", 7);
	probe_texts(NULL);
	check_text(0, "(null)", 6);
	/* It has no terminator, and is read up to the limit. */
	memset(large, 'x', sizeof(large));
	probe_texts(large);
	check_text(0, large, UEV_SDT_TEXT_MAX);
	check_text(3, "literal", 7);
}
END_TEST

START_TEST(writes_addresses)
{
	const struct fake_record *record = fake_record();
	static int number;
	uintptr_t expected[] = { 0x1234, (uintptr_t)&number,	  5,
				 6,	 (uintptr_t)&probe_types, 0 };
	const char *u = sizeof(void *) == 8 ? "u64" : "u32";
	char command[200];

	/* NULL is a number in C++. */
	snprintf(command, sizeof(command),
		 "sdt_addresses %s arg1; %s arg2; %s arg3; %s arg4; %s arg5; "
		 "%s arg6",
		 u, u, u, u, u, NULL_TYPE);
	ck_assert_str_eq(fake_command("sdt_addresses"), command);
	fake_enable("sdt_addresses", true);
	probe_addresses((struct probe_object *)(uintptr_t)0x1234, &number,
			(unsigned char *)(uintptr_t)5, (char **)(uintptr_t)6);
	ck_assert_uint_eq(record->size, sizeof(expected));
	ck_assert_mem_eq(record->payload, expected, sizeof(expected));
}
END_TEST

/* @more: another test, or NULL */
static int run_sdt_tests(const char *name, const struct TTest *more)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, registers_each_count);
	tcase_add_test(tcase, writes_each_count);
	tcase_add_test(tcase, evaluates_arguments_once);
	tcase_add_test(tcase, has_type_of_each_argument);
	tcase_add_test(tcase, writes_texts);
	tcase_add_test(tcase, writes_addresses);
	if (more)
		tcase_add_test(tcase, more);
	suite_add_tcase(suite, tcase);

	return run_suite(suite);
}

#endif
