// SPDX-License-Identifier: MIT
/* EventHeader events that are assembled at run time. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/eventheader-dynamic.h>

#include "core/write.h"
#include "eventheader/name.h"
#include "eventheader/texts.h"
#include "util/alloc.h"

/* Maximum bytes of an event, more than any tracer takes. */
#define EVENT_MAX 65535

/*
 * Bytes of payload above which texts are shortened at once, so that many long
 * texts do not exceed EVENT_MAX.
 */
#define SHORTEN_EARLY 32768

/* Maximum bytes before the metadata. */
#define FRONT                                                                \
	(sizeof(struct uev_eventheader) + 2 * sizeof(struct uev_extension) + \
	 2 * UEV_ACTIVITY_SIZE)

/* Enough for most events. */
#define FIRST_SIZE 512

/* Maximum bytes of a field after its name: encoding, format, tag and count. */
#define FIELD_MAX 6

/*
 * Adding a value is the most frequent operation. Its code is in one function
 * and the rest is out of line, which halves its cost.
 */
#define ALWAYS_INLINE __attribute__((__always_inline__))
#define NOINLINE __attribute__((__noinline__))

/* Bytes of 0 after the last known description of a field */
#define META_END 2

/*
 * struct uev_builder - An event under construction
 * @event: FRONT bytes for the header, then the metadata; and the payload
 * @header: without flags and level
 * @error: the first error of the event
 * @repeats: so far, the event has the metadata of the previous one
 * @has_structs: their members must be checked
 * @limit: maximum size of the event if texts can be shortened, otherwise 0
 * @texts: texts that can be shortened
 * @depth: number of open structs
 * @open: position of the member count of each of these in @meta
 */
struct uev_builder {
	/* Must be the first member. */
	struct uev_repeated_ event;
	struct uev_eventheader header;
	int error;
	bool repeats;
	bool has_structs;
	size_t limit;
	struct uev_texts texts;
	unsigned int depth;
	size_t open[UEV_STRUCT_DEPTH_MAX];
};

/*
 * struct kind - Layout of the values of an encoding
 * @formats: matching formats
 * @unit: size of the value, or of each unit of a string; 0 if the encoding is
 *        not one of a value
 * @counted: the value starts with the number of units
 * @zero_ended: the value ends with a unit of 0
 */
struct kind {
	unsigned long formats;
	uint8_t unit;
	bool counted;
	bool zero_ended;
};

static const struct kind kinds[UEV_ENCODING_END] = {
	[UEV_ENCODING_VALUE8] = { UEV_FORMATS_VALUE8, 1 },
	[UEV_ENCODING_VALUE16] = { UEV_FORMATS_VALUE16, 2 },
	[UEV_ENCODING_VALUE32] = { UEV_FORMATS_VALUE32, 4 },
	[UEV_ENCODING_VALUE64] = { UEV_FORMATS_VALUE64, 8 },
	[UEV_ENCODING_VALUE128] = { UEV_FORMATS_VALUE128, 16 },
	[UEV_ENCODING_ZSTRING8] = { UEV_FORMATS_STRING, 1, .zero_ended = true },
	[UEV_ENCODING_ZSTRING16] = { UEV_FORMATS_STRING, 2,
				     .zero_ended = true },
	[UEV_ENCODING_ZSTRING32] = { UEV_FORMATS_STRING, 4,
				     .zero_ended = true },
	[UEV_ENCODING_STRING8] = { UEV_FORMATS_ANY, 1, .counted = true },
	[UEV_ENCODING_STRING16] = { UEV_FORMATS_STRING, 2, .counted = true },
	[UEV_ENCODING_STRING32] = { UEV_FORMATS_STRING, 4, .counted = true },
	[UEV_ENCODING_BINARY] = { UEV_FORMATS_ANY, 1, .counted = true },
};

static const uint8_t zero[4];

static bool is_string(const struct kind *kind)
{
	return kind->counted || kind->zero_ended;
}

