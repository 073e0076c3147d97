/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: EventHeader events whose shape is known only at run time.
 *
 * A provider has sets, one per level and keyword. A set is a tracepoint. A
 * builder assembles one event at a time and writes it to a set. Callers call
 *
 *	uev_dynamic_provider_new(), uev_dynamic_provider_event_set() once per level and keyword
 *	per event, if uev_enabled(&set->event):
 *		uev_builder_begin(), uev_add_...(), uev_builder_write()
 *
 * Providers and sets are thread-safe. A builder must be used by one thread at a
 * time. It allocates no more once it has held the largest event.
 *
 * Functions that return int return 0 or a negative errno. After the first error
 * of an event, all functions return that error, nothing is added any more, and
 * the event is not written. It is therefore enough to check
 * uev_builder_write(). Texts are shortened only after uev_builder_shorten().
 */
#ifndef USEREVENTS_EVENTHEADER_DYNAMIC_H
#define USEREVENTS_EVENTHEADER_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <userevents/common.h>
#include <userevents/eventheader-types.h>
#include <userevents/userevents.h>

UEV_BEGIN_DECLS

struct uev_dynamic_provider;
struct uev_builder;

/**
 * struct uev_event_set - The events of a provider that share level and keyword
 * @keyword: 64 bits, defined by the provider
 * @level: of enum uev_level, or defined by the provider
 * @reserved: 0
 * @event: the event of the kernel, for uev_enabled()
 *
 * Belongs to the provider and exists as long as it does. Read only.
 */
struct uev_event_set {
	uint64_t keyword;
	uint8_t level;
	uint8_t reserved[7];
	struct uev_event event;
};

/**
 * uev_dynamic_provider_new() - Creates a provider
 * @provider: set to the provider, for uev_dynamic_provider_free(); NULL on error
 * @name: letters, digits and '_'; copied
 * @group: lower-case letters and digits; "" or NULL for none; copied
 *
 * Return: 0; -EINVAL for other characters or an empty name; -ENAMETOOLONG if
 * both have more than UEV_EVENTHEADER_PROVIDER_MAX characters together;
 * -ENOMEM.
 */
UEV_API int uev_dynamic_provider_new(struct uev_dynamic_provider **provider,
				     const char *name, const char *group);

/**
 * uev_dynamic_provider_free() - Unregisters and frees a provider and its sets
 * @provider: the provider, or NULL
 *
 * No thread must use its sets any more.
 */
UEV_API void uev_dynamic_provider_free(struct uev_dynamic_provider *provider);

/**
 * uev_dynamic_provider_name() - Gets the name of a provider
 * @provider: the provider
 *
 * Return: the name, which belongs to the provider.
 */
UEV_API const char *
uev_dynamic_provider_name(const struct uev_dynamic_provider *provider);

/**
 * uev_dynamic_provider_group() - Gets the group of a provider
 * @provider: the provider
 *
 * Return: the group, which belongs to the provider; "" for none.
 */
UEV_API const char *
uev_dynamic_provider_group(const struct uev_dynamic_provider *provider);

/**
 * uev_dynamic_provider_event_set() - Gets the set of a level and a keyword
 * @provider: the provider
 * @level: 1 to 255
 * @keyword: any bits
 * @set: set to the set, which belongs to the provider; NULL on error
 *
 * Registers the set when it is first requested. Without user_events the set is
 * pending, see uev_event_register().
 *
 * Return: 0; -EINVAL if the level is out of range; -ENOMEM; or an error of
 * uev_event_register(), and the next call tries again.
 */
UEV_API int
uev_dynamic_provider_event_set(struct uev_dynamic_provider *provider,
			       unsigned int level, uint64_t keyword,
			       struct uev_event_set **set);

/**
 * uev_dynamic_provider_find_set() - Gets the set of a level and a keyword if it is
 * registered
 * @provider: the provider
 * @level: any number
 * @keyword: any bits
 *
 * Return: the set, which belongs to the provider, or NULL.
 */
UEV_API struct uev_event_set *
uev_dynamic_provider_find_set(struct uev_dynamic_provider *provider,
			      unsigned int level, uint64_t keyword);

/**
 * uev_builder_new() - Allocates a builder
 * @builder: set to the builder, for uev_builder_free(); NULL on error
 *
 * Return: 0; -ENOMEM.
 */
UEV_API int uev_builder_new(struct uev_builder **builder);

/**
 * uev_builder_free() - Frees a builder
 * @builder: the builder, or NULL
 */
