// SPDX-License-Identifier: MIT
#include "perf/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/sys_perf.h"

#define BUFFER_SIZE (256 * 1024)

int uev_perf_output_init(struct uev_perf_output *output, int fd)
{
	*output = (struct uev_perf_output){
		.fd = fd,
		.buffer = malloc(BUFFER_SIZE),
	};

	return output->buffer ? 0 : -ENOMEM;
}

void uev_perf_output_free(struct uev_perf_output *output)
{
	free(output->buffer);
	output->buffer = NULL;
}

static void write_all(struct uev_perf_output *output, uint64_t offset,
		      const uint8_t *bytes, size_t size)
{
	ssize_t put;

	while (size && !output->error) {
		put = uev_sys_perf_pwrite(output->fd, bytes, size, offset);
		/* A write of 0 bytes would repeat forever. */
		if (put <= 0) {
			output->error = put ? (int)put : -EIO;
			break;
		}
		bytes += put;
		offset += (uint64_t)put;
		size -= (size_t)put;
	}
}

int uev_perf_output_flush(struct uev_perf_output *output)
{
	write_all(output, output->offset - output->used, output->buffer,
		  output->used);
	output->used = 0;

	return output->error;
}

void uev_perf_output_put(struct uev_perf_output *output, const void *bytes,
			 size_t size)
{
	const uint8_t *from = bytes;
	size_t part;

	while (size) {
		if (output->used == BUFFER_SIZE)
			uev_perf_output_flush(output);
		part = BUFFER_SIZE - output->used;
		if (part > size)
			part = size;
		memcpy(output->buffer + output->used, from, part);
		output->used += part;
		output->offset += part;
		from += part;
		size -= part;
	}
}

void uev_perf_output_zeros(struct uev_perf_output *output, size_t size)
{
	static const uint8_t zeros[64];
	size_t part;

	for (; size; size -= part) {
		part = size < sizeof(zeros) ? size : sizeof(zeros);
		uev_perf_output_put(output, zeros, part);
	}
}

void uev_perf_output_u32(struct uev_perf_output *output, uint32_t value)
{
	uev_perf_output_put(output, &value, sizeof(value));
}

void uev_perf_output_u64(struct uev_perf_output *output, uint64_t value)
{
	uev_perf_output_put(output, &value, sizeof(value));
}

void uev_perf_output_replace(struct uev_perf_output *output, uint64_t offset,
			     const void *bytes, size_t size)
{
	uev_perf_output_flush(output);
	write_all(output, offset, bytes, size);
}
