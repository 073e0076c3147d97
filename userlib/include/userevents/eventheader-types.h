/* SPDX-License-Identifier: MIT */
/*
 * The format of EventHeader: numbers, limits and structures that writers and
 * decoders share. Not an API.
 *
 * A tracepoint is called PROVIDER_LlevelKkeyword[Ggroup], with level and
 * keyword in lower-case hexadecimal digits. A record is, without padding,
 *
 *	struct uev_eventheader
 *	blocks: struct uev_extension, then its data; metadata is the last one
 *	payload
 *
 * and metadata is
 *
 *	event name, NUL
 *	per field: name, NUL, encoding [, format [, 2 bytes tag]]
 *		[, 2 bytes count]
 *
 * Names are UTF-8 and can end with attributes, ";name=value"; a ';' in a value
 * is written twice. The flags have the byte order of numbers.
 */
#ifndef USEREVENTS_EVENTHEADER_TYPES_H
#define USEREVENTS_EVENTHEADER_TYPES_H

#include <stdint.h>

#include <userevents/common.h>

UEV_BEGIN_DECLS

/* The fields in the registration of every EventHeader event. */
#define UEV_EVENTHEADER_TYPES                                               \
	"u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 " \
	"level"

/* The first field of the event's format. It identifies an EventHeader event. */
#define UEV_EVENTHEADER_FIRST_FIELD "eventheader_flags"

/* The system of all user_events in tracefs. */
#define UEV_EVENTHEADER_SYSTEM "user_events"

/*
 * Maximum length of a tracepoint's name without its NUL, and the part that is
 * reserved for the suffix: _L, two digits, K, sixteen digits, G.
 */
#define UEV_EVENTHEADER_NAME_MAX 255
#define UEV_EVENTHEADER_SUFFIX_MAX 22
#define UEV_EVENTHEADER_PROVIDER_MAX \
	(UEV_EVENTHEADER_NAME_MAX - UEV_EVENTHEADER_SUFFIX_MAX)

/*
 * Maximum bytes of one extension, elements of an array, units of a counted
 * string.
 */
#define UEV_EXTENSION_MAX 65535
#define UEV_COUNT_MAX 65535

/* Maximum members of a struct, and nesting of structs that decoders support. */
#define UEV_STRUCT_MEMBERS_MAX 127
#define UEV_STRUCT_DEPTH_MAX 8

/* Bytes of an activity, which is shown as a UUID. */
#define UEV_ACTIVITY_SIZE 16

/* Bits of uev_eventheader.flags. Decoders reject an event with any other. */
enum uev_header_flag {
	UEV_HEADER_POINTER64 = 0x01, /* the writer's pointers have 8 bytes */
	UEV_HEADER_LITTLE_ENDIAN = 0x02,
	UEV_HEADER_EXTENSION = 0x04, /* blocks follow the header */
	UEV_HEADER_KNOWN = 0x07,
};

/* The first two bits for the program that is compiled. */
#if __SIZEOF_POINTER__ == 8
#define UEV_HEADER_NATIVE_POINTER UEV_HEADER_POINTER64
#else
#define UEV_HEADER_NATIVE_POINTER 0
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UEV_HEADER_NATIVE_ORDER UEV_HEADER_LITTLE_ENDIAN
#else
#define UEV_HEADER_NATIVE_ORDER 0
#endif
#define UEV_HEADER_NATIVE (UEV_HEADER_NATIVE_POINTER | UEV_HEADER_NATIVE_ORDER)

/* Values of uev_eventheader.level; the provider defines 6 to 255. */
enum uev_level {
	UEV_LEVEL_INVALID = 0,
	UEV_LEVEL_CRITICAL = 1,
	UEV_LEVEL_ERROR = 2,
	UEV_LEVEL_WARNING = 3,
	UEV_LEVEL_INFORMATION = 4,
	UEV_LEVEL_VERBOSE = 5,
};

/* Values of uev_eventheader.opcode; others are shown as numbers. */
enum uev_opcode {
	UEV_OPCODE_INFO = 0,
	UEV_OPCODE_ACTIVITY_START = 1,
	UEV_OPCODE_ACTIVITY_STOP = 2,
	UEV_OPCODE_COLLECTION_START = 3,
	UEV_OPCODE_COLLECTION_STOP = 4,
	UEV_OPCODE_EXTENSION = 5,
	UEV_OPCODE_REPLY = 6,
	UEV_OPCODE_RESUME = 7,
	UEV_OPCODE_SUSPEND = 8,
	UEV_OPCODE_SEND = 9,
	UEV_OPCODE_RECEIVE = 0xf0,
};

/* Values of uev_extension.kind, optionally with UEV_EXTENSION_CHAIN. */
enum uev_extension_kind {
	UEV_EXTENSION_INVALID = 0,
	UEV_EXTENSION_METADATA = 1,
	UEV_EXTENSION_ACTIVITY = 2, /* activity, optionally related one */
	UEV_EXTENSION_KIND = 0x7fff,
	UEV_EXTENSION_CHAIN = 0x8000, /* another block follows this one */
};

