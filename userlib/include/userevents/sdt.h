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
 *	bool, char			s32
 *	other integers, enumerations	s8 to s64, u8 to u64
 *	float, double			u32, u64: the bits
 *	char *, const char *		text, of at most UEV_SDT_TEXT_MAX bytes
 *	other pointers			u32 or u64: the address
 *
 * Define these macros before the header is included:
 *
 *	UEV_SDT_USDT			the probe also has the USDT note of
 *					<sys/sdt.h>, which bpftrace, perf and
 *					SystemTap read
 *	UEV_SDT_ADDRESSES		char * is an address, as in a note: for
 *					a program that passes buffers
 *	UEV_DISABLE			the probe is not an event. Without
 *					UEV_SDT_USDT it is compiled to nothing
 *	_SDT_HAS_SEMAPHORES		as for <sys/sdt.h>, probes have
 *					semaphores
 *
 * Without UEV_SDT_USDT, arguments are not evaluated while the event is disabled.
 *
 * A tracer raises the semaphore of a probe to make the program prepare the
 * arguments. user_events has no such counter, so the program itself raises the
 * semaphores of its probes when it starts.
 *
 * GNU C from gnu89, and C++17. Macros for assembly, STAP_PROBE_ASM and others,
 * exist only with UEV_SDT_USDT.
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

#ifndef __ASSEMBLER__

#include <userevents/tracepoint.h>

/* Maximum length of a text. The rest is not recorded. */
#ifndef UEV_SDT_TEXT_MAX
#define UEV_SDT_TEXT_MAX 1024
#endif

UEV_BEGIN_DECLS

/* The text of a probe can lack a terminator. */
static inline struct uev_value uev_sdt_text_(const char *string)
{
	struct uev_text text = { string, 0 };

	if (!string)
		return uev_value_string(string);
	while (text.length < UEV_SDT_TEXT_MAX && string[text.length])
		text.length++;

	return uev_value_text(text);
}

static inline uint32_t uev_sdt_float_(float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));

	return bits;
}

static inline uint64_t uev_sdt_double_(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));

	return bits;
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

/* The evaluated arguments */
#define UEV_SDT_ARGS_0_ ()
#define UEV_SDT_ARGS_1_ (uev_arg1_)
#define UEV_SDT_ARGS_2_ (uev_arg1_, uev_arg2_)
#define UEV_SDT_ARGS_3_ (uev_arg1_, uev_arg2_, uev_arg3_)
#define UEV_SDT_ARGS_4_ (uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_)
#define UEV_SDT_ARGS_5_ (uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_)
#define UEV_SDT_ARGS_6_ \
	(uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_, uev_arg6_)
#define UEV_SDT_ARGS_7_                                                    \
	(uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_, uev_arg6_, \
	 uev_arg7_)
#define UEV_SDT_ARGS_8_                                                    \
	(uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_, uev_arg6_, \
	 uev_arg7_, uev_arg8_)
#define UEV_SDT_ARGS_9_                                                    \
	(uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_, uev_arg6_, \
	 uev_arg7_, uev_arg8_, uev_arg9_)
#define UEV_SDT_ARGS_10_                                                   \
	(uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_, uev_arg6_, \
	 uev_arg7_, uev_arg8_, uev_arg9_, uev_arg10_)
#define UEV_SDT_ARGS_11_                                                   \
	(uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_, uev_arg6_, \
	 uev_arg7_, uev_arg8_, uev_arg9_, uev_arg10_, uev_arg11_)
#define UEV_SDT_ARGS_12_                                                   \
	(uev_arg1_, uev_arg2_, uev_arg3_, uev_arg4_, uev_arg5_, uev_arg6_, \
	 uev_arg7_, uev_arg8_, uev_arg9_, uev_arg10_, uev_arg11_, uev_arg12_)

#define UEV_SDT_NAME_(provider, name) \
	UEV_STRING_(provider) "_" UEV_STRING_(name)

