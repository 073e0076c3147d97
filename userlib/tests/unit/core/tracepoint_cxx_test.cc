// SPDX-License-Identifier: MIT
/*
 * Tracepoints of C++: in templates, in functions that many files share, and with
 * the types that C does not have.
 */
#include <cstring>
#include <string>
#include <string_view>
#include <userevents/tracepoint-dynamic.h>
#include <userevents/tracepoint.h>

extern "C" {
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/same_types.h"
}

namespace
{

enum class small : uint16_t {
	one = 1
};

int evaluated;

int evaluate(int value)
{
	evaluated++;

	return value;
}

void trace_nothing()
{
	UEV_TRACE(cxx_nothing);
}

void trace_types(const std::string &string, std::string_view view)
{
	char array[] = "array";
	const char *none = nullptr;

	UEV_TRACE(cxx_types, b, true, c, 'c', sc, static_cast<signed char>(-2),
		  s, static_cast<short>(-4), i, evaluate(-6), u, 7U, ll, -10LL,
		  e, small::one, p, static_cast<void *>(nullptr), string,
		  string, view, view, array, array, none, none, bytes,
		  (uev_bytes{ "\1\2", 2 }));
}

void trace_temporaries(const std::string &text)
{
	UEV_TRACE(cxx_temporaries, pointer, std::string(text).c_str(), object,
		  std::string(text), bytes,
		  (uev_bytes{ std::string(text).data(), text.size() }));
}

/* Each of these is an event of its own type of field. */
template <typename T> void trace_template(T value)
{
	if constexpr (sizeof(T) == 1)
		UEV_TRACE(cxx_byte, value, value);
	else
		UEV_TRACE(cxx_more, value, value);
}

class thing
{
      public:
	/* Such a function may be in many files. */
	void trace() const
	{
		UEV_TRACE(cxx_thing, number, m_number, self, this->m_number);
	}

      private:
	int m_number = 5;
};

SAME_TYPES

void set_up()
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(nullptr), 0);
	evaluated = 0;
}

START_TEST(commands)
{
	uev_stats stats;

	ck_assert_str_eq(fake_command("cxx_nothing"), "cxx_nothing");
	ck_assert_str_eq(fake_command("cxx_types"),
			 "cxx_types s32 b; s32 c; s8 sc; s16 s; s32 i; u32 u; "
			 "s64 ll; u16 e; u64 p; __rel_loc char[] string; "
			 "__rel_loc char[] view; __rel_loc char[] array; "
			 "__rel_loc char[] none; __rel_loc u8[] bytes");
	ck_assert_str_eq(fake_command("cxx_byte"), "cxx_byte u8 value");
	ck_assert_str_eq(fake_command("cxx_more"), "cxx_more s64 value");
	ck_assert_str_eq(fake_command("cxx_thing"),
			 "cxx_thing s32 number; s32 self");
	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.registered, 7);
	ck_assert_uint_eq(stats.pending, 0);
}
END_TEST

START_TEST(records)
{
	struct {
		int32_t b;
		int32_t c;
		int8_t sc;
		int16_t s;
		int32_t i;
		uint32_t u;
		int64_t ll;
		uint16_t e;
		uint64_t p;
	} __attribute__((__packed__))
	expected = { 1, 'c', -2, -4, -6, 7, -10, 1, 0 };
	static const char texts[] = "string\0view\0array\0(null)\0\1\2";
	std::string_view view("view and more", 4);
	const struct fake_record *record = fake_record();
	size_t words = sizeof(expected);

	trace_types("string", view);
	ck_assert_int_eq(evaluated, 0);
	fake_enable("cxx_types", true);
	trace_types("string", view);
	ck_assert_int_eq(evaluated, 1);
	ck_assert_uint_eq(record->size, words + 5 * 4 + sizeof(texts) - 1);
	ck_assert_mem_eq(record->payload, &expected, sizeof(expected));
	ck_assert_mem_eq(record->payload + words + 5 * 4, texts,
			 sizeof(texts) - 1);
}
END_TEST

/* Temporary objects of the arguments exist until the event is written. */
START_TEST(temporaries)
{
	const std::string text(1000, 'x');
	const uint8_t *payload = fake_record()->payload;

	fake_enable("cxx_temporaries", true);
	trace_temporaries(text);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_mem_eq(payload + 12, text.c_str(), 1001);
	ck_assert_mem_eq(payload + 12 + 1001, text.c_str(), 1001);
	ck_assert_mem_eq(payload + 12 + 2002, text.c_str(), 1000);
}
END_TEST

START_TEST(same_types_as_in_c)
{
	trace_same_types(1, 2);
	ck_assert_str_eq(fake_command("same_types"), SAME_TYPES_COMMAND);
	fake_enable("same_types", true);
	trace_same_types(1, 2);
	ck_assert_uint_eq(fake_record()->size, SAME_TYPES_SIZE);
	ck_assert_mem_eq(fake_record()->payload + SAME_TYPES_SIZE -
				 sizeof(SAME_TYPES_TEXTS),
			 SAME_TYPES_TEXTS, sizeof(SAME_TYPES_TEXTS));
}
END_TEST

START_TEST(templates)
{
	const struct fake_record *record = fake_record();

	fake_enable("cxx_byte", true);
	fake_enable("cxx_more", true);
	trace_template(static_cast<unsigned char>(3));
	ck_assert_str_eq(record->name, "cxx_byte");
	ck_assert_uint_eq(record->size, 1);
	trace_template(static_cast<long long>(3));
	ck_assert_str_eq(record->name, "cxx_more");
	ck_assert_uint_eq(record->size, 8);
}
END_TEST

START_TEST(members)
{
	int32_t expected[2] = { 5, 5 };

	fake_enable("cxx_thing", true);
	thing().trace();
	ck_assert_mem_eq(fake_record()->payload, expected, sizeof(expected));
	fake_enable("cxx_nothing", true);
	trace_nothing();
	ck_assert_uint_eq(fake_record()->size, 0);
}
END_TEST

} // namespace

int main()
{
	Suite *suite = suite_create("tracepoint in C++");
	TCase *tcase = tcase_create("tracepoint in C++");

	tcase_add_checked_fixture(tcase, set_up, nullptr);
	tcase_add_test(tcase, commands);
	tcase_add_test(tcase, records);
	tcase_add_test(tcase, temporaries);
	tcase_add_test(tcase, same_types_as_in_c);
	tcase_add_test(tcase, templates);
	tcase_add_test(tcase, members);
	suite_add_tcase(suite, tcase);

	return run_suite(suite);
}
