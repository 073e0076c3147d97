/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: implementation of UEV_TRACE() in C++. Included by
 * tracepoint.h.
 */
#ifndef USEREVENTS_TRACEPOINT_CXX_HPP
#define USEREVENTS_TRACEPOINT_CXX_HPP

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

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

/*
 * Taken by value: a reference to a constant member of a class requires that the
 * program defines it.
 */
template <typename T, bool wanted>
using if_number_t = std::enable_if_t<
	(std::is_arithmetic<T>::value || std::is_enum<T>::value) == wanted, int>;

/* The value of a counter. In a template, no conversion is superfluous. */
template <typename T, if_number_t<T, true> = 0>
constexpr int64_t count_of(T value)
{
	return static_cast<int64_t>(value);
}

template <typename T, if_number_t<T, false> = 0>
constexpr int64_t count_of(const T &value)
{
	return static_cast<int64_t>(value);
}

template <typename T>
using plain_t = std::remove_cv_t<std::remove_reference_t<T>>;

/*
 * Other types are known by their members, so that programs without them do not
 * include <atomic> and <chrono>, and containers and UUIDs of other libraries work.
 */
template <typename T, typename = void> struct is_duration : std::false_type {
};
template <typename T>
struct is_duration<T, std::void_t<typename T::rep, decltype(T::period::num),
				  decltype(T::period::den),
				  decltype(std::declval<const T &>().count())>>
    : std::is_arithmetic<typename T::rep> {
};

template <typename T, typename = void> struct is_time_point : std::false_type {
};
template <typename T>
struct is_time_point<
	T, std::void_t<typename T::clock, typename T::duration,
		       decltype(std::declval<const T &>().time_since_epoch())>>
    : is_duration<typename T::duration> {
};

template <typename T> constexpr bool is_time()
{
	return is_duration<T>::value || is_time_point<T>::value;
}

template <typename T, typename = void> struct loaded {
	using type = void;
};
template <typename T>
struct loaded<T, std::void_t<decltype(T::is_always_lock_free),
			     decltype(std::declval<const T &>().load())>> {
	using type = plain_t<decltype(std::declval<const T &>().load())>;
};
template <typename T> using loaded_t = typename loaded<T>::type;

/* Their values do not refer to the object from which they were loaded. */
template <typename T> constexpr bool is_atomic()
{
	return std::is_scalar<loaded_t<T>>::value || is_time<loaded_t<T>>();
}

template <typename T> constexpr bool is_byte()
{
	return std::is_same<T, unsigned char>::value ||
	       std::is_same<T, std::byte>::value;
}

/* The type of the elements of an array or of a container. */
template <typename T, typename = void> struct element {
	using type = plain_t<std::remove_extent_t<T>>;
	static constexpr bool exists = std::is_array<T>::value;
};
template <typename T>
struct element<T, std::void_t<decltype(std::declval<const T &>().size()),
			      decltype(*std::declval<const T &>().data())>> {
	using type = plain_t<decltype(*std::declval<const T &>().data())>;
	static constexpr bool exists = true;
};

template <typename T> constexpr bool is_bytes()
{
	return element<T>::exists && is_byte<typename element<T>::type>();
}

/* Has its bytes in the order of its text. */
template <typename T, typename = void> struct is_uuid : std::false_type {
};
template <typename T>
struct is_uuid<T, std::void_t<decltype(T::static_size()),
			      decltype(std::declval<const T &>().variant()),
			      decltype(std::declval<const T &>().version()),
			      decltype(*std::declval<const T &>().begin())>>
    : std::bool_constant<sizeof(T) == UEV_UUID_SIZE &&
			 sizeof(*std::declval<const T &>().begin()) == 1> {
};

#ifdef __cpp_char8_t
template <typename T> constexpr bool is_utf8_string()
{
	return std::is_same<T, char8_t *>::value ||
	       std::is_same<T, const char8_t *>::value;
}

template <typename T> constexpr bool is_utf8_view()
{
	return std::is_convertible<const T &,
				   std::basic_string_view<char8_t>>::value;
}
#else
template <typename T> constexpr bool is_utf8_string()
{
	return false;
}

template <typename T> constexpr bool is_utf8_view()
{
	return false;
}
#endif

template <typename T> constexpr bool is_string()
{
	return std::is_same<T, char *>::value ||
	       std::is_same<T, const char *>::value;
}

template <typename T> constexpr bool is_view()
{
	return std::is_convertible<const T &, std::string_view>::value;
}

/* Pointers to characters could be text or bytes. */
template <typename T> constexpr bool is_address()
{
	using to = std::remove_cv_t<std::remove_pointer_t<T>>;

#ifdef __cpp_char8_t
	if (std::is_same<to, char8_t>::value)
		return false;
#endif
	return std::is_null_pointer<T>::value ||
	       (std::is_pointer<T>::value && !std::is_same<to, char>::value &&
		!std::is_same<to, signed char>::value &&
		!std::is_same<to, unsigned char>::value);
}

