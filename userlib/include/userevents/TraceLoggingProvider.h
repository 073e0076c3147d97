/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: the macros of TraceLogging for C and C++, for programs that
 * were written for another implementation of <TraceLoggingProvider.h>, such as
 * Microsoft's LinuxTracepoints.
 *
 *	TRACELOGGING_DEFINE_PROVIDER(disk, "MyCompany_Disk",
 *		(0xd5b90669, 0x1aad, 0x5db8, 0x16, 0xc9, 0x62, 0x86, 0xa7, 0xfc,
 *		 0xfe, 0x33));
 *
 *	TraceLoggingRegister(disk);
 *	TraceLoggingWrite(disk, "ReadDone",
 *			  TraceLoggingLevel(event_level_information),
 *			  TraceLoggingKeyword(0x2),
 *			  TraceLoggingUInt64(sector),
 *			  TraceLoggingUtf8String(name, "device"));
 *	TraceLoggingUnregister(disk);
 *
 * Each event is one of <userevents/eventheader.h>, with the same bytes, and the
 * rules for arguments are the same. New programs use that header.
 *
 * Most macros take the value first, then optionally the name of the field, which
 * is the text of the value by default, a description, which is ignored, and a
 * tag. See userevents-tracelogging(7) for differences.
 */
#ifndef USEREVENTS_TRACELOGGINGPROVIDER_H
#define USEREVENTS_TRACELOGGINGPROVIDER_H

#include <stdbool.h>

#include <userevents/eventheader.h>
#ifdef __cplusplus
#include <userevents/tracelogging-cxx.hpp>
#endif

/* Values of TraceLoggingLevel(). */
enum event_level {
	event_level_invalid = UEV_LEVEL_INVALID,
	event_level_critical_error = UEV_LEVEL_CRITICAL,
	event_level_error = UEV_LEVEL_ERROR,
	event_level_warning = UEV_LEVEL_WARNING,
	event_level_information = UEV_LEVEL_INFORMATION,
	event_level_verbose = UEV_LEVEL_VERBOSE,
};

/* Values of TraceLoggingOpcode(). */
enum event_opcode {
	event_opcode_info = UEV_OPCODE_INFO,
	event_opcode_activity_start = UEV_OPCODE_ACTIVITY_START,
	event_opcode_activity_stop = UEV_OPCODE_ACTIVITY_STOP,
	event_opcode_collection_start = UEV_OPCODE_COLLECTION_START,
	event_opcode_collection_stop = UEV_OPCODE_COLLECTION_STOP,
	event_opcode_extension = UEV_OPCODE_EXTENSION,
	event_opcode_reply = UEV_OPCODE_REPLY,
	event_opcode_resume = UEV_OPCODE_RESUME,
	event_opcode_suspend = UEV_OPCODE_SUSPEND,
	event_opcode_send = UEV_OPCODE_SEND,
	event_opcode_receive = UEV_OPCODE_RECEIVE,
};

/* Encodings and formats of packed fields and of TraceLoggingBinaryEx(). */
enum event_field_encoding {
	event_field_encoding_invalid = UEV_ENCODING_INVALID,
	event_field_encoding_struct = UEV_ENCODING_STRUCT,
	event_field_encoding_value8 = UEV_ENCODING_VALUE8,
	event_field_encoding_value16 = UEV_ENCODING_VALUE16,
	event_field_encoding_value32 = UEV_ENCODING_VALUE32,
	event_field_encoding_value64 = UEV_ENCODING_VALUE64,
	event_field_encoding_value128 = UEV_ENCODING_VALUE128,
	event_field_encoding_zstring_char8 = UEV_ENCODING_ZSTRING8,
	event_field_encoding_zstring_char16 = UEV_ENCODING_ZSTRING16,
	event_field_encoding_zstring_char32 = UEV_ENCODING_ZSTRING32,
	event_field_encoding_string_length16_char8 = UEV_ENCODING_STRING8,
	event_field_encoding_string_length16_char16 = UEV_ENCODING_STRING16,
	event_field_encoding_string_length16_char32 = UEV_ENCODING_STRING32,
	event_field_encoding_binary_length16_char8 = UEV_ENCODING_BINARY,
	event_field_encoding_max = UEV_ENCODING_END,
	event_field_encoding_value_mask = UEV_ENCODING_TYPE,
	event_field_encoding_carray_flag = UEV_ENCODING_CARRAY,
	event_field_encoding_varray_flag = UEV_ENCODING_VARRAY,
	event_field_encoding_flag_mask = UEV_ENCODING_CHAIN |
					 UEV_ENCODING_FLAGS,
	event_field_encoding_chain_flag = UEV_ENCODING_CHAIN,
	event_field_encoding_value_long = UEV_ENCODING_LONG,
	event_field_encoding_value_ptr = UEV_ENCODING_SIZE,
	event_field_encoding_value_float = UEV_ENCODING_VALUE32,
	event_field_encoding_value_double = UEV_ENCODING_VALUE64,
#if __SIZEOF_WCHAR_T__ == 2
	event_field_encoding_value_wchar = UEV_ENCODING_VALUE16,
	event_field_encoding_zstring_wchar = UEV_ENCODING_ZSTRING16,
	event_field_encoding_string_length16_wchar = UEV_ENCODING_STRING16,
#else
	event_field_encoding_value_wchar = UEV_ENCODING_VALUE32,
	event_field_encoding_zstring_wchar = UEV_ENCODING_ZSTRING32,
	event_field_encoding_string_length16_wchar = UEV_ENCODING_STRING32,
#endif
};

