/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: events of programs that are instrumented for <sys/sdt.h>.
 *
 *	DTRACE_PROBE2(server, request, path, length);
 *
 * is the event "server_request" with the fields arg1 and arg2. A program needs
 * no change: compile it with
 * -I$(pkg-config --variable=includedir libuserevents)/userevents/usdt, where
 * <sys/sdt.h> is this header, and link it with libuserevents. Types of fields:
 *
 *	integers, bool, enumerations	s64, as DTrace and SystemTap have them
 *	pointers, also to characters	s64: the address
 *	float, double, long double	text, the shortest decimal number that is
 *					read back as the same float or double
 *	UEV_SDT_STRING(pointer)		text up to its NUL
 *	UEV_SDT_TEXT(pointer, length)	text of a known length
 *
 * Nothing that an argument points to is read, except for the last two. If a
 * record with texts is too large, the longest ones are shortened, see
 * uev_tracepoint_write_shortened().
 *
 * Define these macros before the header is included:
 *
 *	UEV_SDT_USDT			the probe also has the USDT note of
 *					<sys/sdt.h>, which bpftrace, perf and
 *					SystemTap read
 *	UEV_DISABLE			the probe is not an event. Without
 *					UEV_SDT_USDT it is compiled to nothing
 *	_SDT_HAS_SEMAPHORES		as for <sys/sdt.h>, probes have
 *					semaphores
 *
 * Without UEV_SDT_USDT, arguments are not evaluated while the event is disabled.
 *
 * A program tests the semaphore of a probe before it prepares the arguments. It is
 * nonzero while the event is enabled, or a tracer of USDT uses the probe.
 *
 * GNU C from gnu89, and C++ from C++98. Macros for assembly, STAP_PROBE_ASM and
 * others, require UEV_SDT_USDT: their probes have a note, but are not events.
 */
#ifndef USEREVENTS_SDT_H
#define USEREVENTS_SDT_H

#ifdef UEV_SDT_USDT
/* The directory of our <sys/sdt.h> could be in the search path. */
#define UEV_SDT_NEXT_
#include <sys/sdt.h>
#undef UEV_SDT_NEXT_
#ifndef _SDT_PROBE
#error "UEV_SDT_USDT requires <sys/sdt.h> of SystemTap"
#endif
#ifndef __ASSEMBLER__
#undef DTRACE_PROBE
#undef STAP_PROBE
#undef STAP_PROBEV
#undef DTRACE_PROBE1
#undef STAP_PROBE1
#undef DTRACE_PROBE2
#undef STAP_PROBE2
#undef DTRACE_PROBE3
#undef STAP_PROBE3
#undef DTRACE_PROBE4
#undef STAP_PROBE4
#undef DTRACE_PROBE5
#undef STAP_PROBE5
#undef DTRACE_PROBE6
#undef STAP_PROBE6
#undef DTRACE_PROBE7
#undef STAP_PROBE7
#undef DTRACE_PROBE8
#undef STAP_PROBE8
#undef DTRACE_PROBE9
#undef STAP_PROBE9
#undef DTRACE_PROBE10
#undef STAP_PROBE10
#undef DTRACE_PROBE11
#undef STAP_PROBE11
#undef DTRACE_PROBE12
#undef STAP_PROBE12
#endif
#endif

#ifdef __ASSEMBLER__
#ifndef UEV_SDT_USDT
#error "probes in assembly require UEV_SDT_USDT, and are not events"
#endif
#else

/* The rest of that header is for UEV_TRACE(), which requires C++17. */
#define UEV_SDT_INCLUDES_
#include <userevents/tracepoint.h>
#undef UEV_SDT_INCLUDES_

#if defined(__cplusplus) && __cplusplus < 201103L
#include <userevents/table.h>
#endif

UEV_BEGIN_DECLS

