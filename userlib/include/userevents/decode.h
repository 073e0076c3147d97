/* SPDX-License-Identifier: MIT */
/*
 * libuserevents-trace: decoding of records to typed values and JSON.
 *
 * Three objects:
 *
 *	struct uev_schema	the parsed format file of one event
 *	struct uev_decoder	decodes one record at a time, item by item
 *	struct uev_output	a growing text, for JSON and formatted values
 *
 * A record is the raw data of perf or the entry of ftrace: the common fields of
 * the kernel and the payload. Records and format files can have any content.
 * Malformed input is an error, and nothing beyond its end is read.
 *
 * Functions return 0, a number or a negative errno. An object must be used by
 * one thread at a time, except for a schema, which is immutable.
 */
#ifndef USEREVENTS_DECODE_H
#define USEREVENTS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/common.h>
#include <userevents/eventheader-types.h>

UEV_BEGIN_DECLS

/*
 * Bits of uev_sample.flags and uev_json_sample.flags: known members, and the
 * origin of the record.
 */
#define UEV_HAS_TIME (1U << 0) /* time, of a clock with an arbitrary origin */
#define UEV_HAS_CPU (1U << 1)
#define UEV_HAS_TID (1U << 2) /* pid and tid */
/* The record was written by a machine of the other byte order. */
#define UEV_IS_FOREIGN (1U << 3)
/* time, counted from 1970; only in uev_json_sample */
#define UEV_HAS_WALL_TIME (1U << 4)
#define UEV_HAS_VPID (1U << 5)

struct uev_schema;
struct uev_source;
struct uev_decoder;

/* ---- Growing text ---- */

/**
 * struct uev_output - A text that functions append to
 * @text: NUL-terminated text, or NULL while nothing was appended
 * @size: bytes of the text, without the NUL
 * @room: allocated bytes; private to the library
 * @reserved: 0
 *
 * Initialized with zeros or UEV_OUTPUT_INIT. The owner frees it with
 * uev_output_release(). To empty it and keep the memory, set @size to 0.
 */
struct uev_output {
	char *text;
	size_t size;
	size_t room;
	size_t reserved[2];
};

#define UEV_OUTPUT_INIT      \
	{                    \
		NULL, 0, 0,  \
		{            \
			0, 0 \
		}            \
	}

/**
 * uev_output_append() - Appends bytes
 * @output: the text
 * @bytes: the bytes, which are copied
 * @size: number of bytes
 *
 * Return: 0; -ENOMEM, and @output is unchanged.
 */
UEV_TRACE_API int uev_output_append(struct uev_output *output,
				    const char *bytes, size_t size);

/**
 * uev_output_release() - Frees the memory of a text
 * @output: the text, which is empty afterwards and can be used again
 */
UEV_TRACE_API void uev_output_release(struct uev_output *output);

/* ---- Format files ---- */

/* Where the data of a field is. */
enum uev_schema_location {
	UEV_LOCATION_INLINE = 0, /* the field itself */
	UEV_LOCATION_DATA_LOC = 1, /* offset from the start of the record */
	UEV_LOCATION_REL_LOC = 2, /* offset from the end of the field */
};

/**
 * struct uev_format_field - A field of a format file
 * @name: its name
 * @type: its type, without array brackets after the name
 * @offset: offset in bytes from the start of the record
 * @size: size in bytes; 0 for the rest of the record
 * @count: number of elements if the declaration has it, or 0
 * @location: of enum uev_schema_location
 * @is_signed: as in the file
 * @is_array: an array, whether @count is known or not
 * @is_common: a field of the kernel that all events have
 */
struct uev_format_field {
	const char *name;
	const char *type;
	uint32_t offset;
	uint32_t size;
	uint32_t count;
	uint8_t location;
	bool is_signed;
	bool is_array;
	bool is_common;
};

/*
 * Flags of uev_schema_parse(). The default is a record of this machine, or of
 * one like it.
 */
enum uev_schema_flag {
	UEV_SCHEMA_SWAPPED = 1, /* records have the other byte order */
	UEV_SCHEMA_LONG32 = 2, /* the kernel's long has 4 bytes */
	UEV_SCHEMA_LONG64 = 4, /* ... 8 bytes */
};

