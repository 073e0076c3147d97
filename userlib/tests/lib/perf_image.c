// SPDX-License-Identifier: MIT
#include "perf_image.h"

#include <check.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/common.h"

#define ATTR_SIZE 112

size_t image_data_offset;
size_t image_data_size;

void image_bytes(struct image *image, const void *bytes, size_t size)
{
	ck_assert_uint_le(size, IMAGE_MAX - image->size);
	memcpy(image->bytes + image->size, bytes, size);
	image->size += size;
}

void image_zeros(struct image *image, size_t size)
{
	while (size--)
		image_u8(image, 0);
}

void image_u8(struct image *image, uint8_t value)
{
	image_bytes(image, &value, 1);
}

static void number(const struct image *image, uint8_t *to, uint64_t value,
		   unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[image->big ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

static void put_number(struct image *image, uint64_t value, unsigned int size)
{
	uint8_t bytes[8];

	number(image, bytes, value, size);
	image_bytes(image, bytes, size);
}

void image_u16(struct image *image, uint16_t value)
{
	put_number(image, value, 2);
}

void image_u32(struct image *image, uint32_t value)
{
	put_number(image, value, 4);
}

void image_u64(struct image *image, uint64_t value)
{
	put_number(image, value, 8);
}

void image_set16(struct image *image, size_t at, uint16_t value)
{
	number(image, image->bytes + at, value, 2);
}

void image_set64(struct image *image, size_t at, uint64_t value)
{
	number(image, image->bytes + at, value, 8);
}

void image_text(struct image *image, const char *text)
{
	size_t length = strlen(text);
	size_t zeros = 64 - length % 64;

	image_u32(image, (uint32_t)(length + zeros));
	image_bytes(image, text, length);
	image_zeros(image, zeros);
}

void image_header(struct image *image, uint32_t type, uint16_t size)
{
	image_u32(image, type);
	image_u16(image, 0);
	image_u16(image, size);
}

/* The order of bits follows the byte order of the machine. */
static void set_bit(struct image *image, size_t at, unsigned int bit)
{
	unsigned int shift = image->big ? 7 - bit % 8 : bit % 8;

	image->bytes[at + bit / 8] |= (uint8_t)(1U << shift);
}

void image_attr(struct image *image, uint32_t type, uint64_t config,
		uint64_t sample_type)
{
	size_t bits;

	image_u32(image, type);
	image_u32(image, ATTR_SIZE);
	image_u64(image, config);
	image_u64(image, 1);
	image_u64(image, sample_type);
	image_u64(image, PERF_FORMAT_ID);
	bits = image->size;
	image_zeros(image, 8);
	/* sample_id_all and use_clockid */
	set_bit(image, bits, 18);
	set_bit(image, bits, 25);
	image_zeros(image, 92 - 48);
	image_u32(image, 4);
	image_zeros(image, ATTR_SIZE - 96);
}

void image_sample(struct image *image, uint64_t id, uint64_t time, uint32_t cpu,
		  const char *raw)
{
	size_t length = strlen(raw);
	size_t padded = (length + 4 + 7) / 8 * 8 - 4;

	image_header(image, PERF_RECORD_SAMPLE, (uint16_t)(44 + padded));
	image_u64(image, id);
	image_u32(image, 7);
	image_u32(image, 8);
	image_u64(image, time);
	image_u32(image, cpu);
	image_u32(image, 0);
	image_u32(image, (uint32_t)padded);
	image_bytes(image, raw, length);
	image_zeros(image, padded - length);
}

static void sized(struct image *image, const char *text)
{
	image_u64(image, strlen(text));
	image_bytes(image, text, strlen(text));
}

static void terminated(struct image *image, const char *text)
{
	image_bytes(image, text, strlen(text) + 1);
}

void image_tracing(struct image *image)
{
	terminated(image, "\x17\x08\x44tracing0.6");
	image_u8(image, image->big);
	image_u8(image, 8);
	image_u32(image, 4096);
	terminated(image, "header_page");
	sized(image, "a page");
	terminated(image, "header_event");
	sized(image, "");
	/* Files of ftrace itself: an empty one, and one with content. */
	image_u32(image, 2);
	sized(image, "nothing");
	sized(image, "name: print\nID: 5\n");
	image_u32(image, 2);
	terminated(image, "user_events");
	image_u32(image, 1);
	sized(image, "name: first\nID: 41\nformat:\n");
	terminated(image, "other");
	image_u32(image, 0);
	/* Symbols, texts of printk, names of processes. */
	image_u32(image, 0);
	image_u32(image, 0);
	image_u64(image, 0);
}

static void description(struct image *image)
{
	image_u32(image, 2);
	image_u32(image, ATTR_SIZE);
	image_attr(image, PERF_TYPE_TRACEPOINT, IMAGE_FIRST, IMAGE_SAMPLE_TYPE);
	image_u32(image, 2);
	image_text(image, "user_events:first");
	image_u64(image, IMAGE_FIRST_ID);
	image_u64(image, IMAGE_FIRST_ID + 1);
	image_attr(image, PERF_TYPE_TRACEPOINT, IMAGE_SECOND,
		   IMAGE_SAMPLE_TYPE);
	image_u32(image, 1);
	image_text(image, "user_events:second:u");
	image_u64(image, IMAGE_SECOND_ID);
}

/* The parts that a file can have, without TRACING_DATA. */
static void feature(struct image *image, unsigned int number_of)
{
	switch (number_of) {
	case 3:
		image_text(image, "a-host");
		break;
	case 4:
		image_text(image, "6.1.0");
		break;
	case 6:
		image_text(image, "s390x");
		break;
	case 7:
		image_u32(image, 16);
		image_u32(image, 12);
		break;
	case 12:
		description(image);
		break;
	case 21:
		image_u64(image, 100);
		image_u64(image, 900);
		break;
	case 23:
		image_u64(image, 1);
		break;
	case 29:
		image_u32(image, 1);
		image_u32(image, 4);
		image_u64(image, 5000000000ULL);
		image_u64(image, 1000);
		break;
	default:
		/* One that the reader does not know. */
		image_text(image, "unknown");
	}
}

static const unsigned int features[] = { 1, 3, 4, 5, 6, 7, 12, 21, 23, 29 };
#define FEATURES ARRAY_SIZE(features)

static void put_features(struct image *image, unsigned int word_size)
{
	size_t table = image->size;
	unsigned int byte;
	size_t begin;
	size_t i;

	image_zeros(image, FEATURES * 16);
	for (i = 0; i < FEATURES; i++) {
		begin = image->size;
		if (features[i] == 1)
			image_tracing(image);
		else
			feature(image, features[i]);
		image_set64(image, table + i * 16, begin);
		image_set64(image, table + i * 16 + 8, image->size - begin);

		byte = features[i] / 8;
		if (image->big)
			byte = byte - byte % word_size +
			       (word_size - 1 - byte % word_size);
		image->bytes[IMAGE_FEATURES + byte] |=
			(uint8_t)(1U << features[i] % 8);
	}
}

static void begin(struct image *image, bool big)
{
	image->big = big;
	image->size = 0;
	image_bytes(image, big ? "2ELIFREP" : "PERFILE2", 8);
}

void image_file(struct image *image, bool big, unsigned int word_size,
		void (*records)(struct image *image))
{
	size_t ids;

	begin(image, big);
	image_u64(image, 104);
	image_u64(image, ATTR_SIZE + 16);
	image_zeros(image, 104 - 24);

	ids = image->size;
	image_u64(image, IMAGE_FIRST_ID);
	image_u64(image, IMAGE_FIRST_ID + 1);
	image_u64(image, IMAGE_SECOND_ID);
	image_set64(image, 24, image->size);
	image_set64(image, 32, 2 * (ATTR_SIZE + 16));
	image_attr(image, PERF_TYPE_TRACEPOINT, IMAGE_FIRST, IMAGE_SAMPLE_TYPE);
	image_u64(image, ids);
	image_u64(image, 16);
	image_attr(image, PERF_TYPE_TRACEPOINT, IMAGE_SECOND,
		   IMAGE_SAMPLE_TYPE);
	image_u64(image, ids + 16);
	image_u64(image, 8);

	image_data_offset = image->size;
	records(image);
	image_data_size = image->size - image_data_offset;
	image_set64(image, 40, image_data_offset);
	image_set64(image, 48, image_data_size);
	put_features(image, word_size);
}

static void attr_record(struct image *image, uint64_t config, uint64_t id,
			uint64_t count)
{
	image_header(image, 64, (uint16_t)(8 + ATTR_SIZE + count * 8));
	image_attr(image, PERF_TYPE_TRACEPOINT, config, IMAGE_SAMPLE_TYPE);
	while (count--)
		image_u64(image, id++);
}

static void feature_record(struct image *image, unsigned int number_of)
{
	size_t begin_of = image->size;

	image_header(image, 80, 0);
	image_u64(image, number_of);
	feature(image, number_of);
	image_zeros(image, (8 - image->size % 8) % 8);
	image_set16(image, begin_of + 6, (uint16_t)(image->size - begin_of));
}

void image_pipe(struct image *image, bool big,
		void (*records)(struct image *image))
{
	size_t size;
	size_t i;

	begin(image, big);
	image_u64(image, 16);
	for (i = 0; i < FEATURES; i++)
		if (features[i] != 1)
			feature_record(image, features[i]);
	attr_record(image, IMAGE_FIRST, IMAGE_FIRST_ID, 2);
	attr_record(image, IMAGE_SECOND, IMAGE_SECOND_ID, 1);
	/* The size is that of the data after it, which is padded. */
	image_header(image, 66, 12);
	image_u32(image, 0);
	size = image->size;
	image_tracing(image);
	image_zeros(image, 7 - (image->size - size + 7) % 8);
	number(image, image->bytes + size - 4, image->size - size, 4);
	records(image);
}
