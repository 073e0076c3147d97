/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: tracepoints of plain fields, one line each.
 *
 *	UEV_TRACE(request, method, name, status, 200, bytes, length);
 *
 * is the event "request" with the fields method, status and bytes. The types of
 * the fields are those of the values:
 *
 *	bool, char				s32
 *	other integers				s8 to s64, u8 to u64
 *	bit-fields				s32, if int has all their values
 *	enumerations				their integer type
 *	float, double				text: the shortest decimal number
 *						that is read back as the same
 *	long double				as double, to which it is rounded
 *	char *, const char *			text, "(null)" for NULL
 *	other pointers, except to characters	u32 or u64: the address
 *	struct uev_text, struct uev_bytes	text and bytes of a known length
 *	struct uev_uuid				text: a UUID
 *
 * and in C++
 *
 *	types convertible to std::string_view,
 *	char8_t *, std::u8string		text
 *	arrays and containers of unsigned char
 *	or std::byte, with data() and size()	bytes
 *	std::chrono durations and time points	s64: nanoseconds, the latter since
 *						the epoch of their clock
 *	std::atomic				as its value
 *	boost::uuids::uuid			text: a UUID
 *
 * Durations are rounded towards 0. One that exceeds 292 years is recorded as the
 * largest or smallest number.
 *
 * bool and char have the type to which C promotes them, because a == b, true and
 * 'c' are of type int in C, but not in C++. The same source has the same types
 * in both, except for bit-fields and enumerators: cast these in a header that
 * files of both languages include. A bit-field of a char or a short type is s32
 * with gcc and has its declared type with clang: cast it, too, if programs of
 * both compilers have the event.
 *
 * Values are not evaluated while the event is disabled. Names are identifiers
 * that are not macros. The event is registered before main() or when its shared
 * object is loaded, and stays pending until user_events is available.
 *
 * With UEV_DISABLE, a tracepoint is compiled to nothing: its arguments are
 * checked, but not evaluated.
 *
 * A program that defines UEV_PREFIX, an identifier, before it includes the header
 * has events of that prefix: with "myapp", the event above is "myapp_request".
 * All processes of a machine share the names of events.
 *
 * An event has the same fields in all places of a program. Otherwise the
 * assembler or the linker fails: "other fields in another place", or several
 * definitions of uev_fields_of_NAME. Other programs, such as another version of
 * this one, can have other fields under the name, see UEV_SHARE_NAME.
 */
/* <userevents/sdt.h> takes the functions in older versions of C++, too. */
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(UEV_SDT_INCLUDES_)
#error "<userevents/tracepoint.h> requires C++17, such as -std=c++17"
#endif

#ifndef USEREVENTS_TRACEPOINT_H
#define USEREVENTS_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <userevents/common.h>
#include <userevents/userevents.h>

#ifndef __cplusplus
#include <userevents/table.h>
#endif

UEV_BEGIN_DECLS

/* Maximum number of fields of a tracepoint. */
#define UEV_FIELDS_MAX 32

/**
 * struct uev_text - Text of a known length, without a terminator
 * @chars: the first character; not owned
 * @length: number of characters
 */
struct uev_text {
	const char *chars;
	size_t length;
};

/**
 * struct uev_bytes - Bytes
 * @data: the first byte; not owned
 * @size: number of bytes
 */
struct uev_bytes {
	const void *data;
	size_t size;
};

/* Size of a UUID in bytes. */
#define UEV_UUID_SIZE 16

/**
 * struct uev_uuid - A UUID
 * @data: UEV_UUID_SIZE bytes in the order of their text, as in RFC 9562; not
 *        owned. NULL stands for the nil UUID.
 */
struct uev_uuid {
	const void *data;
};

/**
 * struct uev_value - The value of a field
 * @number: a number, extended to 64 bits; the bits of a floating-point number;
 *        or bytes at @data
 * @data: text or bytes, not owned; NULL for numbers
 * @type: of enum uev_type
 * @has_end: @data is NUL-terminated text, and @number includes the NUL
 */