/*
 * Encodings of a field. The encoding byte is one of these and any of the three
 * flag bits, of which an array has one.
 */
enum uev_encoding {
	UEV_ENCODING_INVALID = 0,
	UEV_ENCODING_STRUCT = 1, /* none; its format is its member count */
	UEV_ENCODING_VALUE8 = 2,
	UEV_ENCODING_VALUE16 = 3,
	UEV_ENCODING_VALUE32 = 4,
	UEV_ENCODING_VALUE64 = 5,
	UEV_ENCODING_VALUE128 = 6,
	UEV_ENCODING_ZSTRING8 = 7, /* units with a terminator of 0 */
	UEV_ENCODING_ZSTRING16 = 8,
	UEV_ENCODING_ZSTRING32 = 9,
	UEV_ENCODING_STRING8 = 10, /* 2-byte number of units, then the units */
	UEV_ENCODING_STRING16 = 11,
	UEV_ENCODING_STRING32 = 12,
	UEV_ENCODING_BINARY = 13, /* 2-byte number of bytes, then the bytes */
	UEV_ENCODING_END = 14, /* decoders reject this one and those above */
	UEV_ENCODING_TYPE = 0x1f,
	UEV_ENCODING_CARRAY = 0x20, /* number of elements in the metadata */
	UEV_ENCODING_VARRAY = 0x40, /* 2-byte number of elements before them */
	UEV_ENCODING_FLAGS = 0x60,
	UEV_ENCODING_CHAIN = 0x80, /* a format byte follows */
};

/*
 * Encoding of a pointer or size_t, and of long, for the program that is
 * compiled.
 */
#if __SIZEOF_POINTER__ == 8
#define UEV_ENCODING_SIZE UEV_ENCODING_VALUE64
#else
#define UEV_ENCODING_SIZE UEV_ENCODING_VALUE32
#endif
#if __SIZEOF_LONG__ == 8
#define UEV_ENCODING_LONG UEV_ENCODING_VALUE64
#else
#define UEV_ENCODING_LONG UEV_ENCODING_VALUE32
#endif

/*
 * Meaning of a field. If the format does not match the encoding, the field is
 * shown in the encoding's default format.
 */
enum uev_format {
	UEV_FORMAT_DEFAULT = 0, /* unsigned, hexadecimal bytes or UTF */
	UEV_FORMAT_UNSIGNED = 1,
	UEV_FORMAT_SIGNED = 2,
	UEV_FORMAT_HEX = 3, /* a number in hexadecimal */
	UEV_FORMAT_ERRNO = 4,
	UEV_FORMAT_PID = 5,
	UEV_FORMAT_TIME = 6, /* signed seconds since 1970 */
	UEV_FORMAT_BOOLEAN = 7,
	UEV_FORMAT_FLOAT = 8,
	UEV_FORMAT_HEX_BYTES = 9,
	UEV_FORMAT_STRING8 = 10, /* units of Latin-1, or unspecified ones */
	UEV_FORMAT_STRING_UTF = 11,
	UEV_FORMAT_STRING_UTF_BOM = 12, /* a byte-order mark can override it */
	UEV_FORMAT_STRING_XML = 13,
	UEV_FORMAT_STRING_JSON = 14,
	UEV_FORMAT_UUID = 15, /* in text order */
	UEV_FORMAT_PORT = 16, /* network byte order */
	UEV_FORMAT_IP_ADDRESS = 17, /* network byte order; 4 or 16 bytes */
	UEV_FORMAT_IP_ADDRESS_OBSOLETE = 18, /* read as 17, never written */
	UEV_FORMAT_END = 19,
	UEV_FORMAT_VALUE = 0x7f, /* or the members of a struct */
	UEV_FORMAT_CHAIN = 0x80, /* 2 bytes of tag follow */
};

/*
 * Formats that match an encoding, one bit per format. For any other pair,
 * decoders use the encoding's default format and writers return an error.
 * Strings of bytes and binaries support every format, because a value can be
 * missing, with a length of 0. The obsolete format matches none.
 */
#define UEV_FORMAT_BIT(format) (1UL << (format))
#define UEV_FORMATS_ANY                          \
	(UEV_FORMAT_BIT(UEV_FORMAT_IP_ADDRESS) | \
	 (UEV_FORMAT_BIT(UEV_FORMAT_IP_ADDRESS) - 1))
#define UEV_FORMATS_NUMBER                                                    \
	(UEV_FORMAT_BIT(UEV_FORMAT_DEFAULT) |                                 \
	 UEV_FORMAT_BIT(UEV_FORMAT_UNSIGNED) |                                \
	 UEV_FORMAT_BIT(UEV_FORMAT_SIGNED) | UEV_FORMAT_BIT(UEV_FORMAT_HEX) | \
	 UEV_FORMAT_BIT(UEV_FORMAT_HEX_BYTES))
