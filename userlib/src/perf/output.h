/* SPDX-License-Identifier: MIT */
/* Output of perf.data to a file. */
#ifndef USEREVENTS_PERF_OUTPUT_H
#define USEREVENTS_PERF_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/*
 * @offset: offset of the next byte
 * @error: the first error of write(2); nothing is written after it
 * @used: bytes in @buffer that are not written yet
 */
struct uev_perf_output {
	int fd;
	uint64_t offset;
	int error;
	uint8_t *buffer;
	size_t used;
};

/* Return: 0 or -ENOMEM */
int uev_perf_output_init(struct uev_perf_output *output, int fd);
void uev_perf_output_free(struct uev_perf_output *output);

void uev_perf_output_put(struct uev_perf_output *output, const void *bytes,
			 size_t size);
void uev_perf_output_zeros(struct uev_perf_output *output, size_t size);
void uev_perf_output_u32(struct uev_perf_output *output, uint32_t value);
void uev_perf_output_u64(struct uev_perf_output *output, uint64_t value);

/* Writes the buffer. Return: 0 or @error */
int uev_perf_output_flush(struct uev_perf_output *output);

/* Overwrites earlier bytes. */
void uev_perf_output_replace(struct uev_perf_output *output, uint64_t offset,
			     const void *bytes, size_t size);

#endif