enum event_field_format {
	event_field_format_default = UEV_FORMAT_DEFAULT,
	event_field_format_unsigned_int = UEV_FORMAT_UNSIGNED,
	event_field_format_signed_int = UEV_FORMAT_SIGNED,
	event_field_format_hex_int = UEV_FORMAT_HEX,
	event_field_format_errno = UEV_FORMAT_ERRNO,
	event_field_format_pid = UEV_FORMAT_PID,
	event_field_format_time = UEV_FORMAT_TIME,
	event_field_format_boolean = UEV_FORMAT_BOOLEAN,
	event_field_format_float = UEV_FORMAT_FLOAT,
	event_field_format_hex_bytes = UEV_FORMAT_HEX_BYTES,
	event_field_format_string8 = UEV_FORMAT_STRING8,
	event_field_format_string_utf = UEV_FORMAT_STRING_UTF,
	event_field_format_string_utf_bom = UEV_FORMAT_STRING_UTF_BOM,
	event_field_format_string_xml = UEV_FORMAT_STRING_XML,
	event_field_format_string_json = UEV_FORMAT_STRING_JSON,
	event_field_format_uuid = UEV_FORMAT_UUID,
	event_field_format_port = UEV_FORMAT_PORT,
	event_field_format_ip_address = UEV_FORMAT_IP_ADDRESS,
	event_field_format_ipv4 = UEV_FORMAT_IP_ADDRESS,
	event_field_format_ipv6 = UEV_FORMAT_IP_ADDRESS,
	event_field_format_value_mask = UEV_FORMAT_VALUE,
	event_field_format_chain_flag = UEV_FORMAT_CHAIN,
};

/* The characters of C11 are integers, and those of C++ have their own types. */
#ifdef __cplusplus
#define UEV_TLG_CHAR16_ char16_t
#define UEV_TLG_CHAR32_ char32_t
#else
#define UEV_TLG_CHAR16_ uint16_t
#define UEV_TLG_CHAR32_ uint32_t
#endif

UEV_BEGIN_DECLS

static inline int uev_tlg_register_(struct uev_eh_provider *provider)
{
	const int err = uev_eh_provider_load(provider);

	return -(err ? err : uev_eh_provider_status(provider));
}

/* The library returns a negative errno. */
static inline int uev_tlg_errno_(int err)
{
	return -err;
}

UEV_END_DECLS

/*
 * TRACELOGGING_DECLARE_PROVIDER() - Declares a provider of another file
 * @provider: its identifier
 *
 * The file must be part of the same program or shared library.
 */
#define TRACELOGGING_DECLARE_PROVIDER(provider) UEV_PROVIDER_DECLARE(provider)

/*
 * TRACELOGGING_DEFINE_PROVIDER() - Defines a provider
 * @provider: identifier in this program or shared library
 * @name: letters, digits and '_'
 * @...: an ID in parentheses, which is ignored; optionally
 *       TraceLoggingOptionGroupName()
 *
 * Used at file scope. The provider is not registered, and its events are
 * disabled.
 */
#define TRACELOGGING_DEFINE_PROVIDER(provider, name, ...)                 \
	UEV_TLG_CAT_(UEV_TLG_PROVIDER_, UEV_EH_SOME_OR_ONE_(__VA_ARGS__)) \
	(provider, name, __VA_ARGS__)
/* Not UEV_EH_CAT_(), which the expansion contains. */
#define UEV_TLG_CAT_(a, b) UEV_TLG_CAT_2_(a, b)
#define UEV_TLG_CAT_2_(a, b) a##b
#define UEV_TLG_PROVIDER_ONE(provider, name, id) \
	UEV_TLG_PROVIDER_SOME(provider, name, id, "")
#define UEV_TLG_PROVIDER_SOME(provider, name, id, group) \
	UEV_EH_DEFINE_PROVIDER_(provider, name, group, &("G" group)[1])

/* TraceLoggingOptionGroupName() - Lower-case letters and digits */
#define TraceLoggingOptionGroupName(group) group

/*
 * TraceLoggingRegister() - Registers all events of a provider
 * @provider: its identifier
 *
 * Return: 0 if the kernel has all of them; otherwise the positive errno that
 * tells the reason. The events are pending then, see uev_event_register().
 */
#define TraceLoggingRegister(provider) uev_tlg_register_(&(provider))

/*
 * TraceLoggingUnregister() - Unregisters all events of a provider
 * @provider: its identifier; it does nothing if that is not registered
 *
 * Called after main() or by dlclose(), too.
 */
#define TraceLoggingUnregister(provider) uev_eh_provider_unload(&(provider))

/* TraceLoggingProviderEnabled() - Tests whether a tracepoint is enabled */
#define TraceLoggingProviderEnabled(provider, level, keyword) \
	UEV_EVENTHEADER_ENABLED(provider, level, keyword)

/* TraceLoggingProviderName() - Gets the name of a provider */
#define TraceLoggingProviderName(provider) ((const char *)(provider).name)

/* TraceLoggingProviderOptions() - Gets 'G' and the group, "" for none */
#define TraceLoggingProviderOptions(provider) \
	((const char *)((provider).group - (*(provider).group ? 1 : 0)))

