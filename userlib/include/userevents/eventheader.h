/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: EventHeader events whose shape is known at compile time.
 *
 *	UEV_PROVIDER(disk_provider, "MyCompany_Disk");
 *
 *	UEV_EVENTHEADER(disk_provider, UEV_LEVEL_INFORMATION, 0x2, "ReadDone",
 *			UEV_EH_U64("sector", sector),
 *			UEV_EH_ZUTF8("device", name),
 *			UEV_EH_STRUCT("time", UEV_EH_U32("queued", queued),
 *				      UEV_EH_U32("served", served)));
 *
 * While its tracepoint is disabled, an event costs a few instructions, and its
 * fields are not evaluated. Otherwise each argument is evaluated once, in
 * unspecified order. Numbers are copied to the stack, behind the description of
 * the event, so an event of numbers is one piece of memory. One with an activity,
 * or with a description of more than 256 bytes, is two. Texts and arrays are not
 * copied. They can be part of a temporary object, which exists until the event is
 * written.
 *
 * The description of an event is a constant of the program. Names are therefore
 * string literals, and levels, keywords, tags, opcodes, IDs, versions and the
 * lengths of constant arrays are integer constant expressions: numbers,
 * enumerators or macros of these; in C++ also constexpr.
 *
 * All events of one provider, level and keyword in one program or shared
 * library share one registration.
 *
 * An event has at most 99 fields and options, including members of structs.
 */
#ifndef USEREVENTS_EVENTHEADER_H
#define USEREVENTS_EVENTHEADER_H

#include <userevents/eventheader-internal.h>

/**
 * UEV_PROVIDER() - Defines a provider
 * @provider: identifier in this program or shared library
 * @name: letters, digits and '_'
 *
 * Used at file scope, in one file; other files use UEV_PROVIDER_DECLARE(). The
 * events of the provider are registered before main() or by dlopen().
 */
#define UEV_PROVIDER(provider, name) UEV_EH_PROVIDER_(provider, name, "")

/**
 * UEV_PROVIDER_GROUP() - Defines a provider in a group
 * @provider: identifier
 * @name: letters, digits and '_'
 * @group: lower-case letters and digits
 */
#define UEV_PROVIDER_GROUP(provider, name, group) \
	UEV_EH_PROVIDER_(provider, name, group)

/**
 * UEV_PROVIDER_DECLARE() - Declares a provider of another file
 * @provider: its identifier
 *
 * The file must be part of the same program or shared library.
 */
#define UEV_PROVIDER_DECLARE(provider)                     \
	UEV_BEGIN_DECLS                                    \
	extern struct uev_eh_provider provider             \
		__attribute__((__visibility__("hidden"))); \
	UEV_END_DECLS                                      \
	struct uev_eh_provider

/**
 * UEV_PROVIDER_STATUS() - Tests whether the kernel has the events of a provider
 * @provider: its identifier
 *
 * Return: 0 if the kernel has all of them; otherwise the reason, as
 * uev_event_status() returns it. -EINVAL if the name of the provider is
 * invalid; -ENOMEM.
 */
#define UEV_PROVIDER_STATUS(provider) uev_eh_provider_status(&(provider))

/**
 * UEV_EVENTHEADER_SET() - Gets the event of a provider, level and keyword
 * @provider: its identifier
 * @level: 1 to 255, see enum uev_level
 * @keyword: 64 bits, defined by the provider
 *
 * Return: a struct uev_event *, for uev_event_status() and uev_event_stats().
 * It is registered with the others.
 */
#define UEV_EVENTHEADER_SET(provider, level, keyword) \
	UEV_EH_SET_(provider, level, keyword)

/**
 * UEV_EVENTHEADER_ENABLED() - Tests whether a tracepoint is enabled
 * @provider: its identifier
 * @level: 1 to 255
 * @keyword: 64 bits
 *
 * Only required if the caller prepares more than the fields.
 */
#define UEV_EVENTHEADER_ENABLED(provider, level, keyword) \
	uev_enabled(UEV_EH_SET_(provider, level, keyword))