/**
 * uev_schema_parse() - Parses the content of a format file
 * @schema: set to the schema, which the caller frees with uev_schema_free();
 *        NULL on error
 * @system: directory of the event below events/; copied
 * @text: content of the file, not NUL-terminated; copied
 * @size: bytes of @text
 * @flags: of enum uev_schema_flag, or 0
 * @error_offset: set to the offset of the error in @text, on -EINVAL; or NULL
 *
 * Ignores lines other than name, ID and fields, and all lines from "print fmt"
 * on.
 *
 * Return: 0; -EINVAL if it is not a format file or a flag is unknown; -ENOMEM.
 */
UEV_TRACE_API int uev_schema_parse(struct uev_schema **schema,
				   const char *system, const char *text,
				   size_t size, unsigned int flags,
				   size_t *error_offset);

/**
 * uev_schema_of() - Parses the format of an event of a session or a file
 * @schema: as for uev_schema_parse()
 * @source: the event, from <userevents/session.h>
 * @flags: as for uev_schema_parse(): 0 for a session. For a file,
 *        UEV_SCHEMA_SWAPPED if uev_perf_info.is_foreign, and the size of long,
 *        which a pipe has in front of its first record
 *
 * Return: as uev_schema_parse(); -ENODATA if the format is unknown.
 */
UEV_TRACE_API int uev_schema_of(struct uev_schema **schema,
				const struct uev_source *source,
				unsigned int flags);

/**
 * uev_schema_free() - Frees a schema
 * @schema: the schema, or NULL; no decoder must use it any more
 */
UEV_TRACE_API void uev_schema_free(struct uev_schema *schema);

/**
 * uev_schema_system() - Gets the group of the event
 * @schema: the schema
 *
 * Return: the group, which belongs to the schema.
 */
UEV_TRACE_API const char *uev_schema_system(const struct uev_schema *schema);

/**
 * uev_schema_name() - Gets the name of the event
 * @schema: the schema
 *
 * Return: the name, which belongs to the schema.
 */
UEV_TRACE_API const char *uev_schema_name(const struct uev_schema *schema);

/**
 * uev_schema_id() - Gets the ID of the event
 * @schema: the schema
 *
 * Return: the ID, which samples have, too.
 */
UEV_TRACE_API uint32_t uev_schema_id(const struct uev_schema *schema);

/**
 * uev_schema_field_count() - Gets the number of fields
 * @schema: the schema
 *
 * Return: the number, including the common fields.
 */
UEV_TRACE_API size_t uev_schema_field_count(const struct uev_schema *schema);

/**
 * uev_schema_field() - Gets a field
 * @schema: the schema
 * @number: from 0 in the order of the file, which starts with the common fields
 *
 * Return: the field, which belongs to the schema; NULL if @number is out of
 * range.
 */
UEV_TRACE_API const struct uev_format_field *
uev_schema_field(const struct uev_schema *schema, size_t number);

/**
 * uev_schema_is_eventheader() - Tests for an EventHeader event
 * @schema: the schema
 *
 * Return: whether "eventheader_flags" is the first field that is not common.
 */
UEV_TRACE_API bool uev_schema_is_eventheader(const struct uev_schema *schema);

/* ---- Names of EventHeader tracepoints ---- */

/**
 * struct uev_eventheader_name - Parts of PROVIDER_LlevelKkeyword[options]
 * @provider: the provider's name, not NUL-terminated
 * @provider_size: bytes of @provider
 * @options: "Ggroup" and other options, up to the end of the name
 * @options_size: bytes of @options, 0 if there are none
 * @group: the value of option G, not NUL-terminated, or NULL
 * @group_size: bytes of @group
 * @keyword: bits of the keyword
 * @level: 1 to 255, or 0, which .NET has and which is no severity
 * @reserved: set to 0
 * @reserved_pointers: set to NULL
 */
struct uev_eventheader_name {
	const char *provider;
	size_t provider_size;
	const char *options;
	size_t options_size;
	const char *group;
	size_t group_size;
	uint64_t keyword;
	uint8_t level;
	uint8_t reserved[7];
	const void *reserved_pointers[4];
};

