// SPDX-License-Identifier: MIT
/*
 * Macros with arguments of different types, in C and C++.
 * scripts/check/userlib/userlib compiles it with warnings that strict programs
 * use.
 */
#include <uchar.h>

#ifdef __cplusplus
#include <atomic>
#include <chrono>
#include <vector>
#endif

#include <userevents/eventheader-dynamic.h>
#include <userevents/eventheader.h>
#include <userevents/sdt.h>
#include <userevents/session.h>
#include <userevents/table.h>
#include <userevents/tracepoint-dynamic.h>
#include <userevents/tracepoint.h>

UEV_PROVIDER(provider, "MyCompany_Warnings");
UEV_PROVIDER_GROUP(grouped, "MyCompany_Warnings", "group");

struct __attribute__((__packed__)) pair {
	uint8_t first;
	uint16_t second;
};

static const uint8_t activity[UEV_ACTIVITY_SIZE] = { 0 };
static const uint32_t numbers[] = { 1, 2 };
static const int64_t signed_number = -1;
static volatile int8_t changing = 1;
static void *pointers[1] = { NULL };
static const char16_t wide[] = u"wide";
static const struct pair pairs[] = { { 1, 2 } };

#ifdef __cplusplus
/* The types that arguments are converted to */
constexpr uint64_t keyword = 2;
constexpr uint8_t level = 3;
constexpr uint16_t tag = 4;
#else
enum {
	keyword = 2,
	level = 3,
	tag = 4
};
#endif

static void trace(int number, uint64_t large, double ratio, const char *text)
{
	const struct uev_bytes bytes = { activity, sizeof(activity) };
	const struct uev_uuid id = { activity };

	UEV_TRACE(plain, number, number, large, large, ratio, ratio, text, text,
		  flag, number == 1, pointer, numbers, bytes, bytes);
	UEV_TRACE(empty);
	UEV_TRACE(rare, id, id, precise, 0.1L);
	UEV_SLICE_BEGIN(text);
	UEV_INSTANT("instant");
	UEV_COUNTER("counter", large);
	UEV_COUNTER(text, signed_number);
	UEV_SLICE_END();
	DTRACE_PROBE5(warnings, probe, number, large, ratio, text, numbers);
}

#ifdef __cplusplus
enum class color : uint8_t {
	red
};

static void trace_cxx(const std::atomic<color> &color,
		      const std::vector<unsigned char> &bytes,
		      std::chrono::system_clock::time_point time)
{
	UEV_TRACE(cxx_only, color, color, bytes, bytes, array, activity, time,
		  time, duration, std::chrono::duration<float>(1.5F), text,
		  u8"text");
}
#endif

static int write_options(uint16_t small, const char *text)
{
	return UEV_EVENTHEADER(provider, level, keyword, "Options",
			       UEV_EH_ID(tag, level), UEV_EH_OPCODE(level),
			       UEV_EH_EVENT_TAG(tag),
			       UEV_EH_ACTIVITY(activity, NULL),
			       UEV_EH_U16("small", small),
			       UEV_EH_TAGGED(tag, UEV_EH_ZUTF8("text", text)));
}

static int write_fields(int number, uint64_t large, size_t count, bool flag)
{
	return UEV_EVENTHEADER(
		grouped, 1, 0x8000000000000000, "Fields",
		UEV_EH_I32("number", number), UEV_EH_U64("large", large),
		UEV_EH_AUTO("auto", number), UEV_EH_AUTO("volatile", changing),
		UEV_EH_AUTO("address", &numbers[1]), UEV_EH_BOOL8("flag", flag),
		UEV_EH_F64("ratio", 0.5), UEV_EH_POINTER("pointer", numbers),
		UEV_EH_UTF8("counted", "text", count),
		UEV_EH_ZUTF16("wide", wide),
		UEV_EH_U32_ARRAY("array", numbers, 2U),
		UEV_EH_U32_CARRAY("fixed", numbers, 2),
		UEV_EH_POINTER_ARRAY("pointers", pointers, 1),
		UEV_EH_POINTER_CARRAY("few", pointers, 1),
		UEV_EH_UUID("id", activity),
		UEV_EH_BINARY("binary", activity, sizeof(activity)),
		UEV_EH_STRUCT("struct", UEV_EH_U8("member", 1)),
		UEV_EH_STRUCT_OF("of", level), UEV_EH_U8("member", 1),
		UEV_EH_STRUCT_ARRAY("pairs", pairs, 1,
				    UEV_EH_MEMBER("first", VALUE8, DEFAULT),
				    UEV_EH_MEMBER("second", VALUE16, SIGNED)));
}

static int add_fields(struct uev_builder *builder)
{
	return uev_add_pointer_array(builder, "pointers", pointers, 1) +
	       uev_add_pointer_carray(builder, "few", pointers, 1);
}

static void probe(int number, size_t count, const char *text)
{
	DTRACE_PROBE3(warnings, texts, UEV_SDT_STRING(text),
		      UEV_SDT_TEXT(text, number), UEV_SDT_TEXT(text, count));
}

int main(void)
{
	trace(1, 2, 0.5, "text");
#ifdef __cplusplus
	trace_cxx(color::red, {}, {});
#endif
	if (UEV_EVENTHEADER_ENABLED(provider, level, keyword))
		return UEV_PROVIDER_STATUS(provider);

	probe(1, 2, "text");

	return write_options(1, "text") + write_fields(1, 2, 3, true) +
	       add_fields(NULL);
}