#define UEV_FORMATS_VALUE8                                         \
	(UEV_FORMATS_NUMBER | UEV_FORMAT_BIT(UEV_FORMAT_BOOLEAN) | \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING8))
#define UEV_FORMATS_VALUE16                                        \
	(UEV_FORMATS_NUMBER | UEV_FORMAT_BIT(UEV_FORMAT_BOOLEAN) | \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING_UTF) |                   \
	 UEV_FORMAT_BIT(UEV_FORMAT_PORT))
#define UEV_FORMATS_VALUE32                                                 \
	(UEV_FORMATS_NUMBER | UEV_FORMAT_BIT(UEV_FORMAT_ERRNO) |            \
	 UEV_FORMAT_BIT(UEV_FORMAT_PID) | UEV_FORMAT_BIT(UEV_FORMAT_TIME) | \
	 UEV_FORMAT_BIT(UEV_FORMAT_BOOLEAN) |                               \
	 UEV_FORMAT_BIT(UEV_FORMAT_FLOAT) |                                 \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING_UTF) |                            \
	 UEV_FORMAT_BIT(UEV_FORMAT_IP_ADDRESS))
#define UEV_FORMATS_VALUE64                                     \
	(UEV_FORMATS_NUMBER | UEV_FORMAT_BIT(UEV_FORMAT_TIME) | \
	 UEV_FORMAT_BIT(UEV_FORMAT_FLOAT))
#define UEV_FORMATS_VALUE128                    \
	(UEV_FORMAT_BIT(UEV_FORMAT_DEFAULT) |   \
	 UEV_FORMAT_BIT(UEV_FORMAT_HEX_BYTES) | \
	 UEV_FORMAT_BIT(UEV_FORMAT_UUID) |      \
	 UEV_FORMAT_BIT(UEV_FORMAT_IP_ADDRESS))
#define UEV_FORMATS_STRING                           \
	(UEV_FORMAT_BIT(UEV_FORMAT_DEFAULT) |        \
	 UEV_FORMAT_BIT(UEV_FORMAT_HEX_BYTES) |      \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING8) |        \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING_UTF) |     \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING_UTF_BOM) | \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING_XML) |     \
	 UEV_FORMAT_BIT(UEV_FORMAT_STRING_JSON))

/**
 * UEV_FORMATS_OF() - Gets the formats that match an encoding
 * @encoding: of enum uev_encoding
 *
 * Return: bits 1 << UEV_FORMAT_*; 0 for an unknown encoding.
 */
#define UEV_FORMATS_OF(encoding)                                      \
	((encoding) == UEV_ENCODING_VALUE8     ? UEV_FORMATS_VALUE8   \
	 : (encoding) == UEV_ENCODING_VALUE16  ? UEV_FORMATS_VALUE16  \
	 : (encoding) == UEV_ENCODING_VALUE32  ? UEV_FORMATS_VALUE32  \
	 : (encoding) == UEV_ENCODING_VALUE64  ? UEV_FORMATS_VALUE64  \
	 : (encoding) == UEV_ENCODING_VALUE128 ? UEV_FORMATS_VALUE128 \
	 : (encoding) == UEV_ENCODING_STRING8  ? UEV_FORMATS_ANY      \
	 : (encoding) == UEV_ENCODING_BINARY   ? UEV_FORMATS_ANY      \
	 : (encoding) >= UEV_ENCODING_ZSTRING8 &&                     \
			 (encoding) <= UEV_ENCODING_STRING32          \
		 ? UEV_FORMATS_STRING                                 \
		 : 0UL)

/**
 * struct uev_eventheader - The first 8 bytes of a record
 * @flags: of enum uev_header_flag; has the byte order of the rest
 * @version: version of the event that @id identifies, 0 if @id is 0
 * @id: number of this event, 0 if its name identifies it
 * @tag: defined by the provider, 0 for none
 * @opcode: of enum uev_opcode, or another number
 * @level: of enum uev_level, as in the name of the tracepoint
 */
struct uev_eventheader {
	uint8_t flags;
	uint8_t version;
	uint16_t id;
	uint16_t tag;
	uint8_t opcode;
	uint8_t level;
};

/**
 * struct uev_extension - The first 4 bytes of a block
 * @size: bytes that follow these 4, not rounded
 * @kind: of enum uev_extension_kind
 */
struct uev_extension {
	uint16_t size;
	uint16_t kind;
};

/**
 * struct uev_value128 - A UUID, an IPv6 address or an activity
 * @bytes: in the order in which they are printed
 */
struct uev_value128 {
	uint8_t bytes[16];
};

UEV_END_DECLS

#endif
