// SPDX-License-Identifier: MIT
/* Records of UEV_TRACE(). */
#include <errno.h>
#include <string.h>
#include <userevents/tracepoint.h>

#include "core/registration.h"
#include "core/tracepoint.h"
#include "core/write.h"
#include "core/writers.h"
#include "util/float.h"

/* Size of the largest number in bytes. */
#define NUMBER_SIZE 8

/* A location: size and offset, see struct uev_registration.text_base. */
#define LOC_SIZE 4
#define LOC_SIZE_SHIFT 16
#define LOC_OFFSET_MASK 0xffffU

/* Text of a UUID or of a floating-point number. */
#define TEXT_SIZE 40
_Static_assert(TEXT_SIZE >= UEV_UUID_TEXT_SIZE &&
		       TEXT_SIZE >= UEV_FLOAT_TEXT_MAX,
	       "a text can be too long");

/* Size of a type in the record: a number, or a location of the data. */
static const unsigned char sizes[] = {
	[UEV_TYPE_S8] = 1,	     [UEV_TYPE_U8] = 1,
	[UEV_TYPE_CHAR] = 1,	     [UEV_TYPE_S16] = 2,
	[UEV_TYPE_U16] = 2,	     [UEV_TYPE_S32] = 4,
	[UEV_TYPE_U32] = 4,	     [UEV_TYPE_S64] = 8,
	[UEV_TYPE_U64] = 8,	     [UEV_TYPE_STRING] = LOC_SIZE,
	[UEV_TYPE_BYTES] = LOC_SIZE, [UEV_TYPE_F32] = LOC_SIZE,
	[UEV_TYPE_F64] = LOC_SIZE,   [UEV_TYPE_UUID] = LOC_SIZE,
};

/*
 * A record under construction.
 * @fixed: numbers, and locations of the rest
 * @fixed_size: used bytes of @fixed
 * @texts: texts of floating-point numbers and UUIDs
 * @vector: the first for @fixed, then the rest
 * @pieces: number of used vectors
 * @end: bytes of the record including the rest, and of the header in front of it
 */
struct record {
	unsigned char fixed[UEV_FIELDS_MAX * NUMBER_SIZE];
	size_t fixed_size;
	char texts[UEV_FIELDS_MAX][TEXT_SIZE];
	struct iovec vector[1 + UEV_FIELDS_MAX * 2];
	int pieces;
	size_t end;
};

size_t uev_type_size(uint32_t type)
{
	return type <= UEV_TYPE_UUID ? sizes[type] : 0;
}

/* An invalid type, 0, is none. */
static bool is_number(const struct uev_value *value)
{
	return value->type - 1U < UEV_TYPE_STRING - 1U;
}

/* Returns the size of the fixed part of all records; 0 if a type is invalid. */
static size_t fixed_size(const struct uev_value *values, size_t count)
{
	size_t size = 0, one, i;

	for (i = 0; i < count; i++) {
		one = uev_type_size(values[i].type);
		if (!one)
			return 0;
		size += one;
	}

	return size;
}

/*
 * Copies the lower bytes of a number, in the byte order of the machine. One store
 * of NUMBER_SIZE bytes, of which the next number replaces the rest, is faster than
 * a copy of a variable size.
 */
static inline void put_number(struct record *record, uint64_t number,
			      size_t size)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	number <<= 8 * (NUMBER_SIZE - size);
#endif
	memcpy(record->fixed + record->fixed_size, &number, NUMBER_SIZE);
	record->fixed_size += size;
}

static void put_piece(struct record *record, const void *data, size_t size)
{
	if (!size)
		return;
	record->vector[record->pieces].iov_base = (void *)data;
	record->vector[record->pieces].iov_len = size;
	record->pieces++;
	record->end += size;
}

static void put_data(struct record *record, const struct uev_value *value)
{
	size_t before = record->end;
	/* Saturates, so that a record that is too large is rejected. */
	size_t size = value->number > UEV_PAYLOAD_MAX ? UEV_PAYLOAD_MAX + 1
						      : (size_t)value->number;

	put_piece(record, value->data, size);
	if (value->type == UEV_TYPE_STRING && !value->has_end)
		put_piece(record, "", 1);
	put_number(record,
		   (record->end - before) << LOC_SIZE_SHIFT |
			   (before & LOC_OFFSET_MASK),
		   LOC_SIZE);
}