/**
 * uev_eventheader_name_parse() - Parses the name of an EventHeader tracepoint
 * @parts: receives the parts, which point into @name
 * @name: the name, without its system
 *
 * A level has at most 2 digits, and a keyword 16. This library writes them in
 * lower case without leading zeros, but others also write L05 and KFF. Options
 * are unique and sorted by their capital letters, of which A to F cannot follow
 * the keyword. The name has at most UEV_EVENTHEADER_NAME_MAX bytes.
 *
 * Return: 0; -EINVAL for any other name.
 */
UEV_TRACE_API int uev_eventheader_name_parse(struct uev_eventheader_name *parts,
					     const char *name);

/* ---- Values ---- */

enum uev_decoded_type {
	UEV_DECODED_NULL = 0, /* a nullable field without a value */
	UEV_DECODED_UNSIGNED = 1, /* .u64 */
	UEV_DECODED_SIGNED = 2, /* .i64 */
	UEV_DECODED_HEX = 3, /* .u64, shown in hexadecimal */
	UEV_DECODED_BOOL = 4, /* .boolean */
	UEV_DECODED_FLOAT = 5, /* .f64; .size is 4 for a float */
	UEV_DECODED_ERRNO = 6, /* .i64 */
	UEV_DECODED_PID = 7, /* .i64 */
	UEV_DECODED_TIME = 8, /* .i64, seconds since 1970 */
	UEV_DECODED_PORT = 9, /* .u64, in the machine's byte order */
	UEV_DECODED_IPV4 = 10, /* .bytes, 4 of them */
	UEV_DECODED_IPV6 = 11, /* .bytes, 16 of them */
	UEV_DECODED_UUID = 12, /* .bytes, 16 of them */
	UEV_DECODED_TEXT = 13, /* .bytes, as .charset says */
	UEV_DECODED_BYTES = 14, /* .bytes */
};

/* Encodings of text. */
enum uev_charset {
	UEV_CHARSET_LATIN1 = 0,
	UEV_CHARSET_UTF8 = 1,
	UEV_CHARSET_UTF16LE = 2,
	UEV_CHARSET_UTF16BE = 3,
	UEV_CHARSET_UTF32LE = 4,
	UEV_CHARSET_UTF32BE = 5,
};

/**
 * struct uev_decoded_value - A value and its bytes
 * @type: of enum uev_decoded_type
 * @charset: of enum uev_charset, for UEV_DECODED_TEXT
 * @bytes: its bytes in the record, not aligned; text is without its NUL and its
 *        byte-order mark
 * @size: number of @bytes
 * @u64: an unsigned number
 * @i64: a signed number
 * @f64: a floating-point number
 * @boolean: true or false
 * @reserved: 0
 */
struct uev_decoded_value {
	uint8_t type;
	uint8_t charset;
	const uint8_t *bytes;
	size_t size;
	union {
		uint64_t u64;
		int64_t i64;
		double f64;
		bool boolean;
	};
	uint64_t reserved[2];
};

/**
 * uev_decoded_value_append_text() - Appends a value as readable text
 * @value: the value
 * @output: the text
 *
 * The output is valid UTF-8. Invalid bytes of UTF-8 input are read as Latin-1,
 * and invalid units of UTF-16 and UTF-32 become U+FFFD. Nothing is escaped, and
 * the text can contain NULs.
 *
 * Return: 0; -ENOMEM, and @output is unchanged.
 */
UEV_TRACE_API int
uev_decoded_value_append_text(const struct uev_decoded_value *value,
			      struct uev_output *output);

/**
 * uev_decoded_value_append_json() - Appends a value as JSON
 * @value: the value
 * @output: the text
 *
 * Numbers, true, false and null are written unquoted. Everything else is a
 * string: text, bytes as "0a 1b", hexadecimal numbers as "0x1F", errors as
 * "ENOENT(2)", times as "2024-02-29T12:00:00", and "nan", "inf" and "-inf".
 * Control and format characters of Unicode are escaped.
 *
 * Return: 0; -ENOMEM, and @output is unchanged.
 */