struct uev_value {
	uint64_t number;
	const void *data;
	uint32_t type;
	uint32_t has_end;
};

/**
 * uev_tracepoint_write() - Writes a record of plain fields
 * @event: an event with fields of these types, in this order; texts and bytes of
 *        an event that the program describes by a text are __rel_loc fields
 * @values: the values
 * @count: number of values, at most UEV_FIELDS_MAX
 *
 * All numbers are one element of the payload, and each text is one or two more.
 *
 * Return: as uev_event_writev(); -EINVAL if there are too many values or a type
 * is unknown.
 */
UEV_API int uev_tracepoint_write(struct uev_event *event,
				 const struct uev_value *values, size_t count);

/**
 * uev_value_number() - Makes a value of an integer
 * @type: of enum uev_type
 * @number: the integer, extended to 64 bits
 */
UEV_INLINE struct uev_value uev_value_number(uint32_t type, uint64_t number)
{
	struct uev_value value = { number, NULL, type, 0 };

	return value;
}

/**
 * uev_value_float() - Makes a value of a floating-point number
 * @number: the number
 */
UEV_INLINE struct uev_value uev_value_float(float number)
{
	struct uev_value value = { 0, NULL, UEV_TYPE_F32, 0 };
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	value.number = bits;

	return value;
}

/**
 * uev_value_double() - Makes a value of a floating-point number
 * @number: the number
 */
UEV_INLINE struct uev_value uev_value_double(double number)
{
	struct uev_value value = { 0, NULL, UEV_TYPE_F64, 0 };

	memcpy(&value.number, &number, sizeof(value.number));

	return value;
}

/**
 * uev_value_string() - Makes a value of NUL-terminated text
 * @string: the text, not owned; NULL is "(null)"
 */
UEV_INLINE struct uev_value uev_value_string(const char *string)
{
	struct uev_value value = { 0, string ? string : "(null)",
				   UEV_TYPE_STRING, 1 };

	value.number = strlen(UEV_CAST_(const char *, value.data)) + 1;

	return value;
}

/**
 * uev_value_text() - Makes a value of text without a terminator
 * @text: the text, not owned
 */
UEV_INLINE struct uev_value uev_value_text(struct uev_text text)
{
	struct uev_value value = { text.length, text.chars, UEV_TYPE_STRING,
				   0 };

	return value;
}

/**
 * uev_value_bytes() - Makes a value of bytes
 * @bytes: the bytes, not owned
 */
UEV_INLINE struct uev_value uev_value_bytes(struct uev_bytes bytes)
{
	struct uev_value value = { bytes.size, bytes.data, UEV_TYPE_BYTES, 0 };

	return value;
}

/**
 * uev_value_uuid() - Makes a value of a UUID
 * @uuid: the UUID, not owned
 */
UEV_INLINE struct uev_value uev_value_uuid(struct uev_uuid uuid)
{
	struct uev_value value = { UEV_UUID_SIZE, uuid.data, UEV_TYPE_UUID, 0 };

	return value;
}

UEV_END_DECLS

/* --- Implementation of the macro; names that end with _ are private --- */

#define UEV_PASTE_(a, b) UEV_PASTE_AGAIN_(a, b)
#define UEV_PASTE_AGAIN_(a, b) a##b
#define UEV_STRING_(text) UEV_STRING_AGAIN_(text)
#define UEV_STRING_AGAIN_(text) #text

/* The name of an event. Another token than an identifier is an error here. */
#ifdef UEV_PREFIX
#define UEV_NAME_(event) UEV_STRING_(UEV_PREFIX) "_" UEV_STRING_(event)
struct UEV_PASTE_(uev_prefix_of_events_, UEV_PREFIX);
#else
#define UEV_NAME_(event) UEV_STRING_(event)
#endif

#define UEV_FIRST_(...) UEV_FIRST_AGAIN_(__VA_ARGS__, 0)
#define UEV_FIRST_AGAIN_(first, ...) first