/**
 * UEV_SDT_STRING() - Makes an argument of a probe a text
 * @pointer: NUL-terminated text; NULL is "(null)"
 *
 * In a note, the argument is the pointer. For programs that are also compiled
 * with the header of SystemTap:
 *
 *	#ifndef UEV_SDT_STRING
 *	#define UEV_SDT_STRING(pointer) (pointer)
 *	#define UEV_SDT_TEXT(pointer, length) (pointer)
 *	#endif
 */
#define UEV_SDT_STRING(pointer) uev_sdt_string_(pointer)

/**
 * UEV_SDT_TEXT() - Makes an argument of a probe a text of a known length
 * @pointer: the characters, without a terminator; NULL is "(null)"
 * @length: number of bytes that can be read; a negative number is 0
 */
#ifdef __cplusplus
#define UEV_SDT_TEXT(pointer, length) ::uev::detail::sdt_text(pointer, length)
#else
#define UEV_SDT_TEXT(pointer, length) uev_sdt_text_(pointer, (size_t)(length))
#endif

/**
 * uev_tracepoint_write_shortened() - Writes a record of plain fields, with
 * shorter texts if it is too large
 * @event: an event with fields of these types, in this order
 * @values: the values
 * @count: number of values, at most UEV_FIELDS_MAX
 *
 * If the record is larger than UEV_PAYLOAD_MAX, the longest texts are shortened
 * to the same length; a floating-point number counts as 32 bytes. A shortened
 * text consists of whole characters of UTF-8 and ends with UEV_SHORTENED, or is
 * empty if there is no room for it. The record counts in uev_stats.shortened.
 * Shortening takes 10 KiB of the stack.
 *
 * Return: as uev_tracepoint_write().
 */
UEV_API int uev_tracepoint_write_shortened(struct uev_event *event,
					   const struct uev_value *values,
					   size_t count);

/* Length of a text that is measured when it is written */
#define UEV_SDT_UNMEASURED_ UEV_CAST_(size_t, -1)

static inline struct uev_text uev_sdt_string_(const char *chars)
{
	struct uev_text text = { chars, UEV_SDT_UNMEASURED_ };

	return text;
}

static inline struct uev_text uev_sdt_text_(const char *chars, size_t length)
{
	struct uev_text text = { chars, length <= UEV_SDT_UNMEASURED_ / 2
						? length
						: 0 };

	return text;
}

static inline struct uev_value uev_sdt_value_of_text_(struct uev_text text)
{
	if (!text.chars || text.length == UEV_SDT_UNMEASURED_)
		return uev_value_string(text.chars);

	return uev_value_text(text);
}

UEV_END_DECLS

/* --- Implementation of the macros; names that end with _ are private --- */

/* Applies @op to each argument of a list in parentheses. */
#define UEV_SDT_EACH_0_(op)
#define UEV_SDT_EACH_1_(op, a1) op(1, a1)
#define UEV_SDT_EACH_2_(op, a1, a2) op(1, a1) op(2, a2)
#define UEV_SDT_EACH_3_(op, a1, a2, a3) op(1, a1) op(2, a2) op(3, a3)
#define UEV_SDT_EACH_4_(op, a1, a2, a3, a4) \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4)
#define UEV_SDT_EACH_5_(op, a1, a2, a3, a4, a5) \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5)
#define UEV_SDT_EACH_6_(op, a1, a2, a3, a4, a5, a6) \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5) op(6, a6)
#define UEV_SDT_EACH_7_(op, a1, a2, a3, a4, a5, a6, a7) \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5) op(6, a6) op(7, a7)
#define UEV_SDT_EACH_8_(op, a1, a2, a3, a4, a5, a6, a7, a8)                   \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5) op(6, a6) op(7, a7) \
		op(8, a8)
#define UEV_SDT_EACH_9_(op, a1, a2, a3, a4, a5, a6, a7, a8, a9)               \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5) op(6, a6) op(7, a7) \
		op(8, a8) op(9, a9)
