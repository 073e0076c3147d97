/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: implementation of <userevents/sdt.h> in C++, from C++98.
 * Included by sdt.h.
 */
#ifndef USEREVENTS_SDT_CXX_HPP
#define USEREVENTS_SDT_CXX_HPP

#include <userevents/sdt.h>

#ifdef UEV_DISABLE
#define UEV_SDT_IF_ENABLED_(event) UEV_NEVER_
#else
#define UEV_SDT_IF_ENABLED_(event) if (uev_enabled(event))
#endif

/* With a note, which has the arguments, they are always evaluated. */
#ifdef UEV_SDT_USDT
#define UEV_SDT_IF_FIRST_(event)
#define UEV_SDT_IF_LAST_(event) UEV_SDT_IF_ENABLED_(event)
#else
#define UEV_SDT_IF_FIRST_(event) UEV_SDT_IF_ENABLED_(event)
#define UEV_SDT_IF_LAST_(event)
#endif

namespace uev
{
namespace detail
{

/*
 * An argument without its qualifiers. A function, because gcc warns about NULL
 * otherwise, which is a number.
 */
template <typename T> inline T sdt_argument(T value)
{
	return value;
}

template <typename T> inline uev_text sdt_text(const char *chars, T length)
{
	return uev_sdt_text_(chars, static_cast<size_t>(length));
}

/* Arrays, of which the size is the type of the field. Not defined. */
template <typename T> char (&sdt_type(T))[UEV_TYPE_S64];
char (&sdt_type(float))[UEV_TYPE_F32];
char (&sdt_type(double))[UEV_TYPE_F64];
char (&sdt_type(long double))[UEV_TYPE_F64];
char (&sdt_type(uev_text))[UEV_TYPE_STRING];

/*
 * Extended to 64 bits by its own type, so that each has one type. Larger
 * integers and other floating-point numbers (class 8) have none.
 */
template <typename T> inline uev_value sdt_value(T number)
{
	typedef char has_type[sizeof(T) <= sizeof(uint64_t) &&
					      __builtin_classify_type(T()) != 8
				      ? 1
				      : -1] __attribute__((__unused__));

	return uev_value_number(UEV_TYPE_S64, static_cast<uint64_t>(number));
}

template <typename T> inline uev_value sdt_value(T *pointer)
{
	return uev_value_number(UEV_TYPE_S64,
				reinterpret_cast<uintptr_t>(pointer));
}

#if __cplusplus >= 201103L
inline uev_value sdt_value(decltype(nullptr))
{
	return uev_value_number(UEV_TYPE_S64, 0);
}
#endif

inline uev_value sdt_value(float number)
{
	return uev_value_float(number);
}

inline uev_value sdt_value(double number)
{
	return uev_value_double(number);
}

inline uev_value sdt_value(long double number)
{
	return uev_value_double(static_cast<double>(number));
}

inline uev_value sdt_value(uev_text text)
{
	return uev_sdt_value_of_text_(text);
}

/* The pointer of a text, and any other argument itself */
template <typename T> inline T sdt_plain(T argument)
{
	return argument;
}

inline const char *sdt_plain(uev_text text)
{
	return text.chars;
}

#if defined(__clang__) && __cplusplus < 201103L
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wlocal-type-template-args"
#endif

/* The event of one line; Line is a unique type. */
template <typename Line>
struct __attribute__((__visibility__("hidden"))) sdt_event {
	struct registrar {
		registrar()
		{
			struct uev_event *self = &event.event;

			uev_event_init(self, Line::command());
			self->size |= UEV_HAS_SEMAPHORE;
			event.semaphore = Line::semaphore();
			(void)uev_events_register(&self, &self + 1);
		}
		~registrar()
		{
			struct uev_event *self = &event.event;

			uev_events_unregister(&self, &self + 1);
		}
	};

	static struct uev_probe_event event;
	static registrar keeper;

	static struct uev_event *get()
	{
		/* Instantiates it. */
		(void)&keeper;

		return &event.event;
	}
};

template <typename Line> struct uev_probe_event sdt_event<Line>::event;
template <typename Line>
typename sdt_event<Line>::registrar sdt_event<Line>::keeper;

#if defined(__clang__) && __cplusplus < 201103L
#pragma clang diagnostic pop
#endif

} /* namespace detail */
} /* namespace uev */