/* The argument after the first 65. */
#define UEV_PICK_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, \
		  a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26,  \
		  a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38,  \
		  a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50,  \
		  a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62,  \
		  a63, a64, a65, picked, ...)                                  \
	picked

/*
 * Number of fields of the arguments, of which the first is the name of the
 * event.
 */
#define UEV_PAIRS_(...)                                                        \
	UEV_PICK_(__VA_ARGS__, 32, 31, 31, 30, 30, 29, 29, 28, 28, 27, 27, 26, \
		  26, 25, 25, 24, 24, 23, 23, 22, 22, 21, 21, 20, 20, 19, 19,  \
		  18, 18, 17, 17, 16, 16, 15, 15, 14, 14, 13, 13, 12, 12, 11,  \
		  11, 10, 10, 9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2,  \
		  1, 1, 0, 0, 0)

/* EVEN or ODD: whether each field has a name and a value. */
#define UEV_PARITY_(...)                                                       \
	UEV_PICK_(__VA_ARGS__, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD,     \
		  EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, \
		  ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD,  \
		  EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, \
		  ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD,  \
		  EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, ODD, EVEN, \
		  ODD, EVEN, 0)

/* FEW or MANY: whether up to 64 fields are too many. */
#define UEV_PICK_LONG_(                                                        \
	a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, \
	a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30,  \
	a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44,  \
	a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58,  \
	a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71, a72,  \
	a73, a74, a75, a76, a77, a78, a79, a80, a81, a82, a83, a84, a85, a86,  \
	a87, a88, a89, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a100, \
	a101, a102, a103, a104, a105, a106, a107, a108, a109, a110, a111,      \
	a112, a113, a114, a115, a116, a117, a118, a119, a120, a121, a122,      \
	a123, a124, a125, a126, a127, a128, a129, picked, ...)                 \
	picked
#define UEV_SIZE_(...)                                                        \
	UEV_PICK_LONG_(__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
		       MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
		       MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
		       MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
		       MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
		       MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
		       MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
		       MANY, MANY, MANY, FEW, FEW, FEW, FEW, FEW, FEW, FEW,   \
		       FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, \
		       FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, \
		       FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, \
		       FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, \
		       FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, FEW, \
		       FEW, FEW, FEW, 0)

/* Applies @call to the name and the value of each field. */
#define UEV_MAP_0_(call, event)
#define UEV_MAP_1_(call, event, name, value) call(name, value)
#define UEV_MAP_2_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_1_(call, event, __VA_ARGS__)
#define UEV_MAP_3_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_2_(call, event, __VA_ARGS__)
#define UEV_MAP_4_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_3_(call, event, __VA_ARGS__)
#define UEV_MAP_5_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_4_(call, event, __VA_ARGS__)
#define UEV_MAP_6_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_5_(call, event, __VA_ARGS__)
#define UEV_MAP_7_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_6_(call, event, __VA_ARGS__)
#define UEV_MAP_8_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_7_(call, event, __VA_ARGS__)
#define UEV_MAP_9_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_8_(call, event, __VA_ARGS__)
#define UEV_MAP_10_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_9_(call, event, __VA_ARGS__)
#define UEV_MAP_11_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_10_(call, event, __VA_ARGS__)
#define UEV_MAP_12_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_11_(call, event, __VA_ARGS__)
#define UEV_MAP_13_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_12_(call, event, __VA_ARGS__)
#define UEV_MAP_14_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_13_(call, event, __VA_ARGS__)
#define UEV_MAP_15_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_14_(call, event, __VA_ARGS__)
#define UEV_MAP_16_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_15_(call, event, __VA_ARGS__)
#define UEV_MAP_17_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_16_(call, event, __VA_ARGS__)
#define UEV_MAP_18_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_17_(call, event, __VA_ARGS__)
#define UEV_MAP_19_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_18_(call, event, __VA_ARGS__)
#define UEV_MAP_20_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_19_(call, event, __VA_ARGS__)
#define UEV_MAP_21_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_20_(call, event, __VA_ARGS__)
#define UEV_MAP_22_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_21_(call, event, __VA_ARGS__)
#define UEV_MAP_23_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_22_(call, event, __VA_ARGS__)
#define UEV_MAP_24_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_23_(call, event, __VA_ARGS__)
#define UEV_MAP_25_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_24_(call, event, __VA_ARGS__)
#define UEV_MAP_26_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_25_(call, event, __VA_ARGS__)
#define UEV_MAP_27_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_26_(call, event, __VA_ARGS__)
#define UEV_MAP_28_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_27_(call, event, __VA_ARGS__)
#define UEV_MAP_29_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_28_(call, event, __VA_ARGS__)
#define UEV_MAP_30_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_29_(call, event, __VA_ARGS__)
#define UEV_MAP_31_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_30_(call, event, __VA_ARGS__)
#define UEV_MAP_32_(call, event, name, value, ...) \
	call(name, value) UEV_MAP_31_(call, event, __VA_ARGS__)