UEV_TRACE_API int
uev_decoded_value_append_json(const struct uev_decoded_value *value,
			      struct uev_output *output);

/**
 * uev_errno_name() - Gets the name of a Linux error
 * @number: its number on most architectures
 *
 * Return: a static string such as "ENOENT"; NULL for an unknown number.
 */
UEV_TRACE_API const char *uev_errno_name(int number);

/* ---- Records ---- */

/* Kinds of items of uev_decoder_next(). */
enum uev_item_kind {
	UEV_ITEM_END = 0, /* end of the record */
	UEV_ITEM_VALUE = 1,
	UEV_ITEM_STRUCT_BEGIN = 2,
	UEV_ITEM_STRUCT_END = 3,
	UEV_ITEM_ARRAY_BEGIN = 4,
	UEV_ITEM_ARRAY_END = 5,
};

/**
 * struct uev_item - A value, or the start or end of a struct or array
 * @kind: of enum uev_item_kind
 * @encoding: of enum uev_encoding without flags, or 0 in a plain record
 * @format: of enum uev_format, as in the record; 0 for a struct
 * @depth: number of structs around it
 * @tag: of the field, or 0
 * @is_element: an element of an array, whose name it repeats
 * @name: name of the field with its attributes, not NUL-terminated; bytes of
 *        the record, possibly not UTF-8
 * @name_size: bytes of @name
 * @count: number of elements of an array, or of members that a struct
 *        announces, which can exceed the actual number
 * @index: index of an element in its array, from 0
 * @value: for UEV_ITEM_VALUE
 *
 * The end of a struct or array has the name, tag and index of its start.
 */
struct uev_item {
	uint8_t kind;
	uint8_t encoding;
	uint8_t format;
	uint8_t depth;
	uint16_t tag;
	bool is_element;
	const char *name;
	size_t name_size;
	uint32_t count;
	uint32_t index;
	struct uev_decoded_value value;
};

/**
 * struct uev_record_info - Description of a record besides its fields
 * @schema: the schema of the record, or NULL
 * @is_eventheader: the members after @name_size are valid
 * @provider: the provider, or the system of a plain record; not NUL-terminated
 * @provider_size: bytes of @provider
 * @name: name of the event without attributes; not NUL-terminated
 * @name_size: bytes of @name
 * @attributes: rest of the name in the metadata, from the first ';' on
 * @attributes_size: bytes of @attributes, 0 if there are none
 * @options: options in the tracepoint's name
 * @options_size: bytes of @options, 0 if there are none
 * @activity: UEV_ACTIVITY_SIZE bytes, or NULL
 * @related: UEV_ACTIVITY_SIZE bytes, or NULL
 * @keyword: from the tracepoint's name
 * @id: from the header, as are the following members
 * @tag: tag of the event
 * @version: version of the event
 * @opcode: of enum uev_opcode or another number
 * @level: of enum uev_level or another number
 * @flags: of enum uev_header_flag
 */
struct uev_record_info {
	const struct uev_schema *schema;
	bool is_eventheader;
	const char *provider;
	size_t provider_size;
	const char *name;
	size_t name_size;
	const char *attributes;
	size_t attributes_size;
	const char *options;
	size_t options_size;
	const uint8_t *activity;
	const uint8_t *related;
	uint64_t keyword;
	uint16_t id;
	uint16_t tag;
	uint8_t version;
	uint8_t opcode;
	uint8_t level;
	uint8_t flags;
};

/**
 * uev_decoder_new() - Allocates a decoder for any number of records
 * @decoder: set to the decoder, for uev_decoder_free(); NULL on error
 *
 * No other function allocates memory.
 *
 * Return: 0; -ENOMEM.
 */
UEV_TRACE_API int uev_decoder_new(struct uev_decoder **decoder);

/**
 * uev_decoder_free() - Frees a decoder
 * @decoder: the decoder, or NULL
 */
UEV_TRACE_API void uev_decoder_free(struct uev_decoder *decoder);