/*
 * TraceLoggingWrite() - Writes an event if its tracepoint is enabled
 * @provider: its identifier
 * @...: the name of the event, then its fields and options
 *
 * Return: 0 if it was written or is disabled, or a positive errno.
 */
#define TraceLoggingWrite(provider, ...) \
	UEV_TLG_WRITE_(provider, __VA_ARGS__, UEV_EH_END_)

/*
 * TraceLoggingWriteActivity() - Writes an event of an activity
 * @provider: its identifier
 * @name: the name of the event
 * @activity: UEV_ACTIVITY_SIZE bytes, or NULL for none
 * @...: UEV_ACTIVITY_SIZE bytes of the activity that caused it, or NULL for
 *       none; then fields and options
 *
 * Return: as TraceLoggingWrite().
 */
#define TraceLoggingWriteActivity(provider, name, activity, ...) \
	UEV_TLG_ACTIVITY_(provider, name, activity, __VA_ARGS__, UEV_EH_END_)
#define UEV_TLG_ACTIVITY_(provider, name, activity, related, ...)          \
	UEV_TLG_WRITE_(provider, name, UEV_EH_ACTIVITY(activity, related), \
		       __VA_ARGS__)

#define UEV_TLG_WRITE_(provider, name, ...)                                   \
	uev_tlg_errno_(UEV_EH_WRITE_(                                         \
		provider,                                                     \
		UEV_EH_LAST_(UEV_TLG_LEVEL_, (unsigned int)UEV_LEVEL_VERBOSE, \
			     __VA_ARGS__),                                    \
		(0U UEV_EH_EACH_(UEV_TLG_KEYWORD_, __VA_ARGS__)), name,       \
		__VA_ARGS__))
#define UEV_TLG_LEVEL_(i, list) \
	UEV_EH_CALL_(UEV_TLG_LEVEL_LIST_, UEV_EH_OPEN_ list)
#define UEV_TLG_LEVEL_LIST_(m, c, a, d, n, e, f, t, k, y, v, w, o, id, r, g, \
			    level, ...)                                      \
	UEV_EH_REPLACE_(level)
#define UEV_TLG_KEYWORD_(i, list) \
	UEV_EH_CALL_(UEV_TLG_KEYWORD_LIST_, UEV_EH_OPEN_ list)
#define UEV_TLG_KEYWORD_LIST_(m, c, a, d, n, e, f, t, k, y, v, w, o, id, r, g, \
			      l, keyword)                                      \
	| (uint64_t)(keyword)

/*
 * Options. An event without TraceLoggingLevel() is verbose. Of several options
 * the last applies; keywords are combined. A bit beyond the value tells that
 * there is one, which can be 0.
 */
#define UEV_TLG_GIVEN_(value) (0x10000U | (unsigned int)(value))
#define TraceLoggingLevel(level) UEV_EH_OPTION_(0, 0, 0, 0, level, 0)
#define TraceLoggingKeyword(keyword) UEV_EH_OPTION_(0, 0, 0, 0, 0, keyword)
#define TraceLoggingOpcode(opcode) \
	UEV_EH_OPTION_(UEV_TLG_GIVEN_(opcode), 0, 0, 0, 0, 0)
#define TraceLoggingIdVersion(id, version) \
	UEV_EH_OPTION_(0, UEV_TLG_GIVEN_(id), UEV_TLG_GIVEN_(version), 0, 0, 0)
#define TraceLoggingEventTag(tag) \
	UEV_EH_OPTION_(0, 0, 0, UEV_TLG_GIVEN_(tag), 0, 0)
#define TraceLoggingDescription(description) UEV_EH_END_

/*
 * Fields. UEV_TLG_NAME_(macro, (arguments), value, optional...) calls the macro
 * with 0 or 1 for a tag, the name, the tag, and the arguments.
 */
#define UEV_TLG_NAME_(macro, arguments, ...)                   \
	UEV_EH_CAT_(UEV_TLG_NAME_, UEV_EH_COUNT_(__VA_ARGS__)) \
	(macro, arguments, __VA_ARGS__)
#define UEV_TLG_NAME_1(macro, arguments, value) \
	UEV_EH_CALL_(macro, 0, #value, 0, UEV_EH_OPEN_ arguments)
#define UEV_TLG_NAME_2(macro, arguments, value, name) \
	UEV_EH_CALL_(macro, 0, name, 0, UEV_EH_OPEN_ arguments)
#define UEV_TLG_NAME_3(macro, arguments, value, name, description) \
	UEV_EH_CALL_(macro, 0, name, 0, UEV_EH_OPEN_ arguments)
#define UEV_TLG_NAME_4(macro, arguments, value, name, description, tag) \
	UEV_EH_CALL_(macro, 1, name, tag, UEV_EH_OPEN_ arguments)

/* Metadata of a field: with a tag, there is always a format, and it can be 0. */
#define UEV_TLG_META_00 0
#define UEV_TLG_META_10 1
#define UEV_TLG_META_01 4
#define UEV_TLG_META_11 4
#define UEV_EH_DECLARE_META_4(i, name) UEV_EH_DECLARE_META_2(i, name)
#define UEV_EH_FILL_META_4(name, encoding, format, tag) \
	UEV_EH_FILL_META_2(name, encoding, format, tag)
#define UEV_EH_CHECK_META_4(name, encoding, format, tag)  \
	UEV_EH_CHECK_META_0(name, encoding, format, tag)  \
	UEV_EH_ASSERT_((tag) >= 0 && (tag) <= UINT16_MAX, \
		       "tag must be 0 to 65535");

/*
 * UEV_TLG_FIELD_() - A field
 * @tagged: whether there is a tag, 0 or 1
 * @formatted: whether there is a format, 0 or 1
 */
#define UEV_TLG_FIELD_(tagged, name, tag, formatted, counted, argument, data, \
		       encoding, format, count, type, value, number)          \
	UEV_TLG_FIELD_2_(UEV_EH_CAT_(UEV_TLG_META_##formatted, tagged), name, \
			 tag, counted, argument, data, encoding, format,      \
			 count, type, value, number)
#define UEV_TLG_FIELD_2_(meta, name, tag, counted, argument, data, encoding, \
			 format, count, type, value, number)                 \
	UEV_EH_FIELD_(meta, counted, argument, data, name,                   \
		      (unsigned int)(encoding), (unsigned int)(format), tag, \
		      count, type, value, number)

