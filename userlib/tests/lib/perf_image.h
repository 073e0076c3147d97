/* SPDX-License-Identifier: MIT */
/*
 * perf.data as perf makes it, in memory, of a machine of either byte order.
 */
#ifndef PERF_IMAGE_H
#define PERF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_MAX (256 * 1024)

/* Events of most tests. */
#define IMAGE_SAMPLE_TYPE 0x10486

struct image {
	bool big;
	size_t size;
	uint8_t bytes[IMAGE_MAX];
};

void image_bytes(struct image *image, const void *bytes, size_t size);
void image_zeros(struct image *image, size_t size);
void image_u8(struct image *image, uint8_t value);
void image_u16(struct image *image, uint16_t value);
void image_u32(struct image *image, uint32_t value);
void image_u64(struct image *image, uint64_t value);

/* Overwrites earlier bytes. */
void image_set16(struct image *image, size_t at, uint16_t value);
void image_set64(struct image *image, size_t at, uint64_t value);

/* A length, a text, and zeros up to 64 bytes. */
void image_text(struct image *image, const char *text);

/* Starts a record. */
void image_header(struct image *image, uint32_t type, uint16_t size);

/* An attribute of 112 bytes, with the clock CLOCK_MONOTONIC_RAW. */
void image_attr(struct image *image, uint32_t type, uint64_t config,
		uint64_t sample_type);

/* A sample of IMAGE_SAMPLE_TYPE of process 7, thread 8. */
void image_sample(struct image *image, uint64_t id, uint64_t time, uint32_t cpu,
		  const char *raw);

/* Tracing data with the formats of user_events:first and :second. */
void image_tracing(struct image *image);

/* Their ids in formats, and the numbers that their samples have. */
#define IMAGE_FIRST 41
#define IMAGE_SECOND 42
#define IMAGE_FIRST_ID 901
#define IMAGE_SECOND_ID 903

/*
 * A complete file with two events and the records of @records. It has all parts
 * that the reader supports, with these numbers.
 *
 * @word_size: size of a long of the writer, for the feature bits
 */
void image_file(struct image *image, bool big, unsigned int word_size,
		void (*records)(struct image *image));

/* The same as it comes out of a pipe. */
void image_pipe(struct image *image, bool big,
		void (*records)(struct image *image));

/* Where the data are in the last image_file(). */
extern size_t image_data_offset;
extern size_t image_data_size;

/* Where the bits of the features are. */
#define IMAGE_FEATURES 72

#endif