UEV_API void uev_builder_free(struct uev_builder *builder);

/**
 * uev_builder_begin() - Starts an event and discards the previous one
 * @builder: the builder
 * @name: UTF-8, not empty, optionally with attributes: "name;attribute=value";
 *        a ';' in a value is written twice
 * @tag: defined by the provider, 0 for none
 *
 * Return: 0; -EINVAL for an empty name or malformed attributes; -EILSEQ if it
 * is not UTF-8; -E2BIG; -ENOMEM.
 */
UEV_API int uev_builder_begin(struct uev_builder *builder, const char *name,
			      uint16_t tag);

/**
 * uev_builder_id() - Sets the ID and version of the event
 * @builder: a builder with a started event
 * @id: not 0, unless @version is 0, too
 * @version: version of the events with this ID
 *
 * Return: 0; -EINVAL; or the first error of the event.
 */
UEV_API int uev_builder_id(struct uev_builder *builder, uint16_t id,
			   uint8_t version);

/**
 * uev_builder_opcode() - Sets the role of the event in its activity
 * @builder: a builder with a started event
 * @opcode: of enum uev_opcode, or another number
 *
 * Return: 0, or the first error of the event.
 */
UEV_API int uev_builder_opcode(struct uev_builder *builder, uint8_t opcode);

/**
 * uev_builder_shorten() - Allows the builder to shorten texts of the event
 * @builder: a builder with a started event without fields
 * @limit: maximum size of the event in bytes, with its header:
 *        UEV_PAYLOAD_MAX, or less, such as UEV_PAYLOAD_FTRACE_MAX. Texts are
 *        empty if it has no room for UEV_SHORTENED.
 *
 * For texts of any length, such as log messages. If the event is larger than
 * @limit, uev_builder_write() shortens its longest UTF-8 texts, which are then
 * equally long. A shortened text consists of whole characters and ends with
 * UEV_SHORTENED. Other fields are not shortened. If no tracer takes the event,
 * because it is too large, it is shortened to UEV_PAYLOAD_FTRACE_MAX and written
 * again; only the module tells that.
 *
 * Return: 0; -EINVAL if @limit is 0 or larger than UEV_PAYLOAD_MAX; or the
 * first error of the event.
 */
UEV_API int uev_builder_shorten(struct uev_builder *builder, size_t limit);

/**
 * uev_builder_error() - Gets the first error of the event
 * @builder: the builder
 *
 * Return: 0 or a negative errno; -EINVAL if no event was started.
 */
UEV_API int uev_builder_error(const struct uev_builder *builder);

/**
 * uev_builder_write() - Writes the event
 * @builder: a builder with a started event, which is kept and can be written
 *        again
 * @set: set of the event's level, keyword and provider
 * @activity: UEV_ACTIVITY_SIZE bytes, or NULL
 * @related: UEV_ACTIVITY_SIZE bytes, or NULL; requires @activity
 *
 * Return: 0 if the event was written or the set is disabled; the first error of
 * the event; -EINVAL for a struct without members or without an end, and for
 * @related without @activity; -E2BIG for structs more than UEV_STRUCT_DEPTH_MAX
 * deep or an event larger than the limit; or an error of uev_event_writev(). An
 * event that is not written although the set is enabled counts as oversize of
 * @set for -E2BIG, otherwise as failed.
 */
UEV_API int uev_builder_write(struct uev_builder *builder,
			      struct uev_event_set *set, const void *activity,
			      const void *related);

/* Instead of a number of units: the string ends at the first unit of 0. */
#define UEV_ZERO_ENDED SIZE_MAX

/**
 * struct uev_string - An element of an array of strings
 * @data: units of 1, 2 or 4 bytes, unaligned
 * @count: number of units, or UEV_ZERO_ENDED
 */
struct uev_string {
	const void *data;
	size_t count;
};

/**
 * uev_add() - Adds a field of any encoding and format
 * @builder: a builder with a started event
 * @name: as for uev_builder_begin(), but can be empty
 * @encoding: of enum uev_encoding, no struct; optionally with
 *        UEV_ENCODING_CARRAY or UEV_ENCODING_VARRAY
 * @format: of enum uev_format; must match the encoding
 * @tag: defined by the provider, 0 for none
 * @data: a value, the units of a string, or the elements of an array without
 *        gaps, all unaligned; elements of an array of strings or binaries are
 *        aligned struct uev_string. Can be NULL if @count is 0
 * @count: 1 for a value; number of units of a string, or UEV_ZERO_ENDED; bytes
 *        of a binary; number of elements of an array
 *
 * Meant for bindings of other languages. A zero-ended string without data is
 * empty.
 *
 * Return: 0; -EINVAL for a malformed name, an unknown encoding, a format that
 * does not match, a value whose @count is not 1, a zero-ended string that
 * contains a 0, a constant array without elements, or missing data; -EILSEQ;
 * -E2BIG for more than UEV_COUNT_MAX units or elements, or an event of more
 * than 65535 bytes; -ENOMEM; or the first error of the event.
 */
