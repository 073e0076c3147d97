/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: EventHeader events whose shape is known when they happen.
 *
 * A provider has sets, one per level and keyword, and a set is a tracepoint.
 * A builder puts one event together after the other and writes it to a set.
 * For the caller the order is
 *
 *	uev_provider_new(), uev_provider_set() once per level and keyword
 *	per event, if uev_enabled(&set->event):
 *		uev_builder_begin(), uev_add_...(), uev_builder_write()
 *
 * Providers and sets may be used by several threads at a time. A builder may
 * not: every thread has its own. Once it has grown to the size of the events
 * it builds, it allocates no more.
 *
 * Functions that return int return 0 or a negative errno. The first error
 * while an event is built stays with it: whatever is called next returns it,
 * nothing is added any more, and the event is not written. So it is enough to
 * look at what uev_builder_write() returns. Nothing is ever cut short.
 */
#ifndef USEREVENTS_EVENTHEADER_DYNAMIC_H
#define USEREVENTS_EVENTHEADER_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/common.h>
#include <userevents/eventheader-types.h>
#include <userevents/userevents.h>

UEV_BEGIN_DECLS

struct uev_provider;
struct uev_builder;

/*
 * struct uev_set - the events of a provider that share level and keyword
 * @event: its state says whether somebody listens, see uev_enabled()
 * @keyword: bits of the provider's choice
 * @level: of enum uev_level, or the provider's own
 *
 * The provider's: it stays as long as that does. Nothing of it is to be
 * changed.
 */
struct uev_set {
	struct uev_event event;
	uint64_t keyword;
	uint8_t level;
};

/*
 * uev_provider_new() - begins a provider
 * @provider: set to the provider, for uev_provider_free(); NULL on errors
 * @name: letters, digits and '_'
 * @group: lower-case letters and digits; "" or NULL for none
 *
 * Both texts are copied.
 *
 * Return: 0, -EINVAL for other characters or no name, -ENAMETOOLONG if both
 * together have more than UEV_EVENTHEADER_PROVIDER_MAX, -ENOMEM.
 */
UEV_API int uev_provider_new(struct uev_provider **provider, const char *name,
			     const char *group);

/*
 * uev_provider_free() - ends a provider, and the registrations of its sets
 * @provider: may be NULL
 *
 * No thread may use its sets any more.
 */
UEV_API void uev_provider_free(struct uev_provider *provider);

/* uev_provider_name() - the provider's, as long as it lives */
UEV_API const char *uev_provider_name(const struct uev_provider *provider);

/* uev_provider_group() - "" if it has none; the provider's */
UEV_API const char *uev_provider_group(const struct uev_provider *provider);

/*
 * uev_provider_set() - the set of a level and a keyword
 * @provider: a provider
 * @level: 1 to 255
 * @keyword: any bits
 * @set: set to the set, which is the provider's; NULL on errors
 *
 * The set is registered when it is asked for the first time. It is pending
 * where there is no user_events yet, see uev_event_register().
 *
 * Return: 0, -EINVAL for a level out of range, -ENOMEM, or what
 * uev_event_register() returns, which is asked again next time.
 */
UEV_API int uev_provider_set(struct uev_provider *provider, unsigned int level,
			     uint64_t keyword, struct uev_set **set);

/*
 * uev_provider_find() - the set of a level and a keyword, if there is one
 * @provider: a provider
 * @level: any number
 * @keyword: any bits
 *
 * Registers nothing.
 *
 * Return: the set, which is the provider's, or NULL.
 */
UEV_API struct uev_set *uev_provider_find(struct uev_provider *provider,
					  unsigned int level, uint64_t keyword);

/*
 * uev_builder_new() - gets a builder
 * @builder: set to the builder, for uev_builder_free(); NULL on errors
 *
 * Return: 0, -ENOMEM.
 */
UEV_API int uev_builder_new(struct uev_builder **builder);

/* uev_builder_free() - frees a builder, which may be NULL */
UEV_API void uev_builder_free(struct uev_builder *builder);

