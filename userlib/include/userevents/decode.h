/* SPDX-License-Identifier: MIT */
/*
 * libuserevents-trace: what the bytes of a record say, as typed values and as
 * JSON.
 *
 * Three objects:
 *
 *	struct uev_schema	what the format file of one event says
 *	struct uev_decoder	reads one record after the other, item by item
 *	struct uev_output	a text that grows, for JSON and values as text
 *
 * A record is what perf calls its raw data and ftrace its entry: the common
 * fields that the kernel puts in front, and the payload. Any bytes may be given
 * as one, and any text as a format file: what is not in order is an error, and
 * never read beyond its end.
 *
 * Functions return 0, a number or a negative errno. An object is for one thread
 * at a time, except a schema, which nothing changes once it is there.
 */
#ifndef USEREVENTS_DECODE_H
#define USEREVENTS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/common.h>
#include <userevents/eventheader-types.h>

UEV_BEGIN_DECLS

struct uev_schema;
struct uev_decoder;

/* ---- Text that grows ---- */

/*
 * struct uev_output - a text that functions append to
 * @text: the text and a NUL, or NULL while nothing was appended
 * @size: bytes of the text, without the NUL
 * @room: bytes that are allocated; the library's
 *
 * All zero, or UEV_OUTPUT_INIT, to begin with. Whoever has it releases it with
 * uev_output_release(). To empty it, and keep the memory, make @size 0.
 */
struct uev_output {
	char *text;
	size_t size;
	size_t room;
};

#define UEV_OUTPUT_INIT    \
	{                  \
		NULL, 0, 0 \
	}

/*
 * uev_output_append - appends bytes
 * @output: what to
 * @bytes: what; copied
 * @size: how many
 *
 * Return: 0, or -ENOMEM, with @output as it was.
 */
UEV_API int uev_output_append(struct uev_output *output, const char *bytes,
			      size_t size);

/*
 * uev_output_release - gives the memory of a text back
 * @output: the text, which is empty afterwards and may be used again
 */
UEV_API void uev_output_release(struct uev_output *output);

/* ---- Format files ---- */

/* How the data of a field is found. */
enum uev_schema_location {
	UEV_LOCATION_INLINE = 0, /* it is the field's own bytes */
	UEV_LOCATION_DATA_LOC = 1, /* they say where, from the record's begin */
	UEV_LOCATION_REL_LOC = 2, /* they say where, from their own end */
};

/*
 * struct uev_format_field - one field as a format file describes it
 * @name: its name
 * @type: its type, without what stands behind the name
 * @offset: bytes in front of it, from the record's begin
 * @size: its bytes; 0 for the rest of the record
 * @count: elements of an array whose length is in its declaration, or 0
 * @location: of enum uev_schema_location
 * @is_signed: as the file says
 * @is_array: it is an array of elements, whether @count is known or not
 * @is_common: the kernel's, and the same in every event
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
 * Flags of uev_schema_parse(). Without one of them records are of this machine,
 * or of one like it.
 */
enum uev_schema_flag {
	UEV_SCHEMA_SWAPPED = 1, /* records have the other byte order */
	UEV_SCHEMA_LONG32 = 2, /* the kernel's long has 4 bytes */
	UEV_SCHEMA_LONG64 = 4, /* ... 8 bytes */
};

/*
 * uev_schema_parse - takes the text of a format file apart
 * @schema: where the schema goes
 * @system: the directory of the event below events/; copied
 * @text: the text; copied, needs no NUL
 * @size: its bytes
 * @flags: of enum uev_schema_flag, or 0
 * @error_offset: where in @text it is not in order, on -EINVAL; may be NULL
 *
 * Lines other than name, ID and the fields, and all from "print fmt" on, are
 * ignored.
 *
 * Return: 0, with a schema that the caller gives to uev_schema_free(); -EINVAL
 * for a text that is no format file, or unknown flags; -ENOMEM.
 */
UEV_API int uev_schema_parse(struct uev_schema **schema, const char *system,
			     const char *text, size_t size, unsigned int flags,
			     size_t *error_offset);

/*
 * uev_schema_free - gives the memory of a schema back
 * @schema: the schema, or NULL. No decoder may use it any more.
 */
UEV_API void uev_schema_free(struct uev_schema *schema);

/*
 * What a schema says. Texts and fields are the schema's and live as long as it.
 * A number of a field begins at 0, with the common ones first as in the file;
 * there is no field (NULL) of other numbers.
 */