/*
 * Records the first error of the event, and whether values can be added to it by
 * uev_add_repeated_(), which does not check its size.
 */
static int result(struct uev_builder *builder, int err)
{
	struct uev_repeated_ *event = &builder->event;
	bool fits = event->meta.size + event->data.size <= EVENT_MAX;

	if (!builder->error)
		builder->error = err;
	event->data_end = !builder->error && builder->repeats && fits
				  ? event->data.size
				  : 0;
	return builder->error;
}

/* Grows the buffer by at least @more bytes, up to EVENT_MAX. Rarely called. */
static NOINLINE int grow(struct uev_buffer_ *buffer, size_t more)
{
	size_t size = buffer->size ? buffer->size : FIRST_SIZE;
	uint8_t *bytes;

	if (buffer->used > FRONT + EVENT_MAX ||
	    more > FRONT + EVENT_MAX - buffer->used)
		return -E2BIG;
	while (size < buffer->used + more)
		size *= 2;
	bytes = uev_realloc(buffer->bytes, size);
	if (!bytes)
		return -ENOMEM;
	buffer->bytes = bytes;
	buffer->size = size;
	return 0;
}

/*
 * Reserves @more bytes in @buffer. The sum can exceed the limit of an event,
 * see check_size().
 */
static inline int reserve(struct uev_buffer_ *buffer, size_t more)
{
	return more <= buffer->size - buffer->used ? 0 : grow(buffer, more);
}

/* Appends bytes that reserve() has reserved. */
static void put(struct uev_buffer_ *buffer, const void *bytes, size_t size)
{
	if (size)
		memcpy(buffer->bytes + buffer->used, bytes, size);
	buffer->used += size;
}

/* Copies one value; a constant size compiles to one or two instructions. */
static void copy_value(uint8_t *to, const void *value, size_t size)
{
	switch (size) {
	case 1:
		memcpy(to, value, 1);
		break;
	case 2:
		memcpy(to, value, 2);
		break;
	case 4:
		memcpy(to, value, 4);
		break;
	case 8:
		memcpy(to, value, 8);
		break;
	default:
		memcpy(to, value, size);
	}
}

static int append(struct uev_buffer_ *buffer, const void *bytes, size_t size)
{
	int err = reserve(buffer, size);

	if (!err)
		put(buffer, bytes, size);
	return err;
}

static int append_count(struct uev_buffer_ *buffer, size_t count)
{
	uint16_t number = (uint16_t)count;

	if (count > UEV_COUNT_MAX)
		return -E2BIG;
	return append(buffer, &number, sizeof(number));
}

/* The event as a whole has a limit, too. */
static int check_size(const struct uev_builder *builder)
{
	return builder->event.meta.used + builder->event.data.used > EVENT_MAX
		       ? -E2BIG
		       : 0;
}

/* Tests whether the unit at @text is 0. */
static bool ends(const uint8_t *text, size_t unit)
{
	return memcmp(text, zero, unit) == 0;
}

/*
 * Returns the number of units before the terminator, or @limit if there is none
 * among the first @limit units.
 */
static size_t units(const void *text, size_t unit, size_t limit)
{
	const uint8_t *at = text;
	size_t count;

	if (unit == 1)
		return strnlen(text, limit);
	for (count = 0; count < limit && !ends(at, unit); count++)
		at += unit;
	return count;
}

static NOINLINE int append_string(struct uev_buffer_ *buffer,
				  const struct kind *kind, const void *data,
				  size_t count)
{
	size_t length;
	int err = 0;

	if (count == UEV_ZERO_ENDED) {
		count = data ? units(data, kind->unit, UEV_COUNT_MAX + 1) : 0;
	} else if (!data && count) {
		return -EINVAL;
	} else if (kind->zero_ended && count && count <= UEV_COUNT_MAX) {
		length = units(data, kind->unit, count);
		if (length != count)
			return -EINVAL;
	}
	if (count > UEV_COUNT_MAX)
		return -E2BIG;
	if (kind->counted)
		err = append_count(buffer, count);
	if (!err)
		err = append(buffer, data, count * kind->unit);
	if (!err && kind->zero_ended)
		err = append(buffer, zero, kind->unit);
	return err;
}