/*
 * uev_builder_begin() - begins an event; what was built before is forgotten
 * @builder: a builder
 * @name: UTF-8, perhaps with attributes: "name;attribute=value", where every
 *	  ';' of a value is written twice; not empty
 * @tag: of the provider's choice, 0 for none
 *
 * Return: 0, -EINVAL for an empty name or one whose attributes could not be
 * read, -EILSEQ for one that is not UTF-8, -E2BIG, -ENOMEM.
 */
UEV_API int uev_builder_begin(struct uev_builder *builder, const char *name,
			      uint16_t tag);

/*
 * uev_builder_id() - gives the event a number
 * @builder: with an event begun
 * @id: not 0, unless @version is 0, too
 * @version: of the events with this number
 *
 * Return: 0, -EINVAL, or the event's first error.
 */
UEV_API int uev_builder_id(struct uev_builder *builder, uint16_t id,
			   uint8_t version);

/*
 * uev_builder_opcode() - says what the event is to its activity
 * @builder: with an event begun
 * @opcode: of enum uev_opcode, or another number
 *
 * Return: 0 or the event's first error.
 */
UEV_API int uev_builder_opcode(struct uev_builder *builder, uint8_t opcode);

/*
 * uev_builder_error() - the first error since the event was begun
 * @builder: a builder
 *
 * Return: 0, a negative errno; -EINVAL if no event was begun yet.
 */
UEV_API int uev_builder_error(const struct uev_builder *builder);

/*
 * uev_builder_write() - writes the event
 * @builder: with an event begun; it can be written again afterwards
 * @set: of which level, keyword and provider the event is
 * @activity: UEV_ACTIVITY_SIZE bytes, or NULL
 * @related: UEV_ACTIVITY_SIZE bytes, or NULL; not without @activity
 *
 * Return: 0 if the event was written or nobody listens; the event's first
 * error; -EINVAL for a struct that has no members or has not ended, and for
 * @related without @activity; -E2BIG for structs more than
 * UEV_STRUCT_DEPTH_MAX deep; what uev_event_writev() returns. What is too
 * large counts as oversize of @set, if somebody listens.
 */
UEV_API int uev_builder_write(struct uev_builder *builder, struct uev_set *set,
			      const void *activity, const void *related);

/* Instead of a number of units: up to the unit that is 0. */
#define UEV_ZERO_ENDED SIZE_MAX

/*
 * struct uev_string - an element of an array of strings
 * @data: units of 1, 2 or 4 bytes, aligned or not
 * @count: number of units, or UEV_ZERO_ENDED
 */
struct uev_string {
	const void *data;
	size_t count;
};

/*
 * uev_add() - adds a field of any encoding and format
 * @builder: with an event begun
 * @name: as for uev_builder_begin(), but may be empty
 * @encoding: of enum uev_encoding, no struct; UEV_ENCODING_CARRAY or
 *	      UEV_ENCODING_VARRAY may be added
 * @format: of enum uev_format, one that fits the encoding
 * @tag: of the provider's choice, 0 for none
 * @data: one value, its units, or the elements of an array without gaps, all of
 *	  them aligned or not; the elements of an array of strings or binaries
 *	  are struct uev_string, aligned. May be NULL if @count is 0.
 * @count: 1 for a value; units of a string, or UEV_ZERO_ENDED; bytes of a
 *	   binary; elements of an array
 *
 * What other languages call. A zero-ended string without data is an empty one.
 *
 * Return: 0; -EINVAL for a name as in uev_builder_begin(), an encoding that
 * there is not, a format that readers would not show it in, a value with a
 * @count that is not 1, a zero-ended string with a zero in it, a constant array
 * without elements, missing data; -EILSEQ; -E2BIG for more than UEV_COUNT_MAX
 * units or elements and for an event of more than 65535 bytes; -ENOMEM; the
 * event's first error.
 */
UEV_API int uev_add(struct uev_builder *builder, const char *name,
		    unsigned int encoding, unsigned int format, uint16_t tag,
		    const void *data, size_t count);

