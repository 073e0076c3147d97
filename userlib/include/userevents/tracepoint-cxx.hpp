/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: implementation of UEV_TRACE() in C++. Included by
 * tracepoint.h.
 */
#ifndef USEREVENTS_TRACEPOINT_CXX_HPP
#define USEREVENTS_TRACEPOINT_CXX_HPP

#include <string_view>
#include <type_traits>

#include <userevents/tracepoint.h>

#define UEV_ASSERT_(what, why) static_assert(what, why)

namespace uev
{
namespace detail
{

/* Type of the field for a value of T; 0 if there is none. */
template <typename T> constexpr uint32_t integer_type()
{
	/* The type of a == b and of 'c' in C. */
	if (std::is_same<T, char>::value || std::is_same<T, bool>::value)
		return UEV_TYPE_S32;
	switch (sizeof(T)) {
	case 1:
		return std::is_signed<T>::value ? UEV_TYPE_S8 : UEV_TYPE_U8;
	case 2:
		return std::is_signed<T>::value ? UEV_TYPE_S16 : UEV_TYPE_U16;
	case 4:
		return std::is_signed<T>::value ? UEV_TYPE_S32 : UEV_TYPE_U32;
	case 8:
		return std::is_signed<T>::value ? UEV_TYPE_S64 : UEV_TYPE_U64;
	default:
		return 0;
	}
}

template <typename T> constexpr bool is_string()
{
	return std::is_same<T, char *>::value ||
	       std::is_same<T, const char *>::value;
}

/* Pointers to characters could be text or bytes. */
template <typename T> constexpr bool is_address()
{
	using to = std::remove_cv_t<std::remove_pointer_t<T>>;

#ifdef __cpp_char8_t
	if (std::is_same<to, char8_t>::value)
		return false;
#endif
	return std::is_pointer<T>::value && !std::is_same<to, char>::value &&
	       !std::is_same<to, signed char>::value &&
	       !std::is_same<to, unsigned char>::value;
}

template <typename T> constexpr uint32_t type_of()
{
	if constexpr (std::is_enum<T>::value)
		return integer_type<std::underlying_type_t<T>>();
	else if constexpr (std::is_integral<T>::value)
		return integer_type<T>();
	else if constexpr (is_address<T>())
		return integer_type<uintptr_t>();
	else if constexpr (std::is_same<T, float>::value)
		return UEV_TYPE_F32;
	else if constexpr (std::is_same<T, double>::value)
		return UEV_TYPE_F64;
	else if constexpr (std::is_same<T, uev_bytes>::value)
		return UEV_TYPE_BYTES;
	else if constexpr (is_string<T>() || std::is_same<T, uev_text>::value ||
			   std::is_convertible<const T &,
					       std::string_view>::value)
		return UEV_TYPE_STRING;
	else
		return 0;
}

template <typename V> inline uev_value value_of(const V &value)
{
	using T = std::decay_t<V>;

	if constexpr (std::is_enum<T>::value || std::is_integral<T>::value) {
		return uev_value_number(type_of<T>(),
					static_cast<uint64_t>(value));
	} else if constexpr (is_address<T>()) {
		return uev_value_number(type_of<T>(),
					reinterpret_cast<uintptr_t>(value));
	} else if constexpr (std::is_same<T, float>::value) {
		return uev_value_float(value);
	} else if constexpr (std::is_same<T, double>::value) {
		return uev_value_double(value);
	} else if constexpr (std::is_same<T, uev_bytes>::value) {
		return uev_value_bytes(value);
	} else if constexpr (std::is_same<T, uev_text>::value) {
		return uev_value_text(value);
	} else if constexpr (is_string<T>()) {
		return uev_value_string(value);
	} else {
		std::string_view view = value;

		return uev_value_text({ view.data(), view.size() });
	}
}

/*
 * Writes an event. The values are evaluated in the same full expression, so that
 * temporary objects in them exist until the event is written.
 */
template <size_t Size>
inline void write(uev_event *event, const uev_value (&values)[Size])
{
	(void)uev_tracepoint_write(event, values, Size - 1);
}

/* Parsed by uev_command_check() of the library. */
template <size_t Size> struct text {
	char chars[Size];
};

template <typename... Types> struct types {
};

/* A list of types without its first, which is there because of the comma. */
template <typename First, typename... Types> struct tail {
	using type = types<Types...>;
};
template <typename... Types> using tail_t = typename tail<Types...>::type;

template <size_t Size>
constexpr size_t put(char *to, size_t at, const char (&from)[Size])
{
	for (size_t i = 0; i < Size; i++)
		to[at + i] = from[i];

	return at + Size;
}

template <typename... Types, size_t Name, size_t... Fields>
constexpr auto describe(types<Types...>, const char (&name)[Name],
			const char (&...fields)[Fields])
{
	text<1 + Name + (0 + ... + (1 + Fields)) + 1> result{};
	size_t at = 1;

	result.chars[0] = UEV_DESCRIBED;
	at = put(result.chars, at, name);
	((result.chars[at] = static_cast<char>(type_of<Types>()),
	  at = put(result.chars, at + 1, fields)),
	 ...);

	return result;
}

/* Registers an event during the lifetime of its object. */
class registrar
{
      public:
	explicit registrar(uev_event *event) : m_event(event)
	{
		(void)uev_events_register(&m_event, &m_event + 1);
	}
	~registrar()
	{
		uev_events_unregister(&m_event, &m_event + 1);
	}
	registrar(const registrar &) = delete;
	registrar &operator=(const registrar &) = delete;