#define UEV_SDT_EACH_10_(op, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)         \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5) op(6, a6) op(7, a7) \
		op(8, a8) op(9, a9) op(10, a10)
#define UEV_SDT_EACH_11_(op, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)    \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5) op(6, a6) op(7, a7) \
		op(8, a8) op(9, a9) op(10, a10) op(11, a11)
#define UEV_SDT_EACH_12_(op, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11,    \
			 a12)                                                 \
	op(1, a1) op(2, a2) op(3, a3) op(4, a4) op(5, a5) op(6, a6) op(7, a7) \
		op(8, a8) op(9, a9) op(10, a10) op(11, a11) op(12, a12)
#define UEV_SDT_OPEN_(...) __VA_ARGS__
#define UEV_SDT_CALL_(each, ...) each(__VA_ARGS__)
#define UEV_SDT_MAP_0_(op, list)
#define UEV_SDT_MAP_1_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_1_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_2_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_2_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_3_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_3_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_4_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_4_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_5_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_5_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_6_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_6_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_7_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_7_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_8_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_8_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_9_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_9_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_10_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_10_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_11_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_11_, op, UEV_SDT_OPEN_ list)
#define UEV_SDT_MAP_12_(op, list) \
	UEV_SDT_CALL_(UEV_SDT_EACH_12_, op, UEV_SDT_OPEN_ list)

/* The arguments of a note */
#define UEV_SDT_ARGS_0_ ()
#define UEV_SDT_ARGS_1_ (uev_plain1_)
#define UEV_SDT_ARGS_2_ (uev_plain1_, uev_plain2_)
#define UEV_SDT_ARGS_3_ (uev_plain1_, uev_plain2_, uev_plain3_)
#define UEV_SDT_ARGS_4_ (uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_)
#define UEV_SDT_ARGS_5_ \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_)
#define UEV_SDT_ARGS_6_                                                   \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_, \
	 uev_plain6_)
#define UEV_SDT_ARGS_7_                                                   \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_, \
	 uev_plain6_, uev_plain7_)
#define UEV_SDT_ARGS_8_                                                   \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_, \
	 uev_plain6_, uev_plain7_, uev_plain8_)
#define UEV_SDT_ARGS_9_                                                   \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_, \
	 uev_plain6_, uev_plain7_, uev_plain8_, uev_plain9_)
#define UEV_SDT_ARGS_10_                                                  \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_, \
	 uev_plain6_, uev_plain7_, uev_plain8_, uev_plain9_, uev_plain10_)
#define UEV_SDT_ARGS_11_                                                   \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_,  \
	 uev_plain6_, uev_plain7_, uev_plain8_, uev_plain9_, uev_plain10_, \
	 uev_plain11_)
#define UEV_SDT_ARGS_12_                                                   \
	(uev_plain1_, uev_plain2_, uev_plain3_, uev_plain4_, uev_plain5_,  \
	 uev_plain6_, uev_plain7_, uev_plain8_, uev_plain9_, uev_plain10_, \
	 uev_plain11_, uev_plain12_)

#define UEV_SDT_NAME_(provider, name) \
	UEV_STRING_(provider) "_" UEV_STRING_(name)

/*
 * The operands are variables of their own, whose addresses are not taken, so that
 * they can be in registers or in memory, as with the other header.
 */
