/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: implementation of <userevents/sdt.h> in C++. Included by sdt.h.
 */
#ifndef USEREVENTS_SDT_CXX_HPP
#define USEREVENTS_SDT_CXX_HPP

#include <type_traits>
#include <utility>

#include <userevents/sdt.h>

/*
 * The arguments are those of a call, so that temporary objects in them exist
 * until the event is written. A function, because gcc warns about NULL
 * otherwise, which is a number.
 */
#define UEV_SDT_PARAMETER_(i, value) \
	std::decay_t<decltype(value)> uev_arg##i##_,
#define UEV_SDT_ARGUMENT_(i, value) ::uev::detail::sdt_argument(value),

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

template <typename T> inline T sdt_argument(T value)
{
	return value;
}

/* The argument as a value that UEV_TRACE() has a type for */
template <typename T> inline auto sdt_field(T value)
{
	if constexpr (std::is_enum<T>::value || std::is_integral<T>::value) {
		return value;
	} else if constexpr (std::is_same<T, float>::value) {
		return uev_sdt_float_(value);
	} else if constexpr (std::is_same<T, double>::value) {
		return uev_sdt_double_(value);
#ifndef UEV_SDT_ADDRESSES
	} else if constexpr (is_string<T>()) {
		return static_cast<const char *>(value);
#endif
	} else if constexpr (std::is_null_pointer<T>::value) {
		return static_cast<const void *>(nullptr);
	} else {
		static_assert(std::is_pointer<T>::value,
			      "a probe has no type for this argument");
		return reinterpret_cast<uintptr_t>(value);
	}
}

template <typename T>
using sdt_field_t = decltype(sdt_field(std::declval<std::decay_t<T>>()));

template <typename T> inline uev_value sdt_value(T value)
{
	if constexpr (is_string<T>())
		return uev_sdt_text_(value);
	else
		return value_of(value);
}

#ifdef _SDT_HAS_SEMAPHORES
struct semaphore_raiser {
	explicit semaphore_raiser(unsigned short *semaphore)
	{
		(void)__atomic_fetch_add(semaphore, 1, __ATOMIC_RELAXED);
	}
};

/* The semaphore of one line; Line is a unique type. */
template <typename Line>
struct __attribute__((__visibility__("hidden"))) semaphore {
	static inline semaphore_raiser raiser{ Line::semaphore() };
};
#endif

} /* namespace detail */
} /* namespace uev */

#ifdef _SDT_HAS_SEMAPHORES
#define UEV_SDT_LINE_SEMAPHORE_(provider, name)        \
	static unsigned short *semaphore()             \
	{                                              \
		return &provider##_##name##_semaphore; \
	}
#define UEV_SDT_SEMAPHORE_ (void)&::uev::detail::semaphore<uev_line_>::raiser;
#else
#define UEV_SDT_LINE_SEMAPHORE_(provider, name)
#define UEV_SDT_SEMAPHORE_
#endif

#define UEV_SDT_LIST_TYPE_(i, value) \
	, ::uev::detail::sdt_field_t<decltype(value)>
#define UEV_SDT_LIST_NAME_(i, value) , "arg" #i
#define UEV_SDT_ELEMENT_(i, value) \
	::uev::detail::sdt_value(::uev::detail::sdt_field(uev_arg##i##_)),

#ifndef UEV_DISABLE
#define UEV_SDT_EVENT_(provider, name, n, list)                              \
	do {                                                                 \
		using uev_types_ =                                           \
			::uev::detail::tail_t<void UEV_SDT_MAP_##n##_(       \
				UEV_SDT_LIST_TYPE_, list)>;                  \
		struct uev_line_ {                                           \
			static constexpr auto describe()                     \
			{                                                    \
				return ::uev::detail::describe(              \
					uev_types_(),                        \
					UEV_SDT_NAME_(provider, name)        \
						UEV_SDT_MAP_##n##_(          \
							UEV_SDT_LIST_NAME_,  \
							list));              \
			}                                                    \
			UEV_SDT_LINE_SEMAPHORE_(provider, name)              \
		};                                                           \
		struct uev_event *uev_event_ =                               \
			::uev::detail::tracepoint<uev_line_>::get();         \
		UEV_SDT_SEMAPHORE_                                           \
		UEV_SDT_IF_FIRST_(uev_event_)                                \
		[uev_event_](                                                \
			UEV_SDT_MAP_##n##_(UEV_SDT_PARAMETER_, list) int) {  \
			UEV_SDT_NOTE_(provider, name, n)                     \
			UEV_SDT_IF_LAST_(uev_event_)                         \
			::uev::detail::write(                                \
				uev_event_,                                  \
				{ UEV_SDT_MAP_##n##_(UEV_SDT_ELEMENT_, list) \
					  UEV_NO_VALUE_ });                  \
		}(UEV_SDT_MAP_##n##_(UEV_SDT_ARGUMENT_, list) 0);            \
	} while (0)
#else
#define UEV_SDT_EVENT_(provider, name, n, list)                            \
	do {                                                               \
		UEV_SDT_IF_FIRST_(nullptr)                                 \
		[](UEV_SDT_MAP_##n##_(UEV_SDT_PARAMETER_, list) int) {     \
			UEV_SDT_NOTE_(provider, name, n)                   \
			const struct uev_value uev_values_[] = {           \
				UEV_SDT_MAP_##n##_(UEV_SDT_ELEMENT_, list) \
					UEV_NO_VALUE_                      \
			};                                                 \
			(void)uev_values_;                                 \
		}(UEV_SDT_MAP_##n##_(UEV_SDT_ARGUMENT_, list) 0);          \
	} while (0)
#endif

#endif