UEV_API int uev_add(struct uev_builder *builder, const char *name,
		    unsigned int encoding, unsigned int format, uint16_t tag,
		    const void *data, size_t count);

/**
 * uev_add_meta() - Adds only the description of a field
 * @builder: a builder with a started event
 * @name: as for uev_add()
 * @encoding: as for uev_add()
 * @format: as for uev_add()
 * @tag: as for uev_add()
 * @count: number of elements of a constant array, 0 otherwise
 *
 * For the members of an array of structs: each is described once and has its
 * bytes in each element. The caller is responsible for the bytes.
 *
 * Return: as uev_add(); -EINVAL for a count without a constant array.
 */
UEV_API int uev_add_meta(struct uev_builder *builder, const char *name,
			 unsigned int encoding, unsigned int format,
			 uint16_t tag, size_t count);

/**
 * uev_add_data() - Adds the bytes of fields of uev_add_meta()
 * @builder: a builder with a started event
 * @data: the bytes, including counts and terminators
 * @size: number of bytes
 *
 * Return: 0; -E2BIG; -ENOMEM; -EINVAL if @data is NULL and @size is not 0; or
 * the first error of the event.
 */
UEV_API int uev_add_data(struct uev_builder *builder, const void *data,
			 size_t size);

/**
 * uev_add_struct() - Makes the next fields members of a struct
 * @builder: a builder with a started event
 * @name: as for uev_add()
 * @members: 1 to UEV_STRUCT_MEMBERS_MAX, or 0 if uev_set_members() sets it
 *        later; a nested struct is one member
 * @tag: as for uev_add()
 * @bookmark: set to the argument of uev_set_members(); NULL only if @members is
 *        not 0
 *
 * The event can be written before all members are added.
 *
 * Return: as uev_add(); -EINVAL for no members and no bookmark; -E2BIG for too
 * many members.
 */
UEV_API int uev_add_struct(struct uev_builder *builder, const char *name,
			   unsigned int members, uint16_t tag,
			   size_t *bookmark);

/**
 * uev_add_struct_array() - Adds an array of structs
 * @builder: a builder with a started event
 * @name: as for uev_add()
 * @members: 1 to UEV_STRUCT_MEMBERS_MAX
 * @tag: as for uev_add()
 * @count: number of elements
 *
 * Describe the members with uev_add_meta(), then add the bytes of @count
 * elements with uev_add_data(). The array has a variable length, because
 * current decoders misread constant ones.
 *
 * Return: as uev_add_struct(); -E2BIG for too many elements.
 */
UEV_API int uev_add_struct_array(struct uev_builder *builder, const char *name,
				 unsigned int members, uint16_t tag,
				 size_t count);

/**
 * uev_set_members() - Sets the number of members of a struct
 * @builder: a builder with a started event
 * @bookmark: from uev_add_struct() for this event
 * @members: 1 to UEV_STRUCT_MEMBERS_MAX
 *
 * Return: 0; -EINVAL for an unknown bookmark or no members; -E2BIG for too many
 * members; or the first error of the event.
 */
UEV_API int uev_set_members(struct uev_builder *builder, size_t bookmark,
			    unsigned int members);

/**
 * uev_begin_struct() - Starts a struct, up to uev_end_struct()
 * @builder: a builder with a started event
 * @name: as for uev_add()
 * @tag: as for uev_add()
 *
 * The builder counts the members.
 *
 * Return: as uev_add(); -E2BIG if structs are nested more than
 * UEV_STRUCT_DEPTH_MAX deep.
 */
UEV_API int uev_begin_struct(struct uev_builder *builder, const char *name,
			     uint16_t tag);

/**
 * uev_end_struct() - Ends the innermost struct
 * @builder: a builder with a started struct
 *
 * Return: 0; -EINVAL if no struct was started, or it or a struct in it has no
 * members; -E2BIG for too many members or structs nested too deeply; or the
 * first error of the event.
 */
UEV_API int uev_end_struct(struct uev_builder *builder);