/**
 * uev_decoder_start() - Starts a record
 * @decoder: the decoder, whose previous record is discarded
 * @schema: schema of the event, or NULL if unknown: then the whole record is
 *        one value called "raw". Owned by the caller, and must exist until the
 *        next start
 * @record: bytes of the record from the common fields on; must exist until the
 *        next start
 * @size: number of bytes
 *
 * Reads the header and the metadata of an EventHeader record.
 *
 * Return: 0; -EBADMSG if the record is malformed; -EOPNOTSUPP if it has unknown
 * header flags or no metadata, or if its tracepoint's name has no level and
 * keyword or another level.
 */
UEV_TRACE_API int uev_decoder_start(struct uev_decoder *decoder,
				    const struct uev_schema *schema,
				    const void *record, size_t size);

/**
 * uev_decoder_start_common() - Starts the common fields of a record
 * @decoder: the decoder
 * @schema: as for uev_decoder_start(), but not NULL
 * @record: bytes of the record
 * @size: number of bytes
 *
 * Return: 0; -EBADMSG for 2 GiB or more.
 */
UEV_TRACE_API int uev_decoder_start_common(struct uev_decoder *decoder,
					   const struct uev_schema *schema,
					   const void *record, size_t size);

/**
 * uev_decoder_start_eventheader() - Starts an event without common fields
 * @decoder: the decoder
 * @name: name of the tracepoint, PROVIDER_LlevelKkeyword; must exist until the
 *        next start
 * @bytes: the event from its header on, as a program writes it after the write
 *        index; must exist until the next start
 * @size: number of bytes
 *
 * Return: as uev_decoder_start().
 */
UEV_TRACE_API int uev_decoder_start_eventheader(struct uev_decoder *decoder,
						const char *name,
						const void *bytes, size_t size);

/**
 * uev_decoder_next() - Reads the next item
 * @decoder: a decoder with a started record
 *
 * Return: of enum uev_item_kind, which is 0 at the end of the record and in
 * later calls; -EBADMSG if the record is malformed; -EOPNOTSUPP for an unknown
 * encoding or structs nested more than UEV_STRUCT_DEPTH_MAX deep; -E2BIG for
 * more items than the size of a record allows, which only malformed records
 * have, those with names longer than 255 bytes, and those with more than 16
 * empty arrays of large structs in each element of an array; -EINVAL if no
 * record was started. An error, including that of the start, persists until the
 * next start.
 */
UEV_TRACE_API int uev_decoder_next(struct uev_decoder *decoder);

/**
 * uev_decoder_item() - Gets the item of the last uev_decoder_next()
 * @decoder: the decoder
 *
 * Return: the item, valid until the next call with the decoder.
 */
UEV_TRACE_API const struct uev_item *
uev_decoder_item(const struct uev_decoder *decoder);

/**
 * uev_decoder_info() - Gets the description of the record besides its fields
 * @decoder: a decoder with a started record
 *
 * Return: the description, valid until the next start. It points into record
 * and schema.
 */
UEV_TRACE_API const struct uev_record_info *
uev_decoder_info(const struct uev_decoder *decoder);

/**
 * uev_decoder_error() - Describes the error of the record
 * @decoder: the decoder
 * @offset: set to the offset of the error in the record; or NULL
 *
 * Return: a static string in lower case without a full stop; NULL if no error
 * occurred since the last start.
 */
UEV_TRACE_API const char *uev_decoder_error(const struct uev_decoder *decoder,
					    size_t *offset);

/* ---- JSON ---- */

/*
 * Members of "meta", in this order. Members of the sample are written if they
 * are known, and members of the header if they are not zero.
 */
enum uev_meta {
	UEV_META_TIME = 1 << 0, /* from the sample, as are the next three */
	UEV_META_CPU = 1 << 1,
	UEV_META_PID = 1 << 2,
	UEV_META_TID = 1 << 3,
	UEV_META_PROVIDER = 1 << 4,
	UEV_META_EVENT = 1 << 5,
	UEV_META_ID = 1 << 6,
	UEV_META_VERSION = 1 << 7,
	UEV_META_LEVEL = 1 << 8,
	UEV_META_KEYWORD = 1 << 9,
	UEV_META_OPCODE = 1 << 10,
	UEV_META_TAG = 1 << 11,
	UEV_META_ACTIVITY = 1 << 12,
	UEV_META_RELATED = 1 << 13,
	UEV_META_OPTIONS = 1 << 14,
	UEV_META_FLAGS = 1 << 15,
	UEV_META_COMMON = 1 << 16, /* the common fields */
	UEV_META_VPID = 1 << 17, /* from the sample */
};