UEV_API const char *uev_schema_system(const struct uev_schema *schema);
UEV_API const char *uev_schema_name(const struct uev_schema *schema);
UEV_API uint32_t uev_schema_id(const struct uev_schema *schema);
UEV_API size_t uev_schema_field_count(const struct uev_schema *schema);
UEV_API const struct uev_format_field *
uev_schema_field(const struct uev_schema *schema, size_t number);

/* Whether its records are EventHeader: "eventheader_flags" is the first field
 * that is not common.
 */
UEV_API bool uev_schema_is_eventheader(const struct uev_schema *schema);

/* ---- Names of EventHeader tracepoints ---- */

/*
 * struct uev_eventheader_name - PROVIDER_LlevelKkeyword[options] taken apart
 * @provider: where the provider's name begins, not ended by a NUL
 * @provider_size: its bytes
 * @options: where the options begin, "Ggroup" and others; ended as the name is
 * @options_size: their bytes, 0 if there are none
 * @group: where the value of option G begins, or NULL
 * @group_size: its bytes
 * @keyword: bits of the keyword
 * @level: 1 to 255
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
};

/*
 * uev_eventheader_name_parse - takes a tracepoint's name apart
 * @parts: where the parts go, which point into @name
 * @name: the name, without its system
 *
 * Digits are lower-case and have no zeros in front, options are in the order of
 * their capitals, each once, and the name has UEV_EVENTHEADER_NAME_MAX bytes at
 * most.
 *
 * Return: 0; -EINVAL for any other name.
 */
UEV_API int uev_eventheader_name_parse(struct uev_eventheader_name *parts,
				       const char *name);

/* ---- Values ---- */