/*
 * The functions below are wrappers of uev_add() for C and C++. The library does
 * not export them: a binding calls uev_add() with the encoding and the format.
 */

/* Memory of a builder, see below */
struct uev_buffer_ {
	unsigned char *bytes;
	size_t used;
	size_t size;
};

/*
 * struct uev_repeated_ - Start of struct uev_builder
 * @meta: the event up to its last field. What follows @used are descriptions of
 *        fields, of the previous event, up to two bytes of 0, which describe
 *        none
 * @data: the payload
 * @data_end: largest @used of @data that these functions may set; 0 if the event
 *        has an error or another name than the previous one
 *
 * Most events have the same fields as the previous event of the builder. A field
 * whose description is already in place needs no check and no copy of its name.
 * Programs contain this code, so the layout is part of the ABI.
 */
struct uev_repeated_ {
	struct uev_buffer_ meta;
	struct uev_buffer_ data;
	size_t data_end;
};

/* Returns the bytes of @name with its NUL if they are @at, or 0. */
static inline size_t uev_repeated_name_(const unsigned char *at,
					const char *name)
{
	size_t i = 0;

	do {
		if (at[i] != UEV_CAST_(unsigned char, name[i]))
			return 0;
	} while (name[i++]);
	return i;
}

/*
 * uev_add_repeated_() - Adds a value if the previous event had the same field
 *
 * Return: whether it was added; otherwise the event is unchanged.
 */
static inline bool uev_add_repeated_(struct uev_builder *builder,
				     const char *name, unsigned int encoding,
				     unsigned int format, const void *value,
				     size_t size)
{
	struct uev_repeated_ *event =
		UEV_CAST_(struct uev_repeated_ *, UEV_CAST_(void *, builder));
	const unsigned char *at;
	unsigned char *to;
	size_t length;

	if (event->data.used + size > event->data_end || !name)
		return false;
	at = event->meta.bytes + event->meta.used;
	length = uev_repeated_name_(at, name);
	if (!length)
		return false;
	at += length;
	if (*at++ != (format ? encoding | UEV_ENCODING_CHAIN : encoding))
		return false;
	if (format && *at++ != format)
		return false;
	event->meta.used = UEV_CAST_(size_t, at - event->meta.bytes);
	to = event->data.bytes + event->data.used;
	event->data.used += size;
	memcpy(to, value, size);
	return true;
}

/*
 * UEV_ADD_VALUE_ - Defines the functions of one type of value
 *
 * For each line below:
 *
 *	int @one(builder, name, value)
 *	int @array(builder, name, values, count)
 *	int @carray(builder, name, values, count)
 *
 * add a value, an array of variable length, and an array of constant length,
 * which takes two bytes less in each record. All return the same as uev_add().
 * Ports and IPv4 addresses are in network byte order.
 */
#define UEV_ADD_VALUE_(one, array, carray, type, const_pointer, encoding,      \
		       format)                                                 \
	static inline int one(struct uev_builder *builder, const char *name,   \
			      type value)                                      \
	{                                                                      \
		if (uev_add_repeated_(builder, name, UEV_ENCODING_##encoding,  \
				      UEV_FORMAT_##format, &value,             \
				      sizeof(value)))                          \
			return 0;                                              \
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

/* C converts a void ** only to a void *. */
#ifdef __cplusplus
#define UEV_ADD_POINTERS_ const void *const *
#else
#define UEV_ADD_POINTERS_ const void *
#endif

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
	       const void *, UEV_ADD_POINTERS_, SIZE, HEX)
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
#undef UEV_ADD_POINTERS_

/*
 * UEV_ADD_STRING_ - Defines the functions of one type of string
 *
 * For each line below:
 *
 *	int @zero(builder, name, units)
 *	int @counted(builder, name, units, count)
 *	int @array(builder, name, strings, count)
 *
 * add a string that ends with a unit of 0 (NULL is an empty string), a string
 * of @count units, and an array of the latter. str8 is Latin-1 or text of
 * unknown encoding; xml and json are UTF-8. All return the same as uev_add().
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

/**
 * uev_add_binary() - Adds bytes
 * @builder: a builder with a started event
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

/**
 * uev_add_nullable() - Adds a value that can be missing
 * @builder: a builder with a started event
 * @name: as for uev_add()
 * @format: format of the value
 * @data: the value, or NULL if it is missing
 * @size: bytes of @data; one of the sizes that @format supports
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

/**
 * uev_add_null() - Adds a missing value
 * @builder: a builder with a started event
 * @name: as for uev_add()
 * @format: format of the value
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