/* All but provider, event, options, flags and the common fields. */
#define UEV_META_DEFAULT                                                      \
	(UEV_META_TIME | UEV_META_CPU | UEV_META_PID | UEV_META_TID |         \
	 UEV_META_ID | UEV_META_VERSION | UEV_META_LEVEL | UEV_META_KEYWORD | \
	 UEV_META_OPCODE | UEV_META_TAG | UEV_META_ACTIVITY |                 \
	 UEV_META_RELATED | UEV_META_VPID)

enum uev_json_flag {
	UEV_JSON_COMPACT = 1, /* no spaces between tokens */
	UEV_JSON_PARTIAL = 2, /* keep the items before an error */
	UEV_JSON_OPEN = 4, /* no closing bracket: the caller adds members */
};

/**
 * struct uev_json_options - Options of the JSON of a record
 * @size: sizeof(struct uev_json_options), as compiled
 * @flags: of enum uev_json_flag
 * @meta: of enum uev_meta; "meta" is left out if it is empty
 * @limit: maximum bytes of the JSON of one record, because a record can repeat
 *        a long name; 0: 16 MiB
 */
struct uev_json_options {
	size_t size;
	uint32_t flags;
	uint32_t meta;
	size_t limit;
};

#define UEV_JSON_OPTIONS_INIT                                           \
	{                                                               \
		sizeof(struct uev_json_options), 0, UEV_META_DEFAULT, 0 \
	}

/**
 * struct uev_json_sample - Description of a record by its source
 * @size: sizeof(struct uev_json_sample), as compiled
 * @flags: UEV_HAS_*: the known members
 * @cpu: the processor
 * @time: nanoseconds
 * @pid: the process
 * @tid: the thread
 * @vpid: the process in its own pid namespace
 * @reserved: 0
 */
struct uev_json_sample {
	size_t size;
	uint32_t flags;
	uint32_t cpu;
	uint64_t time;
	int32_t pid;
	int32_t tid;
	int32_t vpid;
	uint32_t reserved;
};

#define UEV_JSON_SAMPLE_INIT                                        \
	{                                                           \
		sizeof(struct uev_json_sample), 0, 0, 0, 0, 0, 0, 0 \
	}

/**
 * uev_decoder_append_json() - Appends a record as a JSON object
 * @decoder: a decoder with a started record and no item read; is moved to the
 *        end of the record or to an error
 * @options: options, or NULL for UEV_JSON_OPTIONS_INIT
 * @sample: description of the record, or NULL
 * @json: the text
 *
 * The object is
 *
 *	{ "n": "Provider:Event", fields, "meta": { ... } }
 *
 * with fields in the order of the record. A name that occurs several times in
 * the record occurs several times in the object. A field with a tag is called
 * "name;tag=0xBEEF". The output is valid JSON and valid UTF-8 for any record,
 * see uev_decoded_value_append_text(). A record without a schema has no "n".
 *
 * Return: 0; an error of uev_decoder_next() or of the start, and @json is
 * unchanged, or with UEV_JSON_PARTIAL has an object of the items before the
 * error with "error": { "reason": ..., "offset": ... } at its end; -E2BIG if
 * the object exceeds the limit of @options; -EINVAL if options are unknown, no
 * record was started or an item was read; -ENOMEM. @json is unchanged after the
 * last three. -E2BIG is also an error of uev_decoder_next(): with
 * UEV_JSON_PARTIAL, @json tells the two apart.
 */
UEV_TRACE_API int uev_decoder_append_json(
	struct uev_decoder *decoder, const struct uev_json_options *options,
	const struct uev_json_sample *sample, struct uev_output *json);

UEV_END_DECLS

#endif