/*
 * uev_add_meta() - adds a field whose bytes come otherwise
 * @builder: with an event begun
 * @name: as for uev_add()
 * @encoding: as for uev_add()
 * @format: as for uev_add()
 * @tag: as for uev_add()
 * @count: elements of a constant array, 0 otherwise
 *
 * For the members of an array of structs, of which each is described once and
 * has its bytes in each element. The caller answers for the bytes.
 *
 * Return: as uev_add(); -EINVAL for a count without a constant array.
 */
UEV_API int uev_add_meta(struct uev_builder *builder, const char *name,
			 unsigned int encoding, unsigned int format,
			 uint16_t tag, size_t count);

/*
 * uev_add_data() - adds bytes of what uev_add_meta() has described
 * @builder: with an event begun
 * @data: the bytes, with their counts and zeroes at the end if they have any
 * @size: number of bytes
 *
 * Return: 0, -E2BIG, -ENOMEM, -EINVAL if @data is NULL and @size is not 0, or
 * the event's first error.
 */
UEV_API int uev_add_data(struct uev_builder *builder, const void *data,
			 size_t size);

/*
 * uev_add_struct() - makes the fields that are added next a struct
 * @builder: with an event begun
 * @name: as for uev_add()
 * @members: 1 to UEV_STRUCT_MEMBERS_MAX, or 0 if uev_set_members() is going to
 *	     say; a struct in it is one member
 * @tag: as for uev_add()
 * @bookmark: set to what uev_set_members() takes; may be NULL if @members is
 *	      not 0
 *
 * An event that ends before all members were added is a valid one.
 *
 * Return: as uev_add(); -EINVAL for no members and no bookmark, -E2BIG for too
 * many members.
 */
UEV_API int uev_add_struct(struct uev_builder *builder, const char *name,
			   unsigned int members, uint16_t tag,
			   size_t *bookmark);

/*
 * uev_add_struct_array() - adds an array of structs
 * @builder: with an event begun
 * @name: as for uev_add()
 * @members: 1 to UEV_STRUCT_MEMBERS_MAX
 * @tag: as for uev_add()
 * @count: number of elements
 *
 * Members follow with uev_add_meta(), then @count times the bytes of all of
 * them with uev_add_data(). The array has a variable length: readers in use do
 * not read constant ones.
 *
 * Return: as uev_add_struct(); -E2BIG for too many elements.
 */
UEV_API int uev_add_struct_array(struct uev_builder *builder, const char *name,
				 unsigned int members, uint16_t tag,
				 size_t count);

/*
 * uev_set_members() - says how many members a struct has
 * @builder: with an event begun
 * @bookmark: from uev_add_struct() for this event
 * @members: 1 to UEV_STRUCT_MEMBERS_MAX
 *
 * Return: 0, -EINVAL for a bookmark that is of no struct and for no members,
 * -E2BIG for too many of them, or the event's first error.
 */
UEV_API int uev_set_members(struct uev_builder *builder, size_t bookmark,
			    unsigned int members);

/*
 * uev_begin_struct() - begins a struct that uev_end_struct() ends
 * @builder: with an event begun
 * @name: as for uev_add()
 * @tag: as for uev_add()
 *
 * The builder counts its members.
 *
 * Return: as uev_add(); -E2BIG for more than UEV_STRUCT_DEPTH_MAX at a time.
 */
UEV_API int uev_begin_struct(struct uev_builder *builder, const char *name,
			     uint16_t tag);

/*
 * uev_end_struct() - ends the struct that was begun last
 * @builder: with a struct begun
 *
 * Return: 0, -EINVAL if no struct was begun or this one has no members, or one
 * in it has none, -E2BIG for too many members or structs too deep, or the
 * event's first error.
 */
UEV_API int uev_end_struct(struct uev_builder *builder);