/* A value, then optional arguments. */
#define UEV_TLG_VALUE_(type, encoding, formatted, format, ...)                \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                         \
		      (formatted, 0, uev_value, uev_scalar, encoding, format, \
		       0, type, UEV_TLG_FIRST_(__VA_ARGS__, 0), 0),           \
		      __VA_ARGS__)
#define UEV_TLG_FIRST_(first, ...) first

/* A pointer and a number, then optional arguments. */
#define UEV_TLG_ARRAY_(...) UEV_TLG_ARRAY_OF_(uev_typed, __VA_ARGS__)
#define UEV_TLG_ARRAY_OF_(argument, type, encoding, formatted, format,         \
			  pointer, ...)                                        \
	UEV_TLG_ARRAY_2_(argument, type, encoding, formatted, format, pointer, \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),                       \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))
#define UEV_TLG_ARRAY_2_(argument, type, encoding, formatted, format, pointer, \
			 number, ...)                                          \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                          \
		      (formatted, 0, argument, uev_counted,                    \
		       (unsigned int)(encoding) | UEV_ENCODING_VARRAY, format, \
		       0, type, pointer, number),                              \
		      __VA_ARGS__)
#define UEV_TLG_FIXED_(...) UEV_TLG_FIXED_OF_(uev_typed, __VA_ARGS__)
#define UEV_TLG_FIXED_OF_(argument, type, encoding, formatted, format,         \
			  pointer, ...)                                        \
	UEV_TLG_FIXED_2_(argument, type, encoding, formatted, format, pointer, \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),                       \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))
#define UEV_TLG_FIXED_2_(argument, type, encoding, formatted, format, pointer, \
			 number, ...)                                          \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                          \
		      (formatted, 1, argument, uev_fixed,                      \
		       (unsigned int)(encoding) | UEV_ENCODING_CARRAY, format, \
		       number, type, pointer, number),                         \
		      __VA_ARGS__)

/* Replaces the number by the pointer, for UEV_TLG_NAME_(). */
#define UEV_TLG_REST_(pointer, ...)                            \
	UEV_EH_CAT_(UEV_TLG_REST_, UEV_EH_COUNT_(__VA_ARGS__)) \
	(pointer, __VA_ARGS__)
#define UEV_TLG_REST_1(pointer, a) pointer
#define UEV_TLG_REST_2(pointer, a, b) pointer, b
#define UEV_TLG_REST_3(pointer, a, b, c) pointer, b, c
#define UEV_TLG_REST_4(pointer, a, b, c, d) pointer, b, c, d

#define UEV_TLG_ZERO_(type, encoding, formatted, format, ...)                  \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                          \
		      (formatted, 0, uev_typed, uev_zero, encoding, format, 0, \
		       type, UEV_TLG_FIRST_(__VA_ARGS__, 0), 0),               \
		      __VA_ARGS__)

/* UEV_TLG_COUNTED_() - Units, and their number @number before them */
#define UEV_TLG_COUNTED_(type, argument, encoding, formatted, format, pointer, \
			 number, ...)                                          \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                          \
		      (formatted, 0, argument, uev_counted, encoding, format,  \
		       0, type, pointer, number),                              \
		      __VA_ARGS__)

/* Data without a number of bytes, for fields that the caller has packed. */
#define UEV_EH_COPIED_uev_raw(type)
#define UEV_EH_GATHER_uev_raw(argument, type, value, number) \
	uev_eh_put_(&uev_cursor_, value, (size_t)(number)),
#define UEV_EH_VECTORS_uev_raw +2
#define UEV_EH_LEAST_uev_raw(type, count)
#define UEV_EH_FRONT_uev_raw
#define UEV_TLG_RAW_(encoding, formatted, format, pointer, size, ...)         \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                         \
		      (formatted, 0, uev_bytes, uev_raw, encoding, format, 0, \
		       char, pointer, size),                                  \
		      __VA_ARGS__)
#define UEV_TLG_META_(encoding, formatted, format, ...)                       \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                         \
		      (formatted, 0, uev_none, uev_none, encoding, format, 0, \
		       char, 0, 0),                                           \
		      _, __VA_ARGS__)

/*
 * TraceLoggingStruct() - Makes the next fields members of a struct
 * @members: number of fields, 1 to UEV_STRUCT_MEMBERS_MAX; a nested struct and
 *        its members are one field
 * @...: name; optionally a description and a tag
 */
