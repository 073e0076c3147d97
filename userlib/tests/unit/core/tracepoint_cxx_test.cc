// SPDX-License-Identifier: MIT
/*
 * Tracepoints of C++: in templates, in functions that many files share, and with
 * the types that C does not have.
 */
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>
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

void trace_null()
{
	UEV_TRACE(cxx_null, pointer, nullptr);
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

/* As boost::uuids::uuid. */
struct uuid {
	unsigned char bytes[16];

	static constexpr std::size_t static_size()
	{
		return 16;
	}
	const unsigned char *begin() const
	{
		return bytes;
	}
	int variant() const
	{
		return 0;
	}
	int version() const
	{
		return 4;
	}
};

void trace_atomics(const std::atomic<int> &number,
		   const std::atomic<const char *> &text,
		   const std::atomic<small> &enumerator)
{
	std::atomic<double> ratio{ 0.5 };

	UEV_TRACE(cxx_atomics, number, number, text, text, enumerator,
		  enumerator, ratio, ratio);
}

void trace_bytes(const std::vector<unsigned char> &vector,
		 const unsigned char (&array)[3])
{
	std::array<std::byte, 2> bytes{ std::byte(8), std::byte(9) };

	UEV_TRACE(cxx_bytes, vector, vector, array, array, bytes, bytes);
}

void trace_uuids(const uuid &id, const unsigned char *bytes)
{
	UEV_TRACE(cxx_uuids, id, id, other, (uev_uuid{ bytes }), nil,
		  (uev_uuid{ nullptr }));
}

template <typename T> void trace_time(T time)
{
	UEV_TRACE(cxx_time, time, time);
}

void trace_long_double(long double number)
{
	UEV_TRACE(cxx_long_double, number, number);
}

void set_up()
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(nullptr), 0);
	evaluated = 0;
}

TEST_FIXTURE(set_up, nullptr);

TEST(commands)
{
	uev_stats stats;

	ck_assert_str_eq(fake_command("cxx_nothing"), "cxx_nothing");
	ck_assert_str_eq(fake_command("cxx_types"),
			 "cxx_types s32 b; s32 c; s8 sc; s16 s; s32 i; u32 u; "
			 "s64 ll; u16 e; u64 p; __data_loc char[] string; "
			 "__data_loc char[] view; __data_loc char[] array; "
			 "__data_loc char[] none; __data_loc u8[] bytes");
	ck_assert_str_eq(fake_command("cxx_byte"), "cxx_byte u8 value");
	ck_assert_str_eq(fake_command("cxx_more"), "cxx_more s64 value");
	ck_assert_str_eq(fake_command("cxx_thing"),
			 "cxx_thing s32 number; s32 self");
	uev_process_stats(&stats, sizeof(stats));
	/* Of which trace_time() has one for each type. */
	ck_assert_uint_eq(stats.registered, 25);
	ck_assert_uint_eq(stats.pending, 0);
}

TEST(records)
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

/* As NULL in C. It can be converted to std::string_view, as const char *. */
TEST(null_pointers)
{
	const uint64_t null = 0;

	ck_assert_str_eq(fake_command("cxx_null"), "cxx_null u64 pointer");
	fake_enable("cxx_null", true);
	trace_null();
	ck_assert_uint_eq(fake_record()->size, sizeof(null));
	ck_assert_mem_eq(fake_record()->payload, &null, sizeof(null));
}

/* Temporary objects of the arguments exist until the event is written. */
TEST(temporaries)
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

TEST(same_types_as_in_c)
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

TEST(templates)
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

TEST(members)
{
	int32_t expected[2] = { 5, 5 };

	fake_enable("cxx_thing", true);
	thing().trace();
	ck_assert_mem_eq(fake_record()->payload, expected, sizeof(expected));
	fake_enable("cxx_nothing", true);
	trace_nothing();
	ck_assert_uint_eq(fake_record()->size, 0);
}

/* Bytes of an entry in front of the payload. */
constexpr size_t header = 8;

/* Returns the text or the bytes of a location. */
std::string at(size_t word)
{
	const uint8_t *payload = fake_record()->payload;
	uint32_t location;

	std::memcpy(&location, payload + word, sizeof(location));

	return std::string(reinterpret_cast<const char *>(payload) +
				   (location & 0xffff) - header,
			   location >> 16);
}

void ck_at(size_t word, const char *text)
{
	const std::string found = at(word);

	ck_assert_str_eq(found.c_str(), text);
}