enum uev_decoded_type {
	UEV_DECODED_NULL = 0, /* a nullable field without a value */
	UEV_DECODED_UNSIGNED = 1, /* .u64 */
	UEV_DECODED_SIGNED = 2, /* .i64 */
	UEV_DECODED_HEX = 3, /* .u64, shown in hexadecimal */
	UEV_DECODED_BOOL = 4, /* .boolean */
	UEV_DECODED_FLOAT = 5, /* .f64; .size says whether it had 4 bytes */
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

/* What the bytes of a text are. */
enum uev_charset {
	UEV_CHARSET_LATIN1 = 0,
	UEV_CHARSET_UTF8 = 1,
	UEV_CHARSET_UTF16LE = 2,
	UEV_CHARSET_UTF16BE = 3,
	UEV_CHARSET_UTF32LE = 4,
	UEV_CHARSET_UTF32BE = 5,
};

/*
 * struct uev_decoded - a value and the bytes it is from
 * @type: of enum uev_decoded_type
 * @charset: of enum uev_charset; for UEV_DECODED_TEXT
 * @bytes: where in the record it is; not aligned, and of a text neither with
 *	the NUL nor with a byte-order mark that was taken for one
 * @size: how many bytes
 * @u64: an unsigned number
 * @i64: a signed number
 * @f64: a floating-point number
 * @boolean: true or false
 */
struct uev_decoded {
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
};

/*
 * uev_decoded_append_text - appends a value as a person reads it
 * @value: the value
 * @output: what to
 *
 * What is appended is valid UTF-8, whatever the value is from. In UTF-8, a byte
 * that is part of no character is taken for one of Latin-1; in UTF-16 and
 * UTF-32 what is no character becomes U+FFFD. Nothing is escaped, and a text
 * may have NULs in it.
 *
 * Return: 0, or -ENOMEM, with @output as it was.
 */
UEV_API int uev_decoded_append_text(const struct uev_decoded *value,
				    struct uev_output *output);

/*
 * uev_decoded_append_json - appends a value as JSON
 * @value: the value
 * @output: what to
 *
 * Numbers, true, false and null stand as they are, and everything else in
 * quotes: text, bytes as "0a 1b", numbers in hexadecimal as "0x1F", errors as
 * "ENOENT(2)", times as "2024-02-29T12:00:00", and "nan", "inf" and "-inf".
 *
 * Return: 0, or -ENOMEM, with @output as it was.
 */
UEV_API int uev_decoded_append_json(const struct uev_decoded *value,
				    struct uev_output *output);

/*
 * uev_errno_name - the name of an error of Linux
 * @number: its number, as most architectures have it
 *
 * Return: a name such as "ENOENT", static; NULL for a number without one.
 */
UEV_API const char *uev_errno_name(int number);

/* ---- Records ---- */

/* What uev_decoder_next() came upon. */
enum uev_item_kind {
	UEV_ITEM_END = 0, /* there is no more */
	UEV_ITEM_VALUE = 1,
	UEV_ITEM_STRUCT_BEGIN = 2,
	UEV_ITEM_STRUCT_END = 3,
	UEV_ITEM_ARRAY_BEGIN = 4,
	UEV_ITEM_ARRAY_END = 5,
};

/*
 * struct uev_item - a value, or where a struct or an array begins or ends
 * @kind: of enum uev_item_kind
 * @encoding: of enum uev_encoding without flags, or 0 in a plain record
 * @format: of enum uev_format, as in the record; 0 for a struct
 * @depth: structs around it
 * @tag: of the field, or 0
 * @is_element: one of an array, whose name it repeats
 * @name: the field's name with its attributes, not ended by a NUL; the
 *	record's bytes, so not always UTF-8
 * @name_size: bytes of the name
 * @count: elements of an array; members that a struct announced, which may be
 *	more than it has
 * @index: number of an element in its array, from 0
 * @value: of UEV_ITEM_VALUE
 *
 * The end of a struct or an array has the name, the tag and the index of its
 * beginning.
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
	struct uev_decoded value;
};

/*
 * struct uev_record_info - what a record says beside its fields
 * @schema: what it was read with, or NULL
 * @is_eventheader: what follows @name_size is only of such records
 * @provider: the provider, or the system of a plain record; not ended by a NUL
 * @provider_size: its bytes
 * @name: the event's name without attributes; not ended by a NUL
 * @name_size: its bytes
 * @attributes: what follows the name in the metadata, from the first ';' on
 * @attributes_size: its bytes, 0 if there are none
 * @options: options in the tracepoint's name
 * @options_size: their bytes, 0 if there are none
 * @activity: UEV_ACTIVITY_SIZE bytes, or NULL
 * @related: UEV_ACTIVITY_SIZE bytes, or NULL
 * @keyword: from the tracepoint's name
 * @id: of the header, as are the rest
 * @tag: the event's tag
 * @version: of the event
 * @opcode: of enum uev_opcode or another
 * @level: of enum uev_level or another
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

/*
 * uev_decoder_new - makes a decoder, for any number of records
 *
 * Nothing else allocates: uev_decoder_start() and uev_decoder_next() do not.
 *
 * Return: a decoder that the caller gives to uev_decoder_free(); NULL without
 * memory.
 */
UEV_API struct uev_decoder *uev_decoder_new(void);

/*
 * uev_decoder_free - gives the memory of a decoder back
 * @decoder: the decoder, or NULL
 */
UEV_API void uev_decoder_free(struct uev_decoder *decoder);

/*
 * uev_decoder_start - begins a record
 * @decoder: the decoder; what it had before is forgotten
 * @schema: what its event's format file says, or NULL if nobody knows: then
 *	all of the record is one value called "raw". Stays the caller's and must
 *	live as long as the decoder is used for this record.
 * @record: the bytes, from the common fields on; the same holds for them
 * @size: how many
 *
 * Of an EventHeader record all up to the first field is read here.
 *
 * Return: 0; -EBADMSG for bytes that cannot be such a record; -EOPNOTSUPP for
 * what only a later reader may know: other flags of the header, a record
 * without metadata, a tracepoint whose name has no level and keyword, or
 * another level than the header.
 */
UEV_API int uev_decoder_start(struct uev_decoder *decoder,
			      const struct uev_schema *schema,
			      const void *record, size_t size);

/*
 * uev_decoder_start_common - begins the common fields of a record
 * @decoder: the decoder
 * @schema: as for uev_decoder_start(), but not NULL
 * @record: the bytes
 * @size: how many
 *
 * Return: 0; -EBADMSG for 2 GiB or more.
 */
UEV_API int uev_decoder_start_common(struct uev_decoder *decoder,
				     const struct uev_schema *schema,
				     const void *record, size_t size);

/*
 * uev_decoder_start_eventheader - begins an event without common fields
 * @decoder: the decoder
 * @name: the tracepoint's name, PROVIDER_LlevelKkeyword; must live as long as
 *	the decoder is used for this record
 * @bytes: the event from its header on, as a program writes it behind the write
 *	index; the same holds for them
 * @size: how many
 *
 * Return: as uev_decoder_start().
 */
UEV_API int uev_decoder_start_eventheader(struct uev_decoder *decoder,
					  const char *name, const void *bytes,
					  size_t size);

/*
 * uev_decoder_next - goes on to the next item
 * @decoder: a decoder that was started
 *
 * Return: of enum uev_item_kind, which is 0 at the end of the record and
 * stays 0; -EBADMSG where the bytes are not in order; -EOPNOTSUPP for an
 * encoding that only a later reader may know, and structs in more than
 * UEV_STRUCT_DEPTH_MAX structs; -E2BIG for more than 65535 elements that have
 * no bytes; -EINVAL if the decoder was not started. An error, that of the start
 * included, stays until the next start.
 */
UEV_API int uev_decoder_next(struct uev_decoder *decoder);

/*
 * uev_decoder_item - the item that uev_decoder_next() came upon
 * @decoder: the decoder
 *
 * Return: the item, the decoder's, and valid until it goes on.
 */
UEV_API const struct uev_item *
uev_decoder_item(const struct uev_decoder *decoder);

/*
 * uev_decoder_info - what the record says beside its fields
 * @decoder: a decoder that was started
 *
 * Return: the decoder's, and valid until it begins another record. It points
 * into record and schema.
 */
UEV_API const struct uev_record_info *
uev_decoder_info(const struct uev_decoder *decoder);

/*
 * uev_decoder_error - what is not in order
 * @decoder: the decoder
 * @offset: where in the record; may be NULL
 *
 * Return: a sentence without a capital and a period, static; NULL if there was
 * no error since the last start.
 */
UEV_API const char *uev_decoder_error(const struct uev_decoder *decoder,
				      size_t *offset);

/* ---- JSON ---- */

/*
 * What "meta" has, in this order: of the sample what is known, and of the header
 * what is not zero.
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
};

/* All but provider, event, options, flags and the common fields. */
#define UEV_META_DEFAULT                                                      \
	(UEV_META_TIME | UEV_META_CPU | UEV_META_PID | UEV_META_TID |         \
	 UEV_META_ID | UEV_META_VERSION | UEV_META_LEVEL | UEV_META_KEYWORD | \
	 UEV_META_OPCODE | UEV_META_TAG | UEV_META_ACTIVITY |                 \
	 UEV_META_RELATED)

enum uev_json_flag {
	UEV_JSON_COMPACT = 1, /* without spaces between the parts */
	UEV_JSON_PARTIAL = 2, /* of a bad record what is before the error */
};

/*
 * struct uev_json_options - what JSON of a record looks like
 * @size: sizeof this structure, as the program was compiled with
 * @flags: of enum uev_json_flag
 * @meta: of enum uev_meta; without "meta" if there is nothing to show
 * @limit: bytes that the JSON of one record may have; 0 for 16 MiB. A record
 *	can repeat a long name very often.
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

enum uev_sample_flag {
	UEV_SAMPLE_TIME = 1, /* .time counts from any point of time */
	UEV_SAMPLE_WALL_TIME = 2, /* .time counts from the year 1970 */
	UEV_SAMPLE_CPU = 4,
	UEV_SAMPLE_PID = 8,
	UEV_SAMPLE_TID = 16,
};