/**
 * UEV_EVENTHEADER() - Writes an event if its tracepoint is enabled
 * @provider: its identifier
 * @level: 1 to 255, see enum uev_level
 * @keyword: 64 bits, defined by the provider
 * @...: the name of the event, then its fields and options
 *
 * Return: 0 if it was written or is disabled, or an error of
 * uev_event_writev(): -E2BIG if it is too large, which is counted, see
 * uev_event_stats(). The compiler rejects an event that is always too large.
 */
#define UEV_EVENTHEADER(provider, level, keyword, ...) \
	UEV_EH_WRITE_(provider, level, keyword, __VA_ARGS__, UEV_EH_END_)

/* Options, at most one of each. */

/**
 * UEV_EH_OPCODE() - Sets the role of the event in its activity
 * @opcode: of enum uev_opcode, or another number up to 255
 */
#define UEV_EH_OPCODE(opcode) UEV_EH_OPTION_(opcode, 0, 0, 0, 0, 0)

/**
 * UEV_EH_ID() - Sets the ID and version of the event
 * @id: not 0
 * @version: version of the events with this ID
 */
#define UEV_EH_ID(id, version) UEV_EH_OPTION_(0, id, version, 0, 0, 0)

/**
 * UEV_EH_EVENT_TAG() - Sets the tag of the event
 * @tag: 16 bits, defined by the provider
 */
#define UEV_EH_EVENT_TAG(tag) UEV_EH_OPTION_(0, 0, 0, tag, 0, 0)

/**
 * UEV_EH_ACTIVITY() - The activity of the event
 * @activity: UEV_ACTIVITY_SIZE bytes, or NULL for none
 * @related: UEV_ACTIVITY_SIZE bytes of the activity that caused it, or NULL for
 *        none; without @activity the event is not written and -EINVAL is
 *        returned
 */
#define UEV_EH_ACTIVITY(activity, related)                             \
	(3, 0, uev_none, uev_activity, "", 0, 0, 0, 0, char, activity, \
	 related, 0, 0, 0, 0, 0, 0)

/**
 * UEV_EH_STRUCT() - A field with at least one member
 * @name: name of the field
 * @...: fields and structs, nested at most UEV_STRUCT_DEPTH_MAX deep
 */