/* Returns the bytes before the metadata. */
static size_t front_size(const void *activity, const void *related)
{
	size_t size =
		sizeof(struct uev_eventheader) + sizeof(struct uev_extension);

	if (activity)
		size += sizeof(struct uev_extension) + UEV_ACTIVITY_SIZE;
	if (related)
		size += UEV_ACTIVITY_SIZE;
	return size;
}

/*
 * fit_event() - Shortens texts if the event is too large
 * @front: bytes before the metadata
 * @limit: maximum size of the event in bytes
 *
 * Return: 0; -E2BIG.
 */
static int fit_event(struct uev_builder *builder, size_t front, size_t limit)
{
	size_t size = front + builder->event.meta.used - FRONT +
		      builder->event.data.used;

	if (size <= limit)
		return 0;
	if (!builder->limit)
		return -E2BIG;
	return uev_texts_fit(&builder->texts, builder->event.data.bytes,
			     &builder->event.data.used, size - limit);
}

/*
 * Appends a text that can be shortened later. No text is longer than the event,
 * whatever the other fields are.
 */
static NOINLINE int append_text(struct uev_builder *builder,
				const struct kind *kind, const char *text,
				size_t count)
{
	struct uev_buffer_ *buffer = &builder->event.data;
	size_t start = buffer->used + (kind->counted ? sizeof(uint16_t) : 0);
	size_t length;
	int err;

	if (count == UEV_ZERO_ENDED)
		count = text ? strnlen(text, UEV_PAYLOAD_MAX + 1) : 0;
	length = text && count > UEV_PAYLOAD_MAX ? UEV_PAYLOAD_MAX + 1 : count;
	err = append_string(buffer, kind, text, length);
	if (!err)
		err = uev_texts_add(&builder->texts, start, length,
				    kind->counted);
	if (!err && buffer->used > SHORTEN_EARLY)
		err = fit_event(builder, front_size(NULL, NULL),
				builder->limit);
	return err;
}

static int append_strings(struct uev_builder *builder, const struct kind *kind,
			  bool is_text, const struct uev_string *strings,
			  size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && !err; i++)
		err = is_text ? append_text(builder, kind, strings[i].data,
					    strings[i].count)
			      : append_string(&builder->event.data, kind,
					      strings[i].data,
					      strings[i].count);
	return err;
}

static int append_value(struct uev_buffer_ *buffer, const void *data,
			size_t size, size_t count)
{
	int err;

	if (count != 1 || !data)
		return -EINVAL;
	err = reserve(buffer, size);
	if (err)
		return err;
	copy_value(buffer->bytes + buffer->used, data, size);
	buffer->used += size;
	return 0;
}

/* Tests whether texts of a field can be shortened: UTF-8. */
static bool can_shorten(const struct uev_builder *builder,
			unsigned int encoding, unsigned int format)
{
	unsigned int type = encoding & UEV_ENCODING_TYPE;

	return builder->limit &&
	       (type == UEV_ENCODING_STRING8 ||
		type == UEV_ENCODING_ZSTRING8) &&
	       (format == UEV_FORMAT_DEFAULT ||
		format == UEV_FORMAT_STRING_UTF ||
		format == UEV_FORMAT_STRING_XML ||
		format == UEV_FORMAT_STRING_JSON);
}

static NOINLINE int append_array(struct uev_builder *builder,
				 const struct kind *kind, unsigned int encoding,
				 unsigned int format, const void *data,
				 size_t count)
{
	struct uev_buffer_ *buffer = &builder->event.data;
	int err = 0;

	if (count > UEV_COUNT_MAX)
		return -E2BIG;
	if (count && !data)
		return -EINVAL;
	if (encoding & UEV_ENCODING_VARRAY)
		err = append_count(buffer, count);
	if (err)
		return err;
	if (is_string(kind))
		return append_strings(builder, kind,
				      can_shorten(builder, encoding, format),
				      data, count);
	return append(buffer, data, count * kind->unit);
}