/*
 * struct uev_json_sample - what is known of a record from where it came from
 * @size: sizeof this structure, as the program was compiled with
 * @flags: of enum uev_sample_flag: which of the others are known
 * @cpu: the processor
 * @time: nanoseconds
 * @pid: the process
 * @tid: the thread
 */
struct uev_json_sample {
	size_t size;
	uint32_t flags;
	uint32_t cpu;
	uint64_t time;
	int32_t pid;
	int32_t tid;
};

#define UEV_JSON_SAMPLE_INIT                                  \
	{                                                     \
		sizeof(struct uev_json_sample), 0, 0, 0, 0, 0 \
	}

/*
 * uev_decoder_append_json - appends a record as one JSON object
 * @decoder: a decoder that was started and has not moved, which it does now, to
 *	the record's end or an error
 * @options: how, or NULL for UEV_JSON_OPTIONS_INIT
 * @sample: what else is known, or NULL
 * @json: what to
 *
 * The object is
 *
 *	{ "n": "Provider:Event", fields, "meta": { ... } }
 *
 * with fields in the order of the record, each as often as it is there. A field
 * with a tag is called "name;tag=0xBEEF". What is appended is valid JSON and
 * valid UTF-8, whatever the record is; see uev_decoded_append_text() for what
 * becomes of what is no text. Of a record without a schema there is no "n".
 *
 * Return: 0; an error of uev_decoder_next(), with @json as it was, or, with
 * UEV_JSON_PARTIAL, with an object of the items before the error, and
 * "error": { "reason": ..., "offset": ... } at its end; -E2BIG, with @json as
 * it was, if there is more than @options allow; -EINVAL for options that are
 * not known, and a decoder that was not started or has moved; -ENOMEM, with
 * @json as it was. With UEV_JSON_PARTIAL a start that failed is an error like
 * others.
 */
UEV_API int uev_decoder_append_json(struct uev_decoder *decoder,
				    const struct uev_json_options *options,
				    const struct uev_json_sample *sample,
				    struct uev_output *json);

UEV_END_DECLS

#endif