#define UEV_EH_STRUCT(name, ...)                                               \
	UEV_EH_FIELD_(1, 0, uev_none, uev_none, name, UEV_ENCODING_STRUCT,     \
		      UEV_EH_MEMBERS_(UEV_EH_FIRST_##__VA_ARGS__), 0, 0, char, \
		      0, 0),                                                   \
		__VA_ARGS__

/**
 * UEV_EH_STRUCT_OF() - A struct of the next fields
 * @name: name of the field
 * @members: number of fields, 1 to UEV_STRUCT_MEMBERS_MAX; the event can have
 *        fewer
 *
 * Must not be used in UEV_EH_STRUCT(), which would count its members, too.
 */
#define UEV_EH_STRUCT_OF(name, members)                                    \
	UEV_EH_FIELD_(1, 0, uev_none, uev_none, name, UEV_ENCODING_STRUCT, \
		      members, 0, 0, char, 0, 0)

/**
 * UEV_EH_STRUCT_ARRAY() - An array of structs
 * @name: name of the field
 * @elements: pointer to the first element, of a packed type, because the record
 *        has its bytes unchanged
 * @number: number of elements
 * @...: UEV_EH_MEMBER() of each member
 */
#define UEV_EH_STRUCT_ARRAY(name, elements, number, ...)                 \
	UEV_EH_FIELD_(1, 0, uev_bytes, uev_counted, name,                \
		      UEV_ENCODING_STRUCT | UEV_ENCODING_VARRAY,         \
		      UEV_EH_MEMBERS_(UEV_EH_FIRST_##__VA_ARGS__), 0, 0, \
		      __typeof__(*(elements)), elements, number),        \
		__VA_ARGS__

/**
 * UEV_EH_MEMBER() - Describes a member of UEV_EH_STRUCT_ARRAY()
 * @name: name of the member
 * @encoding: VALUE8, VALUE16, VALUE32, VALUE64 or VALUE128
 * @format: of enum uev_format, matching the encoding: DEFAULT, SIGNED...
 */
#define UEV_EH_MEMBER(name, encoding, format)                             \
	UEV_EH_FIELD_(UEV_EH_META_##format, 0, uev_none, uev_none, name,  \
		      UEV_ENCODING_##encoding, UEV_FORMAT_##format, 0, 0, \
		      char, 0, 0)

/**
 * UEV_EH_TAGGED() - Adds a tag to a field
 * @tag: 1 to 65535, defined by the provider
 * @...: a field, or a struct with its members
 */
#define UEV_EH_TAGGED(tag, ...)                                       \
	UEV_EH_CAT_(UEV_EH_TAGGED_, UEV_EH_SOME_OR_ONE_(__VA_ARGS__)) \
	(tag, __VA_ARGS__)

/*
 * Fields of any encoding and format: @encoding and @format are the ends of
 * UEV_ENCODING_* and UEV_FORMAT_*, and must match.
 */

/**
 * UEV_EH_VALUE() - A value
 * @name: name of the field: "name" or "name;attribute=value"; a ';' in a value
 *        is written twice
 * @encoding: VALUE8, VALUE16, VALUE32, VALUE64 or VALUE128
 * @format: DEFAULT, SIGNED...
 * @type: type of the same size
 * @value: initializer of @type
 */
#define UEV_EH_VALUE(name, encoding, format, type, value)                   \
	UEV_EH_FIELD_(UEV_EH_META_##format, 0, uev_value, uev_scalar, name, \
		      UEV_ENCODING_##encoding, UEV_FORMAT_##format, 0, 0,   \
		      type, value, 0)

/**
 * UEV_EH_ARRAY() - An array of values
 * @name: name of the field
 * @encoding: as for UEV_EH_VALUE()
 * @format: as for UEV_EH_VALUE()
 * @type: type of the elements
 * @pointer: pointer to the first element
 * @number: number of elements; more than UEV_COUNT_MAX are -E2BIG
 */
#define UEV_EH_ARRAY(name, encoding, format, type, pointer, number)          \
	UEV_EH_FIELD_(UEV_EH_META_##format, 0, uev_typed, uev_counted, name, \
		      UEV_ENCODING_##encoding | UEV_ENCODING_VARRAY,         \
		      UEV_FORMAT_##format, 0, 0, type, pointer, number)

/**
 * UEV_EH_CARRAY() - An array of constant length
 * @name: name of the field
 * @encoding: as for UEV_EH_VALUE()
 * @format: as for UEV_EH_VALUE()
 * @type: type of the elements
 * @pointer: pointer to the first element
 * @number: number of elements, a constant
 */
#define UEV_EH_CARRAY(name, encoding, format, type, pointer, number)       \
	UEV_EH_FIELD_(UEV_EH_META_##format, 1, uev_typed, uev_fixed, name, \
		      UEV_ENCODING_##encoding | UEV_ENCODING_CARRAY,       \
		      UEV_FORMAT_##format, 0, number, type, pointer, number)

/**
 * UEV_EH_ZSTRING() - A string that ends with a unit of 0
 * @name: name of the field
 * @encoding: ZSTRING8, ZSTRING16 or ZSTRING32
 * @format: DEFAULT, STRING8...
 * @pointer: pointer to units of that size; a null pointer is an empty string
 */
#define UEV_EH_ZSTRING(name, encoding, format, pointer)                   \
	UEV_EH_FIELD_(UEV_EH_META_##format, 0, uev_sized, uev_zero, name, \
		      UEV_ENCODING_##encoding, UEV_FORMAT_##format, 0, 0, \
		      UEV_EH_UNIT_##encoding, pointer, 0)

/**
 * UEV_EH_STRING() - A string of known length
 * @name: name of the field
 * @encoding: STRING8, STRING16 or STRING32
 * @format: DEFAULT, STRING8...; with the encoding STRING8 any format
 * @pointer: pointer to units of that size
 * @number: number of units; more than UEV_COUNT_MAX are -E2BIG
 */
#define UEV_EH_STRING(name, encoding, format, pointer, number)               \
	UEV_EH_FIELD_(UEV_EH_META_##format, 0, uev_sized, uev_counted, name, \
		      UEV_ENCODING_##encoding, UEV_FORMAT_##format, 0, 0,    \
		      UEV_EH_UNIT_##encoding, pointer, number)

/**
 * UEV_EH_NULLABLE() - Bytes that are shown in any format
 * @name: name of the field
 * @format: DEFAULT, UUID, SIGNED...
 * @pointer: pointer to the bytes
 * @size: number of bytes; 0 if the value is missing
 */
#define UEV_EH_NULLABLE(name, format, pointer, size)                         \
	UEV_EH_FIELD_(UEV_EH_META_##format, 0, uev_bytes, uev_counted, name, \
		      UEV_ENCODING_BINARY, UEV_FORMAT_##format, 0, 0, char,  \
		      pointer, size)

/**
 * UEV_EH_BINARY() - Bytes
 * @name: name of the field
 * @pointer: pointer to the bytes
 * @size: number of bytes
 */
#define UEV_EH_BINARY(name, pointer, size) \
	UEV_EH_NULLABLE(name, DEFAULT, pointer, size)

/**
 * UEV_EH_AUTO() - A value whose encoding and format follow from its type
 * @name: name of the field
 * @value: a number, a bool, a char (a character), a pointer (its value); in C++
 *        also an enumeration (its integer) and a char8_t
 */
#define UEV_EH_AUTO(name, value)                                               \
	UEV_EH_FIELD_(1, 0, uev_value, uev_scalar, name,                       \
		      UEV_EH_ENCODING_OF_(value), UEV_EH_FORMAT_OF_(value), 0, \
		      0, UEV_EH_TYPE_OF_(value), value, 0)

/*
 * Values of one type: UEV_EH_NAME(name, value), an array of variable length
 * UEV_EH_NAME_ARRAY(name, pointer, number), and an array of constant length
 * UEV_EH_NAME_CARRAY(name, pointer, number). Ports and IPv4 addresses are in
 * network byte order.
 */
#define UEV_EH_U8(name, value) \
	UEV_EH_VALUE(name, VALUE8, DEFAULT, uint8_t, value)
#define UEV_EH_U8_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE8, DEFAULT, uint8_t, pointer, number)
#define UEV_EH_U8_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE8, DEFAULT, uint8_t, pointer, number)
#define UEV_EH_U16(name, value) \
	UEV_EH_VALUE(name, VALUE16, DEFAULT, uint16_t, value)
#define UEV_EH_U16_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE16, DEFAULT, uint16_t, pointer, number)
#define UEV_EH_U16_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE16, DEFAULT, uint16_t, pointer, number)
#define UEV_EH_U32(name, value) \
	UEV_EH_VALUE(name, VALUE32, DEFAULT, uint32_t, value)
#define UEV_EH_U32_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, DEFAULT, uint32_t, pointer, number)
#define UEV_EH_U32_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, DEFAULT, uint32_t, pointer, number)
#define UEV_EH_U64(name, value) \
	UEV_EH_VALUE(name, VALUE64, DEFAULT, uint64_t, value)
#define UEV_EH_U64_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE64, DEFAULT, uint64_t, pointer, number)
#define UEV_EH_U64_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE64, DEFAULT, uint64_t, pointer, number)
#define UEV_EH_I8(name, value) UEV_EH_VALUE(name, VALUE8, SIGNED, int8_t, value)
#define UEV_EH_I8_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE8, SIGNED, int8_t, pointer, number)
#define UEV_EH_I8_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE8, SIGNED, int8_t, pointer, number)
#define UEV_EH_I16(name, value) \
	UEV_EH_VALUE(name, VALUE16, SIGNED, int16_t, value)
#define UEV_EH_I16_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE16, SIGNED, int16_t, pointer, number)
#define UEV_EH_I16_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE16, SIGNED, int16_t, pointer, number)
#define UEV_EH_I32(name, value) \
	UEV_EH_VALUE(name, VALUE32, SIGNED, int32_t, value)
#define UEV_EH_I32_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, SIGNED, int32_t, pointer, number)
#define UEV_EH_I32_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, SIGNED, int32_t, pointer, number)
#define UEV_EH_I64(name, value) \
	UEV_EH_VALUE(name, VALUE64, SIGNED, int64_t, value)
#define UEV_EH_I64_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE64, SIGNED, int64_t, pointer, number)
#define UEV_EH_I64_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE64, SIGNED, int64_t, pointer, number)
#define UEV_EH_HEX8(name, value) UEV_EH_VALUE(name, VALUE8, HEX, uint8_t, value)
#define UEV_EH_HEX8_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE8, HEX, uint8_t, pointer, number)
#define UEV_EH_HEX8_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE8, HEX, uint8_t, pointer, number)
#define UEV_EH_HEX16(name, value) \
	UEV_EH_VALUE(name, VALUE16, HEX, uint16_t, value)
#define UEV_EH_HEX16_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE16, HEX, uint16_t, pointer, number)
#define UEV_EH_HEX16_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE16, HEX, uint16_t, pointer, number)
#define UEV_EH_HEX32(name, value) \
	UEV_EH_VALUE(name, VALUE32, HEX, uint32_t, value)
#define UEV_EH_HEX32_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, HEX, uint32_t, pointer, number)
#define UEV_EH_HEX32_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, HEX, uint32_t, pointer, number)
#define UEV_EH_HEX64(name, value) \
	UEV_EH_VALUE(name, VALUE64, HEX, uint64_t, value)
#define UEV_EH_HEX64_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE64, HEX, uint64_t, pointer, number)
#define UEV_EH_HEX64_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE64, HEX, uint64_t, pointer, number)
#define UEV_EH_SIZE(name, value) \
	UEV_EH_VALUE(name, SIZE, DEFAULT, size_t, value)
#define UEV_EH_SIZE_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, SIZE, DEFAULT, size_t, pointer, number)
#define UEV_EH_SIZE_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, SIZE, DEFAULT, size_t, pointer, number)
#define UEV_EH_SSIZE(name, value) \
	UEV_EH_VALUE(name, SIZE, SIGNED, intptr_t, value)
#define UEV_EH_SSIZE_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, SIZE, SIGNED, intptr_t, pointer, number)
#define UEV_EH_SSIZE_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, SIZE, SIGNED, intptr_t, pointer, number)
#define UEV_EH_POINTER(name, value) \
	UEV_EH_VALUE(name, SIZE, HEX, const void *, value)
#define UEV_EH_POINTER_ARRAY(name, pointer, number)                            \
	UEV_EH_FIELD_(1, 0, uev_pointers, uev_counted, name,                   \
		      UEV_ENCODING_SIZE | UEV_ENCODING_VARRAY, UEV_FORMAT_HEX, \
		      0, 0, const void *, pointer, number)
#define UEV_EH_POINTER_CARRAY(name, pointer, number)                           \
	UEV_EH_FIELD_(1, 1, uev_pointers, uev_fixed, name,                     \
		      UEV_ENCODING_SIZE | UEV_ENCODING_CARRAY, UEV_FORMAT_HEX, \
		      0, number, const void *, pointer, number)
#define UEV_EH_LONG(name, value) UEV_EH_VALUE(name, LONG, SIGNED, long, value)
#define UEV_EH_LONG_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, LONG, SIGNED, long, pointer, number)
#define UEV_EH_LONG_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, LONG, SIGNED, long, pointer, number)
#define UEV_EH_ULONG(name, value) \
	UEV_EH_VALUE(name, LONG, DEFAULT, unsigned long, value)
#define UEV_EH_ULONG_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, LONG, DEFAULT, unsigned long, pointer, number)
#define UEV_EH_ULONG_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, LONG, DEFAULT, unsigned long, pointer, number)
#define UEV_EH_HEXLONG(name, value) \
	UEV_EH_VALUE(name, LONG, HEX, unsigned long, value)
#define UEV_EH_HEXLONG_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, LONG, HEX, unsigned long, pointer, number)
#define UEV_EH_HEXLONG_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, LONG, HEX, unsigned long, pointer, number)
#define UEV_EH_F32(name, value) UEV_EH_VALUE(name, VALUE32, FLOAT, float, value)
#define UEV_EH_F32_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, FLOAT, float, pointer, number)
#define UEV_EH_F32_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, FLOAT, float, pointer, number)
#define UEV_EH_F64(name, value) \
	UEV_EH_VALUE(name, VALUE64, FLOAT, double, value)
#define UEV_EH_F64_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE64, FLOAT, double, pointer, number)
#define UEV_EH_F64_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE64, FLOAT, double, pointer, number)
#define UEV_EH_BOOL8(name, value) \
	UEV_EH_VALUE(name, VALUE8, BOOLEAN, bool, value)
#define UEV_EH_BOOL8_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE8, BOOLEAN, bool, pointer, number)
#define UEV_EH_BOOL8_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE8, BOOLEAN, bool, pointer, number)
#define UEV_EH_BOOL16(name, value) \
	UEV_EH_VALUE(name, VALUE16, BOOLEAN, uint16_t, value)
#define UEV_EH_BOOL16_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE16, BOOLEAN, uint16_t, pointer, number)
#define UEV_EH_BOOL16_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE16, BOOLEAN, uint16_t, pointer, number)
#define UEV_EH_BOOL32(name, value) \
	UEV_EH_VALUE(name, VALUE32, BOOLEAN, int32_t, value)
#define UEV_EH_BOOL32_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, BOOLEAN, int32_t, pointer, number)
#define UEV_EH_BOOL32_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, BOOLEAN, int32_t, pointer, number)
#define UEV_EH_CHAR8(name, value) \
	UEV_EH_VALUE(name, VALUE8, STRING8, char, value)
#define UEV_EH_CHAR8_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE8, STRING8, char, pointer, number)
#define UEV_EH_CHAR8_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE8, STRING8, char, pointer, number)
#define UEV_EH_CHAR16(name, value) \
	UEV_EH_VALUE(name, VALUE16, STRING_UTF, uint16_t, value)
#define UEV_EH_CHAR16_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE16, STRING_UTF, uint16_t, pointer, number)
#define UEV_EH_CHAR16_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE16, STRING_UTF, uint16_t, pointer, number)
#define UEV_EH_CHAR32(name, value) \
	UEV_EH_VALUE(name, VALUE32, STRING_UTF, uint32_t, value)
#define UEV_EH_CHAR32_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, STRING_UTF, uint32_t, pointer, number)
#define UEV_EH_CHAR32_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, STRING_UTF, uint32_t, pointer, number)
#define UEV_EH_ERRNO(name, value) \
	UEV_EH_VALUE(name, VALUE32, ERRNO, int32_t, value)
#define UEV_EH_ERRNO_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, ERRNO, int32_t, pointer, number)
#define UEV_EH_ERRNO_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, ERRNO, int32_t, pointer, number)
#define UEV_EH_PID(name, value) UEV_EH_VALUE(name, VALUE32, PID, int32_t, value)
#define UEV_EH_PID_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, PID, int32_t, pointer, number)
#define UEV_EH_PID_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, PID, int32_t, pointer, number)
#define UEV_EH_TIME32(name, value) \
	UEV_EH_VALUE(name, VALUE32, TIME, int32_t, value)
#define UEV_EH_TIME32_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, TIME, int32_t, pointer, number)
#define UEV_EH_TIME32_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, TIME, int32_t, pointer, number)
#define UEV_EH_TIME64(name, value) \
	UEV_EH_VALUE(name, VALUE64, TIME, int64_t, value)
#define UEV_EH_TIME64_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE64, TIME, int64_t, pointer, number)
#define UEV_EH_TIME64_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE64, TIME, int64_t, pointer, number)
#define UEV_EH_PORT(name, value) \
	UEV_EH_VALUE(name, VALUE16, PORT, uint16_t, value)
#define UEV_EH_PORT_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE16, PORT, uint16_t, pointer, number)
#define UEV_EH_PORT_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE16, PORT, uint16_t, pointer, number)
#define UEV_EH_IPV4(name, value) \
	UEV_EH_VALUE(name, VALUE32, IP_ADDRESS, uint32_t, value)
#define UEV_EH_IPV4_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE32, IP_ADDRESS, uint32_t, pointer, number)
#define UEV_EH_IPV4_CARRAY(name, pointer, number) \
	UEV_EH_CARRAY(name, VALUE32, IP_ADDRESS, uint32_t, pointer, number)

/*
 * Values of 16 bytes: UEV_EH_NAME(name, pointer) takes a pointer, arrays are of
 * struct uev_value128.
 */
#define UEV_EH_U128(name, pointer)                                 \
	UEV_EH_VALUE(name, VALUE128, DEFAULT, struct uev_value128, \
		     uev_eh_load_(pointer))
#define UEV_EH_U128_ARRAY(name, pointer, number)                            \
	UEV_EH_ARRAY(name, VALUE128, DEFAULT, struct uev_value128, pointer, \
		     number)
#define UEV_EH_U128_CARRAY(name, pointer, number)                            \
	UEV_EH_CARRAY(name, VALUE128, DEFAULT, struct uev_value128, pointer, \
		      number)
#define UEV_EH_UUID(name, pointer)                              \
	UEV_EH_VALUE(name, VALUE128, UUID, struct uev_value128, \
		     uev_eh_load_(pointer))
#define UEV_EH_UUID_ARRAY(name, pointer, number) \
	UEV_EH_ARRAY(name, VALUE128, UUID, struct uev_value128, pointer, number)
#define UEV_EH_UUID_CARRAY(name, pointer, number)                         \
	UEV_EH_CARRAY(name, VALUE128, UUID, struct uev_value128, pointer, \
		      number)
#define UEV_EH_IPV6(name, pointer)                                    \
	UEV_EH_VALUE(name, VALUE128, IP_ADDRESS, struct uev_value128, \
		     uev_eh_load_(pointer))
#define UEV_EH_IPV6_ARRAY(name, pointer, number)                               \
	UEV_EH_ARRAY(name, VALUE128, IP_ADDRESS, struct uev_value128, pointer, \
		     number)
#define UEV_EH_IPV6_CARRAY(name, pointer, number)                      \
	UEV_EH_CARRAY(name, VALUE128, IP_ADDRESS, struct uev_value128, \
		      pointer, number)

/*
 * Strings: UEV_EH_ZNAME(name, pointer) ends with a unit of 0, UEV_EH_NAME(name,
 * pointer, number) has a number of units. STR8 is Latin-1 or text of unknown
 * encoding; XML and JSON are UTF-8.
 */
#define UEV_EH_ZUTF8(name, pointer) \
	UEV_EH_ZSTRING(name, ZSTRING8, DEFAULT, pointer)
#define UEV_EH_UTF8(name, pointer, number) \
	UEV_EH_STRING(name, STRING8, DEFAULT, pointer, number)
#define UEV_EH_ZUTF16(name, pointer) \
	UEV_EH_ZSTRING(name, ZSTRING16, DEFAULT, pointer)
#define UEV_EH_UTF16(name, pointer, number) \
	UEV_EH_STRING(name, STRING16, DEFAULT, pointer, number)
#define UEV_EH_ZUTF32(name, pointer) \
	UEV_EH_ZSTRING(name, ZSTRING32, DEFAULT, pointer)
#define UEV_EH_UTF32(name, pointer, number) \
	UEV_EH_STRING(name, STRING32, DEFAULT, pointer, number)
#define UEV_EH_ZSTR8(name, pointer) \
	UEV_EH_ZSTRING(name, ZSTRING8, STRING8, pointer)
#define UEV_EH_STR8(name, pointer, number) \
	UEV_EH_STRING(name, STRING8, STRING8, pointer, number)
#define UEV_EH_ZXML(name, pointer) \
	UEV_EH_ZSTRING(name, ZSTRING8, STRING_XML, pointer)
#define UEV_EH_XML(name, pointer, number) \
	UEV_EH_STRING(name, STRING8, STRING_XML, pointer, number)
#define UEV_EH_ZJSON(name, pointer) \
	UEV_EH_ZSTRING(name, ZSTRING8, STRING_JSON, pointer)
#define UEV_EH_JSON(name, pointer, number) \
	UEV_EH_STRING(name, STRING8, STRING_JSON, pointer, number)

#endif
