// SPDX-License-Identifier: MIT
/* Definitions of C++ in programs: in this one. */
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#define UEV_PREFIX elf_cxx
#include <userevents/tracepoint.h>

extern "C" {
#include "events/elf.h"
#include "lib/runner.h"
}

namespace
{

/* An event of each type of field, and one event of several. */
template <typename T> struct counter {
	T number;

	void trace() const
	{
		if constexpr (sizeof(T) == 1)
			UEV_TRACE(byte, number, number);
		else
			UEV_TRACE(word, number, number);
		UEV_TRACE(both, size, sizeof(T) + 0U);
	}
};

inline void trace_types(const std::string &text)
{
	UEV_TRACE(types, b, true, sc, static_cast<signed char>(1), uc,
		  static_cast<unsigned char>(1), s, static_cast<short>(1), us,
		  static_cast<unsigned short>(1), i, 1, u, 1U, ll, 1LL, ull,
		  1ULL, f, 1.0F, d, 1.0, text, text, bytes,
		  (uev_bytes{ "1", 1 }));
	UEV_TRACE(none);
}

void trace_most()
{
	UEV_TRACE(most, f1, 1, f2, 1U, f3, 1, f4, 1U, f5, 1, f6, 1U, f7, 1, f8,
		  1U, f9, 1LL, f10, 1U, f11, 1, f12, 1U, f13, 1, f14, 1U, f15,
		  1, f16, 1ULL, f17, 1LL, f18, 1U, f19, 1, f20, 1U, f21, 1, f22,
		  1U, f23, 1, f24, 1ULL, f25, 1LL, f26, 1U, f27, 1, f28, 1U,
		  f29, 1, f30, 1U, f31, 1, f32, "text");
}

const char *const expected[] = {
	"elf_cxx_byte u8 number",
	"elf_cxx_word s32 number",
	"elf_cxx_both u64 size",
	"elf_cxx_types s32 b; s8 sc; u8 uc; s16 s; u16 us; s32 i; u32 u; "
	"s64 ll; u64 ull; __data_loc char[] f; __data_loc char[] d; "
	"__data_loc char[] text; __data_loc u8[] bytes",
	"elf_cxx_none",
	"elf_cxx_most s32 f1; u32 f2; s32 f3; u32 f4; s32 f5; u32 f6; s32 f7; "
	"u32 f8; s64 f9; u32 f10; s32 f11; u32 f12; s32 f13; u32 f14; s32 f15; "
	"u64 f16; s64 f17; u32 f18; s32 f19; u32 f20; s32 f21; u32 f22; "
	"s32 f23; u64 f24; s64 f25; u32 f26; s32 f27; u32 f28; s32 f29; "
	"u32 f30; s32 f31; __data_loc char[] f32",
};
constexpr size_t expected_count = sizeof(expected) / sizeof(*expected);

bool has(const definitions &found, const char *command)
{
	for (size_t i = 0; i < found.count; i++)
		if (strcmp(found.definitions[i].command, command) == 0)
			return true;

	return false;
}

TEST(definitions_of_a_program)
{
	definitions found{};

	counter<unsigned char>{ 1 }.trace();
	counter<int>{ 1 }.trace();
	trace_types("text");
	trace_most();
	/* Twice is the same. */
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(elf_definitions(&found, "/proc/self/exe"), 0);
	for (const char *command : expected)
		ck_assert_msg(has(found, command), "%s not found", command);
	ck_assert_uint_eq(found.count, expected_count);
	definitions_free(&found);
}

std::string read_self()
{
	std::ifstream file("/proc/self/exe", std::ios::binary);

	return std::string(std::istreambuf_iterator<char>(file), {});
}

/* Return: that of elf_definitions() if a byte of the file is another one */
int read_damaged(int fd, const char *path, size_t offset, char byte)
{
	definitions found{};
	char original;
	int ret;

	ck_assert_int_eq(pread(fd, &original, 1, static_cast<off_t>(offset)),
			 1);
	ck_assert_int_eq(pwrite(fd, &byte, 1, static_cast<off_t>(offset)), 1);
	ret = elf_definitions(&found, path);
	definitions_free(&found);
	ck_assert_int_eq(pwrite(fd, &original, 1, static_cast<off_t>(offset)),
			 1);

	return ret;
}

/* Each byte of a definition is changed in turn. */
TEST(damaged_definitions)
{
	using namespace std::string_literals;
	const std::string bytes = read_self();
	/* The section is behind the texts of the program. */
	size_t begin = bytes.rfind("elf_cxx_types\0.b.sc.uc"s);
	size_t end = bytes.find("bytes\0"s, begin) + sizeof("bytes") + 16;
	char path[] = "/tmp/elf_cxx_test.XXXXXX";
	bool is_malformed = false;
	int fd = mkstemp(path), ret;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes.data(), bytes.size()),
			 static_cast<ssize_t>(bytes.size()));
	ck_assert_uint_lt(end, begin + 200);
	for (size_t i = begin; i < end; i++) {
		for (char byte : { '\0', '.', '\xff' }) {
			ret = read_damaged(fd, path, i, byte);
			ck_assert(ret == 0 || ret == -EBADMSG);
			is_malformed |= ret != 0;
		}
	}
	ck_assert(is_malformed);
	close(fd);
	unlink(path);
}

} // namespace