#ifdef UEV_SDT_USDT
#define UEV_SDT_NOTE_(provider, name, n, list)                              \
	{                                                                   \
		UEV_SDT_MAP_##n##_(UEV_SDT_DECLARE_PLAIN_, list)            \
			_SDT_PROBE(provider, name, n, UEV_SDT_ARGS_##n##_); \
	}
#else
#define UEV_SDT_NOTE_(provider, name, n, list)
#endif

#ifndef __cplusplus

/*
 * With a note, which has the arguments, they are evaluated first; otherwise only
 * while the event is enabled.
 */
#ifdef UEV_SDT_USDT
#define UEV_SDT_EVALUATE_FIRST_(n, list) \
	UEV_SDT_MAP_##n##_(UEV_SDT_EVALUATE_, list)
#define UEV_SDT_EVALUATE_LAST_(n, list)
#else
#define UEV_SDT_EVALUATE_FIRST_(n, list)
#define UEV_SDT_EVALUATE_LAST_(n, list) \
	UEV_SDT_MAP_##n##_(UEV_SDT_EVALUATE_, list)
#endif

#define UEV_SDT_EVALUATE_(i, value) \
	__extension__ __auto_type uev_arg##i##_ = (value);

/* Extended to 64 bits by its own type, so that each has one type. */
/* clang-format off */
#define UEV_SDT_FUNCTION_(name, type)                                   \
	static inline struct uev_value uev_sdt_of_##name##_(type arg)   \
	{                                                               \
		return uev_value_number(UEV_TYPE_S64, (uint64_t)arg);   \
	}
/* clang-format on */

UEV_SDT_FUNCTION_(bool, _Bool)
UEV_SDT_FUNCTION_(char, char)
UEV_SDT_FUNCTION_(schar, signed char)
UEV_SDT_FUNCTION_(uchar, unsigned char)
UEV_SDT_FUNCTION_(short, short)
UEV_SDT_FUNCTION_(ushort, unsigned short)
UEV_SDT_FUNCTION_(int, int)
UEV_SDT_FUNCTION_(uint, unsigned int)
UEV_SDT_FUNCTION_(long, long)
UEV_SDT_FUNCTION_(ulong, unsigned long)
UEV_SDT_FUNCTION_(llong, long long)
UEV_SDT_FUNCTION_(ullong, unsigned long long)

static inline struct uev_value uev_sdt_of_ldouble_(long double number)
{
	return uev_value_double((double)number);
}

static inline struct uev_value uev_sdt_of_pointer_(const volatile void *pointer)
{
	return uev_value_number(UEV_TYPE_S64, (uintptr_t)pointer);
}

/* 5 is the class of all pointers. There is no function for other types. */
#define UEV_SDT_OF_POINTER_(value)                                 \
	__builtin_choose_expr(__builtin_classify_type(value) == 5, \
			      uev_sdt_of_pointer_, (void)0)

/* clang-format off */
#define UEV_SDT_TYPE_(value) \
	__extension__ _Generic((value),                                      \
		float: UEV_TYPE_F32,                                         \
		double: UEV_TYPE_F64,                                        \
		long double: UEV_TYPE_F64,                                   \
		struct uev_text: UEV_TYPE_STRING,                            \
		default: UEV_TYPE_S64)

#define UEV_SDT_VALUE_(value) \
	__extension__ _Generic((value),                                      \
		_Bool: uev_sdt_of_bool_,                                     \
		char: uev_sdt_of_char_,                                      \
		signed char: uev_sdt_of_schar_,                              \
		unsigned char: uev_sdt_of_uchar_,                            \
		short: uev_sdt_of_short_,                                    \
		unsigned short: uev_sdt_of_ushort_,                          \
		int: uev_sdt_of_int_,                                        \
		unsigned int: uev_sdt_of_uint_,                              \
		long: uev_sdt_of_long_,                                      \
		unsigned long: uev_sdt_of_ulong_,                            \
		long long: uev_sdt_of_llong_,                                \
		unsigned long long: uev_sdt_of_ullong_,                      \
		float: uev_value_float,                                      \
		double: uev_value_double,                                    \
		long double: uev_sdt_of_ldouble_,                            \
		struct uev_text: uev_sdt_value_of_text_,                     \
		default: UEV_SDT_OF_POINTER_(value))(value)
/* clang-format on */

static inline const char *const *uev_sdt_chars_(const void *text)
{
	return &((const struct uev_text *)text)->chars;
}

/* The pointer of a text, and any other variable itself */
#define UEV_SDT_PLAIN_(variable)                                               \
	*__builtin_choose_expr(__builtin_types_compatible_p(                   \
				       __typeof__(variable), struct uev_text), \
			       uev_sdt_chars_(&(variable)), &(variable))
#define UEV_SDT_DECLARE_PLAIN_(i, value)            \
	__extension__ __auto_type uev_plain##i##_ = \
		UEV_SDT_PLAIN_(uev_arg##i##_);

#endif /* !__cplusplus */

#ifdef _SDT_HAS_SEMAPHORES
#define UEV_SDT_SEMAPHORE_(provider, name) &provider##_##name##_semaphore
#else
#define UEV_SDT_SEMAPHORE_(provider, name) NULL
#endif

#ifndef __cplusplus

#define UEV_SDT_MEMBER_(i, value) \
	char uev_type##i##_;      \
	char uev_name##i##_[sizeof("arg" #i)];
#define UEV_SDT_FILL_(i, value) (char)UEV_SDT_TYPE_(value), "arg" #i,
#define UEV_SDT_ELEMENT_(i, value) UEV_SDT_VALUE_(uev_arg##i##_),

#ifndef UEV_DISABLE
#define UEV_SDT_EVENT_(provider, name, n, list)                                \
	do {                                                                   \
		static const struct {                                          \
			char uev_mark_;                                        \
			char uev_name_[sizeof(UEV_SDT_NAME_(provider, name))]; \
			UEV_SDT_MAP_##n##_(UEV_SDT_MEMBER_,                    \
					   list) char uev_end_;                \
		} uev_text_ = { UEV_DESCRIBED, UEV_SDT_NAME_(provider, name),  \
				UEV_SDT_MAP_##n##_(UEV_SDT_FILL_,              \
						   list) '\0' };               \
		static struct uev_probe_event uev_event_ =                     \
			UEV_PROBE_EVENT_INIT(&uev_text_.uev_mark_,             \
					     UEV_SDT_SEMAPHORE_(provider,      \
								name));        \
		UEV_TABLE_ENTRY(uev_entry_, &uev_event_.event);                \
		UEV_SDT_EVALUATE_FIRST_(n, list)                               \
		UEV_SDT_NOTE_(provider, name, n, list)                         \
		if (uev_enabled(&uev_event_.event)) {                          \
			UEV_SDT_EVALUATE_LAST_(n, list)                        \
			const struct uev_value uev_values_[] = {               \
				UEV_SDT_MAP_##n##_(UEV_SDT_ELEMENT_, list)     \
					UEV_NO_VALUE_                          \
			};                                                     \
			(void)uev_tracepoint_write_shortened(                  \
				&uev_event_.event, uev_values_, n);            \
		}                                                              \
	} while (0)