template <typename V> constexpr uint32_t type_of()
{
	using T = std::decay_t<V>;

	if constexpr (std::is_enum<T>::value)
		return integer_type<std::underlying_type_t<T>>();
	else if constexpr (std::is_integral<T>::value)
		return integer_type<T>();
	else if constexpr (is_bytes<V>() || std::is_same<T, uev_bytes>::value)
		return UEV_TYPE_BYTES;
	else if constexpr (is_address<T>())
		return integer_type<uintptr_t>();
	else if constexpr (std::is_same<T, float>::value)
		return UEV_TYPE_F32;
	else if constexpr (std::is_floating_point<T>::value)
		return UEV_TYPE_F64;
	else if constexpr (std::is_same<T, uev_uuid>::value ||
			   is_uuid<T>::value)
		return UEV_TYPE_UUID;
	else if constexpr (is_time<T>())
		return UEV_TYPE_S64;
	else if constexpr (is_atomic<T>())
		return type_of<loaded_t<T>>();
	else if constexpr (is_string<T>() || is_utf8_string<T>() ||
			   is_view<T>() || is_utf8_view<T>() ||
			   std::is_same<T, uev_text>::value)
		return UEV_TYPE_STRING;
	else
		return 0;
}

/* Results that are out of range are the nearest number. */
inline int64_t multiply(int64_t number, int64_t by)
{
	int64_t result;

	if (__builtin_mul_overflow(number, by, &result))
		return (number < 0) == (by < 0) ? INT64_MAX : INT64_MIN;

	return result;
}

inline int64_t add(int64_t number, int64_t other)
{
	int64_t result;

	if (__builtin_add_overflow(number, other, &result))
		return number < 0 ? INT64_MIN : INT64_MAX;

	return result;
}

template <typename T> inline int64_t to_int64(T number)
{
	if constexpr (std::is_floating_point<T>::value) {
		/* Also false for NaN, which is 0. */
		if (number >= static_cast<T>(9223372036854775808.0))
			return INT64_MAX;
		if (number <= static_cast<T>(-9223372036854775808.0))
			return INT64_MIN;
		return number == number ? static_cast<int64_t>(number) : 0;
	} else if constexpr (std::is_signed<T>::value) {
		return number;
	} else {
		return number > static_cast<uint64_t>(INT64_MAX)
			       ? INT64_MAX
			       : static_cast<int64_t>(number);
	}
}

constexpr int64_t common_divisor(int64_t a, int64_t b)
{
	return b ? common_divisor(b, a % b) : a;
}

/* Returns a duration in nanoseconds. */
template <typename T> inline int64_t nanoseconds(const T &duration)
{
	constexpr int64_t second = 1000000000;
	constexpr int64_t num = T::period::num, den = T::period::den;
	constexpr int64_t common = common_divisor(second, den);
	const auto count = duration.count();

	if constexpr (std::is_floating_point<typename T::rep>::value) {
		return to_int64(count * (static_cast<double>(num) * second /
					 static_cast<double>(den)));
	} else {
		const int64_t factor = multiply(second / common, num);
		constexpr int64_t parts = den / common;

		/* An unsigned count can be too large before the division. */
		return add(multiply(to_int64(count / parts), factor),
			   multiply(to_int64(count % parts), factor) / parts);
	}
}

template <typename T, if_number_t<T, true> = 0>
inline uev_value value_of(T value)
{
	if constexpr (std::is_same<T, float>::value)
		return uev_value_float(value);
	else if constexpr (std::is_same<T, double>::value)
		return uev_value_double(value);
	else if constexpr (std::is_floating_point<T>::value)
		return uev_value_double(static_cast<double>(value));
	else
		return uev_value_number(type_of<T>(),
					static_cast<uint64_t>(value));
}

template <typename V, if_number_t<V, false> = 0>
inline uev_value value_of(const V &value)
{
	using T = std::decay_t<V>;

	if constexpr (std::is_same<T, uev_bytes>::value) {
		return uev_value_bytes(value);
	} else if constexpr (is_bytes<V>() && std::is_array<V>::value) {
		return uev_value_bytes(
			{ const_cast<const void *>(
				  static_cast<const volatile void *>(value)),
			  sizeof(value) });
	} else if constexpr (is_bytes<V>()) {
		return uev_value_bytes({ value.data(), value.size() });
	} else if constexpr (is_address<T>()) {
		return uev_value_number(type_of<T>(),
					reinterpret_cast<uintptr_t>(value));
	} else if constexpr (std::is_same<T, uev_uuid>::value) {
		return uev_value_uuid(value);
	} else if constexpr (is_uuid<T>::value) {
		return uev_value_uuid({ &*value.begin() });
	} else if constexpr (is_duration<T>::value) {
		return uev_value_number(
			UEV_TYPE_S64,
			static_cast<uint64_t>(nanoseconds(value)));
	} else if constexpr (is_time_point<T>::value) {
		return value_of(value.time_since_epoch());
	} else if constexpr (is_atomic<T>()) {
		return value_of(value.load());
	} else if constexpr (std::is_same<T, uev_text>::value) {
		return uev_value_text(value);
	} else if constexpr (is_string<T>()) {
		return uev_value_string(value);
	} else if constexpr (is_utf8_string<T>()) {
		return uev_value_string(reinterpret_cast<const char *>(
			static_cast<const void *>(value)));
	} else if constexpr (is_view<T>()) {
		std::string_view view = value;

		return uev_value_text({ view.data(), view.size() });
#ifdef __cpp_char8_t
	} else if constexpr (is_utf8_view<T>()) {
		std::basic_string_view<char8_t> view = value;

		return uev_value_text(
			{ reinterpret_cast<const char *>(view.data()),
			  view.size() });
#endif
	} else {
		/* An assertion of the macro has failed. */
		return uev_value_number(0, 0);
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
	(::uev::detail::type_of<::uev::detail::plain_t<decltype(value)>>())
#define UEV_VALUE_OF_(value) ::uev::detail::value_of(value)
#define UEV_LIST_TYPE_(name, value) , ::uev::detail::plain_t<decltype(value)>
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