#define TraceLoggingStruct(members, ...) \
	UEV_TLG_META_(UEV_ENCODING_STRUCT, 1, members, __VA_ARGS__)

/*
 * Values: TraceLoggingNAME(value), TraceLoggingNAMEFixedArray(pointer, number)
 * with a constant number, TraceLoggingNAMEArray(pointer, number). Boolean has 8
 * bits, and Bool has 32. Ports and IPv4 addresses are in network byte order.
 */
#define TraceLoggingInt8(...)                                             \
	UEV_TLG_VALUE_(int8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt8FixedArray(...)                                   \
	UEV_TLG_FIXED_(int8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt8Array(...)                                        \
	UEV_TLG_ARRAY_(int8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingUInt8(...)                                              \
	UEV_TLG_VALUE_(uint8_t, UEV_ENCODING_VALUE8, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt8FixedArray(...)                                    \
	UEV_TLG_FIXED_(uint8_t, UEV_ENCODING_VALUE8, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt8Array(...)                                         \
	UEV_TLG_ARRAY_(uint8_t, UEV_ENCODING_VALUE8, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingInt16(...)                                              \
	UEV_TLG_VALUE_(int16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt16FixedArray(...)                                    \
	UEV_TLG_FIXED_(int16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt16Array(...)                                         \
	UEV_TLG_ARRAY_(int16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingUInt16(...)                                               \
	UEV_TLG_VALUE_(uint16_t, UEV_ENCODING_VALUE16, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt16FixedArray(...)                                     \
	UEV_TLG_FIXED_(uint16_t, UEV_ENCODING_VALUE16, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt16Array(...)                                          \
	UEV_TLG_ARRAY_(uint16_t, UEV_ENCODING_VALUE16, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingInt32(...)                                              \
	UEV_TLG_VALUE_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt32FixedArray(...)                                    \
	UEV_TLG_FIXED_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt32Array(...)                                         \
	UEV_TLG_ARRAY_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingUInt32(...)                                               \
	UEV_TLG_VALUE_(uint32_t, UEV_ENCODING_VALUE32, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt32FixedArray(...)                                     \
	UEV_TLG_FIXED_(uint32_t, UEV_ENCODING_VALUE32, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt32Array(...)                                          \
	UEV_TLG_ARRAY_(uint32_t, UEV_ENCODING_VALUE32, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingInt64(...)                                              \
	UEV_TLG_VALUE_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt64FixedArray(...)                                    \
	UEV_TLG_FIXED_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingInt64Array(...)                                         \
	UEV_TLG_ARRAY_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingUInt64(...)                                               \
	UEV_TLG_VALUE_(uint64_t, UEV_ENCODING_VALUE64, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt64FixedArray(...)                                     \
	UEV_TLG_FIXED_(uint64_t, UEV_ENCODING_VALUE64, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUInt64Array(...)                                          \
	UEV_TLG_ARRAY_(uint64_t, UEV_ENCODING_VALUE64, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingIntPtr(...)                                           \
	UEV_TLG_VALUE_(intptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingIntPtrFixedArray(...)                                 \
	UEV_TLG_FIXED_(intptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingIntPtrArray(...)                                      \
	UEV_TLG_ARRAY_(intptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingUIntPtr(...)                                            \
	UEV_TLG_VALUE_(uintptr_t, UEV_ENCODING_SIZE, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUIntPtrFixedArray(...)                                  \
	UEV_TLG_FIXED_(uintptr_t, UEV_ENCODING_SIZE, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingUIntPtrArray(...)                                       \
	UEV_TLG_ARRAY_(uintptr_t, UEV_ENCODING_SIZE, 0, UEV_FORMAT_DEFAULT, \
		       __VA_ARGS__)
#define TraceLoggingLong(...)                                         \
	UEV_TLG_VALUE_(long, UEV_ENCODING_LONG, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingLongFixedArray(...)                               \
	UEV_TLG_FIXED_(long, UEV_ENCODING_LONG, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingLongArray(...)                                    \
	UEV_TLG_ARRAY_(long, UEV_ENCODING_LONG, 1, UEV_FORMAT_SIGNED, \
		       __VA_ARGS__)
#define TraceLoggingULong(...)                              \
	UEV_TLG_VALUE_(unsigned long, UEV_ENCODING_LONG, 0, \
		       UEV_FORMAT_DEFAULT, __VA_ARGS__)
#define TraceLoggingULongFixedArray(...)                    \
	UEV_TLG_FIXED_(unsigned long, UEV_ENCODING_LONG, 0, \
		       UEV_FORMAT_DEFAULT, __VA_ARGS__)
#define TraceLoggingULongArray(...)                         \
	UEV_TLG_ARRAY_(unsigned long, UEV_ENCODING_LONG, 0, \
		       UEV_FORMAT_DEFAULT, __VA_ARGS__)
#define TraceLoggingHexInt8(...)                                       \
	UEV_TLG_VALUE_(int8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt8FixedArray(...)                             \
	UEV_TLG_FIXED_(int8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt8Array(...)                                  \
	UEV_TLG_ARRAY_(int8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt8(...)                                       \
	UEV_TLG_VALUE_(uint8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt8FixedArray(...)                             \
	UEV_TLG_FIXED_(uint8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt8Array(...)                                  \
	UEV_TLG_ARRAY_(uint8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt16(...)                                        \
	UEV_TLG_VALUE_(int16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt16FixedArray(...)                              \
	UEV_TLG_FIXED_(int16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt16Array(...)                                   \
	UEV_TLG_ARRAY_(int16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt16(...)                                        \
	UEV_TLG_VALUE_(uint16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt16FixedArray(...)                              \
	UEV_TLG_FIXED_(uint16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt16Array(...)                                   \
	UEV_TLG_ARRAY_(uint16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt32(...)                                        \
	UEV_TLG_VALUE_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt32FixedArray(...)                              \
	UEV_TLG_FIXED_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt32Array(...)                                   \
	UEV_TLG_ARRAY_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt32(...)                                        \
	UEV_TLG_VALUE_(uint32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt32FixedArray(...)                              \
	UEV_TLG_FIXED_(uint32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt32Array(...)                                   \
	UEV_TLG_ARRAY_(uint32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt64(...)                                        \
	UEV_TLG_VALUE_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt64FixedArray(...)                              \
	UEV_TLG_FIXED_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexInt64Array(...)                                   \
	UEV_TLG_ARRAY_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt64(...)                                        \
	UEV_TLG_VALUE_(uint64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt64FixedArray(...)                              \
	UEV_TLG_FIXED_(uint64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUInt64Array(...)                                   \
	UEV_TLG_ARRAY_(uint64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexIntPtr(...)                                     \
	UEV_TLG_VALUE_(intptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexIntPtrFixedArray(...)                           \
	UEV_TLG_FIXED_(intptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexIntPtrArray(...)                                \
	UEV_TLG_ARRAY_(intptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUIntPtr(...)                                     \
	UEV_TLG_VALUE_(uintptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUIntPtrFixedArray(...)                           \
	UEV_TLG_FIXED_(uintptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexUIntPtrArray(...)                                \
	UEV_TLG_ARRAY_(uintptr_t, UEV_ENCODING_SIZE, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexLong(...) \
	UEV_TLG_VALUE_(long, UEV_ENCODING_LONG, 1, UEV_FORMAT_HEX, __VA_ARGS__)
#define TraceLoggingHexLongFixedArray(...) \
	UEV_TLG_FIXED_(long, UEV_ENCODING_LONG, 1, UEV_FORMAT_HEX, __VA_ARGS__)
#define TraceLoggingHexLongArray(...) \
	UEV_TLG_ARRAY_(long, UEV_ENCODING_LONG, 1, UEV_FORMAT_HEX, __VA_ARGS__)
#define TraceLoggingHexULong(...)                                           \
	UEV_TLG_VALUE_(unsigned long, UEV_ENCODING_LONG, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexULongFixedArray(...)                                 \
	UEV_TLG_FIXED_(unsigned long, UEV_ENCODING_LONG, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingHexULongArray(...)                                      \
	UEV_TLG_ARRAY_(unsigned long, UEV_ENCODING_LONG, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingFloat32(...)                                         \
	UEV_TLG_VALUE_(float, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_FLOAT, \
		       __VA_ARGS__)
#define TraceLoggingFloat32FixedArray(...)                               \
	UEV_TLG_FIXED_(float, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_FLOAT, \
		       __VA_ARGS__)
#define TraceLoggingFloat32Array(...)                                    \
	UEV_TLG_ARRAY_(float, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_FLOAT, \
		       __VA_ARGS__)
#define TraceLoggingFloat64(...)                                          \
	UEV_TLG_VALUE_(double, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_FLOAT, \
		       __VA_ARGS__)
#define TraceLoggingFloat64FixedArray(...)                                \
	UEV_TLG_FIXED_(double, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_FLOAT, \
		       __VA_ARGS__)
#define TraceLoggingFloat64Array(...)                                     \
	UEV_TLG_ARRAY_(double, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_FLOAT, \
		       __VA_ARGS__)
#define TraceLoggingBoolean(...)                                            \
	UEV_TLG_VALUE_(uint8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_BOOLEAN, \
		       __VA_ARGS__)
#define TraceLoggingBooleanFixedArray(...)                                  \
	UEV_TLG_FIXED_(uint8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_BOOLEAN, \
		       __VA_ARGS__)
#define TraceLoggingBooleanArray(...)                                       \
	UEV_TLG_ARRAY_(uint8_t, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_BOOLEAN, \
		       __VA_ARGS__)
#define TraceLoggingBool(...)                                                \
	UEV_TLG_VALUE_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_BOOLEAN, \
		       __VA_ARGS__)
#define TraceLoggingBoolFixedArray(...)                                      \
	UEV_TLG_FIXED_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_BOOLEAN, \
		       __VA_ARGS__)
#define TraceLoggingBoolArray(...)                                           \
	UEV_TLG_ARRAY_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_BOOLEAN, \
		       __VA_ARGS__)
#define TraceLoggingChar(...)                                            \
	UEV_TLG_VALUE_(char, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_STRING8, \
		       __VA_ARGS__)
#define TraceLoggingCharFixedArray(...)                                  \
	UEV_TLG_FIXED_(char, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_STRING8, \
		       __VA_ARGS__)
#define TraceLoggingCharArray(...)                                       \
	UEV_TLG_ARRAY_(char, UEV_ENCODING_VALUE8, 1, UEV_FORMAT_STRING8, \
		       __VA_ARGS__)
#define TraceLoggingChar16(...)                                  \
	UEV_TLG_VALUE_(UEV_TLG_CHAR16_, UEV_ENCODING_VALUE16, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingChar16FixedArray(...)                        \
	UEV_TLG_FIXED_(UEV_TLG_CHAR16_, UEV_ENCODING_VALUE16, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingChar16Array(...)                             \
	UEV_TLG_ARRAY_(UEV_TLG_CHAR16_, UEV_ENCODING_VALUE16, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingChar32(...)                                  \
	UEV_TLG_VALUE_(UEV_TLG_CHAR32_, UEV_ENCODING_VALUE32, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingChar32FixedArray(...)                        \
	UEV_TLG_FIXED_(UEV_TLG_CHAR32_, UEV_ENCODING_VALUE32, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingChar32Array(...)                             \
	UEV_TLG_ARRAY_(UEV_TLG_CHAR32_, UEV_ENCODING_VALUE32, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingWChar(...)                                       \
	UEV_TLG_VALUE_(wchar_t, event_field_encoding_value_wchar, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingWCharFixedArray(...)                             \
	UEV_TLG_FIXED_(wchar_t, event_field_encoding_value_wchar, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingWCharArray(...)                                  \
	UEV_TLG_ARRAY_(wchar_t, event_field_encoding_value_wchar, 1, \
		       UEV_FORMAT_STRING_UTF, __VA_ARGS__)
#define TraceLoggingPointer(...)                                           \
	UEV_TLG_VALUE_(const void *, UEV_ENCODING_SIZE, 1, UEV_FORMAT_HEX, \
		       __VA_ARGS__)
#define TraceLoggingPointerFixedArray(...)                                  \
	UEV_TLG_FIXED_OF_(uev_pointers, const void *, UEV_ENCODING_SIZE, 1, \
			  UEV_FORMAT_HEX, __VA_ARGS__)
#define TraceLoggingPointerArray(...)                                       \
	UEV_TLG_ARRAY_OF_(uev_pointers, const void *, UEV_ENCODING_SIZE, 1, \
			  UEV_FORMAT_HEX, __VA_ARGS__)
#define TraceLoggingPid(...)                                             \
	UEV_TLG_VALUE_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_PID, \
		       __VA_ARGS__)
#define TraceLoggingPidFixedArray(...)                                   \
	UEV_TLG_FIXED_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_PID, \
		       __VA_ARGS__)
#define TraceLoggingPidArray(...)                                        \
	UEV_TLG_ARRAY_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_PID, \
		       __VA_ARGS__)
#define TraceLoggingPort(...)                                              \
	UEV_TLG_VALUE_(uint16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_PORT, \
		       __VA_ARGS__)
#define TraceLoggingPortFixedArray(...)                                    \
	UEV_TLG_FIXED_(uint16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_PORT, \
		       __VA_ARGS__)
#define TraceLoggingPortArray(...)                                         \
	UEV_TLG_ARRAY_(uint16_t, UEV_ENCODING_VALUE16, 1, UEV_FORMAT_PORT, \
		       __VA_ARGS__)
#define TraceLoggingErrno(...)                                             \
	UEV_TLG_VALUE_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_ERRNO, \
		       __VA_ARGS__)
#define TraceLoggingErrnoFixedArray(...)                                   \
	UEV_TLG_FIXED_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_ERRNO, \
		       __VA_ARGS__)
#define TraceLoggingErrnoArray(...)                                        \
	UEV_TLG_ARRAY_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_ERRNO, \
		       __VA_ARGS__)
#define TraceLoggingTime32(...)                                           \
	UEV_TLG_VALUE_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_TIME, \
		       __VA_ARGS__)
#define TraceLoggingTime32FixedArray(...)                                 \
	UEV_TLG_FIXED_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_TIME, \
		       __VA_ARGS__)
#define TraceLoggingTime32Array(...)                                      \
	UEV_TLG_ARRAY_(int32_t, UEV_ENCODING_VALUE32, 1, UEV_FORMAT_TIME, \
		       __VA_ARGS__)
#define TraceLoggingTime64(...)                                           \
	UEV_TLG_VALUE_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_TIME, \
		       __VA_ARGS__)
#define TraceLoggingTime64FixedArray(...)                                 \
	UEV_TLG_FIXED_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_TIME, \
		       __VA_ARGS__)
#define TraceLoggingTime64Array(...)                                      \
	UEV_TLG_ARRAY_(int64_t, UEV_ENCODING_VALUE64, 1, UEV_FORMAT_TIME, \
		       __VA_ARGS__)
#define TraceLoggingIPv4Address(...)                      \
	UEV_TLG_VALUE_(uint32_t, UEV_ENCODING_VALUE32, 1, \
		       UEV_FORMAT_IP_ADDRESS, __VA_ARGS__)

/* Pointers to 16 bytes. */
#define TraceLoggingGuid(...) UEV_TLG_BYTES_(UEV_FORMAT_UUID, __VA_ARGS__)
#define TraceLoggingIPv6Address(...) \
	UEV_TLG_BYTES_(UEV_FORMAT_IP_ADDRESS, __VA_ARGS__)
#define UEV_TLG_BYTES_(format, ...)                                        \
	UEV_TLG_NAME_(UEV_TLG_FIELD_,                                      \
		      (1, 0, uev_value, uev_scalar, UEV_ENCODING_VALUE128, \
		       format, 0, struct uev_value128,                     \
		       uev_eh_load_(UEV_TLG_FIRST_(__VA_ARGS__, 0)), 0),   \
		      __VA_ARGS__)

/*
 * Strings that end with a unit of 0, of which NULL is an empty one, and strings
 * of a number of units. TraceLoggingString() is Latin-1 or of unknown encoding.
 */
#define TraceLoggingString(...)                                           \
	UEV_TLG_ZERO_(char, UEV_ENCODING_ZSTRING8, 1, UEV_FORMAT_STRING8, \
		      __VA_ARGS__)
#define TraceLoggingCountedString(pointer, ...)                    \
	UEV_TLG_COUNTED_(char, uev_typed, UEV_ENCODING_STRING8, 1, \
			 UEV_FORMAT_STRING8, pointer,              \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),           \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))
#define TraceLoggingUtf8String(...)                                       \
	UEV_TLG_ZERO_(char, UEV_ENCODING_ZSTRING8, 0, UEV_FORMAT_DEFAULT, \
		      __VA_ARGS__)
#define TraceLoggingCountedUtf8String(pointer, ...)                \
	UEV_TLG_COUNTED_(char, uev_typed, UEV_ENCODING_STRING8, 0, \
			 UEV_FORMAT_DEFAULT, pointer,              \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),           \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))
#define TraceLoggingString16(...)                                 \
	UEV_TLG_ZERO_(UEV_TLG_CHAR16_, UEV_ENCODING_ZSTRING16, 0, \
		      UEV_FORMAT_DEFAULT, __VA_ARGS__)
#define TraceLoggingCountedString16(pointer, ...)                              \
	UEV_TLG_COUNTED_(UEV_TLG_CHAR16_, uev_typed, UEV_ENCODING_STRING16, 0, \
			 UEV_FORMAT_DEFAULT, pointer,                          \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),                       \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))
#define TraceLoggingString32(...)                                 \
	UEV_TLG_ZERO_(UEV_TLG_CHAR32_, UEV_ENCODING_ZSTRING32, 0, \
		      UEV_FORMAT_DEFAULT, __VA_ARGS__)
#define TraceLoggingCountedString32(pointer, ...)                              \
	UEV_TLG_COUNTED_(UEV_TLG_CHAR32_, uev_typed, UEV_ENCODING_STRING32, 0, \
			 UEV_FORMAT_DEFAULT, pointer,                          \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),                       \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))
#define TraceLoggingWideString(...)                                   \
	UEV_TLG_ZERO_(wchar_t, event_field_encoding_zstring_wchar, 0, \
		      UEV_FORMAT_DEFAULT, __VA_ARGS__)
#define TraceLoggingCountedWideString(pointer, ...)                     \
	UEV_TLG_COUNTED_(wchar_t, uev_typed,                            \
			 event_field_encoding_string_length16_wchar, 0, \
			 UEV_FORMAT_DEFAULT, pointer,                   \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),                \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))

/* Bytes, and bytes in a format of enum event_field_format. */
#define TraceLoggingBinary(pointer, ...)                           \
	UEV_TLG_COUNTED_(char, uev_bytes, UEV_ENCODING_STRING8, 1, \
			 UEV_FORMAT_HEX_BYTES, pointer,            \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0),           \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))
#define TraceLoggingBinaryEx(pointer, size, ...)                        \
	UEV_TLG_COUNTED_(char, uev_bytes, UEV_ENCODING_STRING8, 1,      \
			 UEV_TLG_FIRST_(__VA_ARGS__, 0), pointer, size, \
			 UEV_TLG_REST_(pointer, __VA_ARGS__))

/*
 * Fields whose description and bytes the caller provides: the bytes must match
 * the description, and a description without bytes is followed or preceded by
 * TraceLoggingPackedData(). @size is the number of bytes, and @encoding can
 * have event_field_encoding_varray_flag.
 */
#define TraceLoggingPackedField(pointer, size, ...)                         \
	UEV_TLG_RAW_(UEV_TLG_FIRST_(__VA_ARGS__, 0), 0, UEV_FORMAT_DEFAULT, \
		     pointer, size, UEV_TLG_REST_(pointer, __VA_ARGS__))
#define TraceLoggingPackedFieldEx(pointer, size, encoding, ...)            \
	UEV_TLG_RAW_(encoding, 1, UEV_TLG_FIRST_(__VA_ARGS__, 0), pointer, \
		     size, UEV_TLG_REST_(pointer, __VA_ARGS__))
#define TraceLoggingPackedMetadata(encoding, ...) \
	UEV_TLG_META_(encoding, 0, UEV_FORMAT_DEFAULT, __VA_ARGS__)
#define TraceLoggingPackedMetadataEx(encoding, format, ...) \
	UEV_TLG_META_(encoding, 1, format, __VA_ARGS__)
#define TraceLoggingPackedStruct(members, ...) \
	TraceLoggingStruct(members, __VA_ARGS__)
#define TraceLoggingPackedStructArray(members, ...)                            \
	UEV_TLG_META_((UEV_ENCODING_STRUCT | UEV_ENCODING_VARRAY), 1, members, \
		      __VA_ARGS__)
#define TraceLoggingPackedData(pointer, size)                                 \
	(3, 0, uev_bytes, uev_raw, "", 0, 0, 0, 0, char, pointer, size, 0, 0, \
	 0, 0, 0, 0)

#endif