#else
#define UEV_SDT_EVENT_(provider, name, n, list)                            \
	do {                                                               \
		UEV_SDT_EVALUATE_FIRST_(n, list)                           \
		UEV_SDT_NOTE_(provider, name, n, list)                     \
		UEV_NEVER_                                                 \
		{                                                          \
			UEV_SDT_EVALUATE_LAST_(n, list)                    \
			const struct uev_value uev_values_[] = {           \
				UEV_SDT_MAP_##n##_(UEV_SDT_ELEMENT_, list) \
					UEV_NO_VALUE_                      \
			};                                                 \
			(void)uev_values_;                                 \
		}                                                          \
	} while (0)
#endif

#endif /* !__cplusplus */

#define STAP_PROBE(provider, name) UEV_SDT_EVENT_(provider, name, 0, ())
#define STAP_PROBE1(provider, name, a1) UEV_SDT_EVENT_(provider, name, 1, (a1))
#define STAP_PROBE2(provider, name, a1, a2) \
	UEV_SDT_EVENT_(provider, name, 2, (a1, a2))
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	UEV_SDT_EVENT_(provider, name, 3, (a1, a2, a3))
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	UEV_SDT_EVENT_(provider, name, 4, (a1, a2, a3, a4))
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	UEV_SDT_EVENT_(provider, name, 5, (a1, a2, a3, a4, a5))
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	UEV_SDT_EVENT_(provider, name, 6, (a1, a2, a3, a4, a5, a6))
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	UEV_SDT_EVENT_(provider, name, 7, (a1, a2, a3, a4, a5, a6, a7))
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	UEV_SDT_EVENT_(provider, name, 8, (a1, a2, a3, a4, a5, a6, a7, a8))
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	UEV_SDT_EVENT_(provider, name, 9, (a1, a2, a3, a4, a5, a6, a7, a8, a9))
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	UEV_SDT_EVENT_(provider, name, 10,                                    \
		       (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10))
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		     a11)                                                     \
	UEV_SDT_EVENT_(provider, name, 11,                                    \
		       (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11))
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		     a11, a12)                                                \
	UEV_SDT_EVENT_(provider, name, 12,                                    \
		       (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12))