/*
 * UEV_ADD_VALUE_ - defines the functions for one type of value
 *
 * Of each line there is
 *
 *	int @one(builder, name, value)
 *	int @array(builder, name, values, count)
 *	int @carray(builder, name, values, count)
 *
 * a value, an array of variable length, and an array that says how long it is
 * where its name is, which is smaller if it is always as long. All return what
 * uev_add() does. Ports and IPv4 addresses are in network byte order.
 */
#define UEV_ADD_VALUE_(one, array, carray, type, const_pointer, encoding,      \
		       format)                                                 \
	static inline int one(struct uev_builder *builder, const char *name,   \
			      type value)                                      \
	{                                                                      \
		return uev_add(builder, name, UEV_ENCODING_##encoding,         \
			       UEV_FORMAT_##format, 0, &value, 1);             \
	}                                                                      \
	static inline int array(struct uev_builder *builder, const char *name, \
				const_pointer values, size_t count)            \
	{                                                                      \
		return uev_add(builder, name,                                  \
			       UEV_ENCODING_##encoding | UEV_ENCODING_VARRAY,  \
			       UEV_FORMAT_##format, 0, values, count);         \
	}                                                                      \
	static inline int carray(struct uev_builder *builder,                  \
				 const char *name, const_pointer values,       \
				 size_t count)                                 \
	{                                                                      \
		return uev_add(builder, name,                                  \
			       UEV_ENCODING_##encoding | UEV_ENCODING_CARRAY,  \
			       UEV_FORMAT_##format, 0, values, count);         \
	}

/* clang-format off */
UEV_ADD_VALUE_(uev_add_u8, uev_add_u8_array, uev_add_u8_carray,
	       uint8_t, const uint8_t *, VALUE8, DEFAULT)
UEV_ADD_VALUE_(uev_add_u16, uev_add_u16_array, uev_add_u16_carray,
	       uint16_t, const uint16_t *, VALUE16, DEFAULT)
UEV_ADD_VALUE_(uev_add_u32, uev_add_u32_array, uev_add_u32_carray,
	       uint32_t, const uint32_t *, VALUE32, DEFAULT)
UEV_ADD_VALUE_(uev_add_u64, uev_add_u64_array, uev_add_u64_carray,
	       uint64_t, const uint64_t *, VALUE64, DEFAULT)
UEV_ADD_VALUE_(uev_add_u128, uev_add_u128_array, uev_add_u128_carray,
	       struct uev_value128, const struct uev_value128 *, VALUE128, DEFAULT)
UEV_ADD_VALUE_(uev_add_i8, uev_add_i8_array, uev_add_i8_carray,
	       int8_t, const int8_t *, VALUE8, SIGNED)
UEV_ADD_VALUE_(uev_add_i16, uev_add_i16_array, uev_add_i16_carray,
	       int16_t, const int16_t *, VALUE16, SIGNED)
UEV_ADD_VALUE_(uev_add_i32, uev_add_i32_array, uev_add_i32_carray,
	       int32_t, const int32_t *, VALUE32, SIGNED)
UEV_ADD_VALUE_(uev_add_i64, uev_add_i64_array, uev_add_i64_carray,
	       int64_t, const int64_t *, VALUE64, SIGNED)
UEV_ADD_VALUE_(uev_add_hex8, uev_add_hex8_array, uev_add_hex8_carray,
	       uint8_t, const uint8_t *, VALUE8, HEX)
UEV_ADD_VALUE_(uev_add_hex16, uev_add_hex16_array, uev_add_hex16_carray,
	       uint16_t, const uint16_t *, VALUE16, HEX)
UEV_ADD_VALUE_(uev_add_hex32, uev_add_hex32_array, uev_add_hex32_carray,
	       uint32_t, const uint32_t *, VALUE32, HEX)
UEV_ADD_VALUE_(uev_add_hex64, uev_add_hex64_array, uev_add_hex64_carray,
	       uint64_t, const uint64_t *, VALUE64, HEX)
UEV_ADD_VALUE_(uev_add_size, uev_add_size_array, uev_add_size_carray,
	       size_t, const size_t *, SIZE, DEFAULT)
UEV_ADD_VALUE_(uev_add_ssize, uev_add_ssize_array, uev_add_ssize_carray,
	       intptr_t, const intptr_t *, SIZE, SIGNED)
UEV_ADD_VALUE_(uev_add_pointer, uev_add_pointer_array, uev_add_pointer_carray,
	       const void *, const void *const *, SIZE, HEX)
UEV_ADD_VALUE_(uev_add_long, uev_add_long_array, uev_add_long_carray,
	       long, const long *, LONG, SIGNED)
UEV_ADD_VALUE_(uev_add_ulong, uev_add_ulong_array, uev_add_ulong_carray,
	       unsigned long, const unsigned long *, LONG, DEFAULT)
UEV_ADD_VALUE_(uev_add_hexlong, uev_add_hexlong_array, uev_add_hexlong_carray,
	       unsigned long, const unsigned long *, LONG, HEX)
UEV_ADD_VALUE_(uev_add_f32, uev_add_f32_array, uev_add_f32_carray,
	       float, const float *, VALUE32, FLOAT)
UEV_ADD_VALUE_(uev_add_f64, uev_add_f64_array, uev_add_f64_carray,
	       double, const double *, VALUE64, FLOAT)
UEV_ADD_VALUE_(uev_add_bool8, uev_add_bool8_array, uev_add_bool8_carray,
	       bool, const bool *, VALUE8, BOOLEAN)
UEV_ADD_VALUE_(uev_add_bool16, uev_add_bool16_array, uev_add_bool16_carray,
	       uint16_t, const uint16_t *, VALUE16, BOOLEAN)
UEV_ADD_VALUE_(uev_add_bool32, uev_add_bool32_array, uev_add_bool32_carray,
	       int32_t, const int32_t *, VALUE32, BOOLEAN)
UEV_ADD_VALUE_(uev_add_char8, uev_add_char8_array, uev_add_char8_carray,
	       char, const char *, VALUE8, STRING8)
UEV_ADD_VALUE_(uev_add_char16, uev_add_char16_array, uev_add_char16_carray,
	       uint16_t, const uint16_t *, VALUE16, STRING_UTF)
UEV_ADD_VALUE_(uev_add_char32, uev_add_char32_array, uev_add_char32_carray,
	       uint32_t, const uint32_t *, VALUE32, STRING_UTF)
UEV_ADD_VALUE_(uev_add_errno, uev_add_errno_array, uev_add_errno_carray,
	       int32_t, const int32_t *, VALUE32, ERRNO)
UEV_ADD_VALUE_(uev_add_pid, uev_add_pid_array, uev_add_pid_carray,
	       int32_t, const int32_t *, VALUE32, PID)
UEV_ADD_VALUE_(uev_add_time32, uev_add_time32_array, uev_add_time32_carray,
	       int32_t, const int32_t *, VALUE32, TIME)
UEV_ADD_VALUE_(uev_add_time64, uev_add_time64_array, uev_add_time64_carray,
	       int64_t, const int64_t *, VALUE64, TIME)
UEV_ADD_VALUE_(uev_add_port, uev_add_port_array, uev_add_port_carray,
	       uint16_t, const uint16_t *, VALUE16, PORT)
UEV_ADD_VALUE_(uev_add_ipv4, uev_add_ipv4_array, uev_add_ipv4_carray,
	       uint32_t, const uint32_t *, VALUE32, IP_ADDRESS)
UEV_ADD_VALUE_(uev_add_ipv6, uev_add_ipv6_array, uev_add_ipv6_carray,
	       struct uev_value128, const struct uev_value128 *, VALUE128, IP_ADDRESS)
UEV_ADD_VALUE_(uev_add_uuid, uev_add_uuid_array, uev_add_uuid_carray,
	       struct uev_value128, const struct uev_value128 *, VALUE128, UUID)
/* clang-format on */
#undef UEV_ADD_VALUE_

/*
 * UEV_ADD_STRING_ - defines the functions for one type of string
 *
 * Of each line there is
 *
 *	int @zero(builder, name, units)
 *	int @counted(builder, name, units, count)
 *	int @array(builder, name, strings, count)
 *
 * a string that ends in a unit that is 0 (NULL is an empty one), one of @count
 * units, and an array of the latter. utf8, utf16 and utf32 are what their names
 * say; str8 is Latin-1, or text of an encoding that nobody knows; the units of
 * xml and json are bytes of UTF-8. All return what uev_add() does.
 */
#define UEV_ADD_STRING_(zero, counted, array, pointer, bits, format)           \
	static inline int zero(struct uev_builder *builder, const char *name,  \
			       pointer units)                                  \
	{                                                                      \
		return uev_add(builder, name, UEV_ENCODING_ZSTRING##bits,      \
			       UEV_FORMAT_##format, 0, units, UEV_ZERO_ENDED); \
	}                                                                      \
	static inline int counted(struct uev_builder *builder,                 \
				  const char *name, pointer units,             \
				  size_t count)                                \
	{                                                                      \
		return uev_add(builder, name, UEV_ENCODING_STRING##bits,       \
			       UEV_FORMAT_##format, 0, units, count);          \
	}                                                                      \
	static inline int array(struct uev_builder *builder, const char *name, \
				const struct uev_string *strings,              \
				size_t count)                                  \
	{                                                                      \
		return uev_add(builder, name,                                  \
			       UEV_ENCODING_STRING##bits |                     \
				       UEV_ENCODING_VARRAY,                    \
			       UEV_FORMAT_##format, 0, strings, count);        \
	}

/* clang-format off */
UEV_ADD_STRING_(uev_add_zutf8, uev_add_utf8, uev_add_utf8_array,
		const char *, 8, DEFAULT)
UEV_ADD_STRING_(uev_add_zutf16, uev_add_utf16, uev_add_utf16_array,
		const void *, 16, DEFAULT)
UEV_ADD_STRING_(uev_add_zutf32, uev_add_utf32, uev_add_utf32_array,
		const void *, 32, DEFAULT)
UEV_ADD_STRING_(uev_add_zstr8, uev_add_str8, uev_add_str8_array,
		const char *, 8, STRING8)
UEV_ADD_STRING_(uev_add_zxml, uev_add_xml, uev_add_xml_array,
		const char *, 8, STRING_XML)
UEV_ADD_STRING_(uev_add_zjson, uev_add_json, uev_add_json_array,
		const char *, 8, STRING_JSON)
/* clang-format on */
#undef UEV_ADD_STRING_

/*
 * uev_add_binary() - adds bytes
 * @builder: with an event begun
 * @name: as for uev_add()
 * @data: the bytes
 * @size: number of bytes
 *
 * Return: as uev_add().
 */
static inline int uev_add_binary(struct uev_builder *builder, const char *name,
				 const void *data, size_t size)
{
	return uev_add(builder, name, UEV_ENCODING_BINARY, UEV_FORMAT_DEFAULT,
		       0, data, size);
}

/*
 * uev_add_nullable() - adds a value that may be missing
 * @builder: with an event begun
 * @name: as for uev_add()
 * @format: that readers show it in
 * @data: the value, or NULL if it is missing
 * @size: its bytes: one of the sizes that the format is for
 *
 * Return: as uev_add().
 */
static inline int uev_add_nullable(struct uev_builder *builder,
				   const char *name, unsigned int format,
				   const void *data, size_t size)
{
	return uev_add(builder, name, UEV_ENCODING_BINARY, format, 0, data,
		       data ? size : 0);
}

/*
 * uev_add_null() - adds a value that is missing
 * @builder: with an event begun
 * @name: as for uev_add()
 * @format: of the value that might have been there
 *
 * Return: as uev_add().
 */
static inline int uev_add_null(struct uev_builder *builder, const char *name,
			       unsigned int format)
{
	return uev_add_nullable(builder, name, format, NULL, 0);
}

UEV_END_DECLS

#endif
