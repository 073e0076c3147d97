// SPDX-License-Identifier: MIT
/* Tracepoints of C++20, in which UTF-8 has a type of its own. */
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <userevents/tracepoint.h>

extern "C" {
#include "lib/fake_sys.h"
#include "lib/runner.h"
}

namespace
{

void trace_utf8(const std::u8string &string, std::u8string_view view,
		const char8_t *pointer)
{
	UEV_TRACE(utf8, string, string, view, view, pointer, pointer, literal,
		  u8"\u00e4", unit, u8'x');
}

void trace_more(std::span<const std::byte> bytes,
		std::chrono::local_seconds time)
{
	UEV_TRACE(cxx20_more, bytes, bytes, time, time);
}

void set_up()
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(nullptr), 0);
}

TEST_FIXTURE(set_up, nullptr);

TEST(utf8_texts)
{
	static const char texts[] = "\303\274\0view\0(null)\0\303\244";
	const struct fake_record *record = fake_record();

	ck_assert_str_eq(
		fake_command("utf8"),
		"utf8 __data_loc char[] string; __data_loc char[] view; "
		"__data_loc char[] pointer; __data_loc char[] literal; "
		"u8 unit");
	fake_enable("utf8", true);
	trace_utf8(u8"\u00fc", std::u8string_view(u8"view and more", 4),
		   nullptr);
	ck_assert_uint_eq(record->size, 4 * 4 + 1 + sizeof(texts));
	ck_assert_mem_eq(record->payload + 4 * 4 + 1, texts, sizeof(texts));
	ck_assert_int_eq(record->payload[4 * 4], 'x');
}

TEST(more_types)
{
	ck_assert_str_eq(fake_command("cxx20_more"),
			 "cxx20_more __data_loc u8[] bytes; s64 time");
	fake_enable("cxx20_more", true);
	trace_more({}, {});
	ck_assert_uint_eq(fake_record()->size, 12);
}

} // namespace