#define UEV_MAP_AGAIN_(map, ...) map(__VA_ARGS__)
#define UEV_MAP_(pairs, ...) \
	UEV_MAP_AGAIN_(UEV_PASTE_(UEV_PASTE_(UEV_MAP_, pairs), _), __VA_ARGS__)

/*
 * Number of characters of a type in the description for the kernel. Where it would
 * be too long with __data_loc, the library takes __rel_loc.
 */
#define UEV_TYPE_LENGTH_(type)            \
	((type) == UEV_TYPE_STRING  ? 16U \
	 : (type) == UEV_TYPE_BYTES ? 14U \
	 : (type) > UEV_TYPE_BYTES  ? 16U \
	 : (type) == UEV_TYPE_CHAR  ? 4U  \
	 : (type) <= UEV_TYPE_U8    ? 2U  \
				    : 3U)

/* Number of characters of a field, with separators. */
#define UEV_FIELD_LENGTH_(name, value) \
	+(UEV_TYPE_LENGTH_(UEV_TYPE_OF_(value)) + sizeof(#name) + 2U)

#define UEV_ASSERT_TYPE_(name, value)     \
	UEV_ASSERT_(                      \
		UEV_TYPE_OF_(value) != 0, \
		"UEV_TRACE: user_events has no type for the value of " #name);

/* Members of one structure, so the compiler rejects duplicate names. */
#define UEV_NAME_MEMBER_(name, value) char name;

#define UEV_CHECK_(pairs, ...)                                           \
	UEV_MAP_(pairs, UEV_ASSERT_TYPE_, __VA_ARGS__)                   \
	struct uev_names_ {                                              \
		char uev_none_;                                          \
		UEV_MAP_(pairs, UEV_NAME_MEMBER_, __VA_ARGS__)           \
	};                                                               \
	UEV_ASSERT_(sizeof(UEV_NAME_(UEV_FIRST_(__VA_ARGS__))) <= 256,   \
		    "UEV_TRACE: the name of the event is too long");     \
	UEV_ASSERT_(sizeof(UEV_NAME_(UEV_FIRST_(__VA_ARGS__))) UEV_MAP_( \
			    pairs, UEV_FIELD_LENGTH_, __VA_ARGS__) <=    \
			    UEV_COMMAND_MAX + 1U + (pairs ? 1U : 0U),    \
		    "UEV_TRACE: names and types are too long for the kernel")

#define UEV_TRACE_ODD_(pairs, ...) \
	UEV_ASSERT_((pairs) < 0,   \
		    "UEV_TRACE: every field needs a name and a value")

#define UEV_VALUE_ELEMENT_(name, value) UEV_VALUE_OF_(value),

/* The element after the last */
#ifdef __cplusplus
#define UEV_NO_VALUE_            \
	{                        \
		0, nullptr, 0, 0 \
	}
#else
#define UEV_NO_VALUE_         \
	{                     \
		0, NULL, 0, 0 \
	}
#endif

/* A number that differs for the same types in another order. */
#define UEV_FIELD_TYPE_(name, value)                                    \
	+((UEV_TYPE_OF_(value) * 40503U) ^                              \
	  (UEV_CAST_(unsigned int, offsetof(struct uev_names_, name)) * \
	   30011U))
#define UEV_FIELD_NAME_(name, value) "." #name
#define UEV_FIELD_NAMES_(pairs, ...) \
	"" UEV_MAP_(pairs, UEV_FIELD_NAME_, __VA_ARGS__)

/*
 * The definition of an event of C++, for programs that read the file: the name,
 * the names of the fields, each after a period, and their types with 4 bits each
 * in 4 words of 32 bits. Events of C are in the section "uev_events".
 */
#ifdef __cplusplus
#define UEV_FIELDS_TEXT_(event, names) \
	".asciz \"" event "\"\n"       \
	".asciz \"" names "\"\n"       \
	".4byte " UEV_INT_ "1, " UEV_INT_ "2, " UEV_INT_ "3, " UEV_INT_ "4\n"
#define UEV_FIELDS_WORDS_(pairs, ...)                                    \
	, "i"(0U UEV_MAP_(pairs, UEV_FIELD_WORD_0_, __VA_ARGS__)),       \
		"i"(0U UEV_MAP_(pairs, UEV_FIELD_WORD_1_, __VA_ARGS__)), \
		"i"(0U UEV_MAP_(pairs, UEV_FIELD_WORD_2_, __VA_ARGS__)), \
		"i"(0U UEV_MAP_(pairs, UEV_FIELD_WORD_3_, __VA_ARGS__))
#define UEV_FIELD_NUMBER_(name) (offsetof(struct uev_names_, name) - 1U)
#define UEV_FIELD_WORD_(word, name, value)                                     \
	+(UEV_FIELD_NUMBER_(name) / 8U == word                                 \
		  ? UEV_TYPE_OF_(value) << (UEV_FIELD_NUMBER_(name) % 8U * 4U) \
		  : 0U)
#define UEV_FIELD_WORD_0_(name, value) UEV_FIELD_WORD_(0U, name, value)
#define UEV_FIELD_WORD_1_(name, value) UEV_FIELD_WORD_(1U, name, value)
#define UEV_FIELD_WORD_2_(name, value) UEV_FIELD_WORD_(2U, name, value)
#define UEV_FIELD_WORD_3_(name, value) UEV_FIELD_WORD_(3U, name, value)
#else
#define UEV_FIELDS_TEXT_(event, names)
#define UEV_FIELDS_WORDS_(pairs, ...)
#endif

/*
 * Defines a symbol for the event in a section that the linker keeps once for
 * the same fields. With other fields, the event has two definitions, which the
 * assembler or the linker rejects. The section is not loaded.
 */
#if defined(__ELF__) && !defined(UEV_NO_CONFLICT_CHECK)
#define UEV_DEFINE_FIELDS_(pairs, ...)                                   \
	UEV_DEFINE_SYMBOL_(                                              \
		UEV_NAME_(UEV_FIRST_(__VA_ARGS__)),                      \
		UEV_FIELD_NAMES_(pairs, __VA_ARGS__),                    \
		UEV_FIELDS_TEXT_(UEV_NAME_(UEV_FIRST_(__VA_ARGS__)),     \
				 UEV_FIELD_NAMES_(pairs, __VA_ARGS__)),  \
		"i"((0U UEV_MAP_(pairs, UEV_FIELD_TYPE_, __VA_ARGS__)) & \
		    0x7fffffffU) UEV_FIELDS_WORDS_(pairs, __VA_ARGS__))
#else
#define UEV_DEFINE_FIELDS_(pairs, ...) ((void)0)
#endif

/* Without an effect on decisions about inlining. */
#if defined(__clang__) || __GNUC__ < 9
#define UEV_ASM_ __asm__ __volatile__
#else
#define UEV_ASM_ __asm__ __volatile__ __inline__
#endif

#define UEV_DEFINE_SYMBOL_(event, names, text, ...)                       \
	UEV_ASM_(".ifndef \".Luev." event "." UEV_INT_ "0" names "\"\n"   \
		 ".set \".Luev." event "." UEV_INT_ "0" names "\", 1\n"   \
		 ".ifdef \"uev_fields_of_" event "\"\n"                   \
		 ".error \"UEV_TRACE: event " event                       \
		 " has other fields in another place\"\n"                 \
		 ".else\n"                                                \
		 ".pushsection .uev_fields,\"G\",%%progbits,\"uev." event \
		 "." UEV_INT_ "0" names "\",comdat\n"                     \
		 ".globl \"uev_fields_of_" event "\"\n"                   \
		 ".hidden \"uev_fields_of_" event "\"\n"                  \
		 "\"uev_fields_of_" event "\":\n" text ".popsection\n"    \
		 ".endif\n"                                               \
		 ".endif"                                                 \
		 : /* no output */                                        \
		 : __VA_ARGS__)

#ifndef __cplusplus

#define UEV_ASSERT_(what, why) _Static_assert(what, why)

#define UEV_TYPE_LONG_ (sizeof(long) == 8 ? UEV_TYPE_S64 : UEV_TYPE_S32)
#define UEV_TYPE_ULONG_ (sizeof(long) == 8 ? UEV_TYPE_U64 : UEV_TYPE_U32)
#define UEV_TYPE_ADDRESS_ (sizeof(void *) == 8 ? UEV_TYPE_U64 : UEV_TYPE_U32)

/* 5 is the class of all pointers. */
#define UEV_TYPE_IF_POINTER_(value) \
	(__builtin_classify_type(value) == 5 ? UEV_TYPE_ADDRESS_ : 0)

/* They could be text or bytes. */
#define UEV_CHARACTERS_(type)                              \
	type * : 0, const type * : 0, volatile type * : 0, \
		const volatile type * : 0

/* Types that a promotion would change, then the others */
#define UEV_TYPE_OF_(value) \
	_Generic((value),                                                    \
		_Bool: UEV_TYPE_S32,                                         \
		char: UEV_TYPE_S32,                                          \
		signed char: UEV_TYPE_S8,                                    \
		unsigned char: UEV_TYPE_U8,                                  \
		short: UEV_TYPE_S16,                                         \
		unsigned short: UEV_TYPE_U16,                                \
		default: _Generic(UEV_OPERAND_(value),                       \
			int: UEV_TYPE_S32,                                   \
			unsigned int: UEV_TYPE_U32,                          \
			long: UEV_TYPE_LONG_,                                \
			unsigned long: UEV_TYPE_ULONG_,                      \
			long long: UEV_TYPE_S64,                             \
			unsigned long long: UEV_TYPE_U64,                    \
			float: UEV_TYPE_F32,                                 \
			double: UEV_TYPE_F64,                                \
			long double: UEV_TYPE_F64,                           \
			char *: UEV_TYPE_STRING,                             \
			const char *: UEV_TYPE_STRING,                       \
			struct uev_text: UEV_TYPE_STRING,                    \
			struct uev_bytes: UEV_TYPE_BYTES,                    \
			struct uev_uuid: UEV_TYPE_UUID,                      \
			volatile char *: 0,                                  \
			const volatile char *: 0,                            \
			UEV_CHARACTERS_(signed char),                        \
			UEV_CHARACTERS_(unsigned char),                      \
			default: UEV_TYPE_IF_POINTER_(value)))

/* One function per type, so that a value is evaluated once. */
#define UEV_VALUE_FUNCTION_(name, type)                                 \
	static inline struct uev_value uev_value_of_##name(type number) \
	{                                                               \
		return uev_value_number(UEV_TYPE_OF_(number),           \
					(uint64_t)number);              \
	}

UEV_VALUE_FUNCTION_(bool, _Bool)
UEV_VALUE_FUNCTION_(char, char)
UEV_VALUE_FUNCTION_(schar, signed char)
UEV_VALUE_FUNCTION_(uchar, unsigned char)
UEV_VALUE_FUNCTION_(short, short)
UEV_VALUE_FUNCTION_(ushort, unsigned short)
UEV_VALUE_FUNCTION_(int, int)
UEV_VALUE_FUNCTION_(uint, unsigned int)
UEV_VALUE_FUNCTION_(long, long)
UEV_VALUE_FUNCTION_(ulong, unsigned long)
UEV_VALUE_FUNCTION_(llong, long long)
UEV_VALUE_FUNCTION_(ullong, unsigned long long)

static inline struct uev_value uev_value_of_ldouble(long double number)
{
	return uev_value_double((double)number);
}

static inline struct uev_value
uev_value_of_pointer(const volatile void *pointer)
{
	return uev_value_number(UEV_TYPE_ADDRESS_, (uintptr_t)pointer);
}

#define UEV_VALUE_OF_(value) \
	_Generic((value),                                                    \
		_Bool: uev_value_of_bool,                                    \
		char: uev_value_of_char,                                     \
		signed char: uev_value_of_schar,                             \
		unsigned char: uev_value_of_uchar,                           \
		short: uev_value_of_short,                                   \
		unsigned short: uev_value_of_ushort,                         \
		default: _Generic(UEV_OPERAND_(value),                       \
			int: uev_value_of_int,                               \
			unsigned int: uev_value_of_uint,                     \
			long: uev_value_of_long,                             \
			unsigned long: uev_value_of_ulong,                   \
			long long: uev_value_of_llong,                       \
			unsigned long long: uev_value_of_ullong,             \
			float: uev_value_float,                              \
			double: uev_value_double,                            \
			long double: uev_value_of_ldouble,                   \
			char *: uev_value_string,                            \
			const char *: uev_value_string,                      \
			struct uev_text: uev_value_text,                     \
			struct uev_bytes: uev_value_bytes,                   \
			struct uev_uuid: uev_value_uuid,                     \
			default: uev_value_of_pointer))(value)

#ifndef UEV_DISABLE
/* Parsed by uev_command_check() of the library. */
#define UEV_TEXT_MEMBER_(name, value) \
	char uev_type_##name;         \
	char name[sizeof(#name)];
#define UEV_TEXT_VALUE_(name, value) (char)UEV_TYPE_OF_(value), #name,

#define UEV_TRACE_EVEN_(pairs, ...)                                          \
	do {                                                                 \
		UEV_CHECK_(pairs, __VA_ARGS__);                              \
		static const struct {                                        \
			char uev_mark_;                                      \
			char uev_name_[sizeof(                               \
				UEV_NAME_(UEV_FIRST_(__VA_ARGS__)))];        \
			UEV_MAP_(pairs, UEV_TEXT_MEMBER_, __VA_ARGS__)       \
			char uev_end_;                                       \
		} uev_text_ = {                                              \
			UEV_DESCRIBED, UEV_NAME_(UEV_FIRST_(__VA_ARGS__)),   \
			UEV_MAP_(pairs, UEV_TEXT_VALUE_, __VA_ARGS__) '\0'   \
		};                                                           \
		static struct uev_event uev_event_ =                         \
			UEV_EVENT_INIT(&uev_text_.uev_mark_);                \
		UEV_TABLE_ENTRY(uev_entry_, &uev_event_);                    \
		if (uev_enabled(&uev_event_)) {                              \
			const struct uev_value uev_values_[] = { UEV_MAP_(   \
				pairs, UEV_VALUE_ELEMENT_,                   \
				__VA_ARGS__) UEV_NO_VALUE_ };                \
			UEV_DEFINE_FIELDS_(pairs, __VA_ARGS__);              \
			(void)uev_tracepoint_write(&uev_event_, uev_values_, \
						   pairs);                   \
		}                                                            \
	} while (0)
#endif

#endif /* !__cplusplus */

/* Code that is never executed, and for which compilers write nothing. */
#define UEV_NEVER_ if ((0))

#ifdef UEV_DISABLE
#define UEV_TRACE_EVEN_(pairs, ...)                                        \
	do {                                                               \
		UEV_CHECK_(pairs, __VA_ARGS__);                            \
		UEV_NEVER_                                                 \
		{                                                          \
			const struct uev_value uev_values_[] = { UEV_MAP_( \
				pairs, UEV_VALUE_ELEMENT_,                 \
				__VA_ARGS__) UEV_NO_VALUE_ };              \
			(void)uev_values_;                                 \
		}                                                          \
	} while (0)
#endif

/**
 * UEV_TRACE() - Writes an event of plain fields if it is enabled
 * @...: the name of the event, and a name and a value for each field
 *
 * A statement without a value, with up to UEV_FIELDS_MAX fields. Results, such
 * as a record that is too large, are counted: see uev_process_stats().
 */
#define UEV_TRACE(...) \
	UEV_PASTE_(UEV_TRACE_, UEV_SIZE_(__VA_ARGS__))(__VA_ARGS__)

#define UEV_TRACE_FEW(...)                                              \
	UEV_PASTE_(UEV_PASTE_(UEV_TRACE_, UEV_PARITY_(__VA_ARGS__)), _) \
	(UEV_PAIRS_(__VA_ARGS__), __VA_ARGS__)

#define UEV_TRACE_MANY(...) UEV_ASSERT_(0, "UEV_TRACE: more than 32 fields")

/**
 * UEV_TRACE_STATUS() - Tests whether the kernel has an event of UEV_TRACE()
 * @event: the name of the event
 *
 * Return: as uev_name_status().
 */
#define UEV_TRACE_STATUS(event) uev_name_status(UEV_NAME_(event))

/*
 * Slices and counters for timelines. Their events, "track_slice" and
 * "track_counter", have fields by whose names Perfetto recognizes them in any
 * recording of ftrace, as "user-events" does. All of them belong to the thread
 * that writes them. A counter of a process, or slices that do not nest in their
 * thread, are events of UEV_TRACE() with a field scope_tgid or track_name as well:
 *
 *	UEV_TRACE(queue, counter_value, length, scope_tgid, getpid());
 */

/**
 * UEV_SLICE_BEGIN() - Begins a slice of the calling thread
 * @name: its name: text as in UEV_TRACE(), which need not be constant
 *
 * Not evaluated while the event is disabled.
 */
#define UEV_SLICE_BEGIN(name) UEV_SLICE_('B', name)

/**
 * UEV_SLICE_END() - Ends the last slice that the calling thread has begun
 *
 * A thread ends its slices in the reverse order of their beginnings.
 */
#define UEV_SLICE_END() UEV_SLICE_('E', "")

/**
 * UEV_INSTANT() - Marks a time in the calling thread
 * @name: as in UEV_SLICE_BEGIN()
 */
#define UEV_INSTANT(name) UEV_SLICE_('I', name)

/**
 * UEV_COUNTER() - Records a new value of a counter
 * @name: its name: text as in UEV_TRACE()
 * @value: an integer, converted to int64_t
 *
 * Not evaluated while the event is disabled.
 */
#define UEV_COUNTER(name, value)                                      \
	UEV_TRACE(track_counter, counter_value, UEV_COUNT_OF_(value), \
		  track_name, name)

#ifdef __cplusplus
#define UEV_COUNT_OF_(value) ::uev::detail::count_of(value)
#else
#define UEV_COUNT_OF_(value) ((int64_t)(value))
#endif

/* A character has the same type in C and C++ in this way. */
#define UEV_SLICE_(type, name)                                         \
	UEV_TRACE(track_slice, track_event_type, UEV_CAST_(int, type), \
		  slice_name, name)

#if defined(__cplusplus) && __cplusplus >= 201703L
#include <userevents/tracepoint-cxx.hpp>
#endif

#endif