#ifdef UEV_SDT_USDT
#define UEV_SDT_NOTE_(provider, name, n) \
	_SDT_PROBE(provider, name, n, UEV_SDT_ARGS_##n##_);
#else
#define UEV_SDT_NOTE_(provider, name, n)
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

#ifdef UEV_SDT_ADDRESSES
#define UEV_SDT_TYPE_TEXT_ UEV_TYPE_ADDRESS_
#define UEV_SDT_VALUE_TEXT_ uev_sdt_address_
#else
#define UEV_SDT_TYPE_TEXT_ UEV_TYPE_STRING
#define UEV_SDT_VALUE_TEXT_ uev_sdt_text_
#endif

static inline struct uev_value uev_sdt_address_(const volatile void *pointer)
{
	return uev_value_number(UEV_TYPE_ADDRESS_, (uintptr_t)pointer);
}

static inline struct uev_value uev_sdt_of_float_(float number)
{
	return uev_value_number(UEV_TYPE_U32, uev_sdt_float_(number));
}

static inline struct uev_value uev_sdt_of_double_(double number)
{
	return uev_value_number(UEV_TYPE_U64, uev_sdt_double_(number));
}

/* clang-format off */
#define UEV_SDT_TYPE_(value) \
	__extension__ _Generic((value),                                      \
		_Bool: UEV_TYPE_S32,                                         \
		char: UEV_TYPE_S32,                                          \
		signed char: UEV_TYPE_S8,                                    \
		unsigned char: UEV_TYPE_U8,                                  \
		short: UEV_TYPE_S16,                                         \
		unsigned short: UEV_TYPE_U16,                                \
		int: UEV_TYPE_S32,                                           \
		unsigned int: UEV_TYPE_U32,                                  \
		long: UEV_TYPE_LONG_,                                        \
		unsigned long: UEV_TYPE_ULONG_,                              \
		long long: UEV_TYPE_S64,                                     \
		unsigned long long: UEV_TYPE_U64,                            \
		float: UEV_TYPE_U32,                                         \
		double: UEV_TYPE_U64,                                        \
		char *: UEV_SDT_TYPE_TEXT_,                                  \
		const char *: UEV_SDT_TYPE_TEXT_,                            \
		default: UEV_TYPE_ADDRESS_)

#define UEV_SDT_VALUE_(value) \
	__extension__ _Generic((value),                                      \
		_Bool: uev_value_of_bool,                                    \
		char: uev_value_of_char,                                     \
		signed char: uev_value_of_schar,                             \
		unsigned char: uev_value_of_uchar,                           \
		short: uev_value_of_short,                                   \
		unsigned short: uev_value_of_ushort,                         \
		int: uev_value_of_int,                                       \
		unsigned int: uev_value_of_uint,                             \
		long: uev_value_of_long,                                     \
		unsigned long: uev_value_of_ulong,                           \
		long long: uev_value_of_llong,                               \
		unsigned long long: uev_value_of_ullong,                     \
		float: uev_sdt_of_float_,                                    \
		double: uev_sdt_of_double_,                                  \
		char *: UEV_SDT_VALUE_TEXT_,                                 \
		const char *: UEV_SDT_VALUE_TEXT_,                           \
		default: uev_sdt_address_)(value)
/* clang-format on */

#if defined(_SDT_HAS_SEMAPHORES) && !defined(UEV_DISABLE)
/* Semaphores of an object, raised once, see <userevents/table.h>. */
extern unsigned short *__start_uev_semaphores[] UEV_INTERNAL_;
extern unsigned short *__stop_uev_semaphores[] UEV_INTERNAL_;
extern bool uev_semaphores_are_raised_;
UEV_INTERNAL_ bool uev_semaphores_are_raised_;

UEV_CONSTRUCTOR_ void uev_semaphores_raise(void);
UEV_CONSTRUCTOR_ void uev_semaphores_raise(void)
{
	unsigned short **each;

	if (uev_semaphores_are_raised_)
		return;
	uev_semaphores_are_raised_ = true;
	for (each = __start_uev_semaphores; each != __stop_uev_semaphores;
	     each++)
		(void)__atomic_fetch_add(*each, 1, __ATOMIC_RELAXED);
}

#define UEV_SDT_SEMAPHORE_(provider, name)                               \
	static unsigned short *uev_semaphore_                            \
		__attribute__((__section__("uev_semaphores"), __used__)) \
		UEV_RETAIN_ = &provider##_##name##_semaphore;
#else
#define UEV_SDT_SEMAPHORE_(provider, name)
#endif

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
		static struct uev_event uev_event_ =                           \
			UEV_EVENT_INIT(&uev_text_.uev_mark_);                  \
		UEV_TABLE_ENTRY(uev_entry_, &uev_event_);                      \
		UEV_SDT_SEMAPHORE_(provider, name)                             \
		UEV_SDT_EVALUATE_FIRST_(n, list)                               \
		UEV_SDT_NOTE_(provider, name, n)                               \
		if (uev_enabled(&uev_event_)) {                                \
			UEV_SDT_EVALUATE_LAST_(n, list)                        \
			const struct uev_value uev_values_[] = {               \
				UEV_SDT_MAP_##n##_(UEV_SDT_ELEMENT_, list)     \
					UEV_NO_VALUE_                          \
			};                                                     \
			(void)uev_tracepoint_write(&uev_event_, uev_values_,   \
						   n);                         \
		}                                                              \
	} while (0)
#else
#define UEV_SDT_EVENT_(provider, name, n, list)                            \
	do {                                                               \
		UEV_SDT_EVALUATE_FIRST_(n, list)                           \
		UEV_SDT_NOTE_(provider, name, n)                           \
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

#ifdef __cplusplus
#include <userevents/sdt-cxx.hpp>
#endif

#endif /* !__ASSEMBLER__ */

#endif