TEST(atomics)
{
	int32_t number;
	uint16_t enumerator;

	ck_assert_str_eq(fake_command("cxx_atomics"),
			 "cxx_atomics s32 number; __data_loc char[] text; "
			 "u16 enumerator; __data_loc char[] ratio");
	fake_enable("cxx_atomics", true);
	trace_atomics(-3, "text", small::one);
	std::memcpy(&number, fake_record()->payload, sizeof(number));
	ck_assert_int_eq(number, -3);
	ck_at(4, "text");
	std::memcpy(&enumerator, fake_record()->payload + 8, 2);
	ck_assert_uint_eq(enumerator, 1);
	ck_at(10, "0.5");
}

TEST(bytes)
{
	ck_assert_str_eq(fake_command("cxx_bytes"),
			 "cxx_bytes __data_loc u8[] vector; "
			 "__data_loc u8[] array; __data_loc u8[] bytes");
	fake_enable("cxx_bytes", true);
	trace_bytes({ 1, 2, 0, 4 }, { 5, 0, 7 });
	ck_assert(at(0) == std::string("\1\2\0\4", 4));
	ck_assert(at(4) == std::string("\5\0\7", 3));
	ck_assert(at(8) == std::string("\10\11", 2));
	trace_bytes({}, { 5, 0, 7 });
	ck_assert(at(0).empty());
}

TEST(uuids)
{
	uuid id = { { 0x55, 0x0e, 0x84, 0x00, 0xe2, 0x9b, 0x41, 0xd4, 0xa7,
		      0x16, 0x44, 0x66, 0x55, 0x44, 0x00, 0x0f } };

	ck_assert_str_eq(fake_command("cxx_uuids"),
			 "cxx_uuids __data_loc char[] id; "
			 "__data_loc char[] other; __data_loc char[] nil");
	fake_enable("cxx_uuids", true);
	trace_uuids(id, id.bytes);
	ck_at(0, "550e8400-e29b-41d4-a716-44665544000f");
	ck_at(4, "550e8400-e29b-41d4-a716-44665544000f");
	ck_at(8, "00000000-0000-0000-0000-000000000000");
	ck_assert_uint_eq(fake_record()->size, 3 * (4 + 37));
}

template <typename T> void ck_time(T time, int64_t nanoseconds)
{
	int64_t number;

	trace_time(time);
	std::memcpy(&number, fake_record()->payload, sizeof(number));
	ck_assert_int_eq(number, nanoseconds);
}

TEST(times)
{
	using namespace std::chrono;
	using days = duration<int, std::ratio<86400>>;
	using picoseconds = duration<int64_t, std::pico>;
	using ticks = duration<int64_t, std::ratio<1, 3>>;
	using eons = duration<int64_t, std::ratio<INT64_MAX>>;
	using counts = duration<uint64_t, std::nano>;
	using counts_of_pico = duration<uint64_t, std::pico>;
	using system_time = time_point<system_clock, milliseconds>;

	ck_assert_str_eq(fake_command("cxx_time"), "cxx_time s64 time");
	fake_enable("cxx_time", true);
	ck_time(nanoseconds(-5), -5);
	ck_time(microseconds(7), 7000);
	ck_time(hours(2), INT64_C(7200000000000));
	ck_time(days(-1), INT64_C(-86400000000000));
	ck_time(picoseconds(-1999), -1);
	ck_time(counts_of_pico(UINT64_MAX), 18446744073709551);
	ck_time(ticks(4), 1333333333);
	ck_time(ticks(-4), -1333333333);
	ck_time(duration<double>(1.5), 1500000000);
	ck_time(duration<float, std::milli>(-0.5F), -500000);
	ck_time(system_time(milliseconds(1700000000123)),
		INT64_C(1700000000123000000));
	ck_time(steady_clock::time_point(steady_clock::duration(9)), 9);
	/* More than 292 years. */
	ck_time(days(INT32_MAX), INT64_MAX);
	ck_time(days(INT32_MIN), INT64_MIN);
	ck_time(eons(1), INT64_MAX);
	ck_time(eons(-2), INT64_MIN);
	ck_time(eons(0), 0);
	ck_time(counts(UINT64_MAX), INT64_MAX);
	ck_time(duration<double>(1e300), INT64_MAX);
	ck_time(duration<double>(-1e300), INT64_MIN);
	ck_time(duration<double>(NAN), 0);
}

TEST(long_doubles)
{
	fake_enable("cxx_long_double", true);
	trace_long_double(0.1L);
	ck_at(0, "0.1");
}

} // namespace