/* Appends the values of a field that append_field() has described. */
static int append_values(struct uev_builder *builder, unsigned int encoding,
			 unsigned int format, const void *data, size_t count)
{
	const struct kind *kind = &kinds[encoding & UEV_ENCODING_TYPE];

	if (encoding & UEV_ENCODING_FLAGS)
		return append_array(builder, kind, encoding, format, data,
				    count);
	if (!is_string(kind))
		return append_value(&builder->event.data, data, kind->unit,
				    count);
	if (can_shorten(builder, encoding, format))
		return append_text(builder, kind, data, count);
	return append_string(&builder->event.data, kind, data, count);
}

static uint8_t *put_number(uint8_t *at, size_t number)
{
	uint16_t value = (uint16_t)number;

	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

/* Forgets the descriptions of the previous event from @at on. */
static inline void end_meta(struct uev_builder *builder, uint8_t *at)
{
	memset(at, 0, META_END);
	builder->repeats = false;
}

/*
 * Tests whether @at has a field of the previous event with the same name and as
 * many bytes, so that the fields behind it stay what they are.
 */
static inline bool is_known_field(const uint8_t *at, const char *name,
				  unsigned int encoding, uint16_t tag)
{
	size_t length = uev_repeated_name_(at, name);

	if (!length)
		return false;
	at += length;
	return at[0] == encoding && (!(encoding & UEV_ENCODING_CHAIN) ||
				     !(at[1] & UEV_FORMAT_CHAIN) == !tag);
}

/*
 * Appends the description of a field; the format of a struct is its member
 * count.
 */
static inline ALWAYS_INLINE int append_field(struct uev_builder *builder,
					     const char *name,
					     unsigned int encoding,
					     unsigned int format, uint16_t tag,
					     size_t count)
{
	struct uev_buffer_ *meta = &builder->event.meta;
	size_t length;
	bool is_known;
	uint8_t *at;
	int err;

	err = name ? uev_eventheader_check_name(name, &length) : -EINVAL;
	if (!err)
		err = reserve(meta, length + 1 + FIELD_MAX + META_END);
	if (err)
		return err;
	if (format || tag || encoding == UEV_ENCODING_STRUCT)
		encoding |= UEV_ENCODING_CHAIN;
	at = meta->bytes + meta->used;
	is_known = is_known_field(at, name, encoding, tag);
	memcpy(at, name, length + 1);
	at += length + 1;
	*at++ = (uint8_t)encoding;
	if (encoding & UEV_ENCODING_CHAIN)
		*at++ = (uint8_t)(format | (tag ? UEV_FORMAT_CHAIN : 0));
	if (tag)
		at = put_number(at, tag);
	if (encoding & UEV_ENCODING_CARRAY)
		at = put_number(at, count);
	if (!is_known)
		end_meta(builder, at);
	meta->used = (size_t)(at - meta->bytes);
	return check_size(builder);
}

/*
 * Tests whether uev_add() accepts a field of this encoding, format and length.
 */
static inline ALWAYS_INLINE int check_field(unsigned int encoding,
					    unsigned int format, size_t count)
{
	unsigned int type = encoding & UEV_ENCODING_TYPE;
	unsigned int flags = encoding & UEV_ENCODING_FLAGS;

	/* An encoding without values has no formats. */
	if (encoding != (type | flags) || type >= UEV_ENCODING_END ||
	    format >= UEV_FORMAT_END ||
	    !(kinds[type].formats & UEV_FORMAT_BIT(format)))
		return -EINVAL;
	if (!flags)
		return 0;
	if (flags == UEV_ENCODING_FLAGS)
		return -EINVAL;
	if (flags == UEV_ENCODING_CARRAY) {
		if (!count)
			return -EINVAL;
		if (count > UEV_COUNT_MAX)
			return -E2BIG;
	}
	return 0;
}

int uev_builder_new(struct uev_builder **builder)
{
	struct uev_builder *new = uev_calloc(1, sizeof(*new));
	int err = -ENOMEM;

	*builder = NULL;
	if (!new)
		return err;
	err = reserve(&new->event.meta, FRONT + META_END);
	if (!err)
		err = reserve(&new->event.data, 1);
	if (err) {
		uev_builder_free(new);
		return err;
	}
	end_meta(new, new->event.meta.bytes + FRONT);
	new->error = -EINVAL;
	*builder = new;
	return 0;
}

void uev_builder_free(struct uev_builder *builder)
{
	if (!builder)
		return;
	uev_texts_release(&builder->texts);
	free(builder->event.meta.bytes);
	free(builder->event.data.bytes);
	free(builder);
}

int uev_builder_begin(struct uev_builder *builder, const char *name,
		      uint16_t tag)
{
	struct uev_buffer_ *meta = &builder->event.meta;
	size_t length;
	int err;

	builder->error = 0;
	builder->repeats = true;
	builder->has_structs = false;
	builder->limit = 0;
	builder->texts.count = 0;
	builder->texts.is_shortened = false;
	builder->depth = 0;
	builder->header = (struct uev_eventheader){ .tag = tag };
	builder->event.data.used = 0;
	meta->used = FRONT;
	if (!name || !name[0] || name[0] == ';')
		return result(builder, -EINVAL);
	length = uev_repeated_name_(meta->bytes + FRONT, name);
	if (length) {
		meta->used += length;
		return result(builder, check_size(builder));
	}
	err = uev_eventheader_check_name(name, &length);
	if (!err)
		err = reserve(meta, length + 1 + META_END);
	if (err)
		return result(builder, err);
	put(meta, name, length + 1);
	end_meta(builder, meta->bytes + meta->used);
	return result(builder, check_size(builder));
}

int uev_builder_id(struct uev_builder *builder, uint16_t id, uint8_t version)
{
	builder->header.id = id;
	builder->header.version = version;
	return result(builder, version && !id ? -EINVAL : 0);
}

int uev_builder_opcode(struct uev_builder *builder, uint8_t opcode)
{
	builder->header.opcode = opcode;
	return result(builder, 0);
}

int uev_builder_shorten(struct uev_builder *builder, size_t limit)
{
	if (!limit || limit > UEV_PAYLOAD_MAX)
		return result(builder, -EINVAL);
	if (!builder->error)
		builder->limit = limit;
	return builder->error;
}

int uev_builder_error(const struct uev_builder *builder)
{
	return builder->error;
}

/* Size of the longest name that add_plain() copies, and of the largest value */
#define PLAIN_NAME_MAX 32
#define PLAIN_VALUE_MAX 16

static inline size_t room_in(const struct uev_buffer_ *buffer)
{
	return buffer->size - buffer->used;
}

/*
 * Copies a short name of letters and its NUL.
 *
 * Return: bytes; 0 for another name.
 */
static inline ALWAYS_INLINE size_t copy_plain_name(uint8_t *to,
						   const char *name)
{
	size_t i;

	for (i = 0; (signed char)name[i] > 0 && name[i] != ';'; i++) {
		if (i == PLAIN_NAME_MAX)
			return 0;
		to[i] = (uint8_t)name[i];
	}
	to[i] = '\0';
	return name[i] ? 0 : i + 1;
}

/*
 * Adds the most frequent fields: one value without a tag, with a short name of
 * letters, if there is room for it. Checks and copies each byte once.
 *
 * Return: whether the field was added; otherwise the event is unchanged.
 */
static inline ALWAYS_INLINE bool
add_plain(struct uev_builder *builder, const char *name, unsigned int encoding,
	  unsigned int format, const void *data)
{
	struct uev_buffer_ *meta = &builder->event.meta;
	const struct kind *kind;
	size_t length;
	uint8_t *at;

	if (encoding >= UEV_ENCODING_END)
		return false;
	kind = &kinds[encoding];
	if (is_string(kind) || format >= UEV_FORMAT_END ||
	    !(kind->formats & UEV_FORMAT_BIT(format)) ||
	    room_in(meta) < PLAIN_NAME_MAX + 1 + FIELD_MAX + META_END ||
	    room_in(&builder->event.data) < PLAIN_VALUE_MAX)
		return false;
	if (uev_add_repeated_(builder, name, encoding, format, data,
			      kind->unit))
		return true;
	at = meta->bytes + meta->used;
	length = copy_plain_name(at, name);
	if (!length) {
		end_meta(builder, at);
		return false;
	}
	at += length;
	*at++ = (uint8_t)(format ? encoding | UEV_ENCODING_CHAIN : encoding);
	if (format)
		*at++ = (uint8_t)format;
	end_meta(builder, at);
	meta->used = (size_t)(at - meta->bytes);
	copy_value(builder->event.data.bytes + builder->event.data.used, data,
		   kind->unit);
	builder->event.data.used += kind->unit;
	return true;
}

/* Not inline, so that plain fields do not save its registers. */
static NOINLINE int add_any(struct uev_builder *builder, const char *name,
			    unsigned int encoding, unsigned int format,
			    uint16_t tag, const void *data, size_t count)
{
	int err = builder->error;

	if (!err)
		err = check_field(encoding, format, count);
	if (!err)
		err = append_field(builder, name, encoding, format, tag, count);
	if (!err)
		err = append_values(builder, encoding, format, data, count);
	if (!err)
		err = check_size(builder);
	return result(builder, err);
}

int uev_add(struct uev_builder *builder, const char *name,
	    unsigned int encoding, unsigned int format, uint16_t tag,
	    const void *data, size_t count)
{
	if (!builder->error && !tag && count == 1 && data && name &&
	    add_plain(builder, name, encoding, format, data))
		return check_size(builder) ? result(builder, -E2BIG) : 0;
	return add_any(builder, name, encoding, format, tag, data, count);
}

int uev_add_meta(struct uev_builder *builder, const char *name,
		 unsigned int encoding, unsigned int format, uint16_t tag,
		 size_t count)
{
	int err = builder->error;

	if (!err)
		err = check_field(encoding, format, count);
	if (!err && count && !(encoding & UEV_ENCODING_CARRAY))
		err = -EINVAL;
	if (!err)
		err = append_field(builder, name, encoding, format, tag, count);
	return result(builder, err);
}

int uev_add_data(struct uev_builder *builder, const void *data, size_t size)
{
	int err = builder->error;

	if (!err && !data && size)
		err = -EINVAL;
	if (!err)
		err = append(&builder->event.data, data, size);
	if (!err)
		err = check_size(builder);
	return result(builder, err);
}

/* Appends a struct and returns the position of its member count. */
static int append_struct(struct uev_builder *builder, const char *name,
			 unsigned int encoding, unsigned int members,
			 uint16_t tag, size_t *count)
{
	int err;

	if (members > UEV_STRUCT_MEMBERS_MAX)
		return -E2BIG;
	err = append_field(builder, name, encoding | UEV_ENCODING_CHAIN,
			   members, tag, 0);
	if (err)
		return err;
	builder->has_structs = true;
	*count = builder->event.meta.used - 1 - (tag ? sizeof(tag) : 0);
	return 0;
}

int uev_add_struct(struct uev_builder *builder, const char *name,
		   unsigned int members, uint16_t tag, size_t *bookmark)
{
	size_t count = 0;
	int err = builder->error;

	if (!err && !members && !bookmark)
		err = -EINVAL;
	if (!err)
		err = append_struct(builder, name, UEV_ENCODING_STRUCT, members,
				    tag, &count);
	if (bookmark)
		*bookmark = count;
	return result(builder, err);
}

int uev_add_struct_array(struct uev_builder *builder, const char *name,
			 unsigned int members, uint16_t tag, size_t elements)
{
	size_t count;
	int err = builder->error;

	if (!err && !members)
		err = -EINVAL;
	if (!err)
		err = append_struct(builder, name,
				    UEV_ENCODING_STRUCT | UEV_ENCODING_VARRAY,
				    members, tag, &count);
	if (!err)
		err = append_count(&builder->event.data, elements);
	if (!err)
		err = check_size(builder);
	return result(builder, err);
}

int uev_set_members(struct uev_builder *builder, size_t bookmark,
		    unsigned int members)
{
	int err = builder->error;

	if (err)
		return err;
	if (!members || bookmark <= FRONT ||
	    bookmark >= builder->event.meta.used)
		return result(builder, -EINVAL);
	if (members > UEV_STRUCT_MEMBERS_MAX)
		return result(builder, -E2BIG);
	builder->event.meta.bytes[bookmark] &= UEV_FORMAT_CHAIN;
	builder->event.meta.bytes[bookmark] |= (uint8_t)members;
	return 0;
}

/*
 * count_members() - Counts the members of a struct
 * @at: the first field
 * @end: end of the last field
 * @members: set to the number of fields that are not in a nested struct
 *
 * Return: 0; -EINVAL for a struct without members; -E2BIG for structs nested
 * more deeply than decoders support.
 */
static int count_members(const uint8_t *at, const uint8_t *end,
			 unsigned int *members)
{
	/* Remaining members of each enclosing struct. */
	unsigned int left[UEV_STRUCT_DEPTH_MAX];
	unsigned int depth = 0;

	*members = 0;
	while (at < end) {
		unsigned int encoding, format = 0;

		if (depth)
			left[depth - 1]--;
		else
			++*members;
		at += strlen((const char *)at) + 1;
		encoding = *at++;
		if (encoding & UEV_ENCODING_CHAIN)
			format = *at++;
		if (format & UEV_FORMAT_CHAIN)
			at += sizeof(uint16_t);
		if (encoding & UEV_ENCODING_CARRAY)
			at += sizeof(uint16_t);
		if ((encoding & UEV_ENCODING_TYPE) == UEV_ENCODING_STRUCT) {
			if (!(format & UEV_FORMAT_VALUE))
				return -EINVAL;
			if (depth == UEV_STRUCT_DEPTH_MAX)
				return -E2BIG;
			left[depth++] = format & UEV_FORMAT_VALUE;
		}
		while (depth && !left[depth - 1])
			depth--;
	}
	return 0;
}

int uev_begin_struct(struct uev_builder *builder, const char *name,
		     uint16_t tag)
{
	size_t count = 0;
	int err = builder->error;

	if (!err && builder->depth == UEV_STRUCT_DEPTH_MAX)
		err = -E2BIG;
	if (!err)
		err = append_struct(builder, name, UEV_ENCODING_STRUCT, 0, tag,
				    &count);
	if (!err)
		builder->open[builder->depth++] = count;
	return result(builder, err);
}

int uev_end_struct(struct uev_builder *builder)
{
	const uint8_t *count, *first;
	unsigned int members;
	int err = builder->error;

	if (err)
		return err;
	if (!builder->depth)
		return result(builder, -EINVAL);
	builder->depth--;
	count = builder->event.meta.bytes + builder->open[builder->depth];
	first = count + 1 + (*count & UEV_FORMAT_CHAIN ? sizeof(uint16_t) : 0);
	err = count_members(
		first, builder->event.meta.bytes + builder->event.meta.used,
		&members);
	if (err)
		return result(builder, err);
	return uev_set_members(builder, builder->open[builder->depth], members);
}

/*
 * Checks that are only possible after the last field. An open struct has no
 * member count yet.
 */
static int check_event(struct uev_builder *builder)
{
	const uint8_t *name = builder->event.meta.bytes + FRONT;
	unsigned int fields;

	if (builder->error)
		return builder->error;
	if (!builder->has_structs)
		return 0;
	return count_members(
		name + strlen((const char *)name) + 1,
		builder->event.meta.bytes + builder->event.meta.used, &fields);
}

/* Inserts @size bytes before @at and returns their start. */
static uint8_t *put_front(uint8_t *at, const void *bytes, size_t size)
{
	return memcpy(at - size, bytes, size);
}

/* Fills in the front of the metadata and returns the start of the event. */
static uint8_t *put_header(struct uev_builder *builder, uint8_t level,
			   const void *activity, const void *related)
{
	struct uev_eventheader header = builder->header;
	struct uev_extension extension = {
		.size = (uint16_t)(builder->event.meta.used - FRONT),
		.kind = UEV_EXTENSION_METADATA,
	};
	uint8_t *at = builder->event.meta.bytes + FRONT;

	header.flags = UEV_HEADER_NATIVE | UEV_HEADER_EXTENSION;
	header.level = level;
	at = put_front(at, &extension, sizeof(extension));
	if (activity) {
		extension.kind = UEV_EXTENSION_ACTIVITY | UEV_EXTENSION_CHAIN;
		extension.size = UEV_ACTIVITY_SIZE;
		if (related) {
			extension.size += UEV_ACTIVITY_SIZE;
			at = put_front(at, related, UEV_ACTIVITY_SIZE);
		}
		at = put_front(at, activity, UEV_ACTIVITY_SIZE);
		at = put_front(at, &extension, sizeof(extension));
	}
	return put_front(at, &header, sizeof(header));
}

/* Counts an event that is not written. */
static void count_error(struct uev_event_set *set, int err)
{
	if (uev_enabled(&set->event))
		uev_event_count(&set->event, err == -E2BIG
						     ? UEV_COUNTER_OVERSIZE
						     : UEV_COUNTER_FAILED);
}

/*
 * Writes an event with texts that can be shortened. If no tracer takes it, because
 * it is too large, it is shortened to a size that all tracers take.
 */
static int write_shortened(struct uev_builder *builder,
			   struct uev_event_set *set, size_t front,
			   struct iovec vector[2], int count)
{
	int err = uev_event_try_large(&set->event, vector, count);

	if (err != -E2BIG)
		return err;
	if (fit_event(builder, front, UEV_PAYLOAD_FTRACE_MAX)) {
		uev_event_count(&set->event, UEV_COUNTER_LOST);
		return 0;
	}
	vector[1].iov_len = builder->event.data.used;
	return uev_event_writev(&set->event, vector, count);
}

int uev_builder_write(struct uev_builder *builder, struct uev_event_set *set,
		      const void *activity, const void *related)
{
	const size_t front = front_size(activity, related);
	struct iovec vector[2];
	int err = check_event(builder);

	if (!err && related && !activity)
		err = -EINVAL;
	if (!err)
		err = fit_event(builder, front,
				builder->limit ? builder->limit
					       : UEV_PAYLOAD_MAX);
	if (err) {
		count_error(set, err);
		return err;
	}
	if (!uev_enabled(&set->event))
		return 0;
	vector[0].iov_base = put_header(builder, set->level, activity, related);
	vector[0].iov_len =
		(size_t)(builder->event.meta.bytes + builder->event.meta.used -
			 (uint8_t *)vector[0].iov_base);
	vector[1].iov_base = builder->event.data.bytes;
	vector[1].iov_len = builder->event.data.used;
	if (builder->limit > UEV_PAYLOAD_FTRACE_MAX && builder->texts.count)
		err = write_shortened(builder, set, front, vector, 2);
	else
		err = uev_event_writev(&set->event, vector,
				       builder->event.data.used ? 2 : 1);
	if (!err && builder->texts.is_shortened)
		uev_event_count(&set->event, UEV_COUNTER_SHORTENED);
	return err;
}