/* As many arguments as there are after the name */
#define STAP_PROBEV(provider, name, ...)                                   \
	UEV_SDT_PROBE_N_(UEV_SDT_COUNT_(0, ##__VA_ARGS__), provider, name, \
			 (__VA_ARGS__))
#define UEV_SDT_COUNT_(...)                                                   \
	UEV_SDT_COUNT_AGAIN_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, \
			     1, 0)
#define UEV_SDT_COUNT_AGAIN_(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, \
			     a12, n, ...)                                      \
	n
#define UEV_SDT_PROBE_N_(n, provider, name, list) \
	UEV_SDT_PROBE_N_AGAIN_(n, provider, name, list)
#define UEV_SDT_PROBE_N_AGAIN_(n, provider, name, list) \
	UEV_SDT_EVENT_(provider, name, n, list)

#define DTRACE_PROBE(provider, name) STAP_PROBE(provider, name)
#define DTRACE_PROBE1(provider, name, a1) STAP_PROBE1(provider, name, a1)
#define DTRACE_PROBE2(provider, name, a1, a2) \
	STAP_PROBE2(provider, name, a1, a2)
#define DTRACE_PROBE3(provider, name, a1, a2, a3) \
	STAP_PROBE3(provider, name, a1, a2, a3)
#define DTRACE_PROBE4(provider, name, a1, a2, a3, a4) \
	STAP_PROBE4(provider, name, a1, a2, a3, a4)
#define DTRACE_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	STAP_PROBE5(provider, name, a1, a2, a3, a4, a5)
#define DTRACE_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6)
#define DTRACE_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7)
#define DTRACE_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8)
#define DTRACE_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define DTRACE_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, \
		       a10)                                                \
	STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define DTRACE_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9,    \
		       a10, a11)                                              \
	STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		     a11)
#define DTRACE_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9,    \
		       a10, a11, a12)                                         \
	STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		     a11, a12)

#ifndef UEV_SDT_USDT
/* What the probes of SystemTap's header are, and those of LTTng-UST, too */
#define _SDT_PROBE(provider, name, n, list) \
	UEV_SDT_EVENT_(provider, name, n, list)
/* A part of an asm statement, which cannot be an event */
#define UEV_SDT_NO_ASM_ \
	_Pragma("GCC error \"STAP_PROBE_ASM requires UEV_SDT_USDT\"")
#define STAP_PROBE_ASM(provider, name, ...) UEV_SDT_NO_ASM_ ""
#define STAP_PROBE_ASM_TEMPLATE(n) ""
#define STAP_PROBE_ASM_OPERANDS(n, ...) "n"(0)
#endif

#ifdef __cplusplus
#include <userevents/sdt-cxx.hpp>
#endif

#endif /* !__ASSEMBLER__ */

#endif