      private:
	uev_event *m_event;
};

/* The event of one line; Line is a unique type. */
template <typename Line>
struct __attribute__((__visibility__("hidden"))) tracepoint {
	static constexpr auto description = Line::describe();
	static inline uev_event event = { 0, sizeof(uev_event),
					  description.chars, nullptr };
	static inline registrar keeper{ &event };

	static uev_event *get()
	{
		/* Instantiates it. */
		(void)&keeper;

		return &event;
	}
};

} /* namespace detail */
} /* namespace uev */

#define UEV_TYPE_OF_(value) \
	(::uev::detail::type_of<std::decay_t<decltype(value)>>())
#define UEV_VALUE_OF_(value) ::uev::detail::value_of(value)
#define UEV_LIST_TYPE_(name, value) , std::decay_t<decltype(value)>
#define UEV_LIST_NAME_(name, value) , #name

#ifndef UEV_DISABLE
#define UEV_TRACE_EVEN_(pairs, ...)                                        \
	do {                                                               \
		UEV_CHECK_(pairs, __VA_ARGS__);                            \
		using uev_types_ = ::uev::detail::tail_t<void UEV_MAP_(    \
			pairs, UEV_LIST_TYPE_, __VA_ARGS__)>;              \
		struct uev_line_ {                                         \
			static constexpr auto describe()                   \
			{                                                  \
				return ::uev::detail::describe(            \
					uev_types_(),                      \
					UEV_NAME_(UEV_FIRST_(__VA_ARGS__)) \
						UEV_MAP_(pairs,            \
							 UEV_LIST_NAME_,   \
							 __VA_ARGS__));    \
			}                                                  \
		};                                                         \
		struct uev_event *uev_event_ =                             \
			::uev::detail::tracepoint<uev_line_>::get();       \
		if (uev_enabled(uev_event_)) {                             \
			UEV_DEFINE_FIELDS_(pairs, __VA_ARGS__);            \
			::uev::detail::write(                              \
				uev_event_,                                \
				{ UEV_MAP_(pairs, UEV_VALUE_ELEMENT_,      \
					   __VA_ARGS__) UEV_NO_VALUE_ });  \
		}                                                          \
	} while (0)
#endif

#endif