#define UEV_SDT_DECLARE_PLAIN_(i, value)                                      \
	__typeof__(::uev::detail::sdt_plain(uev_arg##i##_)) uev_plain##i##_ = \
		::uev::detail::sdt_plain(uev_arg##i##_);

#define UEV_SDT_TYPEDEF_(i, value) \
	typedef __typeof__(::uev::detail::sdt_argument(value)) uev_type##i##_;
#define UEV_SDT_ENUM_(i, value) \
	uev_field##i##_ = sizeof(::uev::detail::sdt_type(value)),
#define UEV_SDT_MEMBER_(i, value) \
	char uev_type##i##_;      \
	char uev_name##i##_[sizeof("arg" #i)];
#define UEV_SDT_FILL_(i, value) static_cast<char>(uev_field##i##_), "arg" #i,
#define UEV_SDT_PARAMETER_(i, value) , uev_type##i##_ uev_arg##i##_
#define UEV_SDT_ARGUMENT_(i, value) , ::uev::detail::sdt_argument(value)
#define UEV_SDT_ELEMENT_(i, value) ::uev::detail::sdt_value(uev_arg##i##_),

/* The description of an event, as the variable uev_text_ */
#define UEV_SDT_TEXT_OF_(provider, name, n, list)                        \
	static const struct {                                            \
		char uev_mark_;                                          \
		char uev_name_[sizeof(UEV_SDT_NAME_(provider, name))];   \
		UEV_SDT_MAP_##n##_(UEV_SDT_MEMBER_, list) char uev_end_; \
	} uev_text_ = { UEV_DESCRIBED, UEV_SDT_NAME_(provider, name),    \
			UEV_SDT_MAP_##n##_(UEV_SDT_FILL_, list) '\0' };

/*
 * UEV_SDT_LINE_() - Members of the structure of a line
 * UEV_SDT_GET_() - The event of a line
 */
#ifdef UEV_DISABLE
#define UEV_SDT_LINE_(provider, name, n, list)
#define UEV_SDT_GET_(line) NULL
#elif __cplusplus >= 201103L || defined(__clang__)
/*
 * For programs that read the file, as UEV_FIELDS_TEXT_() of tracepoint.h. In the
 * group of the function, if it has one: older assemblers of clang cannot do that.
 */
#if defined(__ELF__) && !defined(UEV_NO_CONFLICT_CHECK) && \
	(!defined(__clang__) || __clang_major__ >= 14)
/* clang-format off */
#define UEV_SDT_DEFINE_(provider, name, n, list)                             \
	UEV_ASM_(".pushsection .uev_fields,\"?\",%%progbits\n"               \
		 ".asciz \"" UEV_SDT_NAME_(provider, name) "\"\n"            \
		 ".asciz \"" UEV_SDT_MAP_##n##_(UEV_SDT_FIELD_, list) "\"\n" \
		 ".4byte " UEV_INT_ "0, " UEV_INT_ "1, 0, 0\n"               \
		 ".popsection"                                               \
		 : /* no output */                                           \
		 : "i"(0U UEV_SDT_MAP_##n##_(UEV_SDT_WORD_0_, list)),        \
		   "i"(0U UEV_SDT_MAP_##n##_(UEV_SDT_WORD_1_, list)));
/* clang-format on */
#define UEV_SDT_FIELD_(i, value) ".arg" #i
#define UEV_SDT_WORD_0_(i, value) UEV_SDT_WORD_(0U, i)
#define UEV_SDT_WORD_1_(i, value) UEV_SDT_WORD_(1U, i)
#define UEV_SDT_WORD_(word, i)                                               \
	+((i - 1U) / 8U == word ? static_cast<unsigned int>(uev_field##i##_) \
					  << ((i - 1U) % 8U * 4U)            \
				: 0U)
#else
#define UEV_SDT_DEFINE_(provider, name, n, list)
#endif
#define UEV_SDT_LINE_(provider, name, n, list)                     \
	__attribute__((__noinline__)) static const char *command() \
	{                                                          \
		UEV_SDT_TEXT_OF_(provider, name, n, list)          \
		UEV_SDT_DEFINE_(provider, name, n, list)           \
		return &uev_text_.uev_mark_;                       \
	}                                                          \
	static volatile unsigned short *semaphore()                \
	{                                                          \
		return UEV_SDT_SEMAPHORE_(provider, name);         \
	}
#if __cplusplus >= 201103L
#define UEV_SDT_GET_(line) ::uev::detail::sdt_event<line>::get()
#else
#define UEV_SDT_GET_(line)                                                   \
	_Pragma("clang diagnostic push") _Pragma(                            \
		"clang diagnostic ignored \"-Wlocal-type-template-args\""):: \
		uev::detail::sdt_event<line>::get()                          \
			_Pragma("clang diagnostic pop")
#endif
#else
/*
 * A local structure cannot be an argument of a template in C++98. The line has
 * entries in the tables of its object, as in C, but in the section group of its
 * function, as notes have: an attribute of a variable cannot do that. The
 * structure is hidden, so that the event is not shared by all objects of the
 * process that have the same inline function.
 */
#ifdef __riscv
#define UEV_SDT_OPERAND_ "%0"
#else
#define UEV_SDT_OPERAND_ "%c0"
#endif
#if defined(__riscv) || defined(__aarch64__)
#define UEV_SDT_CONSTRAINT_ "S"
#else
#define UEV_SDT_CONSTRAINT_ "i"
#endif
#if __has_attribute(__retain__)
#define UEV_SDT_FLAGS_ "awR?"
#else
#define UEV_SDT_FLAGS_ "aw?"
#endif
#define UEV_SDT_TABLE_(section, address)                                        \
	".pushsection " section ",\"" UEV_SDT_FLAGS_ "\"\n"                     \
	".balign " UEV_STRING_(                                                 \
		__SIZEOF_POINTER__) "\n"                                        \
				    "." UEV_STRING_(                            \
					    __SIZEOF_POINTER__) "byte " address \
								"\n"            \
								".popsection"
#define UEV_SDT_LINE_(provider, name, n, list)                            \
	static struct uev_event *event()                                  \
	{                                                                 \
		UEV_SDT_TEXT_OF_(provider, name, n, list)                 \
		static struct uev_probe_event uev_event_ =                \
			UEV_PROBE_EVENT_INIT(&uev_text_.uev_mark_,        \
					     UEV_SDT_SEMAPHORE_(provider, \
								name));   \
		UEV_ASM_(UEV_SDT_TABLE_("uev_events", UEV_SDT_OPERAND_)   \
			 :                                                \
			 : UEV_SDT_CONSTRAINT_(&uev_event_));             \
		return &uev_event_.event;                                 \
	}
#define UEV_SDT_GET_(line) line::event()
#endif

/*
 * The arguments are those of a call, so that temporary objects in them exist
 * until the event is written.
 */
#define UEV_SDT_EVENT_(provider, name, n, list)                                  \
	do {                                                                     \
		UEV_SDT_MAP_##n##_(UEV_SDT_TYPEDEF_, list) enum {                \
			UEV_SDT_MAP_##n##_(UEV_SDT_ENUM_, list) uev_no_field_    \
		};                                                               \
		struct __attribute__((__visibility__("hidden"))) uev_line_ {     \
			UEV_SDT_LINE_(provider, name, n, list)                   \
			static void                                              \
			pass(struct uev_event *uev_event_ UEV_SDT_MAP_##n##_(    \
				UEV_SDT_PARAMETER_, list))                       \
			{                                                        \
				UEV_SDT_NOTE_(provider, name, n, list)           \
				UEV_SDT_IF_LAST_(uev_event_)                     \
				{                                                \
					const struct uev_value uev_values_[] = { \
						UEV_SDT_MAP_##n##_(              \
							UEV_SDT_ELEMENT_,        \
							list) uev_value()        \
					};                                       \
					(void)uev_tracepoint_write_shortened(    \
						uev_event_, uev_values_, n);     \
				}                                                \
			}                                                        \
		};                                                               \
		struct uev_event *uev_event_ = UEV_SDT_GET_(uev_line_);          \
		UEV_SDT_IF_FIRST_(uev_event_)                                    \
		uev_line_::pass(uev_event_ UEV_SDT_MAP_##n##_(                   \
			UEV_SDT_ARGUMENT_, list));                               \
	} while (0)

#endif
