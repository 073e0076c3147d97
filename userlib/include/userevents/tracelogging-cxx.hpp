/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: TraceLoggingValue(), a field whose type follows from its
 * value. Included by TraceLoggingProvider.h.
 */
#ifndef USEREVENTS_TRACELOGGING_CXX_HPP
#define USEREVENTS_TRACELOGGING_CXX_HPP

#include <userevents/eventheader.h>

#include <type_traits>

namespace uev
{
namespace detail
{

/* The units of a string, void for other types. */
template <typename T> struct tlg_unit {
	using type = void;
};
template <typename T> struct tlg_unit<T *> {
	using unit = std::remove_cv_t<T>;
	using type =
		std::conditional_t<std::is_same<unit, char>::value ||
					   std::is_same<unit, char16_t>::value ||
					   std::is_same<unit, char32_t>::value ||
					   std::is_same<unit, wchar_t>::value,
				   unit, void>;
};
template <typename T> using tlg_unit_t = typename tlg_unit<T>::type;

template <typename T> constexpr bool tlg_is_string()
{
	return !std::is_void<tlg_unit_t<T>>::value;
}

template <typename T> constexpr unsigned int tlg_encoding()
{
	constexpr size_t size =
		sizeof(std::conditional_t<tlg_is_string<T>(),
					  std::remove_pointer_t<T>, T>);

	if (tlg_is_string<T>())
		return size == 1   ? UEV_ENCODING_ZSTRING8
		       : size == 2 ? UEV_ENCODING_ZSTRING16
				   : UEV_ENCODING_ZSTRING32;
	return size == 1   ? UEV_ENCODING_VALUE8
	       : size == 2 ? UEV_ENCODING_VALUE16
	       : size == 4 ? UEV_ENCODING_VALUE32
			   : UEV_ENCODING_VALUE64;
}

template <typename T, bool IsString = tlg_is_string<T>()> struct tlg_format {
	static constexpr unsigned int value = uev_eh_format_<T>::value;
};
template <typename T> struct tlg_format<T, true> {
	static constexpr unsigned int value =
		sizeof(std::remove_pointer_t<T>) == 1 ? UEV_FORMAT_STRING8
						      : UEV_FORMAT_DEFAULT;
};

/* Number of bytes that are copied. */
template <typename T> constexpr size_t tlg_copied()
{
	return tlg_is_string<T>() ? 0 : sizeof(T);
}

template <typename T>
inline void tlg_put(uev_eh_cursor_ *cursor, T value, std::true_type)
{
	uev_eh_put_zero_(cursor, value, sizeof(*value));
}

template <typename T>
inline void tlg_put(uev_eh_cursor_ *cursor, T value, std::false_type)
{
	uev_eh_copy_value_<T>(cursor, value);
}

template <typename T> inline void tlg_put(uev_eh_cursor_ *cursor, T value)
{
	tlg_put<T>(cursor, value,
		   std::integral_constant<bool, tlg_is_string<T>()>());
}

} /* namespace detail */
} /* namespace uev */

#define UEV_EH_CHECK_ARGUMENT_uev_auto(type, value)
#define UEV_EH_COPIED_uev_auto(type) +::uev::detail::tlg_copied<type>()
#define UEV_EH_GATHER_uev_auto(argument, type, value, number) \
	::uev::detail::tlg_put<type>(&uev_cursor_, value),
#define UEV_EH_VECTORS_uev_auto +2
#define UEV_EH_LEAST_uev_auto(type, count)
#define UEV_EH_FRONT_uev_auto

/*
 * TraceLoggingValue() - A field whose type follows from the value
 * @...: a bool, number, character, string that ends with a unit of 0, or
 *       another pointer; then as for other fields
 */
#define TraceLoggingValue(...) \
	UEV_TLG_AUTO_(UEV_TLG_FIRST_(__VA_ARGS__, 0), __VA_ARGS__)
#define UEV_TLG_AUTO_(argument_, ...)                                        \
	UEV_TLG_NAME_(                                                       \
		UEV_TLG_FIELD_,                                              \
		(1, 0, uev_auto, uev_auto,                                   \
		 ::uev::detail::tlg_encoding<UEV_TLG_TYPE_(argument_)>(),    \
		 ::uev::detail::tlg_format<UEV_TLG_TYPE_(argument_)>::value, \
		 0, UEV_TLG_TYPE_(argument_), argument_, 0),                 \
		__VA_ARGS__)
#define UEV_TLG_TYPE_(value) std::decay_t<decltype(value)>

#endif