/* Returns the number as text, in @text. */
static struct uev_value text_of_float(const struct uev_value *value, char *text)
{
	uint32_t bits = (uint32_t)value->number;
	double number;
	float single;

	if (value->type == UEV_TYPE_F64) {
		memcpy(&number, &value->number, sizeof(number));
		uev_float_text(number, false, text);
	} else {
		memcpy(&single, &bits, sizeof(single));
		uev_float_text((double)single, true, text);
	}

	return uev_value_string(text);
}

/* Returns the UUID as text, in @text; the nil UUID if it has no data. */
static struct uev_value text_of_uuid(const struct uev_value *value, char *text)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *bytes = value->data;
	char *to = text;
	int i;

	for (i = 0; i < UEV_UUID_SIZE; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*to++ = '-';
		*to++ = digits[bytes ? bytes[i] >> 4 : 0];
		*to++ = digits[bytes ? bytes[i] & 0xf : 0];
	}
	*to = '\0';

	return uev_value_string(text);
}

static void put_value(struct record *record, const struct uev_value *value,
		      char *text)
{
	struct uev_value converted;

	if (is_number(value)) {
		put_number(record, value->number, sizes[value->type]);
	} else if (value->type > UEV_TYPE_BYTES) {
		converted = value->type == UEV_TYPE_UUID
				    ? text_of_uuid(value, text)
				    : text_of_float(value, text);
		put_data(record, &converted);
	} else {
		put_data(record, value);
	}
}

/* Makes offsets in the payload count from the end of their words. */
static void make_relative(struct record *record, const struct uev_value *values,
			  size_t count)
{
	unsigned char *word = record->fixed;
	uint32_t location;
	size_t i;

	for (i = 0; i < count; word += sizes[values[i++].type]) {
		if (is_number(&values[i]))
			continue;
		memcpy(&location, word, LOC_SIZE);
		location = (location & ~LOC_OFFSET_MASK) |
			   ((location -
			     (uint32_t)(word + LOC_SIZE - record->fixed)) &
			    LOC_OFFSET_MASK);
		memcpy(word, &location, LOC_SIZE);
	}
}

static int reject(struct uev_event *event)
{
	if (uev_enabled(event))
		uev_event_count(event, UEV_COUNTER_FAILED);

	return -EINVAL;
}

/*
 * Finishes and writes a record of which values from @first on have to be added.
 * Locations are those of struct uev_registration.text_base.
 */
static __attribute__((__noinline__)) int
write_texts(struct uev_event *event, struct record *record,
	    const struct uev_value *values, size_t count, size_t first)
{
	size_t i, text_base, rest = fixed_size(values + first, count - first);
	struct uev_registration *registration;
	uint32_t *writer;
	int err = 0;

	if (!rest)
		return reject(event);
	writer = uev_writer_enter();
	registration = uev_registration_of(event);
	if (registration) {
		text_base = __atomic_load_n(&registration->text_base,
					    __ATOMIC_RELAXED);
		record->vector[0].iov_len = record->fixed_size + rest;
		record->end = text_base + record->vector[0].iov_len;
		for (i = first; i < count; i++)
			put_value(record, &values[i], record->texts[i]);
		if (!text_base)
			make_relative(record, values, count);
		err = uev_write_counted(registration, record->vector,
					record->pieces);
	}
	uev_writer_leave(writer);

	return err;
}

int uev_tracepoint_write(struct uev_event *event,
			 const struct uev_value *values, size_t count)
{
	struct record record;
	size_t i;

	if (count > UEV_FIELDS_MAX)
		return reject(event);
	record.fixed_size = 0;
	record.pieces = 1;
	record.vector[0].iov_base = record.fixed;
	for (i = 0; i < count && is_number(&values[i]); i++)
		put_number(&record, values[i].number, sizes[values[i].type]);
	if (i < count)
		return write_texts(event, &record, values, count, i);

	/* Most records consist of numbers only. */
	record.vector[0].iov_len = record.fixed_size;

	return uev_event_writev(event, record.vector, record.pieces);
}
